"""The methods of a Result that draw it."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

from steelyard import errors
from steelyard.model import Key, Shape, ShapeRow, Undefined
from steelyard.report import lookup
from steelyard.report.display import unique
from steelyard.report.drawn_result import DrawnResult, SliceKeys
from steelyard.report.tables import ShapesOnRequest, StoredShapes
from steelyard.result.result_rows import ResultRows


class ResultPictures(DrawnResult):
    """A result as pictures draw it: its shapes, held or computed from its states."""

    _pictures: ShapesOnRequest | None

    @property
    def picture_names(self) -> tuple[str, ...]:
        """The shapes that pictures of the total can draw: held, or still computable."""
        held = (row.metric for row in self.shapes.totals())
        return tuple(unique([*held, *(self._pictures.shape_names if self._pictures else ())]))

    def with_stored_pictures(self) -> Self:
        """A copy that stores each picture that is drawn of it, also when it is pickled."""
        found = copy(self)
        if self._pictures is not None:
            found._pictures = StoredShapes(self._pictures)
        return found

    def picture_shape(
        self, metric: str, /, score: str | None = None, *, slice: SliceKeys | None = None
    ) -> Shape | Undefined:
        """The shape that a picture draws: held in the result, or computed from its states."""
        bound, wanted = self._bound(metric), dict(slice or {})
        if bound.metric.shape is None:
            raise errors.NOT_A_SHAPE(metric=bound.name)
        score = self._score(bound.name, score)
        if lookup.has_sections(self.shapes, bound.name, score, wanted):
            row = lookup.find_row(self.shapes, bound.name, score, wanted)
            assert isinstance(row, ShapeRow)
            return row.shape or Undefined(row.why or "")
        if self._pictures is None or not self._pictures.can_make(bound):
            hint = " (it needs scores from 0 to 1)" if bound.required_columns.probability else ""
            what = "slice" if wanted else "total"
            raise errors.NO_PICTURE(metric=bound.name, what=what, hint=hint)
        made: Shape | Undefined = self._pictures.make_shape(bound, score, self._keys(score, wanted))
        return made

    def picture_number(
        self, metric: str, /, score: str, slice: SliceKeys
    ) -> float | Undefined | None:
        """A number beside a picture: held, or computed from the states; None if neither."""
        bound = self._bound(metric)
        if lookup.has_sections(self.rows, bound.name, score, slice):
            row = lookup.find_row(self.rows, bound.name, score, slice)
            return Undefined(row.why or "") if row.value is None else row.value
        if self._pictures is None or not self._pictures.can_make(bound):
            return None
        return self._pictures.make_number(bound, score, self._keys(score, slice))

    def _keys(self, score: str, wanted: SliceKeys) -> SliceKeys:
        """The keys of a slice as they are in the result: `hour="3"` may mean the number."""
        every = ResultRows.both(self.rows, self.shapes)
        return lookup.find_row(every, self.metrics[0], score, wanted).slice

    def plot(
        self,
        kind: str,
        *,
        score: str | Sequence[str] | None = None,
        slice: Mapping[str, Key] | Sequence[Mapping[str, Key]] | None = None,
        by: str | Sequence[str] | None = None,
        metric: str | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Any:
        """Draw a picture with matplotlib and return its axes: `plot("roc", by="country")`.

        kind: roc, pr, calibration, scores, lift, gain, confusion, groups, threshold, residuals,
            predicted_vs_true or slices
        score: the scores to show, all if not given
        slice: the slices to show, {} for the total; by: the total and the largest slices of a `by`
        metric: the metric to show where there are several: of groups, of slices, of a shape
        ax: the axes to draw on; new ones if not given
        style: properties of matplotlib for the lines or bars, as in `linewidth=3`
        """
        from steelyard.report.charts import draw_matplotlib
        from steelyard.report.charts.of_result import chart_of

        chart = chart_of(self, kind, score=score, slice=slice, by=by, metric=metric)
        return draw_matplotlib.draw(chart, ax, style)

    def show(self, *, height: int = 900) -> None:
        """Put the report into the notebook, as high as so many pixels."""
        from steelyard.report.report_page.notebook import show
        from steelyard.report.report_page.render import render

        show(render(self), height)
