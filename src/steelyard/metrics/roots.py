"""Square roots of exact numbers, each rounded once, of a whole column at once.

The root of the leading 53 bits is corrected by what it leaves of the leading 93: y + (x − y²)/2y,
with x and y² as unevaluated sums of two floats. Where the sum of both is too close to the middle
between two floats, and where the root is subnormal, Python's integers decide.
"""

import numpy as np

from steelyard.kernels.interface import DIGIT
from steelyard.metrics.division import root
from steelyard.model import Array, Floats
from steelyard.views.digit_column import DigitColumn
from steelyard.views.sums import exact

SPLIT = 2.0**27 + 1  # x·SPLIT − (x·SPLIT − x) has the upper 26 bits of x
SURE = 2.0**-20  # of the distance of two floats; the error of the sum is below 2**-30 of it
SMALLEST = -1021  # the exponent of the smallest normal float64, as frexp counts


def roots(column: DigitColumn) -> Floats:
    """The roots of numbers of 0 and more."""
    high, low, power = _leading(column)
    y = np.sqrt(high)
    square = y * y
    upper = y * SPLIT
    upper = upper - (upper - y)
    lower = y - upper
    lost = ((upper * upper - square) + 2.0 * upper * lower) + lower * lower
    with np.errstate(invalid="ignore"):
        shift = np.where(y > 0.0, (((high - square) - lost) + low) / (2.0 * y), 0.0)
    near = y + shift
    rest = np.abs(shift - (near - y)) / np.spacing(near)
    # Below a power of two floats are twice as close.
    unsure = (np.abs(rest - 0.5) < SURE) | (np.abs(rest - 0.25) < SURE)
    unsure |= (np.frexp(near)[1] + power < SMALLEST) & (near > 0.0)
    found: Floats = np.ldexp(near, power)
    places = np.flatnonzero(unsure)
    whole, unit = column.take(places).integers(column.power), column.power
    found[places] = [root(exact(amount, unit)) for amount in whole.tolist()]
    return found


def _leading(column: DigitColumn) -> tuple[Floats, Floats, Array]:
    """Numbers as (high + low)·4**power, cut after 93 bits or more; low is the smaller part."""
    unit, digits, _ = column.carried
    last: Array = np.zeros(len(column), np.int64)
    for place, digit in enumerate(digits):
        last = np.where(digit > 0, place, last)
    none, lines = np.zeros(len(column), np.int64), np.arange(len(column))
    padded = np.stack([none, none, none, *digits, *([none] if not digits else [])])
    first, second = (
        (padded[last + place, lines] << DIGIT) | padded[last + place - 1, lines] for place in (3, 1)
    )
    power = unit + DIGIT * (last - 1)  # that of the lowest bit of the first two digits
    high = first.astype(np.float64)
    low = (first - high.astype(np.int64)) + second * 2.0 ** (-2 * DIGIT)
    odd = power & 1
    return np.ldexp(high, odd), np.ldexp(low, odd), (power - odd) >> 1
