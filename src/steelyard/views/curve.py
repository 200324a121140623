"""One range of the score table for curve metrics, with every slice in it.

A range goes from one score of a slice to another of the same or of a later slice. Its columns have
one entry for each distinct positive score, by slice and rising score: exact whole numbers in the
table's unit, which count all that is above the score in its slice, in other ranges too. Curve
metrics need no other points: between two positive scores are only negatives, so the curve is
straight there.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import Digits, KeyedRun
from steelyard.model import Array, Floats
from steelyard.states.score_table import SortedTable
from steelyard.views.ranges import lowest_above, ranges, sides
from steelyard.views.sums import ExactColumn, exact_column
from steelyard.views.totals import IntegerTypes, SliceTotals, Totals, integer_types

RANGE_ROWS = 1 << 18  # rows of each class in a range: columns of 2 MB, which fit the cache


class CurveView:
    """One range, given the totals of its slices.

    slices: slice numbers; starts: the first entry of each, and the end
    totals, below: the weight of each class in the whole slice, and in the slice below the range
    scores: distinct positive scores
    pos, tied: positive and negative weight at exactly that score
    tp, fp: positive and negative weight at or above it
    tp_above, fp_above: positive and negative weight strictly above it
    long_…: the same as int64 where the totals fit, though products would not
    integers: the integer types that hold weights and their products
    """

    def __init__(
        self,
        positives: KeyedRun,
        negatives: KeyedRun,
        slices: Array,
        below: tuple[Array, Array],
        lowest_above: Floats,
        of_slices: Totals,
        integers: IntegerTypes,
    ) -> None:
        self._kernel = kernels.active()
        self._positives, self._negatives = positives, negatives
        self._placement = self._kernel.place_keyed(positives, negatives)
        self._lowest_above = lowest_above
        self.integers = integers
        self.slices = slices
        self.below = below
        self.totals = of_slices
        self.scores: Array = self._placement.scores
        self.starts: Array = self._placement.starts.searchsorted(positives.starts)

    def __len__(self) -> int:
        return len(self.slices)

    # --- columns of entries ----------------------------------------------------------------------
    @property
    def past(self) -> Array:
        """The row of the first negative above each score."""
        return self._placement.past

    @property
    def row_starts(self) -> Array:
        """The first positive row with each score."""
        return self._placement.starts

    def to_rows(self, column: Array) -> Array:
        """A column of entries as a column of the positives of the range."""
        sizes = np.diff(self._placement.starts, append=len(self._positives.scores))
        return column if len(column) == len(self._positives.scores) else np.repeat(column, sizes)

    @cached_property
    def pos(self) -> Array:
        return self._for_products(self.long_pos)

    @cached_property
    def long_pos(self) -> Array:
        return self._column(self._kernel.integers(self.pos_digits))

    @cached_property
    def tied(self) -> Array:
        return self.fp - self.fp_above

    @cached_property
    def tp(self) -> Array:
        return self._for_products(self.long_tp)

    @cached_property
    def long_tp(self) -> Array:
        return self._from_top(0, self._placement.starts)

    @cached_property
    def tp_above(self) -> Array:
        return self.tp - self.pos

    @cached_property
    def fp(self) -> Array:
        return self._for_products(self.long_fp)

    @cached_property
    def long_fp(self) -> Array:
        return self._from_top(1, self._placement.below)

    @cached_property
    def fp_above(self) -> Array:
        return self._for_products(self.long_fp_above)

    @cached_property
    def long_fp_above(self) -> Array:
        if self._placement.past is self._placement.below:
            return self.long_fp
        return self._from_top(1, self._placement.past)

    @cached_property
    def pos_digits(self) -> Digits:
        """The positive weight at each score, as digits."""
        rows = np.append(self._placement.starts, len(self._positives.scores))
        return self._kernel.weight_between(self._sums[0], rows)

    # --- columns of slices -----------------------------------------------------------------------
    @cached_property
    def doubled_area(self) -> Array:
        """For each slice, twice the weight of the pairs in the right order, ties counting half."""
        ordered = (
            self._dot(self.pos_digits, self._below_within) + self._positives_here * self.below[1]
        )
        area: Array = 2 * ordered + self.tied_pairs
        return area

    @cached_property
    def tied_pairs(self) -> Array:
        """For each slice, the weight of the pairs with equal scores."""
        below, past = self._placement.below, self._placement.past
        tied = np.flatnonzero(below != past) if past is not below else below[:0]
        if len(tied) == 0:
            return np.zeros(len(self), object)
        own = tuple(digit[tied] for digit in self.pos_digits)
        between = self._between(1, below[tied], past[tied])
        return self._dot(own, between, tied.searchsorted(self.starts))

    @property
    def _positives_here(self) -> Array:
        """For each slice, the weight of its positives in this range, as Python integers."""
        weights = self._kernel.weight_between(self._sums[0], self._positives.starts)
        return self._kernel.integers(weights).astype(object)

    # --- tools for metrics -----------------------------------------------------------------------
    def spread(self, column: Array) -> Any:
        """A column by slice as a column by entry; of a single slice, its value."""
        if len(self) == 1:
            return column.tolist()[0]
        return np.repeat(column, np.diff(self.starts))

    def add(self, column: Array) -> Array:
        """The sum of whole numbers over the entries of each slice, which must fit their type."""
        return self._reduced(np.add, column, 0)

    def most(self, column: Array, least: float = 0) -> Array:
        """The largest of each slice's entries; `least` where it has none."""
        return self._reduced(np.maximum, column, least)

    def add_exactly(self, numbers: Floats) -> ExactColumn:
        """For each slice, the exact Σ positive weight · number over its entries."""
        sums = self._kernel.dot_by_slice(self.pos_digits, numbers, self.starts)
        return exact_column(sums, len(self))

    def next_above(self, place: int, past: Array) -> Floats:
        """The lowest negative score above some entries of a slice, the one at `place`.

        past: for each of them, the row of the first negative above it
        """
        scores = self._negatives.scores
        highest = self._lowest_above[place]
        if len(scores) == 0:
            return np.full(len(past), highest)
        end = self._negatives.starts[place + 1]
        return np.where(past < end, scores.take(past, mode="clip"), highest)

    def each(self) -> Iterator["SliceEntries"]:
        """The slices one by one."""
        for place, (start, end) in enumerate(pairwise(self.starts.tolist())):
            yield SliceEntries(self, place, slice(start, end))

    def _reduced(self, function: Any, column: Array, empty: float) -> Array:
        """A ufunc over the entries of each slice; `empty` where a slice has none."""
        if len(self) == 1 and len(column):
            return np.array([function.reduce(column)], column.dtype)
        some = np.flatnonzero(np.diff(self.starts))
        found = np.full(len(self), empty, column.dtype)
        if len(some):
            found[some] = function.reduceat(column, self.starts[some])
        return found

    # --- integers --------------------------------------------------------------------------------
    @cached_property
    def _sums(self) -> tuple[Digits, Digits]:
        """The cumulative weights of both classes."""
        kernel = self._kernel
        return kernel.cumulative(self._positives.run), kernel.cumulative(self._negatives.run)

    def _from_top(self, side: int, rows: Array) -> Array:
        """The weight of a class from each of these rows up to the end of its slice."""
        kernel, sums = self._kernel, self._sums[side]
        run = (self._positives, self._negatives)[side]
        all_ = (self.totals.positives, self.totals.negatives)[side].astype(object)
        start = kernel.integers(kernel.weight_before(sums, run.starts[:-1])).astype(object)
        top = all_ - self.below[side] + start
        before = kernel.integers(kernel.weight_before(sums, rows))
        fits = max(top.tolist(), default=0) < 1 << 62
        whole = self.spread(top.astype(np.int64) if fits else top)
        return self._column(whole - (before if fits else before.astype(object)))

    def _column(self, column: Array) -> Array:
        """Weights as int64 where all fit, else as Python integers."""
        return column.astype(np.int64 if self.integers.fits else object, copy=False)

    def _for_products(self, column: Array) -> Array:
        """Weights as int64 where products of two fit, else as Python integers."""
        return column if self.integers.narrow else column.astype(object)

    @cached_property
    def _below_within(self) -> Digits:
        """The weight of the slice's negatives in this range below each score."""
        below = self._placement.below
        if len(self) == 1:
            return self._kernel.weight_before(self._sums[1], below)
        return self._between(1, self.spread(self._negatives.starts[:-1]), below)

    def _between(self, side: int, low: Array, high: Array) -> Digits:
        """The weight of a class between each two rows."""
        sums = self._sums[side]
        parts = [digit.take(high) - digit.take(low) for digit in sums] if sums else [high - low]
        return self._kernel.shift(tuple(parts), 0)  # carries, as a single digit may be negative

    def _dot(self, left: Digits, right: Digits, starts: Array | None = None) -> Array:
        """For each slice, Σ left·right over its entries, as Python integers."""
        kernel = self._kernel
        starts = self.starts if starts is None else starts
        if self.integers.narrow:  # a sum is at most W⁺·W⁻, which int64 holds
            one, other = kernel.integers(left), kernel.integers(right)
            if len(starts) == 2:
                return np.array([int(one @ other)], object)
            return kernel.sum_between(one * other, starts).astype(object)
        if len(starts) == 2:
            return np.array([kernel.dot(left, right)], object)
        return kernel.integers(kernel.dot_groups(left, right, starts)).astype(object)


COLUMNS = (
    *("scores", "pos", "tied", "tp", "fp", "tp_above", "fp_above"),
    *("long_pos", "long_tp", "long_fp", "long_fp_above"),
)


class SliceEntries:
    """The entries of one slice in a range, by rising score; attributes: `COLUMNS`."""

    def __init__(self, view: CurveView, place: int, entries: slice) -> None:
        self._view, self._place, self._entries = view, place, entries
        self.totals: SliceTotals = view.totals.at(place)

    def next_above(self, entries: Array | slice) -> Floats:
        """The lowest negative score above some entries; it is infinite if there is none."""
        return self._view.next_above(self._place, self._view.past[self._entries][entries])

    def __getattr__(self, name: str) -> Array:
        if name not in COLUMNS:
            raise AttributeError(name)
        column: Array = getattr(self._view, name)[self._entries]
        return column


def curve_views(
    table: SortedTable, of_slices: Totals, rows: int | None = None
) -> Iterator[CurveView]:
    """The ranges of a table, by slice and rising score.

    Ranges without a positive are left out: they add nothing.
    rows: about how many rows of a class a range has
    """
    integers = integer_types(of_slices)
    for bounds, below in ranges(table, rows or RANGE_ROWS):
        if bounds.positives[0] < bounds.positives[1]:
            count = bounds.last - bounds.first
            yield CurveView(
                *sides(table, bounds),
                np.arange(bounds.first, bounds.last),
                (np.full(count, below.positives, object), np.full(count, below.negatives, object)),
                np.full(count, lowest_above(table, bounds)),
                of_slices.take(slice(bounds.first, bounds.last)),
                integers,
            )
