"""The class table: a line per class or pair of classes with its value of each mean over classes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard.metrics.division import rounded_products
from steelyard.model import ClassMean, Key
from steelyard.report.columns import NUMBER, TypedColumn, key_column
from steelyard.report.line_table import LineTable
from steelyard.result.sections import or_none
from steelyard.views.classes import ClassCells

KEYS = ("class", "other")  # the second of a pair is the other class
WEIGHTS = ("true", "predicted", "hits")


@dataclass(frozen=True, repr=False)
class ClassTable(LineTable):
    """The classes of one score or prediction, in the total or in a slice.

    true, predicted, hits: the weight of rows of a class, of rows predicted as it, and of both

    A column of values has the metric's name without its average: the value of a class has none.
    """

    score: str
    slice: Mapping[str, Key]
    _means: Mapping[str, ClassMean]
    _weights: Mapping[str, Sequence[int | float]]
    _labels: tuple[Any, ...]
    _heads: Mapping[str, str]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self._means)

    def only(self, metrics: Sequence[str]) -> "ClassTable":
        """The table with some of the metrics; means over pairs have their own lines."""
        pairs = all(is_paired(self._means[name]) for name in metrics)
        means = {n: self._means[n] for n in metrics if is_paired(self._means[n]) == pairs}
        labels = _union(means.values()) if pairs else self._labels
        weights = {} if pairs else self._weights
        return ClassTable(self.score, self.slice, means, weights, labels, self._heads)

    def _make_columns(self) -> dict[str, TypedColumn]:
        pairs = bool(self._labels) and isinstance(self._labels[0], tuple)
        labels = zip(*self._labels, strict=True) if pairs else [self._labels]
        columns = {
            name: key_column(list(keys)) for name, keys in zip(KEYS, labels, strict=False)
        } | {name: TypedColumn(NUMBER, list(sums)) for name, sums in self._weights.items()}
        for name, mean in self._means.items():
            values = dict(zip(mean.labels, or_none(mean.class_values), strict=True))
            column = TypedColumn(NUMBER, [values.get(label) for label in self._labels])
            columns[self._heads[name]] = column  # of several averages, each has the same values
        return columns

    @property
    def _key_count(self) -> int:
        return sum(name in KEYS for name in self._columns)

    @property
    def _line_name(self) -> str:
        return "classes" if self._key_count == 1 else "pairs"


def class_table(
    cells: ClassCells | None,
    means: Mapping[str, ClassMean],
    heads: Mapping[str, str],
    *,
    score: str,
    slice: Mapping[str, Key],
) -> ClassTable:
    """The table of all classes of the means over classes; heads: of the columns, by metric."""
    labels = _union(mean for mean in means.values() if not is_paired(mean))
    weights: dict[str, Sequence[int | float]] = {}
    if cells is not None:
        table = cells.table
        sums = (table.truth, table.predicted, table.hits)
        for name, column in zip(WEIGHTS, sums, strict=True):
            products = rounded_products(np.array(column, object), cells.power)
            known = dict(zip(table.labels, products, strict=True))
            weights[name] = [known.get(label, 0) for label in labels]
    return ClassTable(score, slice, means, weights, labels, heads)


def is_paired(mean: ClassMean) -> bool:
    """Whether it is a mean over pairs of classes."""
    return bool(mean.labels) and isinstance(mean.labels[0], tuple)


def _union(means: Iterable[ClassMean]) -> tuple[Any, ...]:
    """The labels of all means, once each."""
    return tuple(dict.fromkeys(label for mean in means for label in mean.labels))
