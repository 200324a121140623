"""The headline numbers: each metric of the total, of every score, with what is worth knowing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard import presets
from steelyard.errors import SteelyardError
from steelyard.metrics.catalogue import resolve
from steelyard.metrics.record import Metric
from steelyard.model import Conventions, Row
from steelyard.presets import Preset
from steelyard.report import display
from steelyard.report.report_page.pictures import Pictures
from steelyard.report.slice_order import badness
from steelyard.stats.differences import goodness

DIGITS = 4
DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "nearer 1": "best at 1",
    "nearer 0": "best at 0",
}


@dataclass(frozen=True)
class Number:
    """A value of one score: its text, all its digits or the reason for a dash, and its details.

    interval: of the value, as text, if it has one
    """

    text: str
    hint: str
    note: str
    best: bool = False
    interval: str = ""


@dataclass(frozen=True)
class Headline:
    """One metric: its printed name, what a value means, which way is better, and its numbers.

    difference: how much better the second score is, where there are two, + is better
    """

    metric: str
    reading: str
    direction: str
    numbers: tuple[Number, ...]
    difference: str = ""


def headlines(pictures: Pictures) -> list[Headline]:
    found: dict[str, dict[str, Row]] = {}
    for row in pictures.totals:
        found.setdefault(row.metric, {})[row.score] = row
    conventions = pictures.result.conventions
    return [
        _headline(metric, [rows.get(score) for score in pictures.scores], conventions)
        for metric, rows in found.items()
    ]


def metric_of(name: str, conventions: Conventions) -> Metric | None:
    """The record of a metric; None if another release made the result and knows another."""
    preset = presets.every().get(conventions.preset or "", Preset())
    try:
        return resolve(name, preset, conventions.reads).metric
    except SteelyardError:
        return None


def _headline(name: str, rows: Sequence[Row | None], conventions: Conventions) -> Headline:
    metric = metric_of(name, conventions)
    better = metric.better if metric else "depends"
    values = [None if row is None else row.value for row in rows]
    best = _best(values, better)
    numbers = tuple(
        _number(row, conventions, best=len(rows) > 1 and value is not None and value == best)
        for row, value in zip(rows, values, strict=True)
    )
    return Headline(
        display.key(name),
        metric.reading if metric else "",
        DIRECTIONS.get(better, ""),
        numbers,
        difference_text(values, better, metric.scale if metric else "") if len(rows) == 2 else "",
    )


def _best(values: Sequence[float | None], better: str) -> float | None:
    """The best value, if one is better than another."""
    known = [value for value in values if value is not None]
    if better == "depends" or len(set(known)) < 2:
        return None
    return min(known, key=lambda value: badness(value, better))


def _number(row: Row | None, conventions: Conventions, *, best: bool) -> Number:
    if row is None:
        return Number("", "", "")
    note = display.details_text(row, conventions.score_types.get(row.score))
    if row.value is None:
        return Number(display.DASH, row.why or "", row.why or "")
    if has_interval(row):
        return Number(
            display.value_text(row), repr(row.value), note, best, interval=display.bounds(row)
        )
    limits = display.bounds(row)  # of an approximate value
    notes = " · ".join(filter(None, (limits, note)))
    return Number(display.number(row.value, DIGITS), repr(row.value), notes, best)


def has_interval(row: Row) -> bool:
    """Whether a value has an interval, which comes from clusters."""
    return row.low is not None and row.high is not None and "clusters" in row.details


def difference_text(values: Sequence[float | None], better: str, scale: str) -> str:
    """How much better the second value is, as in a comparison: + is better; a dash if unknown."""
    if values[0] is None or values[1] is None:
        return display.DASH
    first, second = goodness(np.array(values[:2], float), better, scale).amount.tolist()
    return display.DASH if second - first != second - first else _signed(second - first)


def _signed(value: float) -> str:
    """A difference with its sign.

    >>> _signed(0.01234), _signed(-0.5), _signed(0.0)
    ('+0.0123', '−0.5000', '0')
    """
    if value == 0:
        return "0"
    return f"{'+' if value > 0 else '−'}{display.number(abs(value), DIGITS)}"
