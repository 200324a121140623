"""Slices: one metric by slice, worst first, and the total as a line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from steelyard.model import Floats, Row
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.charts import slice_trend
from steelyard.report.charts.chart import Axis, Bars, Chart, IntervalBars, Mark, Rule
from steelyard.report.charts.series import DIGITS, remark
from steelyard.report.slice_order import is_small, small_text, worst_first

MOST = 30  # slices that are shown
WIDE = 0.8  # of the place of a slice: its bars together
ROOM = 1.02  # beyond the longest bar
LONGEST = 60  # characters of a name


class SliceBar(NamedTuple):
    """A slice: its name, whether it is small, and the value of each score; None: it has none.

    key: the first of its keys
    lows, highs: the ends of the interval of each value, if it has one
    """

    name: str
    key: object
    small: bool
    values: tuple[float | None, ...]
    lows: tuple[float | None, ...]
    highs: tuple[float | None, ...]


def chart(rows: Sequence[Row], *, scores: Sequence[str], better: str = "higher") -> Chart:
    """A bar for each slice, or one for each score, with the interval of its value if it has one.

    Slices whose keys have an order, such as days, are a line in that order.

    rows: of one metric: of the total, and of the slices of one `by`
    scores: those to show, the first of them decides the order; better: as the metric's record
    """
    metric = rows[0].metric if rows else ""
    totals = {row.score: row.value for row in rows if not row.slice}
    every = sorted(
        _bars(rows, scores),
        key=lambda bar: worst_first(bar.values[0], small=bar.small, better=better),
    )
    order = slice_trend.places([bar.key for bar in every]) if len(_names(rows)) == 1 else None
    if order is not None:
        return _trend(metric, rows, every, totals, scores, order)
    bars = every[:MOST]
    named = len(scores) > 1
    columns = [np.array([bar.values[place] for bar in bars], float) for place in range(len(scores))]
    marks: list[Mark] = [
        _mark(column, place, scores[place] if named else "", len(scores))
        for place, column in enumerate(columns)
    ]
    marks += [
        Rule(x=value, name=_total(score if named else "", value), colour=place if named else None)
        for place, score in enumerate(scores)
        if (value := totals.get(score)) is not None
    ]
    spans = [span for place in range(len(scores)) for span in _spans(bars, place, len(scores))]
    marks += spans
    ends = [end for span in spans for end in (span.low, span.high)]
    low, high = _ends([*columns, *ends, np.array([*totals.values()], float)])
    return Chart(
        kind="slices",
        title=f"{metric} by {', '.join(map(display.key, _names(rows)))}",
        summary=_summary(metric, every, totals, scores),
        x=Axis(label=metric, low=low, high=high),
        y=Axis(label="", names=tuple(map(_shown, bars))),
        marks=(*marks, *_remarks(every, bars, classes=rows[0].positives is not None)),
    )


def _trend(
    metric: str,
    rows: Sequence[Row],
    every: Sequence[SliceBar],
    totals: Mapping[str, float | None],
    scores: Sequence[str],
    order: Mapping[int, str],
) -> Chart:
    """A line for each score in the order of the keys, and the totals."""
    by_text = {str(bar.key): bar for bar in every}
    bars = [by_text.get(text) for text in order.values()]
    columns = [
        [
            np.array([None if bar is None else getattr(bar, field)[place] for bar in bars], float)
            for field in ("values", "lows", "highs")
        ]
        for place in range(len(scores))
    ]
    named = len(scores) > 1
    marks = slice_trend.marks(
        columns, [display.key(score) if named else "" for score in scores], len(bars)
    )
    marks += _totals(totals, scores)
    known = np.concatenate([*(end for each in columns for end in each), [*totals.values()]])
    [by] = map(display.key, _names(rows))
    x, y = slice_trend.axes(metric, by, order, known.astype(float))
    remarks = _remarks(every, every, classes=rows[0].positives is not None)
    return Chart(
        kind="slices",
        title=f"{metric} by {by}",
        summary=_summary(metric, every, totals, scores),
        x=replace(
            x, names=tuple(_place(text, bar) for text, bar in zip(x.names, bars, strict=True))
        ),
        y=y,
        marks=(*marks, *remarks),
    )


def _place(text: str, bar: SliceBar | None) -> str:
    return text if bar is None else _shown(bar)


def _totals(totals: Mapping[str, float | None], scores: Sequence[str]) -> list[Mark]:
    named = len(scores) > 1
    return [
        Rule(y=value, name=_total(score if named else "", value), colour=place if named else None)
        for place, score in enumerate(scores)
        if (value := totals.get(score)) is not None
    ]


def _bars(rows: Sequence[Row], scores: Sequence[str]) -> list[SliceBar]:
    """The slices of all scores, in the order of the rows."""
    found: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        if row.slice:
            # 1, 1.0 and true are different keys.
            key = tuple((type(value), value) for value in row.slice.values())
            found.setdefault(key, {})[row.score] = row
    return [_bar(of_scores, scores) for of_scores in found.values()]


def _bar(rows: Mapping[str, Row], scores: Sequence[str]) -> SliceBar:
    first = next(iter(rows.values()))
    keys = list(first.slice.values())
    name = display.key(keys[0])
    if len(keys) > 1:
        [name] = display.slice_names(first.slice, [keys])
    small = any(is_small(row.n, row.positives, row.negatives) for row in rows.values())
    found = [rows.get(score) for score in scores]
    values = tuple(None if row is None else row.value for row in found)
    lows = tuple(None if row is None else row.low for row in found)
    highs = tuple(None if row is None else row.high for row in found)
    return SliceBar(name, keys[0], small, values, lows, highs)


def _spans(bars: Sequence[SliceBar], place: int, count: int) -> list[IntervalBars]:
    """The intervals of one score, in the middle of its bars; none if it has none."""
    low = np.array([bar.lows[place] for bar in bars], float)
    high = np.array([bar.highs[place] for bar in bars], float)
    if np.isnan(low + high).all():
        return []
    middle: Floats = np.arange(len(bars), dtype=np.float64) + (
        WIDE * (place + 0.5) / count - WIDE / 2
    )
    return [IntervalBars(low=low, high=high, y=middle, colour=None, over=True, role="intervals")]


def _mark(values: Floats, place: int, name: str, count: int) -> Bars:
    """The bars of one score: below those of the scores before it."""
    low: Floats = np.arange(len(values), dtype=np.float64) + (WIDE * place / count - WIDE / 2)
    return Bars(
        low=low,
        high=low + WIDE / count,
        lengths=values,
        sideways=True,
        name=display.key(name) if name else "",
        colour=place,
        role="slices",
    )


def _total(score: str, value: float) -> str:
    total = f"total {display.number(value, DIGITS)}"
    return f"{display.key(score)}: {total}" if score else total


def _ends(columns: Sequence[Floats]) -> tuple[float, float]:
    """The ends of the axis: bars start at 0."""
    known = np.concatenate([*columns, [0.0]])
    known = known[np.isfinite(known)]
    low, high = float(known.min()) * ROOM, float(known.max()) * ROOM
    return (low, high) if low < high else (0.0, 1.0)


def _shown(bar: SliceBar) -> str:
    """The name on the axis; a star marks a small slice."""
    return f"{'* ' if bar.small else ''}{shortened(bar.name, LONGEST)}"


def _remarks(every: Sequence[SliceBar], bars: Sequence[SliceBar], *, classes: bool) -> list[Mark]:
    found: list[Mark] = []
    if any(bar.small for bar in bars):
        found.append(remark(f"* {small_text(classes=classes)}"))
    if len(every) > len(bars):
        found.append(remark(f"the {len(bars)} worst of {len(every):,} slices"))
    return found


def _names(rows: Sequence[Row]) -> tuple[str, ...]:
    return next((tuple(row.slice) for row in rows if row.slice), ())


def _summary(
    metric: str,
    bars: Sequence[SliceBar],
    totals: Mapping[str, float | None],
    scores: Sequence[str],
) -> str:
    """The total, the worst and the best slice that are not small."""
    texts = [
        _total(score if len(scores) > 1 else "", value)
        for score in scores
        if (value := totals.get(score)) is not None
    ]
    large = [bar for bar in bars if not bar.small and bar.values[0] is not None]
    if large:
        texts.append(f"worst {_said(large[0])}")
        texts.append(f"best {_said(large[-1])}")
    slices = "1 slice" if len(bars) == 1 else f"{len(bars):,} slices"
    return f"{metric} of {slices}: {'; '.join(texts)}." if texts else f"{metric} of {slices}."


def _said(bar: SliceBar) -> str:
    assert bar.values[0] is not None
    return f"{shortened(bar.name, LONGEST)} {display.number(bar.values[0], DIGITS)}"
