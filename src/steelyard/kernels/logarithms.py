"""ln(1+z), ln(1+z)/z and its distance from 1, and log2 of counts: the same bits on every CPU.

Only +, −, ×, ÷ and powers of two are used, each rounded once by IEEE 754, so that no logarithm of a
library or a processor is involved. With y = z/(2+z),
ln(1+z) = 2·atanh(y) = 2y·(1 + y²/3 + y⁴/5 + …).
"""

import numpy as np

from steelyard.kernels.interface import Array
from steelyard.kernels.numpy.elementary import log

# Enough terms for an error of 2**-60: y ≤ 1/33 up to z = 1/16, y ≤ 1/3 up to z = 1, and
# |y| ≤ 3 − 2√2 for a mantissa between √½ and √2.
TINY_TERMS, SMALL_TERMS, REDUCED_TERMS = 6, 18, 12
LN2_HIGH = float.fromhex("0x1.62e42fefa3800p-1")  # 11 low bits zero: k·LN2_HIGH is exact
TWO_OVER_LN2 = 2.8853900817779268  # the nearest float64
LN2_LOW = float.fromhex("0x1.ef35793c76730p-45")


def one_minus_log1p_ratio(z: Array, y: Array) -> tuple[Array, Array]:
    """1 − ln(1+z)/z and ln(1+z)/z for z ≥ 0, which may be infinite, each to full accuracy.

    y: z/(2+z), which the caller can round once. The formula depends on the value's own z, never on
    other rows; most are tiny. Up to z = 1, with T of `atanh_tail`: r = y − (1 − y)·T and 1 − r; T
    has 6 terms up to z = 1/16, and 18 beyond, where y is cut to 1/3. For z > 1, with
    u = 1 + z = 2**k·m, m from √½ to √2, y = (m − 1)/(m + 1) and T of 12 terms: a = k·LN2_HIGH,
    b = k·LN2_LOW + (2·(y + y·T) + (1 − (u − z))/u), and ((z − a) − b)/z, (a + b)/z; 1 and 0 at ∞.
    """
    rest = _rest(y, TINY_TERMS)
    small = np.flatnonzero(z > 1 / 16)
    rest[small] = _rest(np.minimum(y[small], 1 / 3), SMALL_TERMS)
    ratio = 1.0 - rest
    large = np.flatnonzero(z > 1.0)
    rest[large], ratio[large] = _large(z[large])
    return rest, ratio


def _rest(y: Array, terms: int) -> Array:
    """1 − ln(1+z)/z: as ln(1+z)/z = (1 − y)(1 + tail), this is y − (1 − y)·tail."""
    rest: Array = y - (1.0 - y) * atanh_tail(y, terms)
    return rest


def _large(z: Array) -> tuple[Array, Array]:
    """Both for z > 1; z is infinite where a block outweighs all above it 1e308 times."""
    infinite = np.isinf(z)
    z = np.where(infinite, 2.0, z)
    high, low = _log1p(z)
    # z − ln(1+z) from both parts of the logarithm: 1 − ratio would lose two bits near z = 1.
    rest = np.where(infinite, 1.0, ((z - high) - low) / z)
    return rest, np.where(infinite, 0.0, (high + low) / z)


def _log1p(z: Array) -> tuple[Array, Array]:
    """ln(1+z) for z ≥ 1 in two parts, the first exact; the rounding of 1+z is corrected."""
    sum_ = 1.0 + z
    lost = (1.0 - (sum_ - z)) / sum_
    mantissa, power = _reduced(sum_)
    y = (mantissa - 1.0) / (mantissa + 1.0)
    log = 2.0 * (y + y * atanh_tail(y, REDUCED_TERMS))
    return power * LN2_HIGH, power * LN2_LOW + (log + lost)


def log_one_plus(values: Array) -> Array:
    """ln(1+x) of numbers ≥ 0; the rounding of 1+x is corrected."""
    sum_ = 1.0 + values
    lost = np.where(values < 1.0, values - (sum_ - 1.0), 1.0 - (sum_ - values))
    found: Array = log(sum_) + lost / sum_
    return found


def log2_counts(counts: Array) -> Array:
    """log2 of whole numbers from 1, within two units in the last place; exact for powers of two."""
    mantissa, power = _reduced(counts.astype(np.float64))
    y = (mantissa - 1.0) / (mantissa + 1.0)
    log: Array = power + (y + y * atanh_tail(y, REDUCED_TERMS)) * TWO_OVER_LN2
    return log


def _reduced(numbers: Array) -> tuple[Array, Array]:
    """The mantissa of each number, between √½ and √2, and its power of two."""
    mantissa, exponent = np.frexp(numbers)
    low = mantissa < 0.7071067811865476
    mantissa = np.where(low, 2.0 * mantissa, mantissa)
    return mantissa, np.where(low, exponent - 1, exponent).astype(np.float64)


def atanh_tail(y: Array, terms: int) -> Array:
    """The first terms of y²/3 + y⁴/5 + …, by Horner's rule."""
    square = y * y
    tail = np.zeros_like(y)
    for term in range(terms, 0, -1):
        tail = (tail + 1.0 / (2 * term + 1)) * square
    return tail
