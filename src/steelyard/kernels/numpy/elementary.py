"""log and exp of columns: the same bits on every CPU.

Only +, −, ×, ÷ and powers of two are used, each as a ufunc of its own, so that IEEE 754 rounds each
step, and no function of a library or a processor is involved. A result never depends on other rows.
The method and the polynomials are those of fdlibm (Sun Microsystems, 1993), which promises an error
below one unit in the last place.

Work is done in blocks that fit the cache, in scratch columns that are allocated once: 10 million
logarithms take 0.2 s, and three times as long where every step allocates a column.
"""

from collections.abc import Callable

import numpy as np

from steelyard.kernels.interface import Array
from steelyard.kernels.row_blocks import blocks

BLOCK = 1 << 13  # rows: eight columns of 64 kB
SCRATCH = 7  # columns
MANTISSA, BIAS = 52, 1023
SMALLEST_NORMAL = 2.0**-1022
LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # 21 low bits zero: k·LN2_HIGH is exact
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
ONE_OVER_LN2 = float.fromhex("0x1.71547652b82fep+0")
ROOT_HALF = int(np.float64(0.7071067811865476).view(np.int64))

# ln(1+f) = f − f²/2 + s·(f²/2 + R), s = f/(2+f), R = s²·(odd terms) + s⁴·(even terms), both in s⁴.
# Coefficients from the highest power down, in the order of Horner's rule.
LOG_ODD = (
    *(float.fromhex("0x1.2f112df3e5244p-3"), float.fromhex("0x1.7466496cb03dep-3")),
    *(float.fromhex("0x1.2492494229359p-2"), float.fromhex("0x1.5555555555593p-1")),
)
LOG_EVEN = (
    float.fromhex("0x1.39a09d078c69fp-3"),
    *(float.fromhex("0x1.c71c51d8e78afp-3"), float.fromhex("0x1.999999997fa04p-2")),
)
# exp(r) = 1 + r + r·c/(2−c), c = r − r²·P(r²) with these coefficients of P, |r| ≤ ln(2)/2.
EXP = (
    float.fromhex("0x1.6376972bea4d0p-25"),
    *(float.fromhex("-0x1.bbd41c5d26bf1p-20"), float.fromhex("0x1.1566aaf25de2cp-14")),
    *(float.fromhex("-0x1.6c16c16bebd93p-9"), float.fromhex("0x1.555555555553ep-3")),
)
LOWEST_EXP, HIGHEST_EXP = -746.0, 710.0  # beyond them the nearest float64 is 0 or infinite

Step = Callable[..., None]  # arguments: columns of one block, result, scratch columns


def log(values: Array) -> Array:
    """ln of finite numbers ≥ 0, within one unit in the last place; −∞ at 0."""
    return _by_block(_log, values)


def log_complement(values: Array) -> Array:
    """ln(1 − p) for p from 0 to 1, within 1.5 units in the last place; −∞ at 1.

    u = 1 − p is rounded, and its rounding error is corrected: ln(1 − p) = ln u + ((1 − u) − p)/u,
    where (1 − u) − p is exact. Without it, the logarithm for p = 1e-17 would be 0. The correction
    takes a fifth of the time.
    """
    return log_chance(values, np.zeros(len(values), bool))


def log_chance(values: Array, happened: Array) -> Array:
    """ln p of the rows that happened and ln(1 − p) of the others, in one pass.

    The bits are those of `log` and of `log_complement`.
    """
    return _by_block(_log_chance, values, happened)


def exp(values: Array) -> Array:
    """e to the power of each number, within one unit in the last place; 0 and ∞ beyond float64."""
    return _by_block(_exp, values)


def _by_block(step: Step, values: Array, *columns: Array) -> Array:
    """The result of a step for all values and other columns, one block at a time."""
    result = np.empty(len(values))
    scratch = np.empty((SCRATCH, min(BLOCK, len(values))))
    for rows in blocks(len(values), BLOCK):
        block = values[rows].astype(np.float64, copy=False)
        others = (column[rows] for column in columns)
        step(block, *others, result[rows], scratch[:, : len(block)])
    return result


def _log(x: Array, log_: Array, scratch: Array) -> None:
    """ln x into `log_`; numbers that are 0 or too small to be normal are handled separately."""
    if x.min() >= SMALLEST_NORMAL:
        _log_normal(x, log_, scratch)
        return
    small = np.flatnonzero(x < SMALLEST_NORMAL)
    zero = small[x[small] == 0]
    x = x.copy()
    x[small] *= 2.0**54
    x[zero] = 1.0
    _log_normal(x, log_, scratch, (small, -54))
    log_[zero] = -np.inf


def _log_normal(
    x: Array, log_: Array, scratch: Array, small: tuple[Array, int] | None = None
) -> None:
    """ln of normal numbers, x = 2**k·(1+f) with 1+f between √½ and √2.

    small: rows, and what is added to their k
    """
    f, s, half, square, fourth, tail, *_ = scratch
    bits, whole = x.view(np.int64), tail.view(np.int64)
    np.subtract(bits, ROOT_HALF, out=whole)
    whole >>= MANTISSA
    log_[:] = whole  # k
    if small is not None:
        log_[small[0]] += small[1]
    whole <<= MANTISSA
    np.subtract(bits, whole, out=f.view(np.int64))
    f -= 1.0
    np.add(f, 2.0, out=s)
    np.divide(f, s, out=s)
    np.multiply(s, s, out=square)
    np.multiply(square, square, out=fourth)
    _polynomial(LOG_ODD, fourth, tail)
    tail *= square
    _polynomial(LOG_EVEN, fourth, half)
    half *= fourth
    tail += half
    np.multiply(f, 0.5, out=half)
    half *= f
    tail += half
    tail *= s
    # k·ln 2 + f − f²/2 + tail, the small parts first.
    np.multiply(log_, LN2_LOW, out=s)
    tail += s
    half -= tail
    half -= f
    log_ *= LN2_HIGH
    log_ -= half


def _log_chance(p: Array, happened: Array, log_: Array, scratch: Array) -> None:
    """ln p of the rows that happened, ln(1 − p) of the others, into `log_`."""
    happened = np.flatnonzero(happened)  # row numbers are faster than a mask
    u, *_ = scratch
    np.subtract(1.0, p, out=u)
    u[happened] = p[happened]
    _log(u, log_, scratch[1:])
    lost = scratch[1]
    np.subtract(1.0, u, out=lost)
    lost -= p
    lost[happened] = 0.0
    if u.min() == 0:  # where the logarithm is infinite
        u[u == 0] = 1.0
    lost /= u
    log_ += lost


def _exp(x: Array, exp_: Array, scratch: Array) -> None:
    """exp(x) = 2**k·exp(r) with r = x − k·ln 2 in two parts, the larger of them exact."""
    k, high, low, r, square, c, *_ = scratch
    np.clip(x, LOWEST_EXP, HIGHEST_EXP, out=high)
    np.multiply(high, ONE_OVER_LN2, out=k)
    np.rint(k, out=k)
    np.multiply(k, LN2_HIGH, out=low)
    high -= low
    np.multiply(k, LN2_LOW, out=low)
    np.subtract(high, low, out=r)
    np.multiply(r, r, out=square)
    _polynomial(EXP, square, c)
    c *= square
    np.subtract(r, c, out=c)
    r *= c
    np.subtract(2.0, c, out=c)
    r /= c
    low -= r
    low -= high
    np.subtract(1.0, low, out=exp_)
    _times_power(exp_, k, scratch[1:3].view(np.int64))


def _times_power(values: Array, k: Array, scratch: Array) -> None:
    """values·2**k as two products by normal numbers, of which only the second may round."""
    whole, first = scratch
    np.copyto(whole, k, casting="unsafe")
    np.right_shift(whole, 1, out=first)
    whole -= first
    with np.errstate(over="ignore", under="ignore"):
        for power in (first, whole):
            power += BIAS
            power <<= MANTISSA
            values *= power.view(np.float64)


def _polynomial(coefficients: tuple[float, ...], x: Array, result: Array) -> None:
    """A polynomial of x by Horner's rule; coefficients from the highest power down."""
    np.multiply(x, coefficients[0], out=result)
    result += coefficients[1]
    for coefficient in coefficients[2:]:
        result *= x
        result += coefficient
