"""The curves of some rows: their areas, or their points in ranges."""

from collections.abc import Iterator

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import CurvePoints, CurveTotals, ScoreRows
from steelyard.model import Array, Floats
from steelyard.reading.batch import required
from steelyard.views.context import Context
from steelyard.views.curve import AreaView, CurveView, curve_views
from steelyard.views.totals import Totals, totals_of_curves


class RowCurves:
    """The curves of all slices; points are made when they are first read.

    count: how many slice numbers there are; unit: weights are multiples of 2**unit
    context: None: the rows are all rows of their slices
    """

    def __init__(
        self, rows: ScoreRows, count: int, unit: int, context: Context | None = None
    ) -> None:
        self._rows, self._count, self._unit, self._context = rows, count, unit, context

    @cached_property
    def _points(self) -> tuple[CurveTotals, CurvePoints]:
        kernel = kernels.active()
        found, points = kernel.curve_points(self._rows, self._count, self._unit, points=True)
        return found, required(points)

    @property
    def points(self) -> CurvePoints:
        return self._points[1]

    @cached_property
    def _without_points(self) -> CurveTotals:
        if "_points" in vars(self):
            return self._points[0]
        kernel = kernels.active()
        return kernel.curve_points(self._rows, self._count, self._unit, points=False)[0]

    @cached_property
    def totals(self) -> Totals:
        if self._context is not None:
            return self._context.totals
        return totals_of_curves(self._without_points, self._unit)

    @property
    def slices(self) -> Array:
        return np.arange(self._count)

    def sorted_curves(self) -> Iterator[CurveView]:
        """The ranges for whole curves, of rows that were sorted."""
        return self.ranges()

    def areas(self) -> Iterator[AreaView]:
        """The areas under the curves of all slices."""
        found = self._without_points
        every = np.arange(self._count)
        area: Array = found.doubled_area
        if self._context is not None:
            lower = found.positives.astype(object) * self._context.below.negatives
            area = area + 2 * lower
        yield AreaView(every, self.totals, area, found.tied_pairs)

    def ranges(self, entries: int | None = None) -> Iterator[CurveView]:
        """The points in ranges, by slice and rising score; entries: how many a range has."""
        return curve_views(self.points, self.totals, self._next_above, entries, self._context)

    def _next_above(self, codes: Array, scores: Array) -> Floats:
        found = kernels.active().next_above(self._rows, self._count, codes, scores)
        lowest = found.astype(np.float64)
        if self._context is None:
            return lowest
        return np.where(np.isinf(lowest), self._context.next_above[codes], lowest)
