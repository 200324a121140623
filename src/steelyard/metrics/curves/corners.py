"""The corners of the ROC path, for plots of a curve: all of them, or thinned.

Between two neighbouring corners the path is straight, so corners lose nothing. The metrics of a
whole curve have the same parts, so that corners are found once for all of them. A curve of few
points keeps few entries of each range (see `cells`), from which it then takes its points.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.metrics.curve_metrics import SlicedCurveMetric
from steelyard.metrics.curves.cells import Entries, chosen, keeps_all
from steelyard.metrics.division import ratios
from steelyard.metrics.each_slice import objects
from steelyard.metrics.fold import Pass, SliceParts
from steelyard.metrics.record import metric_class
from steelyard.model import Array, Floats
from steelyard.views.curve import AreaView, CurveView, SliceEntries
from steelyard.views.scores import ScoreView
from steelyard.views.totals import SliceTotals


class RocPath(NamedTuple):
    """Cumulative weights at falling thresholds.

    missing: how many entries were left out above each
    """

    fp: Array
    tp: Array
    thresholds: Array
    missing: Array

    def take(self, places: Array | slice) -> "RocPath":
        return RocPath(*(column[places] for column in self))

    def is_whole(self, points: int | None) -> bool:
        """Whether so many points are all that the curve has."""
        return (points is None or len(self.fp) <= points) and not self.missing[-1]


class RangeEntries(NamedTuple):
    """The entries of one slice in a range that are kept, and how many the range has."""

    kept: Entries
    size: int


class Corners:
    """The entries of one slice in neighbouring ranges, the highest range first.

    points: how many points a curve keeps at most; None: all
    """

    def __init__(self, ranges: list[RangeEntries], points: int | None) -> None:
        self.ranges, self._points = ranges, points
        self._curve: WholeCurve | None = None

    def above(self, lower: "Corners") -> "Corners":
        return Corners([*self.ranges, *lower.ranges], self._points)

    def curve(self, totals: SliceTotals) -> "WholeCurve":
        """The curve of the slice, whose totals these are; made once for all metrics."""
        if self._curve is None:
            joined = _joined(self.ranges, totals, self._points)
            self._curve = WholeCurve(joined, sum(each.size for each in self.ranges), totals)
        return self._curve


class WholeCurve:
    """The curve of a slice, from no row called positive to all of them.

    entries: those that are kept, of `size`
    """

    def __init__(self, entries: Entries, size: int, totals: SliceTotals) -> None:
        self._entries, self._size, self._totals = entries, size, totals

    @cached_property
    def points(self) -> RocPath:
        """The corners, and all within a run of positives, where precision is not straight."""
        return self._path.take(self._chosen(np.ones(len(self._entries.fp), bool)))

    @cached_property
    def corners(self) -> RocPath:
        """The corners alone: without the points within a straight line."""
        return self._path.take(self._chosen(self._entries.turns))

    @cached_property
    def _path(self) -> RocPath:
        """No row, then the point above and the point at each entry, then all rows."""
        entries, totals = self._entries, self._totals
        missing = entries.number - np.arange(len(entries.number))
        return RocPath(
            _interleave(0, entries.fp_above, entries.fp, totals.negatives),
            _interleave(0, entries.tp_above, entries.tp, totals.positives),
            _interleave(np.inf, entries.next_above, entries.scores, totals.lowest),
            _interleave(0, missing, missing, self._size - len(missing)),
        )

    def _chosen(self, at: Array) -> Array:
        """The places of points on the path: no row, the chosen entries, and all rows.

        A point that is the same as the one before is left out.
        """
        rest = bool(self._entries.fp[-1] != self._totals.negatives)
        return np.flatnonzero(_interleave(True, self._entries.apart, at, rest))


def corners(entries: SliceEntries, points: int | None) -> Corners:
    """The entries of a range that the curve needs: all, or enough to take `points` from."""
    if len(entries.scores) == 0:
        return Corners([], points)
    falling = slice(None, None, -1)
    fp, tp, fp_above = (
        column[falling] for column in (entries.long_fp, entries.long_tp, entries.long_fp_above)
    )
    size = len(fp)
    # As if this were the only range of the slice; the ends of others are corrected in `_joined`.
    apart, turns = np.empty((2, size), bool)
    apart[0], turns[-1] = fp_above[0] != 0, True
    np.not_equal(fp_above[1:], fp[:-1], out=apart[1:])
    turns[:-1] = _turns(fp, fp_above)
    places: Array | slice = slice(None)
    rows: Array | slice = falling
    if not keeps_all(size, points):
        places = chosen(fp, tp, turns, entries.totals, points)
        rows = size - 1 - places  # by rising score
    scores = entries.scores[rows]
    kept = Entries(
        fp=fp[places],
        tp=tp[places],
        fp_above=fp_above[places],
        tp_above=tp[places] - entries.long_pos[rows],
        scores=scores,
        next_above=np.full(len(scores), np.inf),
        number=np.arange(size)[places],
        apart=apart[places],
        turns=turns[places],
    )
    return Corners([RangeEntries(kept, size)], points)


@metric_class
class CornersMetric(SlicedCurveMetric):
    """A metric of the whole curve of a slice."""

    pass_order = 0  # the rows are sorted for it

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[CurveView]:
        return view.sorted_curves()

    def make(
        self, range_: AreaView | CurveView, params: dict[str, Any], pending: Pass
    ) -> SliceParts:
        assert isinstance(range_, CurveView)
        made = [self.part(entries, **params) for entries in range_.each()]
        _find_next_above(made, range_)
        return SliceParts(range_.slices, objects(made))


def _find_next_above(made: list[Corners], view: CurveView) -> None:
    """Find the lowest negative score above the entries that have some before the next entry.

    In one call for all slices; other entries need none.
    """
    kept = [each.ranges[0].kept if each.ranges else None for each in made]
    asked = [view.scores[:0] if each is None else each.scores[each.apart][::-1] for each in kept]
    sizes = list(map(len, asked))
    rising = asked[0] if len(asked) == 1 else np.concatenate(asked)
    found = view.next_above(np.repeat(view.slices, sizes), rising)
    for own, size, end in zip(kept, sizes, accumulate(sizes), strict=True):
        if own is not None:
            own.next_above[own.apart] = found[end - size : end][::-1]


def join(lower: Corners, upper: Corners) -> Corners:
    return upper.above(lower)


def _joined(ranges: list[RangeEntries], totals: SliceTotals, points: int | None) -> Entries:
    """The entries of a slice from those of its ranges; they depend on the slice alone."""
    if len(ranges) == 1:
        return ranges[0].kept
    starts = np.cumsum([0, *(each.size for each in ranges)]).tolist()
    numbered = [
        each.kept._replace(number=each.kept.number + start)
        for each, start in zip(ranges, starts, strict=False)
    ]
    found = Entries(*map(np.concatenate, zip(*numbered, strict=True)))
    # The first and the last entry of a range are always kept: now their neighbours are known.
    fp, next_to = found.fp, np.diff(found.number) == 1
    found.apart[1:][next_to] = (found.fp_above[1:] != fp[:-1])[next_to]
    found.turns[:-1][next_to] = _turns(fp, found.fp_above)[next_to]
    if keeps_all(starts[-1], points):
        return found
    return found.take(chosen(fp, found.tp, found.turns, totals, points))


def _turns(fp: Array, fp_above: Array) -> Array:
    """Whether the path has a corner at each entry but the last: negatives at it, or below it."""
    return np.asarray((fp_above[:-1] != fp[:-1]) | (fp[:-1] != fp[1:]))


def thin(
    x: Floats,
    y: Floats,
    points: int | None,
    missing: Array,
    extremes: tuple[Floats, Floats] | None = None,
) -> tuple[Array, float]:
    """The points to keep, and a bound on the change of the area under the curve.

    Points are taken at equal steps along the curve, measured as |Δx| + |Δy|. A long straight step,
    such as that of a large tied block, keeps both ends: the short steps before it would otherwise
    share a box with it. The curve between two kept points lies in the box around them, so the
    areas of the boxes bound the error.
    missing: how many entries are left out above each point
    extremes: bounds of y where entries are left out after a point; None: y grows along the curve
    """
    gaps = np.diff(missing) > 0
    kept = at_equal_steps(x, y, points)
    lowest, highest = y, y
    if extremes is not None:
        lowest, highest = (np.where(np.append(gaps, False), end, y) for end in extremes)
    high = np.maximum(np.maximum.reduceat(highest, kept[:-1]), y[kept[1:]])
    low = np.minimum(np.minimum.reduceat(lowest, kept[:-1]), y[kept[1:]])
    boxes = (high - low) * np.abs(np.diff(x[kept]))
    loses = (np.diff(kept) > 1) | np.logical_or.reduceat(gaps, kept[:-1])
    return kept, float(boxes[loses].sum() * (1 + 1e-12))


def at_equal_steps(x: Floats, y: Floats, points: int | None) -> Array:
    """At most so many points, at equal steps along a curve; the first and the last among them."""
    if points is None or points >= len(x):
        return np.arange(len(x))
    steps = np.abs(np.diff(x)) + np.abs(np.diff(y))
    long = steps > 3 * steps.sum() / points  # fewer than a third of the points, with two ends each
    starts = np.flatnonzero(long)
    ends = np.unique(np.concatenate([[0], starts, starts + 1, [len(x) - 1]]))
    along = np.concatenate([[0.0], np.cumsum(np.where(long, 0.0, steps))])
    inner = np.linspace(0, along[-1], points - len(ends) + 2)[1:-1]
    return np.unique(np.append(ends, np.searchsorted(along, inner)))


def rates(path: RocPath, totals: SliceTotals) -> tuple[Floats, Floats]:
    """The false and the true positive rate of each point, for `thin`: not rounded correctly."""
    return ratios(path.fp, max(totals.negatives, 1)), ratios(path.tp, totals.positives)


def _interleave(first: float, odd: Array, even: Array, last: float) -> Array:
    """A number, two columns interleaved, and a number."""
    both = np.empty(2 * len(odd) + 2, np.result_type(odd, even))
    both[0], both[1:-1:2], both[2:-1:2], both[-1] = first, odd, even, last
    return both
