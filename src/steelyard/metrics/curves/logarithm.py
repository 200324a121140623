"""ln(1+z)/z and its distance from 1, by our own arithmetic: the same bits on every CPU.

Only +, −, ×, ÷ and powers of two are used, each rounded once by IEEE 754, so that no library's or
processor's logarithm enters. With y = z/(2+z), ln(1+z) = 2·atanh(y) = 2y·(1 + y²/3 + y⁴/5 + …).
"""

import numpy as np

from steelyard.model import Array

# Enough terms for 2**-60: y ≤ 1/33 up to z = 1/16, y ≤ 1/3 up to z = 1, and |y| ≤ 3 − 2√2 once
# powers of two are taken out.
TINY_TERMS, SMALL_TERMS, REDUCED_TERMS = 6, 18, 12
LN2_HIGH = float.fromhex("0x1.62e42fefa3800p-1")  # 11 low bits zero: k·LN2_HIGH is exact
LN2_LOW = float.fromhex("0x1.ef35793c76730p-45")


def one_minus_log1p_ratio(inverse: Array) -> tuple[Array, Array]:
    """1 − ln(1+z)/z and ln(1+z)/z for z = 1/inverse > 0, each accurate in itself.

    Each value's own z decides how it is computed, never its neighbours, and most are tiny.
    """
    y = 0.5 / (0.5 + inverse)  # the bits of 1/(1 + 2/z), and no overflow
    rest = _rest(y, TINY_TERMS)
    small = np.flatnonzero(inverse < 16.0)
    rest[small] = _rest(np.minimum(y[small], 1 / 3), SMALL_TERMS)
    ratio = 1.0 - rest
    large = np.flatnonzero(inverse < 1.0)
    ratio[large] = _log1p_ratio(inverse[large])
    rest[large] = 1.0 - ratio[large]
    return rest, ratio


def _rest(y: Array, terms: int) -> Array:
    """1 − ln(1+z)/z: as ln(1+z)/z = (1 − y)(1 + tail), this is y − (1 − y)·tail."""
    rest: Array = y - (1.0 - y) * _tail(y, terms)
    return rest


def _log1p_ratio(inverse: Array) -> Array:
    """ln(1+z)/z for z > 1."""
    with np.errstate(divide="ignore", over="ignore"):
        z = 1.0 / inverse  # infinite where the block outweighs all above it 1e308 times
    infinite = np.isinf(z)
    return np.where(infinite, 0.0, _log1p(np.where(infinite, 1.0, z)) * inverse)


def _log1p(z: Array) -> Array:
    """ln(1+z) for z > 1; 1+z is rounded, which costs half a unit in the last place there."""
    mantissa, exponent = np.frexp(1.0 + z)
    low = mantissa < 0.7071067811865476
    mantissa = np.where(low, 2.0 * mantissa, mantissa)
    power = np.where(low, exponent - 1, exponent).astype(np.float64)
    y = (mantissa - 1.0) / (mantissa + 1.0)
    log = 2.0 * (y + y * _tail(y, REDUCED_TERMS))
    return power * LN2_HIGH + (power * LN2_LOW + log)


def _tail(y: Array, terms: int) -> Array:
    """y²/3 + y⁴/5 + … by Horner's rule."""
    square = y * y
    tail = np.zeros_like(y)
    for term in range(terms, 0, -1):
        tail = (tail + 1.0 / (2 * term + 1)) * square
    return tail
