"""Blocks → rows of a prediction: truth and prediction as classes, as numbers, or as scores."""

from dataclasses import replace
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Label, Mask, Reading, Wants
from steelyard.reading import class_scores, numbers
from steelyard.reading import slices as slicing
from steelyard.reading.labels import plain_label
from steelyard.reading.predictions import Classes, ClassScores, Numbers, Predicted
from steelyard.reading.reader import Reader
from steelyard.reading.roles import Roles, wanted_of_prediction
from steelyard.reading.rows import Named, Rows
from steelyard.sources.arrays import Arrays
from steelyard.sources.blocks import Block, Wanted
from steelyard.sources.words import value_of

Columns = dict[tuple[str, str], Named]  # by role and kind


class PredictionReader(Reader[Predicted]):
    """Makes of each block the rows of each prediction."""

    def _settle(self, block: Block) -> None:
        """The classes as the type that the label turned out to have: "1" is 1 among numbers."""
        words = block.columns[Wanted(self.roles.label, "key")].words if self.roles.classes else None
        texts = all(isinstance(label, str) for label in self.roles.classes)
        if words and texts and not any(isinstance(word, str) for word in words):
            values = [value_of(str(label)) for label in self.roles.classes]
            if None not in values:
                self.roles = replace(self.roles, classes=tuple(map(plain_label, values)))

    def batch(self, block: Block, score: str) -> Predicted:
        """The rows of a block for one prediction, checked column by column."""
        columns = self._of_prediction(block, score)
        keep = self._keep(columns.values(), Rows(block.start))
        slices = self._slices(block, keep)
        dropped = 0 if keep is None else int(np.count_nonzero(~keep))
        weight = None
        if ("weight", "number") in columns:
            named = columns.pop(("weight", "number")).take(keep)
            weight = numbers.weight(*named.numbers(Rows(block.start, keep)))
            if len(weight) and weight.min() == 0:
                present = weight != 0
                weight, keep = weight[present], _both(keep, present)
                slices = tuple(slicing.present(each, present) for each in slices)
        rows = Rows(block.start, keep)
        columns = {role: named.take(keep) for role, named in columns.items()}
        scores = self._class_scores(columns, rows)
        return Predicted(
            block.rows if keep is None else int(np.count_nonzero(keep)),
            self._reading_of(scores),
            self._numbers(columns, rows),
            self._classes(columns, scores, rows),
            scores,
            weight,
            dropped,
            slices,
        )

    def _reading_of(self, scores: ClassScores | None) -> Reading:
        if scores is None:
            return Reading(self.nan)
        type_ = scores.columns[0].dtype.name
        return Reading(self.nan, None, type_, clip=self._clip(type_))

    def _of_prediction(self, block: Block, prediction: str) -> Columns:
        return {
            (role, kind): Named(text, block.columns[Wanted(text, kind)])
            for role, text, kind in wanted_of_prediction(self.roles, prediction)
        }

    def _read(self, block: Block, score: str) -> list[Named]:
        return list(self._of_prediction(block, score).values())

    def _numbers(self, columns: Columns, rows: Rows) -> Numbers | None:
        if not self.roles.wants.numbers:
            return None
        truth, prediction = (
            numbers.score(*columns[role, "number"].numbers(rows), "float64")
            for role in ("label", "prediction")
        )
        return Numbers(truth, prediction)

    def _classes(self, columns: Columns, scores: ClassScores | None, rows: Rows) -> Classes | None:
        if not self.roles.wants.classes:
            return None
        truth = class_scores.spelled(columns["label", "key"].column)
        if scores is not None:
            return Classes(truth, class_scores.highest(scores))
        called = class_scores.spelled(columns["prediction", "key"].column)
        named = columns["label", "key"].name, columns["prediction", "key"].name
        class_scores.check_alike(named, truth, called, rows)
        return Classes(truth, called)

    def _class_scores(self, columns: Columns, rows: Rows) -> ClassScores | None:
        if not self.roles.classes:
            return None
        read = [
            numbers.score(*columns[f"class {place}", "number"].numbers(rows))
            for place in range(len(self.roles.classes))
        ]
        if self.roles.wants.probability:
            for place, scores in enumerate(read):
                name = columns[f"class {place}", "number"].name
                numbers.check_probability(name, scores, rows, of_classes=True)
            numbers.check_sums(columns["class 0", "number"].name, read, rows)
        truth = columns["label", "key"]
        return class_scores.scores_of(truth.name, truth.column, self.roles.classes, read, rows)


def _both(keep: Mask | None, present: Mask) -> Mask:
    """The rows that have no gap and some weight."""
    if keep is None:
        return present
    both = keep.copy()
    both[keep] = present
    return both


def read_predictions(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    *,
    labels: Any = None,
    wants: Wants,
    nan: str = "error",
    clip: float | None = None,
) -> Predicted:
    """The rows of arrays, as the plain functions take and call them; `y_pred` may be a matrix."""
    name = "y_score" if wants.class_scores else "y_pred"
    columns = {"y_true": y_true, "sample_weight": sample_weight}
    classes: tuple[Label, ...] = ()
    class_columns: tuple[str, ...] = ()
    if class_scores.is_matrix(y_pred):
        matrix = class_scores.matrix_columns(name, y_pred)
        classes = class_scores.classes_of("y_true", y_true, labels, y_pred, "labels")
        columns, class_columns = columns | matrix, tuple(matrix)
    elif labels is not None:
        raise errors.LABELS_OF_NO_MATRIX(name=name)
    else:
        columns[name] = y_pred
    roles = Roles(
        "y_true",
        {name: name},
        None if sample_weight is None else "sample_weight",
        wants=wants,
        classes=classes,
        class_columns=class_columns,
    )
    given = {name: array for name, array in columns.items() if array is not None}
    (block,) = Arrays(given).blocks(roles.wanted())
    return PredictionReader(roles, nan=nan, clip=clip).batch(block, name)
