"""Ticks of an axis, and numbers and texts as an SVG needs them: the same on every machine."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from steelyard.report.charts.chart import Axis

NARROW = frozenset("fijlrtI.,:;|!()[]' ")
LEAST = 1e-300  # an axis that is shorter has steps that float64 does not hold
UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "k"))


@dataclass(frozen=True, slots=True)
class Scale:
    """Places on an axis in pixels: `start` is where its low end is, `end` its high end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The pixel of a value; beyond the axis: of its end."""
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + (self.end - self.start) * min(max(share, 0.0), 1.0)


def ticks(axis: Axis, most: int) -> list[tuple[float, str]]:
    """Places on an axis with their texts, at most about `most`: round numbers, or categories.

    >>> ticks(Axis(label="rows", high=25000), 4)
    [(0.0, '0'), (10000.0, '10k'), (20000.0, '20k')]
    >>> ticks(Axis(label="rate", percent=True), 4)
    [(0.0, '0%'), (0.5, '50%'), (1.0, '100%')]
    """
    if axis.names:
        every = -(-len(axis.names) // max(most, 1))
        return [(float(at), axis.names[at]) for at in range(0, len(axis.names), every)]
    low, high = sorted((axis.low, axis.high))
    if not (math.isfinite(high - low) and high - low > LEAST):
        return [(low, tick_text(Decimal(repr(low)), Decimal(1), axis.percent))]
    step = _step((high - low) / max(most, 1))
    # Decimals, since 3 * 0.1 is not 0.3.
    first, last = math.ceil(low / float(step) - 1e-9), math.floor(high / float(step) + 1e-9)
    places = [step * at for at in range(first, last + 1)]
    largest = max((abs(place) for place in places), default=step)
    return [(float(at), tick_text(at, step, axis.percent, largest)) for at in places]


def _step(least: float) -> Decimal:
    """The smallest of 1, 2 and 5 times a power of ten that is at least `least`."""
    power = Decimal(10) ** math.floor(math.log10(least))
    return next(
        power * factor for factor in (1, 2, 5, 10) if float(power * factor) >= least * 0.999
    )


def tick_text(value: Decimal, step: Decimal, percent: bool, largest: Decimal | None = None) -> str:
    """A number of an axis: with the decimals of its step, in thousands or millions if large."""
    if percent:
        value, step = value * 100, step * 100
    unit, suffix = 1, "%" if percent else ""
    top = abs(value if largest is None else largest)
    if not percent and top >= 10**4:
        unit, suffix = next(each for each in UNITS if top >= each[0])
    if top and not percent and not Decimal("1e-4") <= top < 10**16:
        return f"{float(value):g}".replace("-", "−") if value else "0"
    value, step = value / unit, step / unit
    decimals = max(0, -int(step.normalize().as_tuple().exponent))
    shown = f"{value:,.{decimals}f}".replace("-", "−") if value else "0"
    return shown + (suffix if value or percent else "")


def pixel(value: float) -> str:
    """A coordinate with at most two decimals.

    >>> pixel(12.0), pixel(1 / 3), pixel(-0.001)
    ('12', '0.33', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a sans-serif font; a little too much rather than too little."""
    return size * sum(_ems(character) for character in text)


def _ems(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    return 0.36 if character in NARROW else 0.74 if character.isupper() else 0.6


def cut(text: str, width: float, size: float) -> str:
    """A text that is at most about as wide; what is left out is an ellipsis."""
    if len(text) * size > width and text_width(text[:400], size) > width:
        room, kept = width - size, ""
        for character in text[:400]:
            room -= size * _ems(character)
            if room < 0:
                break
            kept += character
        return kept.rstrip() + "…"
    return text


def widest(texts: Sequence[str], size: float) -> float:
    return max((text_width(text, size) for text in texts), default=0.0)
