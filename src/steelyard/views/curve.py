"""One range of the points of curves, with every slice in it.

A range goes from one positive score of a slice to another of the same or of a later slice. Its
columns have one entry for each distinct positive score, by slice and rising score: exact whole
numbers in the table's unit, which count all that is above the score in its slice, in other ranges
too. Curve metrics need no other points: between two positive scores are only negatives, so the
curve is straight there.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels import curve_columns
from steelyard.kernels.interface import Chosen, CurvePoints, Upwards
from steelyard.kernels.interface.curves import CurveMeasure, Term
from steelyard.kernels.ragged import FEW, steps
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Array, Floats
from steelyard.views.context import Context
from steelyard.views.sums import ExactColumn, exact_column
from steelyard.views.totals import IntegerTypes, SliceTotals, Totals, integer_types

RANGE = 1 << 20  # entries of a range: columns of 8 MB
NextAbove = Callable[[Array, Array], Floats]  # arguments: slices and scores, both rising


class CurveView:
    """One range, given the totals of its slices.

    points: starts are those of these slices
    slices: slice numbers; starts: the first entry of each, and the end
    totals: the weight of each class in the whole slice
    below: the positives of the slice below the range, and those negatives below it which the
        points do not count
    above: the positives of the slice above the range
    scores: distinct positive scores
    pos, tied: positive and negative weight at exactly that score
    tp, fp: positive and negative weight at or above it
    tp_above, fp_above: positive and negative weight strictly above it
    long_…: the same as int64 where the totals fit, though products would not
    integers: the integer types that hold weights and their products
    next_above: the lowest negative score above each of some scores of slices; infinite without one
    """

    def __init__(
        self,
        points: CurvePoints,
        slices: Array,
        of_slices: Totals,
        below: tuple[Array, Array],
        above: Array,
        integers: IntegerTypes,
        next_above: NextAbove,
    ) -> None:
        self._points, self.next_above = points, next_above
        self.slices, self.totals, self.integers = slices, of_slices, integers
        self.below, self.above = below, above
        self.scores: Array = points.scores
        self.starts: Array = points.starts

    def __len__(self) -> int:
        return len(self.slices)

    # --- columns of entries ----------------------------------------------------------------------
    @cached_property
    def pos(self) -> Array:
        return self._for_products(self.long_pos)

    @cached_property
    def long_pos(self) -> Array:
        return self._column(self._points.positives, 1)

    @cached_property
    def tp(self) -> Array:
        return self._for_products(self.long_tp)

    @property
    def long_tp(self) -> Array:
        return self._tp_and_fp[0]

    @cached_property
    def tp_above(self) -> Array:
        return self.tp - self.pos

    @cached_property
    def fp(self) -> Array:
        return self._for_products(self.long_fp)

    @property
    def long_fp(self) -> Array:
        return self._tp_and_fp[1]

    @cached_property
    def fp_above(self) -> Array:
        return self._for_products(self.long_fp_above)

    @cached_property
    def long_fp_above(self) -> Array:
        if self._points.tied is None:
            return self.long_fp
        return self.long_fp - self._column(self._points.tied, 0)

    # --- tools for metrics -----------------------------------------------------------------------
    def add_term(self, term: Term) -> ExactColumn:
        """For each slice, the exact Σ positive weight · term over its entries."""
        sums = kernels.active().curve_sums(self._points, self._upwards, term)
        return exact_column(sums, len(self))

    def most(self, measure: CurveMeasure, up: Array, down: Array) -> Chosen:
        """For each slice the entry that a measure chooses, see `CurveKernels.curve_most`."""
        return kernels.active().curve_most(self._points, self._upwards, measure, up, down)

    def add_between(self, term: Term, firsts: Array, ends: Array) -> ExactColumn:
        """The same over the entries of each slice from `firsts` up to `ends`."""
        # What lies between two slices is added as well, and left out: most views have one slice.
        bounds = np.stack([firsts, np.maximum(firsts, ends)], axis=1).reshape(-1)
        entries = slice(int(bounds[0]), int(bounds[-1]))
        columns = (None if each is None else each[entries] for each in self._points[1:])
        points = CurvePoints(bounds - bounds[0], *columns)  # type: ignore[arg-type]
        upwards = Upwards(*map(_with_gaps, self._upwards))
        sums = kernels.active().curve_sums(points, upwards, term)
        return exact_column({power: column[::2] for power, column in sums.items()}, len(self))

    def entries_at(self, places: Array, slices: Array) -> tuple[Array, Array, Array]:
        """The positives, the tied negatives and the FP of some entries of slices of the view."""
        points, kind = self._points, self.integers.kind
        fp = self._upwards.negatives[slices] - points.below[places].astype(kind, copy=False)
        columns = (
            np.full(len(places), instead) if column is None else column[places]
            for column, instead in ((points.positives, 1), (points.tied, 0))
        )
        own, tied = (column.astype(kind, copy=False) for column in columns)
        return own, tied, fp

    def scores_at(self, places: Array, instead: float) -> Floats:
        """The scores of some entries as float64; `instead` where a place is −1."""
        found = np.full(len(places), instead)
        found[places >= 0] = self.scores[places[places >= 0]]
        return found

    def each(self) -> Iterator["SliceEntries"]:
        """The slices one by one."""
        for place, (start, end) in enumerate(pairwise(self.starts.tolist())):
            yield SliceEntries(self, place, slice(start, end))

    # --- integers --------------------------------------------------------------------------------
    @cached_property
    def _upwards(self) -> Upwards:
        both = zip((self.totals.positives, self.totals.negatives), self.below, strict=True)
        kind = self.integers.kind
        return Upwards(*((total - below).astype(kind, copy=False) for total, below in both))

    @cached_property
    def _tp_and_fp(self) -> tuple[Array, Array]:
        return curve_columns.tp_and_fp(self._points, self._upwards)

    def _column(self, column: Array | None, instead: int) -> Array:
        """Weights as int64 where all fit, else as Python integers; None: a number everywhere."""
        if column is None:
            return np.full(len(self.scores), instead, self.integers.kind)
        return column.astype(self.integers.kind, copy=False)

    def _for_products(self, column: Array) -> Array:
        """Weights as int64 where products of two fit, else as Python integers."""
        return column if self.integers.narrow else column.astype(object)


def _with_gaps(column: Array) -> Array:
    """A column by slice, with the larger of two neighbours between them."""
    found = np.repeat(column, 2)[:-1]
    found[1::2] = np.maximum(column[:-1], column[1:])
    return found


COLUMNS = (
    *("scores", "pos", "tp", "fp", "tp_above", "fp_above"),
    *("long_pos", "long_tp", "long_fp", "long_fp_above"),
)


class SliceEntries:
    """The entries of one slice in a range, by rising score; attributes: `COLUMNS`."""

    def __init__(self, view: CurveView, place: int, entries: slice) -> None:
        self._view, self._entries = view, entries
        self.totals: SliceTotals = view.totals.at(place)

    def __getattr__(self, name: str) -> Array:
        if name not in COLUMNS:
            raise AttributeError(name)
        column: Array = getattr(self._view, name)[self._entries]
        return column


def curve_views(
    points: CurvePoints,
    of_slices: Totals,
    next_above: NextAbove,
    entries: int | None = None,
    context: Context | None = None,
) -> Iterator[CurveView]:
    """The ranges of the points of slices, by slice and rising score.

    entries: how many a range has; context: None: the points are those of whole slices
    """
    integers, count = integer_types(of_slices), len(points.starts) - 1
    none = np.zeros(count, integers.kind)
    below, negatives_below = none, none
    if context is not None:
        below, negatives_below = (
            column.astype(integers.kind, copy=False) for column in context.below
        )
    if 0 < len(points.scores) <= (entries or RANGE):
        above = none
        if context is not None:
            above = _above(of_slices, below + _positives_of(points, integers.kind), integers.kind)
        lower = below, negatives_below
        yield CurveView(points, np.arange(count), of_slices, lower, above, integers, next_above)
        return
    under = below.copy()  # the positives of each slice that are below the range
    for here in blocks(len(points.scores), entries or RANGE):
        first = int(points.starts.searchsorted(here.start, "right")) - 1
        last = int(points.starts.searchsorted(here.stop - 1, "right"))
        own = slice(first, last)
        part, chosen = _part(points, own, here), of_slices.take(own)
        lower = under[own].copy(), negatives_below[own]
        under[own] += _positives_of(part, integers.kind)
        above = _above(chosen, under[own], integers.kind)
        numbers = np.arange(first, last)
        yield CurveView(part, numbers, chosen, lower, above, integers, next_above)


def _above(of_slices: Totals, not_above: Array, kind: Any) -> Array:
    """The positives of slices but for those that are not above a range."""
    above: Array = of_slices.positives.astype(kind, copy=False) - not_above
    return above


def _part(points: CurvePoints, slices: slice, entries: slice) -> CurvePoints:
    """Some of the points, which are of these slices."""
    starts = points.starts[slices.start : slices.stop + 1].clip(entries.start, entries.stop)
    columns = (None if column is None else column[entries] for column in points[1:])
    return CurvePoints(starts - entries.start, *columns)  # type: ignore[arg-type]


def _positives_of(points: CurvePoints, kind: Any) -> Array:
    """The weight of the positives of each slice; kind: of integers that hold it."""
    if points.positives is None:
        return steps(points.starts).astype(kind, copy=False)
    if len(points.starts) <= FEW:
        rows = pairwise(points.starts.tolist())
        sums = [points.positives[start:end].astype(kind, copy=False).sum() for start, end in rows]
        return np.array(sums, kind)
    running = np.zeros(len(points.scores) + 1, kind)
    np.cumsum(points.positives, dtype=kind, out=running[1:])
    return steps(running[points.starts])


class AreaView:
    """The areas under the curves of slices, without their points.

    slices: slice numbers; totals: the weight of each class in the whole slice
    doubled_area: twice the weight of the pairs in the right order, ties counting half
    tied_pairs: the weight of the pairs with equal scores
    """

    def __init__(self, slices: Array, of_slices: Totals, area: Array, tied: Array) -> None:
        self.slices, self.totals = slices, of_slices
        self.doubled_area, self.tied_pairs = area, tied
