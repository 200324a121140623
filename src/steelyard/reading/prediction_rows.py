"""Rows with a prediction: truth and prediction as classes, as numbers, or as class scores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from steelyard import errors
from steelyard.model import Key, Reading
from steelyard.reading import class_scores, numbers
from steelyard.reading.labels import plain_label
from steelyard.reading.options import Options
from steelyard.reading.predictions import ClassPredictions, ClassScores, NumericPredictions
from steelyard.reading.roles import Roles
from steelyard.reading.rows import KeptRows, NamedColumn
from steelyard.reading.selection import WEIGHT, ColumnsByRole, Selection
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn
from steelyard.sources.text_values import value_of

TakenColumns = dict[tuple[str, str], NamedColumn]  # the column of each role and kind


class PredictionRowReader:
    """Reads the truth and the prediction of each block; see `RowReader`."""

    def __init__(self, roles: Roles, options: Options) -> None:
        self.roles, self.options = roles, options

    @property
    def resolved(self) -> dict[str, Any]:
        return {"classes": self.roles.classes}

    def resolve(self, block: Block) -> None:
        """Gives the classes the type of the label: "1" becomes 1 if labels are numbers."""
        if not self.roles.classes:
            return
        column = block.columns[ColumnRequest(self.roles.label, "key")]
        is_number = column.numeric or _only_numbers(column.keys or ())
        if is_number and all(isinstance(label, str) for label in self.roles.classes):
            values = [value_of(str(label)) for label in self.roles.classes]
            if None not in values:
                self.roles = replace(self.roles, classes=tuple(map(plain_label, values)))

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
        return {
            "reading": self._reading(scores),
            "numbers": self._numbers(taken, rows),
            "classes": self._classes(taken, scores, rows),
            "class_scores": scores,
        }

    def _reading(self, scores: ClassScores | None) -> Reading:
        if scores is None:
            return Reading(self.options.nan)
        type_ = scores.columns[0].dtype.name
        return Reading(self.options.nan, None, type_, clip=self.options.clip_of(type_))

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
        truth = class_scores.canonical_classes(columns["label", "key"].column)
        if scores is not None:
            return ClassPredictions(truth, class_scores.highest(scores))
        predicted = class_scores.canonical_classes(columns["prediction", "key"].column)
        named = columns["label", "key"].name, columns["prediction", "key"].name
        class_scores.check_same_kind(named, truth, predicted, rows)
        return ClassPredictions(truth, predicted)

    def _class_scores(self, columns: TakenColumns, rows: KeptRows) -> ClassScores | None:
        if not self.roles.classes:
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
        truth = columns["label", "key"]
        return class_scores.scores_of(truth.name, truth.column, self.roles.classes, read, rows)


def _only_numbers(keys: Sequence[Key]) -> bool:
    """Whether there are keys, and none of them is text."""
    return bool(keys) and not any(isinstance(key, str) for key in keys)
