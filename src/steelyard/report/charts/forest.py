"""Forest plot: the difference of two scores in total and by slice, each with its interval."""

from collections.abc import Sequence

import numpy as np

from steelyard.comparison.comparison_rows import ComparisonRow
from steelyard.model import Floats
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.charts.chart import Axis, Chart, IntervalBars, Mark, Points, Rule
from steelyard.report.charts.series import remark
from steelyard.report.comparison_layout import SlicingRows, difference_text, found_and_rest
from steelyard.stats.outcomes import FOUND

MOST = 30  # slices that are shown
LONGEST = 60  # characters of a name
ROOM = 0.04  # of the axis, beyond the longest interval
TIMES = 4  # an interval longer than so many times the usual one is cut off
TOTAL_SIZE, SLICE_SIZE = 1.0, 0.6  # the areas of points

# The lines of one kind: entry of the legend, colour, role, area of points, first and last place.
LineStyle = tuple[str, int | None, str, float, int, int]


def chart(total: ComparisonRow | None, slicing: SlicingRows) -> Chart:
    """A line for each slice: the total first, then those with q ≤ 0.1, then the others in grey.

    total: of the same metric and candidate
    """
    found, rest = found_and_rest(slicing.rows)
    shown = [*found, *rest][:MOST]
    first = [total] if total is not None else []
    rows = [*first, *shown]
    marked, other = len(first), len(first) + min(len(found), MOST)
    kinds: list[LineStyle] = [
        ("total", 0, "total", TOTAL_SIZE, 0, marked),
        (f"slices with q ≤ {FOUND:g}", 1, "found", SLICE_SIZE, marked, other),
        ("other slices", None, "rest", SLICE_SIZE, other, len(rows)),
    ]
    marks: list[Mark] = [Rule(x=0.0, colour=None, dashed=False, role="zero")]
    marks += [mark for kind in kinds if kind[4] < kind[5] for mark in _marks(rows, kind)]
    if len(shown) < len(slicing.rows):
        marks.append(remark(f"the first {len(shown)} of {len(slicing.rows):,} slices"))
    low, high = _ends(rows, rows[:other])
    return Chart(
        kind="forest",
        title=f"{slicing.title}, {_short(slicing.score)} against {_short(slicing.against)}",
        summary=_summary(total, slicing, len(found)),
        x=Axis(label=_label(slicing), low=low, high=high),
        y=Axis(
            label="",
            names=(*("total" for _ in first), *map(slice_name, shown)),
            beside=tuple(difference_text(row) for row in rows),
        ),
        marks=tuple(marks),
        notes=_notes(rows, low, high),
    )


def slice_name(row: ComparisonRow) -> str:
    """The key of a slice; of several columns, with their names."""
    keys = tuple(row.slice.values())
    name = display.key(keys[0])
    if len(keys) > 1:
        [name] = display.slice_names(row.slice, [keys])
    return shortened(name, LONGEST)


def _marks(rows: Sequence[ComparisonRow], kind: LineStyle) -> list[Mark]:
    """The intervals and the points of lines of one kind."""
    name, colour, role, size, start, stop = kind
    places = np.arange(start, stop, dtype=np.float64)
    point, low, high = (_column(rows[start:stop], field) for field in ("difference", "low", "high"))
    return [
        IntervalBars(low=low, high=high, y=places, colour=colour, role=f"{role}-intervals"),
        Points(
            x=point,
            y=places,
            sizes=np.full(len(places), size),
            name=name,
            colour=colour,
            role=f"{role}-points",
        ),
    ]


def _column(rows: Sequence[ComparisonRow], field: str) -> Floats:
    return np.array([getattr(row, field) for row in rows], float)


def _ends(
    rows: Sequence[ComparisonRow], whole_rows: Sequence[ComparisonRow]
) -> tuple[float, float]:
    """The ends of the axis: all points and 0 are on it; an interval of few rows may be cut off.

    whole_rows: the total and the slices found, whose intervals are shown whole; such an interval
        does not contain 0, so that it is at most about as long as the axis is anyway
    """
    point, low, high = (_column(rows, field) for field in ("difference", "low", "high"))
    both = np.concatenate([low, high])
    known = both[np.isfinite(both)]
    limit = TIMES * float(np.median(np.abs(known))) if len(known) else 0.0
    whole = np.concatenate(
        [
            point,
            *(_column(whole_rows, field) for field in ("low", "high")),
            known.clip(-limit, limit),
            [0.0],
        ]
    )
    whole = whole[np.isfinite(whole)]
    least, most = float(whole.min()), float(whole.max())
    room = ROOM * (most - least)
    return (least - room, most + room) if room else (-1.0, 1.0)


def _label(slicing: SlicingRows) -> str:
    """What the axis shows; where neither direction is better, rows have no outcome."""
    directed = any(row.outcome is not None for row in slicing.rows)
    return f"Difference in {slicing.metric}{', + is better' if directed else ''}"


def _notes(rows: Sequence[ComparisonRow], low: float, high: float) -> tuple[str, ...]:
    beyond = sum(
        row.low is not None and row.high is not None and (row.low < low or row.high > high)
        for row in rows
    )
    if not beyond:
        return ()
    which = "an interval goes" if beyond == 1 else f"{beyond} intervals go"
    return (f"{which} on beyond the edge of the picture, at the arrow",)


def _summary(total: ComparisonRow | None, slicing: SlicingRows, found: int) -> str:
    """The total, and how many slices differ."""
    told = ""
    if total is not None and total.difference is not None:
        told = f"{_of_total(total)}; "
    count = len(slicing.rows)
    slices = "1 slice" if count == 1 else f"{count:,} slices"
    return f"Differences in {slicing.metric}: {told}{found:,} of {slices} with q ≤ {FOUND:g}."


def _of_total(total: ComparisonRow) -> str:
    interval = ""
    if total.low is not None and total.high is not None:
        places = display.decimals((total.high - total.low) / 2)
        ends = (display.signed(end, places) for end in (total.low, total.high))
        interval = f" [{', '.join(ends)}]"
    return f"total {difference_text(total)}{interval}"


def _short(name: str) -> str:
    return shortened(display.key(name), LONGEST)
