"""Logs in time order, cut into earlier and later ones, whose means are compared.

The intervals of logs are of users: a shock that all users of a day share is not in them, so that
with many rows every day differs from the day before. The tests here compare with the spread
*between* logs, which has such shocks in it. Their t statistics are roots of exact fractions.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from steelyard.stats.student import t_two_sided

FEWEST_EARLIER = 5  # logs, before another can be called unusual
FEWEST_LOGS = FEWEST_EARLIER + 1


class LogCut(NamedTuple):
    """The cut where logs before and after differ most, or the line on which they move.

    place: of the first log after the cut; before, after: means of the values on either side
    drift: the change from log to log of the straight line through all values
    is_line: whether that line leaves less of the spread than the cut does
    t, freedom, p: of the test of the cut, with one variance within both sides (Student's two-sample
        test), or of the line's slope
    adjusted: p times the cuts and the line that were looked at, at most 1
    """

    place: int
    before: float
    after: float
    change: float
    drift: float
    is_line: bool
    t: float
    freedom: int
    p: float
    adjusted: float


class Unusual(NamedTuple):
    """A value against those of earlier logs.

    earlier: how many; mean, low, high: of their values
    t, freedom, p: of the distance from their mean, as that of a new value; NaN if there are fewer
        than five
    """

    earlier: int
    mean: float
    low: float
    high: float
    t: float
    freedom: int
    p: float

    @property
    def is_tested(self) -> bool:
        return self.earlier >= FEWEST_EARLIER


class Noise(NamedTuple):
    """The sampling noise of a difference: its standard error, and p of no difference but noise."""

    error: float
    p: float


def best_cut(values: Sequence[float]) -> LogCut | None:
    """The cut with the largest |t|, the first of equal ones, or the line; None below six logs.

    The largest of several t is large by chance more often than one: p is multiplied by their
    number (Bonferroni), n − 1 cuts and the line. That is too much, as neighbouring cuts are alike,
    but not by far: with normal values and no change, the adjusted p is below 0.05 in 4.8 % of
    trends of 6 logs, 4.3 % of 10 and 2.6 % of 30 (`python -m bench.trends`).

    >>> found = best_cut([5, 6, 5, 6, 5, 9])
    >>> found.place, found.before, found.after, round(found.t, 6)
    (5, 5.4, 9.0, 6.0)
    """
    if len(values) < FEWEST_LOGS:
        return None
    squares = _Squares.of(values)
    # What a cut or the line explains of one sum of squares: the largest has the largest |t|.
    place = max(range(1, squares.size), key=squares.between)
    (before, after), step = squares.means(place), squares.between(place)
    slope, line = squares.line()
    is_line = line > step
    t, p = squares.test(line if is_line else step, slope if is_line else after - before)
    return LogCut(
        place,
        _number(before),
        _number(after),
        _number(after - before),
        _number(slope),
        is_line,
        t,
        squares.size - 2,
        p,
        min(1.0, p * squares.size),
    )


def unusual(earlier: Sequence[float], value: float) -> Unusual:
    """A value against those of earlier logs: (value − mean)/(s·√(1 + 1/n)), n−1 degrees of freedom.

    It is the test of a cut before the last log, which alone adds nothing to the spread.

    >>> found = unusual([5, 6, 5, 6, 5], 9)
    >>> round(found.t, 6), found.freedom
    (6.0, 4)
    """
    count = len(earlier)
    mean = _number(sum(map(Fraction, earlier), Fraction(0)) / count) if count else math.nan
    t = p = math.nan
    if count >= FEWEST_EARLIER:
        squares = _Squares.of([*earlier, value])
        before, after = squares.means(count)
        t, p = squares.test(squares.between(count), after - before)
    low, high = min(earlier, default=math.nan), max(earlier, default=math.nan)
    return Unusual(count, mean, low, high, t, count - 1, p)


def noise(
    change: float, weights: Sequence[float], errors: Sequence[tuple[float | None, float]]
) -> Noise | None:
    """The sampling noise of a sum of weighted values; None where a log has no standard error.

    weights: of each log, they add up to 0; errors: standard errors and their degrees of freedom
    Logs are taken as independent. Users who are in several logs make their values alike: with the
    same correlation r between any two logs, the variance is 1 − r of that, so that the noise is
    not understated.
    """
    parts = []
    for weight, (error, freedom) in zip(weights, errors, strict=True):
        if error is None or error != error:
            return None
        parts.append(((weight * error) ** 2, freedom))
    variance = math.fsum(part for part, _ in parts)
    if variance == 0:
        return Noise(0.0, float(change == 0))
    # Welch and Satterthwaite: of each log, its share of the variance over its degrees of freedom.
    freedom = 1 / math.fsum((part / variance) ** 2 / own for part, own in parts)
    error = math.sqrt(variance)
    return Noise(error, _two_sided(change / error, freedom))


def noise_of_cut(cut: LogCut, errors: Sequence[tuple[float | None, float]]) -> Noise | None:
    """The sampling noise of the difference at a cut, or of the slope of the line."""
    size = len(errors)
    if cut.is_line:
        squares = size * (size**2 - 1) / 12
        return noise(cut.drift, [(n - (size - 1) / 2) / squares for n in range(size)], errors)
    later = size - cut.place
    return noise(cut.change, [-1 / cut.place] * cut.place + [1 / later] * later, errors)


class _Squares(NamedTuple):
    """Exact sums of values and squares; size: how many; sums: of the first 0, 1, 2 … values."""

    size: int
    sums: tuple[Fraction, ...]
    total: Fraction  # the sum of squares around the mean
    values: tuple[Fraction, ...]

    @classmethod
    def of(cls, values: Sequence[float]) -> "_Squares":
        exact = tuple(map(Fraction, values))
        sums = tuple(accumulate(exact, initial=Fraction(0)))
        squares = sum(value * value for value in exact)
        return cls(len(exact), sums, squares - sums[-1] ** 2 / len(exact), exact)

    def means(self, place: int) -> tuple[Fraction, Fraction]:
        before = self.sums[place]
        return before / place, (self.sums[-1] - before) / (self.size - place)

    def between(self, place: int) -> Fraction:
        """The sum of squares between both sides of a cut."""
        before, after = self.means(place)
        return (after - before) ** 2 * place * (self.size - place) / self.size

    def line(self) -> tuple[Fraction, Fraction]:
        """The slope of the straight line through all values, and the sum of squares on it."""
        middle = Fraction(self.size - 1, 2)
        products = sum(((n - middle) * value for n, value in enumerate(self.values)), Fraction(0))
        squares = Fraction(self.size * (self.size**2 - 1), 12)
        return products / squares, products**2 / squares

    def test(self, explained: Fraction, change: Fraction) -> tuple[float, float]:
        """t and its p of a change that explains a part of the squares; ±∞ and 0 if all of them."""
        if not change:
            return 0.0, 1.0
        rest, freedom = self.total - explained, self.size - 2
        t = _root(explained * freedom / rest) if rest else math.inf
        return math.copysign(t, 1 if change > 0 else -1), _two_sided(t, freedom)


def _root(square: Fraction) -> float:
    return math.sqrt(_number(square))


def _number(exact: Fraction) -> float:
    """The nearest float64, infinite where there is none: values may be as large as 1e308."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _two_sided(t: float, freedom: float) -> float:
    return float(t_two_sided(np.array([t]), np.array([float(freedom)]))[0])
