"""Rows with a prediction: truth and prediction as classes, as numbers, or as class scores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from steelyard import errors
from steelyard.model import Key, Label, Reading
from steelyard.reading import class_scores, numbers
from steelyard.reading.facts import Failure, ReadingFacts
from steelyard.reading.labels import checked_positive, label_of
from steelyard.reading.options import Options
from steelyard.reading.predictions import ClassPredictions, ClassScores, NumericPredictions
from steelyard.reading.roles import Roles
from steelyard.reading.row_numbers import KeptRows, NamedColumn
from steelyard.reading.selection import WEIGHT, ColumnsByRole, Selection
from steelyard.reading.two_classes import TwoClasses
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn

TakenColumns = dict[tuple[str, str], NamedColumn]  # the column of each role and kind


class PredictionRowReader:
    """Reads the truth and the prediction of each block; see `RowReader`."""

    def __init__(
        self, roles: Roles, options: Options, positive: Label, facts: ReadingFacts
    ) -> None:
        self.roles, self.options = roles, options
        called = roles.scores if roles.class_columns else roles.scores.values()
        self._names = [roles.label, *called]
        self.two_classes = TwoClasses(checked_positive(positive), self._names, facts.labels)

    @property
    def resolved(self) -> dict[str, Any]:
        return {"classes": self.roles.classes, "positive": self.two_classes.positive}

    def resolve(self, block: Block) -> None:
        """Gives the classes the type of the label: "1" becomes 1 if labels are numbers."""
        column = block.columns.get(ColumnRequest(self.roles.label, "class"))
        if column is None:
            return
        classes, positive = self.roles.classes, self.two_classes.positive
        if column.untyped or column.numeric or _only_numbers(column.keys or ()):
            if isinstance(positive, str):
                self.two_classes.positive = label_of(positive)
            if all(isinstance(label, str) for label in classes):
                values = tuple(label_of(str(label)) for label in classes)
                self.roles = replace(self.roles, classes=values)

    def conflict(self) -> Failure | None:
        """The error for classes of which each is right in its own block."""
        return self.two_classes.conflict() if self.roles.required_columns.positive_class else None

    def finish(self) -> None:
        """Every block was checked when it was read."""

    def may_lack(self, role: str, column: SourceColumn) -> bool:
        """Whether a column may have missing values: never."""
        return False

    def missing(self, name: str) -> errors.Template:
        """The error for a missing value."""
        return errors.MISSING

    def read(self, columns: ColumnsByRole, selection: Selection) -> dict[str, Any]:
        """The fields of a batch of rows with a prediction."""
        rows = selection.present()
        own = [each for each in columns if each != WEIGHT]
        taken = {each: columns[each][0].take(rows.kept) for each in own}
        scores = self._class_scores(taken, rows)
        classes = self._classes(taken, scores, rows)
        return {
            "reading": self._reading(scores),
            "negative_label": self._negative_label(taken, classes, rows),
            "numbers": self._numbers(taken, rows),
            "classes": classes,
            "class_scores": scores,
        }

    def _reading(self, scores: ClassScores | None) -> Reading:
        reading = Reading(self.options.nan, self.two_classes.positive, classes=self.roles.classes)
        if scores is None:
            return reading
        type_ = scores.columns[0].dtype.name
        return replace(reading, classes=(), score_type=type_, clip=self.options.clip_of(type_))

    def _negative_label(
        self, columns: TakenColumns, classes: ClassPredictions | None, rows: KeptRows
    ) -> Label:
        """The class that is not positive, if a metric's average is binary."""
        if classes is None or not self.roles.required_columns.positive_class:
            return None
        called = columns.get(("prediction", "class"))
        name = next(iter(self.roles.scores)) if called is None else called.name
        place = self._names.index(name, 1)
        return self.two_classes.other({0: classes.truth, place: classes.prediction}, rows)

    def _numbers(self, columns: TakenColumns, rows: KeptRows) -> NumericPredictions | None:
        if not self.roles.required_columns.numbers:
            return None
        truth, prediction = (
            numbers.score(*columns[role, "number"].numbers(rows), "float64")
            for role in ("label", "prediction")
        )
        return NumericPredictions(truth, prediction)

    def _classes(
        self, columns: TakenColumns, scores: ClassScores | None, rows: KeptRows
    ) -> ClassPredictions | None:
        if not self.roles.required_columns.classes:
            return None
        truth = class_scores.canonical_classes(*columns["label", "class"], rows)
        if scores is not None:
            return ClassPredictions(truth, class_scores.highest(scores))
        predicted = class_scores.canonical_classes(*columns["prediction", "class"], rows)
        named = columns["label", "class"].name, columns["prediction", "class"].name
        class_scores.check_same_kind(named, truth, predicted, rows)
        return ClassPredictions(truth, predicted)

    def _class_scores(self, columns: TakenColumns, rows: KeptRows) -> ClassScores | None:
        if not self.roles.class_columns:
            return None
        read = [
            numbers.score(*columns[f"class {place}", "number"].numbers(rows))
            for place in range(len(self.roles.classes))
        ]
        if self.roles.required_columns.probability:
            for place, scores in enumerate(read):
                name = columns[f"class {place}", "number"].name
                numbers.check_probability(name, scores, rows, of_classes=True)
            numbers.check_sums(columns["class 0", "number"].name, read, rows)
        truth = columns["label", "class"]
        return class_scores.scores_of(truth.name, truth.column, self.roles.classes, read, rows)


def _only_numbers(keys: Sequence[Key]) -> bool:
    """Whether there are keys, and none of them is text."""
    return bool(keys) and not any(isinstance(key, str) for key in keys)
