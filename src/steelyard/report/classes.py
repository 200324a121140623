"""The class table: one line a class, or a pair of classes, with what every metric has for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard.metrics.division import rounded_products
from steelyard.model import ClassMean, Key
from steelyard.report.columns import NUMBER, TypedColumn, keys
from steelyard.report.line_table import LineTable
from steelyard.views.classes import ClassCells

WEIGHTS = ("true", "predicted", "hits")


@dataclass(frozen=True, repr=False)
class ClassTable(LineTable):
    """The classes of one score or prediction, of the total or of a slice.

    true, predicted, hits: what the rows weigh that are of a class, that are called so, and both
    """

    score: str
    slice: Mapping[str, Key]
    _of: Mapping[str, ClassMean]
    _weights: Mapping[str, Sequence[int | float]]
    _labels: tuple[Any, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self._of)

    def only(self, metrics: Sequence[str]) -> "ClassTable":
        """The same with some of the metrics; means over pairs have lines of their own."""
        pairs = all(is_paired(self._of[name]) for name in metrics)
        of = {name: self._of[name] for name in metrics if is_paired(self._of[name]) == pairs}
        labels = _union(of.values()) if pairs else self._labels
        return ClassTable(self.score, self.slice, of, {} if pairs else self._weights, labels)

    def _make_columns(self) -> dict[str, TypedColumn]:
        pairs = bool(self._labels) and isinstance(self._labels[0], tuple)
        told = zip(*self._labels, strict=True) if pairs else [self._labels]
        laid = {
            name: keys(list(column)) for name, column in zip(("class", "other"), told, strict=False)
        }
        laid |= {name: TypedColumn(NUMBER, list(column)) for name, column in self._weights.items()}
        for name, found in self._of.items():
            values = dict(zip(found.labels, found.class_values.tolist(), strict=True))
            listed = [values.get(label, np.nan) for label in self._labels]
            laid[name] = TypedColumn(
                NUMBER, [None if value != value else value for value in listed]
            )
        return laid

    @property
    def _key_count(self) -> int:
        return sum(name in ("class", "other") for name in self._columns)

    @property
    def _line_name(self) -> str:
        return "classes" if self._key_count == 1 else "pairs"


def class_table(
    cells: ClassCells | None,
    of: Mapping[str, ClassMean],
    *,
    score: str,
    slice: Mapping[str, Key],
) -> ClassTable:
    """The table of all classes that some metric is a mean over."""
    labels = _union(found for found in of.values() if not is_paired(found))
    weights: dict[str, Sequence[int | float]] = {}
    if cells is not None:
        table = cells.table
        sums = (table.truth, table.predicted, table.hits)
        for name, column in zip(WEIGHTS, sums, strict=True):
            products = rounded_products(np.array(column, object), cells.power)
            known = dict(zip(table.labels, products, strict=True))
            weights[name] = [known.get(label, 0) for label in labels]
    return ClassTable(score, slice, of, weights, labels)


def is_paired(found: ClassMean) -> bool:
    """Whether it is a mean over pairs of classes."""
    return bool(found.labels) and isinstance(found.labels[0], tuple)


def _union(of: Any) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(label for found in of for label in found.labels))
