"""Slices in the order of their keys: a metric over time, or over an hour, an age, a version."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

import numpy as np

from steelyard.model import Floats
from steelyard.report.charts.chart import Axis, Line, Mark, Points

MOST = 366  # places on the axis; slices of more are bars, worst first
FEWEST_NUMBERS = 6  # whole numbers that fill a range are ordered; fewer may be names
FILLED = 0.5  # of the range
ROOM = 0.06  # of the axis, beyond the highest and the lowest value
SIZE = 0.3  # the area of points


def places(keys: Sequence[object]) -> dict[int, str] | None:
    """The axis of keys that have an order: its places, with the text of each; None if none have.

    Dates and times are in equal steps where they are regular: a day without rows is a gap.

    >>> places(["2026-03-04", "2026-03-01", "2026-03-02"])
    {0: '2026-03-01', 1: '2026-03-02', 2: '2026-03-03', 3: '2026-03-04'}
    """
    texts = [str(key) for key in keys]
    if len(set(texts)) != len(texts) or len(texts) < 2 or any(type(k) is bool for k in keys):
        return None
    found = _of_times(texts) or _of_numbers(texts)
    return None if found is None or len(found) > MOST else dict(enumerate(found))


def _of_times(texts: Sequence[str]) -> list[str] | None:
    try:
        times = sorted((datetime.fromisoformat(text), text) for text in texts)
    except (TypeError, ValueError):  # no times, or of two kinds
        return None
    if any(len(text) < len("2026-03-01") for text in texts):
        return None
    step = min(b - a for (a, _), (b, _) in pairwise(times))
    first, last = times[0][0], times[-1][0]
    known = dict(times)
    if (
        step
        and (last - first) / step < MOST
        and all((time - first) % step == timedelta(0) for time in known)
    ):
        every = [first + step * place for place in range((last - first) // step + 1)]
        whole_days = all(len(text) == len("2026-03-01") for text in texts)
        return [known.get(time, f"{time:%Y-%m-%d}" if whole_days else str(time)) for time in every]
    return [text for _, text in times]


def _of_numbers(texts: Sequence[str]) -> list[str] | None:
    try:
        numbers = sorted(int(text) for text in texts)
    except ValueError:
        return None
    low, high = numbers[0], numbers[-1]
    filled = len(numbers) / (high - low + 1)
    if len(numbers) < FEWEST_NUMBERS or filled < FILLED:
        return None
    return [str(number) for number in range(low, high + 1)]


def axes(metric: str, by: str, names: Mapping[int, str], known: Floats) -> tuple[Axis, Axis]:
    """Time across, and the values: the axis need not start at 0, since no bar does."""
    finite = known[np.isfinite(known)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = ROOM * (high - low) or ROOM * abs(high) or 1.0
    across = Axis(label=by, names=tuple(names.values()))
    return across, Axis(label=metric, low=low - room, high=high + room)


def marks(columns: Sequence[Sequence[Floats]], names: Sequence[str], size: int) -> list[Mark]:
    """A line with points for each score; the ends of its intervals are dashed lines.

    columns: values, lows and highs of each score, by place; NaN is a gap
    """
    x, found = np.arange(size, dtype=np.float64), list[Mark]()
    for colour, ((values, low, high), name) in enumerate(zip(columns, names, strict=True)):
        shown = np.flatnonzero(~np.isnan(values))
        sizes = np.full(len(shown), SIZE)
        found.append(Line(x=x, y=values, name=name, colour=colour, role="trend"))
        found.append(Points(x=x[shown], y=values[shown], sizes=sizes, colour=colour, role="points"))
        found += [
            Line(x=x, y=end, colour=colour, dashed=True, role="intervals")
            for end in (low, high)
            if not np.isnan(end).all()
        ]
    return found
