"""Totals: the weight of each class, by slice."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.digits import integers, sum_groups
from steelyard.kernels.interface import DIGIT, CurveTotals, KeyedRun
from steelyard.kernels.ragged import steps
from steelyard.model import Array, Floats
from steelyard.states.score_table import SortedTable


@dataclass(frozen=True, eq=False)
class Totals:
    """The totals of some slices of a table.

    positives, negatives: the weight of each class in each slice, in multiples of 2**power, as
        int64, or as Python integers where one does not fit
    lowest, highest: the ends of the scores of each slice; NaN where it has no rows
    """

    power: int
    positives: Array
    negatives: Array
    lowest: Floats
    highest: Floats

    def take(self, places: slice | Array) -> "Totals":
        """The totals of some of these slices."""
        if isinstance(places, np.ndarray) and len(places) == len(self.positives) == 1:
            return self  # of its only slice
        columns = (self.positives, self.negatives, self.lowest, self.highest)
        return Totals(self.power, *(column[places] for column in columns))

    @property
    def all(self) -> Array:
        """The weight of each slice."""
        total: Array = self.positives + self.negatives
        return total

    @property
    def pairs(self) -> Array:
        """The weight of the pairs of a positive and a negative, as Python integers."""
        found: Array = self.positives.astype(object) * self.negatives
        return found

    def at(self, place: int) -> "SliceTotals":
        """The totals of one slice."""
        positives, negatives = self._listed
        return SliceTotals(positives[place], negatives[place], self, place)

    @cached_property
    def _listed(self) -> tuple[list[int], list[int]]:
        return self.positives.tolist(), self.negatives.tolist()

    @cached_property
    def have_both_classes(self) -> bool:
        """Whether each slice has a weight of both classes."""
        return all(all(column) for column in self._listed)

    @property
    def largest(self) -> int:
        """The weight of the heaviest slice."""
        return max(self.all.tolist(), default=0)


class SliceTotals(NamedTuple):
    """The totals of one slice."""

    positives: int
    negatives: int
    totals: Totals
    place: int

    @property
    def all(self) -> int:
        return self.positives + self.negatives

    @property
    def power(self) -> int:
        """Weights are multiples of 2**power."""
        return self.totals.power

    @property
    def lowest(self) -> float:
        return float(self.totals.lowest[self.place])

    @property
    def highest(self) -> float:
        return float(self.totals.highest[self.place])


class IntegerTypes(NamedTuple):
    """The integers that hold a table's weights.

    narrow: int64 holds a product of two cumulative weights
    fits: int64 holds a cumulative weight, with a bit to spare
    """

    narrow: bool
    fits: bool

    @property
    def kind(self) -> Any:
        """int64 where it holds a cumulative weight, else objects."""
        return np.int64 if self.fits else object


def totals(table: SortedTable) -> Totals:
    """The totals of every slice of a table."""
    sides = table.positives, table.negatives
    up, down = map(_end_scores, sides)
    lowest, highest = np.fmin(up[0], down[0]), np.fmax(up[1], down[1])
    positives, negatives = map(slice_weights, sides)
    return Totals(table.unit, positives, negatives, lowest, highest)


def totals_of_curves(found: CurveTotals, unit: int) -> Totals:
    """The totals of every slice, from those of their curves."""
    both = found.positives, found.negatives
    if found.positives.dtype == np.uint32:
        both = both[0].astype(np.int64), both[1].astype(np.int64)
    elif int((both[0] + both[1]).max(initial=0)) >= 1 << 62:  # int64 has a bit to spare
        both = both[0].astype(object), both[1].astype(object)
    return Totals(unit, *both, found.lowest, found.highest)


def integer_types(totals: Totals) -> IntegerTypes:
    """Which integers hold the weights of these totals."""
    largest = totals.largest
    return IntegerTypes(largest < 1 << DIGIT, largest < 1 << 2 * DIGIT)


def slice_weights(side: KeyedRun) -> Array:
    """The weight of each slice's rows."""
    if side.digits is None:
        return steps(side.starts)
    weights = integers(sum_groups(side.digits, side.starts))
    # The sum of two classes may need one bit more.
    return weights.astype(object) if weights.max(initial=0) >= 1 << 62 else weights


def _end_scores(side: KeyedRun) -> tuple[Floats, Floats]:
    """The lowest and the highest score of each slice of a class; NaN where it has no rows."""
    ends = side.starts[1:]
    some = np.flatnonzero(steps(side.starts))
    lowest, highest = np.full((2, len(ends)), np.nan)
    lowest[some] = side.scores[side.starts[some]]
    highest[some] = side.scores[ends[some] - 1]
    return lowest, highest
