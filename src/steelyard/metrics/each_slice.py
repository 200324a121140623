"""Folds that are computed slice by slice: slower than columns, for parts that are no columns."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from steelyard.metrics.fold import RangeMetric
from steelyard.metrics.record import metric_class
from steelyard.model import Array


def objects(found: Iterable[Any]) -> Array:
    """A column of Python objects, which may be sequences."""
    listed = list(found)
    column = np.empty(len(listed), object)
    for place, each in enumerate(listed):
        column[place] = each
    return column


@metric_class
class EachSlice(RangeMetric):
    """A fold whose parts are Python objects, one for each slice of a range.

    join: joins two of them; value: a function of a slice's joined part
    """

    def join_columns(self, lower: Array, upper: Array) -> Array:
        return objects(map(self.join, lower, upper))
