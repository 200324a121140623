"""Division of exact numbers, rounded once, and the reasons why there is no quotient."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from math import isqrt

import numpy as np

from steelyard.kernels.quotients import EXACT as EXACT
from steelyard.kernels.quotients import quotient
from steelyard.kernels.quotients import quotients as quotients
from steelyard.kernels.quotients import ratios as ratios
from steelyard.kernels.ragged import steps
from steelyard.model import AnyValue, Array, ClassMean, Detailed, Undefined, Value

FEW = 16  # quotients that are added one by one: so few cost more as columns
INT64 = 63  # bits: a column of it takes no larger mask
NO_ROWS = "there are no rows"
NO_WEIGHT = "there are no rows with a weight above 0"  # true of no rows too
NO_POSITIVES = "there are no positives"
NO_NEGATIVES = "there are no negatives"
NONE_CALLED = "no row is called positive"
ALL_CALLED = "every row is called positive"
TOO_LARGE = "it is beyond the largest float64"


def missing_class(positives: int, negatives: int, required: tuple[str, ...]) -> Undefined | None:
    """The reason for no value, if a required class has no rows."""
    if positives == 0 and negatives == 0:
        return Undefined(NO_ROWS)
    if positives == 0 and "positives" in required:
        return Undefined(NO_POSITIVES)
    if negatives == 0 and "negatives" in required:
        return Undefined(NO_NEGATIVES)
    return None


def of_no_weight(value: AnyValue) -> AnyValue:
    """The value of rows with weights, where none is above 0: that is the reason for no value.

    A metric that does not use weights keeps its reason.
    """
    why = Undefined(NO_WEIGHT)
    if isinstance(value, ClassMean | Detailed):
        missing = isinstance(value.value, Undefined) and "weights" not in value.details
        return value._replace(value=why) if missing else value
    return why if isinstance(value, Undefined) else value


def ratio(numerator: int | Fraction, denominator: int | Fraction, why: str) -> Value:
    """A quotient rounded once; undefined for the given reason where the denominator is zero."""
    if denominator == 0:
        return Undefined(why)
    if isinstance(numerator, int) and isinstance(denominator, int):
        return quotient(numerator, denominator)
    return rounded(Fraction(numerator) / Fraction(denominator))


def rounded(exact: Fraction) -> float:
    """The nearest float64; infinite beyond the largest."""
    return quotient(exact.numerator, exact.denominator)


def finite(exact: Fraction) -> Value:
    """The nearest float64; undefined beyond the largest."""
    value = rounded(exact)
    return Undefined(TOO_LARGE) if abs(value) == float("inf") else value


def finite_ratio(numerator: int | Fraction, denominator: int | Fraction, why: str) -> Value:
    """A quotient rounded once; undefined if the denominator is zero, or beyond float64."""
    value = ratio(numerator, denominator, why)
    return Undefined(TOO_LARGE) if value in (float("inf"), float("-inf")) else value


def root_ratio(numerator: int, square: int, why: str) -> Value:
    """numerator / √square rounded once; undefined if the square is zero, or beyond float64."""
    if square == 0:
        return Undefined(why)
    value = root_quotient(numerator, square)
    return Undefined(TOO_LARGE) if abs(value) == float("inf") else value


def root_quotient(numerator: int, square: int) -> float:
    """numerator / √square rounded once: 128 bits of the root and a sticky bit are enough."""
    shift = max(0, 256 + square.bit_length() - 2 * numerator.bit_length())
    shift += shift & 1
    whole, rest = divmod(numerator * numerator << shift, square)
    root = isqrt(whole)
    sticky = int(root * root != whole or rest != 0)
    value = quotient(2 * root + sticky, 1 << (shift // 2 + 1))
    return -value if numerator < 0 else value


def root(square: Fraction) -> float:
    """√square rounded once, also where float64 does not hold the square; infinite beyond it."""
    # √(n/d) = n/√(n·d)
    return root_quotient(square.numerator, square.numerator * square.denominator) if square else 0.0


def decimal(number: float) -> Fraction:
    """The decimal number that the user wrote: 0.1 is one tenth, not the nearest float."""
    return Fraction(repr(float(number)))


def rounded_products(whole: Array, power: int) -> list[int | float]:
    """Whole numbers times 2**power: integers where the product is one, else rounded once."""
    if len(whole) <= FEW and whole.dtype == object:
        return [whole_or_rounded(number, power) for number in whole.tolist()]
    if power <= -INT64:
        whole = whole.astype(object)
    if power == 0:
        listed: list[int | float] = whole.tolist()
        return listed
    if power > 0:
        shifted: list[int | float] = (whole.astype(object) << power).tolist()
        return shifted
    unit = 1 << -power
    is_whole = (whole & (unit - 1)) == 0
    found: list[int | float] = np.where(is_whole, whole >> -power, quotients(whole, unit)).tolist()
    return found


def whole_or_rounded(number: int, power: int) -> int | float:
    """A whole number times 2**power: an integer where the product is one, else rounded once."""
    if power >= 0:
        return number << power
    if number & ((1 << -power) - 1) == 0:
        return number >> -power
    return quotient(number, 1 << -power)


def share(part: int, whole: int) -> float:
    """A quotient rounded once; NaN where it is 0/0."""
    return quotient(part, whole) if whole else float("nan")


def weights_of(cells: Iterable[int], power: int) -> Array:
    """Whole numbers times 2**power as int64, or as float64 where one does not fit."""
    numbers = [whole_or_rounded(cell, power) for cell in cells]
    if all(isinstance(number, int) and number < 1 << 63 for number in numbers):
        return np.array(numbers, np.int64)
    nearest = [n if isinstance(n, float) else quotient(n, 1) for n in numbers]
    return np.array(nearest, np.float64)


def like(column: Array, numbers: Iterable[int]) -> Array:
    """Whole numbers as int64, or as Python integers if `column` has those or one does not fit."""
    listed = list(numbers)
    fits = column.dtype != object and all(abs(number) < 1 << 63 for number in listed)
    return np.array(listed, np.int64 if fits else object)


def _sum_of_quotients(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    above, below = 0, 1
    for a, b in pairs:
        above, below = above * b + a * below, below * b
    return above, below


def sums_of_quotients(above: Array, below: Array, starts: Array) -> tuple[Array, Array]:
    """Σ above/below of each list, exactly: numerators and denominators, as Python integers.

    Added in pairs, so that few additions have long numbers; 0/1 for an empty list.
    starts: the first entry of each list, and the end
    """
    above, below, sizes = above.astype(object), below.astype(object), steps(starts)
    if len(above) <= FEW:
        pairs = list(zip(above.tolist(), below.tolist(), strict=True))
        sums = [_sum_of_quotients(pairs[a:b]) for a, b in pairwise(starts.tolist())]
        return np.array([a for a, _ in sums], object), np.array([b for _, b in sums], object)
    while sizes.max(initial=0) > 1:
        place = np.arange(len(above)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        first = np.flatnonzero(place % 2 == 0)
        paired = place[first] + 1 < np.repeat(sizes, sizes)[first]
        second = first[paired] + 1
        left, right = above[first], below[first]
        left[paired] = left[paired] * below[second] + above[second] * right[paired]
        right[paired] *= below[second]
        above, below, sizes = left, right, (sizes + 1) // 2
    numerators, denominators = np.zeros(len(sizes), object), np.ones(len(sizes), object)
    numerators[sizes > 0], denominators[sizes > 0] = above, below
    return numerators, denominators
