"""The charts of a result: which shapes, scores and slices each kind of picture shows."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Any

from steelyard import errors, plan
from steelyard.metrics import catalogue
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.model import ScoreHistogram, Thresholds, Undefined
from steelyard.phrases import listing
from steelyard.report import display
from steelyard.report.charts import slices as slice_bars
from steelyard.report.charts.chart import PALETTE, Chart, Mark
from steelyard.report.charts.few_rows import rows_of, with_few_bins
from steelyard.report.charts.kinds import EVERY, GROUP_VALUES, KINDS, SLICES, Kind, drawn_name
from steelyard.report.charts.series import Series, remark
from steelyard.report.charts.threshold_points import with_edges
from steelyard.report.drawn_result import DrawnResult, SliceKeys
from steelyard.report.interval_notes import heading
from steelyard.result.result_rows import ResultRows, Section
from steelyard.spec import Spec

LARGEST = len(PALETTE) - 1  # slices that `by` shows beside the total: each has its own colour
POINTS_OF_CLASSES = 2000  # the area of so many points is right in three digits
SLICE = "a mapping such as {'country': 'DE'}, or several of them"
HISTOGRAM = "score_histogram"  # the edges of its bins are thresholds too
GAUC = "gauc"  # the mean, if none is named
OneOrMore = str | Sequence[str]


def chart_of(
    result: DrawnResult,
    kind: str,
    *,
    score: OneOrMore | None = None,
    slice: SliceKeys | Sequence[SliceKeys] | None = None,
    by: OneOrMore | None = None,
    metric: str | None = None,
) -> Chart:
    """The chart of a kind.

    score: the scores to show, all if not given
    slice: the slices, {} for the total; by: the total and the largest slices by these columns
    metric: the shape to draw where the result has several of the kind
    """
    check_kind(kind)
    scores = _scores(result, score)
    if kind == SLICES:
        return _of_slices(result, scores, by, metric)
    slices, remarks = _slices(result, slice, by)
    found = list(_series(result, KINDS[kind], scores, slices, metric))
    if KINDS[kind].single and len(found) > 1:
        raise errors.ONE_SERIES(kind=kind, series=listing([each.name for each in found]))
    made: Chart = import_module(f"steelyard.report.charts.{kind}").chart(found)
    return replace(made, marks=(*made.marks, *remarks)) if remarks else made


def metrics_of(kind: str, metric: str | None, reads: str, *, classes: bool = False) -> list[str]:
    """The metrics to evaluate for a picture: its shape, and the numbers of its legend.

    metric: the shape to draw, or the metric of groups or slices; classes: one score per class
    """
    check_kind(kind)
    if kind == SLICES:
        return [metric or plan.default_metrics(reads, group=False, classes=True)[0]]
    drawn = KINDS[kind]
    if drawn.shape == GROUP_VALUES:
        mean = metric or GAUC
        return [str(Spec(GROUP_VALUES, (mean,))), mean]
    picture = catalogue.find(drawn.shape, reads=reads).picture or {}
    if classes:  # the numbers of classes are the areas of their curves
        picture = {**picture, "points": POINTS_OF_CLASSES}
    shape = metric or str(Spec(drawn.shape, options=tuple(picture.items())))
    return [shape, *(() if classes else drawn.numbers)]


def check_kind(kind: Any, known: Sequence[str] = EVERY) -> None:
    """Refuse a kind that does not exist, with the most similar one."""
    if not (isinstance(kind, str) and kind in known):
        close = errors.nearest(kind, known) if isinstance(kind, str) else None
        hint = f" (did you mean {close!r}?)" if close else ""
        raise errors.NO_PICTURE_KIND(kind=kind, hint=hint, known=", ".join(known))


def _scores(result: DrawnResult, score: OneOrMore | None) -> list[str]:
    """The names of the scores to show."""
    wanted = list(result.scores) if score is None else [score] if isinstance(score, str) else score
    for name in wanted:
        if name not in result.scores:
            raise errors.NO_SCORE(score=name, known=", ".join(map(repr, result.scores)))
    return list(wanted)


# --- slices ---------------------------------------------------------------------------------------
def _slices(
    result: DrawnResult, slice_: SliceKeys | Sequence[SliceKeys] | None, by: OneOrMore | None
) -> tuple[list[SliceKeys], list[Mark]]:
    """The slices to show, and a remark on those left out."""
    if by is not None and slice_ is not None:
        raise errors.BY_OR_SLICE(by=by)
    if by is None:
        given = [slice_ or {}] if isinstance(slice_, Mapping | None) else list(slice_)
        for each in given:
            if not isinstance(each, Mapping):
                raise errors.OPTION_TYPE(name="slice", type=type(slice_).__name__, wanted=SLICE)
        return given, []
    names = slicing(result, by)
    section = next(s for s in _sections(result) if s.names == names)
    sizes = section.of_slices("n")
    largest = sorted(range(len(sizes)), key=lambda place: -sizes[place])[:LARGEST]
    found = [dict(zip(names, section.keys[place], strict=True)) for place in largest]
    more = len(sizes) > len(found)
    remarks: list[Mark] = (
        [remark(f"the {LARGEST} largest of {len(sizes):,} slices")] if more else []
    )
    return [{}, *found], remarks


def slicing(result: DrawnResult, by: OneOrMore) -> tuple[str, ...]:
    """The columns of a slicing of the result, as they are there."""
    names = (by,) if isinstance(by, str) else tuple(by)
    known = [section.names for section in _sections(result) if section.names]
    if names not in known:
        listed = [",".join(each) for each in dict.fromkeys(known)]
        raise errors.NOT_A_BY(by=by, known=listing(listed))
    return names


def _sections(result: DrawnResult) -> Sequence[Section]:
    return ResultRows.both(result.rows, result.shapes).sections


# --- series ---------------------------------------------------------------------------------------
def _series(
    result: DrawnResult,
    kind: Kind,
    scores: Sequence[str],
    slices: Sequence[SliceKeys],
    metric: str | None,
) -> Iterator[Series]:
    """A series for each score and slice."""
    shape_name = _shape_name(result, kind, metric)
    wanted = kind.numbers
    chosen = metric is not None and result._bound(metric).metric.name == kind.shape
    if kind.shape == GROUP_VALUES:
        wanted = (result._bound(shape_name).params["metric"],)
    for row, slice_ in enumerate(slices):
        for column, score in enumerate(scores):
            shape = _shape(result, shape_name, score, slice_)
            if not chosen:
                rows = rows_of(result, score, slice_)
                shape = with_few_bins(shape, result._bound(shape_name), rows)
            plain = not isinstance(shape, Undefined | dict)
            numbers = {n: result.picture_number(n, score, slice_) for n in wanted if plain}
            yield Series(
                shape=shape,
                name=_name(score if len(scores) > 1 else "", slice_, sliced=slices != [{}]),
                colour=_colour(row, column, len(slices), len(scores)),
                numbers={
                    name: value for name, value in numbers.items() if isinstance(value, float)
                },
            )


def _shape(result: DrawnResult, name: str, score: str, slice_: SliceKeys) -> Any:
    """The shape of a series; thresholds have the edges of the histogram too, if it can be had."""
    shape = result.picture_shape(name, score, slice=slice_)
    if isinstance(shape, Thresholds) and HISTOGRAM in result.picture_names:
        with suppress(errors.SpecError):  # held for the total alone
            histogram = result.picture_shape(HISTOGRAM, score, slice=slice_)
            if isinstance(histogram, ScoreHistogram):
                return with_edges(shape, histogram)
    return shape


def _shape_name(result: DrawnResult, kind: Kind, metric: str | None) -> str:
    """The printed name of the shape to draw: the one named, or one with any parameters."""
    if metric is not None:
        named = result._bound(metric).metric
        if named.name == kind.shape:
            return metric
        if kind.shape == GROUP_VALUES and isinstance(named, GroupMetric):
            return str(Spec(GROUP_VALUES, (metric,)))
        raise errors.OTHER_PICTURE(metric=metric, kind=_name_of(kind), shape=kind.shape)
    return drawn_name(kind.shape, result.picture_names, result.metrics) or kind.shape


def _name_of(kind: Kind) -> str:
    return next(name for name, known in KINDS.items() if known is kind)


def _name(score: str, slice_: SliceKeys, *, sliced: bool) -> str:
    """The name of a series: of its score and its slice, where the chart has others."""
    [text] = display.slice_names(slice_, [tuple(slice_.values())])
    parts = [display.key(score)] if score else []
    return ", ".join([*parts, text] if sliced else parts)


def _colour(slice_: int, score: int, slices: int, scores: int) -> int:
    """A place in the palette: a colour for each slice and dashes for each score, if both differ."""
    if min(slices, scores) > 1 and slices <= len(PALETTE):
        return slice_ + score * len(PALETTE)
    return slice_ * scores + score


# --- slices as bars -------------------------------------------------------------------------------
def _of_slices(
    result: DrawnResult, scores: Sequence[str], by: OneOrMore | None, metric: str | None
) -> Chart:
    """The chart of one metric's values by slice: the first metric and `by`, if none are named."""
    sections = [section for section in result.rows.sections if section.names]
    if not sections:
        raise errors.ONLY_TOTAL()
    names = sections[0].names if by is None else slicing(result, by)
    bound = result._bound(metric or result.metrics[0])
    rows = [
        row
        for section in result.rows.sections
        if section.names in ((), names) and section.score in scores
        for row in section.rows()
        if row.metric == bound.name
    ]
    if not rows:
        raise errors.NOT_IN_RESULT(metric=bound.name, known=", ".join(result.metrics))
    made = slice_bars.chart(rows, scores=scores, better=bound.metric.better)
    if not any(mark.role == "intervals" for mark in made.marks):
        return made
    return replace(made, marks=(*made.marks, remark(heading(result.conventions))))
