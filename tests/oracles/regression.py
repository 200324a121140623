"""Oracles of regression: what each number is, literally, on fractions of the given floats.

An answer is a number, the reason why there is none, or `Near` where terms of both signs cancel.
A term that float64 does not hold makes that reason; a square that is no normal number is rounded to
what float64 has there. Every other rounding is left to the bound of the comparison.
What goes by order alone (spearman, kendall, normalized_gini) is exact in all it adds.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import NamedTuple

from tests.oracles.answers import Answer, AnyAnswer, Near, Why, as_decimal, rounded, written
from tests.oracles.histograms import equal_edges, in_bin
from tests.oracles.special import DIGITS, decimal, sqrt

ZERO, ONE = Fraction(0), Fraction(1)

NO_ROWS = Why("there are no rows")
TOO_LARGE = Why("it is beyond the largest float64")
TRUTH_IS_CONSTANT = Why("every truth is the same")
PREDICTION_IS_CONSTANT = Why("every prediction is the same")


class Row(NamedTuple):
    """One row: the truth, the prediction, what it counts for."""

    y: Fraction
    p: Fraction
    w: Fraction = ONE


def rows_of(
    truth: Sequence[float], prediction: Sequence[float], weight: Sequence[float] | None = None
) -> list[Row]:
    """The rows that have weight."""
    weights = [1] * len(truth) if weight is None else weight
    every = zip(truth, prediction, weights, strict=True)
    return [Row(Fraction(y), Fraction(p), Fraction(w)) for y, p, w in every if w]


def total(rows: Sequence[Row], term: Callable[[Row], Fraction]) -> Fraction:
    return sum((row.w * term(row) for row in rows), ZERO)


def mass(rows: Sequence[Row]) -> Fraction:
    return total(rows, lambda _: ONE)


def mean(rows: Sequence[Row], term: Callable[[Row], Fraction]) -> Fraction:
    return total(rows, term) / mass(rows)


def error(row: Row) -> Fraction:
    return abs(row.p - row.y)


# --- terms at the edges of float64 ---------------------------------------------------------------

SMALLEST_NORMAL = Fraction(1, 2**1022)


def square(value: Fraction) -> Fraction:
    """The square; of the rounded value and itself rounded, where that is below all normal ones."""
    exact = value * value
    return exact if exact >= SMALLEST_NORMAL else Fraction(rounded(Fraction(rounded(value)) ** 2))


def truth_square(row: Row) -> Fraction:
    return row.y * row.y


def squares_are_held(rows: Sequence[Row]) -> bool:
    """Whether y² of each row is a multiple of the smallest float64."""
    return all((row.y * row.y * 2**1074).denominator == 1 for row in rows)


def beyond(rows: Sequence[Row], *terms: Callable[[Row], Fraction]) -> Why | None:
    """How many rows have a term beyond float64."""
    count = sum(any(rounded(term(row)) == inf for term in terms) for row in rows)
    if not count:
        return None
    rows_have = "1 row has" if count == 1 else f"{count} rows have"
    return Why(f"{rows_have} a term that float64 does not hold")


def squared_error(row: Row) -> Fraction:
    return square(error(row))


def relative_error(row: Row) -> Fraction:
    """|p − y|/|y|; beyond float64 where the error is."""
    if rounded(error(row)) == inf:
        return error(row)
    return error(row) / abs(row.y) if row.y else ZERO


# --- sums ----------------------------------------------------------------------------------------


def mae(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return beyond(rows, error) or mean(rows, error)


def mse(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return beyond(rows, squared_error) or mean(rows, squared_error)


def rmse(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return beyond(rows, squared_error) or sqrt(mean(rows, squared_error))


def bias(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    return Near(mean(rows, lambda row: row.p - row.y), mean(rows, error))


def zero_truths(rows: Sequence[Row]) -> int:
    return sum(row.y == 0 for row in rows)


def how_many(count: int, have: str) -> Why:
    return Why(f"{'1 row has' if count == 1 else f'{count} rows have'} {have}")


def mape(rows: Sequence[Row], zeros: str | None = None) -> Answer:
    """A fraction. A truth of zero has no relative error: `zeros="skip"` leaves its row out."""
    if not rows:
        return NO_ROWS
    if zeros != "skip" and zero_truths(rows):
        return how_many(zero_truths(rows), "a truth of 0: leave such rows out with zeros=skip")
    vast = beyond(rows, relative_error)
    if vast:
        return vast
    rows = [row for row in rows if row.y]
    if not rows:
        return Why("every truth is 0")
    return mean(rows, relative_error)


def smape(rows: Sequence[Row]) -> Answer:
    """2|p − y|/(|y| + |p|), from 0 to 2; where both are zero nothing is wrong."""
    if not rows:
        return NO_ROWS
    return mean(rows, lambda row: 2 * error(row) / ((abs(row.y) + abs(row.p)) or ONE))


def wape(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    vast = beyond(rows, error)
    if vast:
        return vast
    below = total(rows, lambda row: abs(row.y))
    return total(rows, error) / below if below else Why("every truth is 0")


def r2(rows: Sequence[Row]) -> Answer:
    if not rows:
        return NO_ROWS
    vast = beyond(rows, truth_square, squared_error)
    if vast:
        return vast
    middle = mean(rows, lambda row: row.y)
    below = total(rows, lambda row: (row.y - middle) ** 2)
    if below == 0 and rows[0].y and squares_are_held(rows):
        return TRUTH_IS_CONSTANT
    if below / mass(rows) < Fraction(1, 2**1014):
        return Why("every truth is the same, or too close to the others for squares in float64")
    share = total(rows, squared_error) / below
    return Near(1 - share, 1 + share)


def rmsle(rows: Sequence[Row]) -> Answer:
    """The root of the mean squared difference of ln(1 + ·), of what is not below 0."""
    if not rows:
        return NO_ROWS
    below = sum(row.y < 0 or row.p < 0 for row in rows)
    if below:
        return how_many(below, "a truth or a prediction below 0")
    with localcontext(prec=DIGITS):
        squares = [square(Fraction(log_ratio(1 + row.p, 1 + row.y))) for row in rows]
        parts = [decimal(row.w * part) for row, part in zip(rows, squares, strict=True)]
        return (sum(parts, Decimal(0)) / decimal(mass(rows))).sqrt()


def log_ratio(above: Fraction, below: Fraction) -> Decimal:
    """ln(above/below), all of whose digits hold where the two are nearly one."""
    near = abs(above - below) / below
    digits = DIGITS if near > 1 or not near else DIGITS + len(str(int(1 / near)))
    with localcontext(prec=digits):
        return decimal(above / below).ln()


def pinball(rows: Sequence[Row], q: float = 0.5) -> Answer:
    """q times what a prediction is short of, 1 − q times what it is over."""
    if not rows:
        return NO_ROWS
    share = written(q)

    def loss(row: Row) -> Fraction:
        return share * (row.y - row.p) if row.y > row.p else (1 - share) * (row.p - row.y)

    over, under = (lambda row: row.p - row.y), (lambda row: row.y - row.p)
    return beyond(rows, over, under) or mean(rows, loss)


def deviance(row: Row) -> Fraction:
    """Half of a row's deviance: y·ln(y/p) − y + p."""
    log = decimal(row.y) * log_ratio(row.y, row.p) if row.y else Decimal(0)
    return Fraction(log) + row.p - row.y


def poisson_deviance(rows: Sequence[Row]) -> Answer:
    """2(y·ln(y/p) − y + p), where y ≥ 0 and p > 0; y·ln y is 0 at 0."""
    if not rows:
        return NO_ROWS
    outside = sum(row.y < 0 or row.p <= 0 for row in rows)
    if outside:
        return how_many(outside, "a truth below 0 or a prediction that is not above 0")
    vast = beyond(rows, deviance)
    if vast:
        return vast
    with localcontext(prec=DIGITS):
        found = size = Decimal(0)
        for row in rows:
            log = decimal(row.y) * log_ratio(row.y, row.p) if row.y else Decimal(0)
            found += decimal(row.w) * 2 * (log + decimal(row.p - row.y))
            size += decimal(row.w) * 2 * (abs(log) + abs(decimal(row.p - row.y)))
        return Near(found / decimal(mass(rows)), size / decimal(mass(rows)))


# --- errors in order -----------------------------------------------------------------------------


def max_error(rows: Sequence[Row]) -> Answer:
    return max(map(error, rows)) if rows else NO_ROWS


def median_ae(rows: Sequence[Row]) -> Answer:
    """The error that half of the weight lies on either side of.

    Each error is a float64. Where the weight up to one error is exactly half, the median is the
    mean of that error and the next.
    """
    if not rows:
        return NO_ROWS
    weights: dict[float, Fraction] = {}
    for row in rows:
        here = rounded(error(row))
        weights[here] = weights.get(here, ZERO) + row.w
    reached, half = ZERO, mass(rows) / 2
    errors = sorted(weights)
    for place, here in enumerate(errors):
        reached += weights[here]
        if reached >= half:
            middle = [here, errors[place + 1]] if reached == half else [here, here]
            return TOO_LARGE if inf in middle else sum(map(Fraction, middle), ZERO) / 2
    raise AssertionError("less weight than half of it")


# --- order alone ---------------------------------------------------------------------------------


def midranks(rows: Sequence[Row], key: Callable[[Row], Fraction]) -> list[Fraction]:
    """Each row's rank: the weight below its value and half the weight at it."""
    weights: dict[Fraction, Fraction] = {}
    for row in rows:
        weights[key(row)] = weights.get(key(row), ZERO) + row.w
    below, rank = ZERO, {}
    for value in sorted(weights):
        rank[value] = below + weights[value] / 2
        below += weights[value]
    return [rank[key(row)] for row in rows]


def constant(rows: Sequence[Row]) -> Why | None:
    if not rows:
        return NO_ROWS
    if len({row.y for row in rows}) == 1:
        return TRUTH_IS_CONSTANT
    return PREDICTION_IS_CONSTANT if len({row.p for row in rows}) == 1 else None


def spearman(rows: Sequence[Row]) -> Answer:
    """Pearson's correlation of the midranks."""
    absent = constant(rows)
    if absent:
        return absent
    a, b = midranks(rows, lambda row: row.y), midranks(rows, lambda row: row.p)
    half = mass(rows) / 2  # the mean of midranks
    both = xx = yy = ZERO
    for row, x, y in zip(rows, a, b, strict=True):
        both += row.w * (x - half) * (y - half)
        xx += row.w * (x - half) ** 2
        yy += row.w * (y - half) ** 2
    with localcontext(prec=80):
        return as_decimal(both) / as_decimal(xx * yy).sqrt()


def pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row, Fraction]]:
    """Every two rows and how many pairs of copies they stand for.

    Two copies of one row tie in truth and in prediction: no sum here would count them.
    """
    return ((a, b, a.w * b.w) for a, b in combinations(rows, 2))


def sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def kendall(rows: Sequence[Row]) -> Answer:
    """tau-b: pairs in order less pairs in reverse, over √(differing in y · differing in p)."""
    absent = constant(rows)
    if absent:
        return absent
    above = in_y = in_p = ZERO
    for a, b, count in pairs(rows):
        y, p = sign(a.y - b.y), sign(a.p - b.p)
        above, in_y, in_p = above + count * y * p, in_y + count * y * y, in_p + count * p * p
    with localcontext(prec=80):
        return as_decimal(above) / as_decimal(in_y * in_p).sqrt()


def normalized_gini(rows: Sequence[Row]) -> Answer:
    """The Gini coefficient of the truth in order of the prediction, over that in its own order.

    Over all orders of tied rows a pair of them counts on neither side. Amounts below zero have no
    such coefficient: the curve of what was found would fall.
    """
    if not rows:
        return NO_ROWS
    if any(row.y < 0 for row in rows):
        return Why("there are truths below 0")
    if not any(row.y for row in rows):
        return Why("every truth is 0")
    above = below = ZERO
    for a, b, count in pairs(rows):
        above += count * (a.y - b.y) * sign(a.p - b.p)
        below += count * abs(a.y - b.y)
    return above / below if below else TRUTH_IS_CONSTANT


def gini_by_area(rows: Sequence[Row], key: Callable[[Row], Fraction]) -> Fraction:
    """Twice the area between the diagonal and the curve of truth found, the highest key first.

    The same coefficient by another road: a block of one key is a straight stretch of the curve.
    """
    found = area = ZERO
    for value in sorted({key(row) for row in rows}, reverse=True):
        block = [row for row in rows if key(row) == value]
        here = total(block, lambda row: row.y)
        area += mass(block) * (found + here / 2)
        found += here
    return 2 * area / (mass(rows) * found) - 1


# --- histograms ----------------------------------------------------------------------------------


def residuals(rows: Sequence[Row], bins: int = 40) -> AnyAnswer:
    """The edges, and the weight of the rows in each bin of p − y, which is rounded once."""
    if not rows:
        return NO_ROWS
    values = [rounded(row.p - row.y) for row in rows]
    vast = sum(abs(value) == inf for value in values)
    if vast:
        return how_many(vast, "a residual that float64 does not hold")
    edges = equal_edges(min(values), max(values), bins)
    return edges, [
        sum((r.w for r, v in zip(rows, values, strict=True) if in_bin(v, edges, place)), ZERO)
        for place in range(bins)
    ]


def predicted_vs_true(rows: Sequence[Row], bins: int = 40) -> AnyAnswer:
    """The edges of both axes, and the weight in each square: a line for each bin of the truth."""
    if not rows:
        return NO_ROWS
    values = [float(value) for row in rows for value in (row.y, row.p)]
    edges = equal_edges(min(values), max(values), bins)
    cells = [[ZERO] * bins for _ in range(bins)]
    for row in rows:
        down, across = (
            next(place for place in range(bins) if in_bin(float(value), edges, place))
            for value in (row.y, row.p)
        )
        cells[down][across] += row.w
    return edges, cells
