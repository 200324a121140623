"""Sums by slice and cluster of rows that lie in parts: what influences are made from.

Some metrics need two passes over ranges: the sums by slice of the first are added up below each
range and over all, and the second is given these (`views.context.LineSteps`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels.interface import ExactSums
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import SliceValues
from steelyard.model import Array
from steelyard.states import exact_sums
from steelyard.views.clusters import LineSums
from steelyard.views.context import Around, line_sums_around


class FirstStep(NamedTuple):
    """Exact sums by slice of one range; slices: their numbers."""

    slices: Array
    sums: Sequence[ExactSums]


@dataclass(frozen=True)
class LineTask:
    """The task of one pass over a range: what influences on a metric need of its rows.

    values: of the metric; None: what its details by cluster need
    around: sums around the range, None in the first pass
    """

    bound: BoundMetric
    values: SliceValues | None
    around: Around | None = None

    def __call__(self, view: Any, slices: Array) -> LineSums | FirstStep:
        """The sums of a view that has some slices alone, numbered there by their place.

        slices: their numbers, rising, which the sums have
        """
        metric, params = self.bound.metric, self.bound.params
        if self.values is None:
            return metric.detail_sums(view, params).of_slices(slices)
        made = metric.line_sums(view, params, self.values.among(slices))
        if isinstance(made, LineSums):
            return made.of_slices(slices)
        first = next(made)
        if self.around is None:
            return FirstStep(slices, first)
        return line_sums_around(made, self.around).of_slices(slices)


def line_sums(
    bound: BoundMetric,
    values: SliceValues | None,
    run: Callable[[Mapping[int, LineTask]], Sequence[LineSums | FirstStep]],
    ranges: Iterable[int],
) -> list[LineSums]:
    """The sums of each range.

    run: runs a task for each of some ranges, by number, and gives what they make in key order
    """
    made = run(dict.fromkeys(ranges, LineTask(bound, values)))
    first = [each for each in made if isinstance(each, FirstStep)]
    if first:
        arounds = zip(sorted(ranges), sums_around(first), strict=True)
        made = run({number: LineTask(bound, values, around) for number, around in arounds})
    return [each for each in made if isinstance(each, LineSums)]


def sums_around(first: Sequence[FirstStep]) -> list[Around]:
    """For each range, in key order, the sums by slice that are around it."""
    slices = np.concatenate([each.slices for each in first])
    ends = np.cumsum([len(each.slices) for each in first])
    order = slices.argsort(kind="stable")  # by slice and range
    _, starts, sizes = np.unique(slices[order], return_index=True, return_counts=True)
    own = np.split(order.argsort(), ends[:-1])
    found = [Around([], []) for _ in first]
    for columns in zip(*(each.sums for each in first), strict=True):
        column: ExactSums = {}
        for part, places in zip(columns, own, strict=True):
            exact_sums.add(column, part, places, len(slices))
        running = {power: np.cumsum(digit) for power, digit in column.items()}
        before = {power: running[power] - digit for power, digit in column.items()}
        firsts, lasts = np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
        below = {power: digit - digit[firsts] for power, digit in before.items()}
        all_ = {power: digit[lasts] - before[power][firsts] for power, digit in running.items()}
        for around, places in zip(found, own, strict=True):
            around.below.append(exact_sums.lines(below, places))
            around.all.append(exact_sums.lines(all_, places))
    return found
