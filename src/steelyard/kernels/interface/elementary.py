"""Logarithms and the exponential function: the same bits on every processor.

Every function takes a column of numbers and gives a new float64 column of the same length; a result
never depends on other rows. The bits are part of the contract: only +, −, ×, ÷ and changes of the
exponent, each rounded once to the nearest (ties to even), in the order written here and without a
fused multiply-add. Polynomials are by Horner's rule: (c₀·x + c₁)·x + …. The constants are in
`kernels/numpy/elementary.py`, from fdlibm. Relatives that no caller needs for long columns are in
`kernels/logarithms.py`.
"""

from typing import Protocol

from steelyard.kernels.interface.exact import Array


class ElementaryKernels(Protocol):
    """Logarithms and the exponential function: the same bits on every processor."""

    def log(self, values: Array) -> Array:
        """ln of finite numbers ≥ 0: −∞ at 0.

        A subnormal x is multiplied by 2**54, and k lowered by 54. x = 2**k·(1+f) with 1+f from √½
        to √2: k = (bits of x − ROOT_HALF) >> 52 as int64. With s = f/(f + 2), z = s·s, v = z·z:
        R = LOG_ODD(v)·z + LOG_EVEN(v)·v; h = (f·½)·f; t = (R + h)·s + k·LN2_LOW;
        ln x = k·LN2_HIGH − ((h − t) − f).
        """

    def log_complement(self, values: Array) -> Array:
        """ln(1 − p) for p from 0 to 1, also accurate for a small p: −∞ at 1.

        u = 1 − p; ln u + ((1 − u) − p)/u, with a divisor of 1 where u is 0.
        """

    def log_chance(self, values: Array, happened: Array) -> Array:
        """ln p of the rows that happened, ln(1 − p) of the others: the bits of the two above."""

    def exp(self, values: Array) -> Array:
        """e to the power of each number; 0 and ∞ beyond float64.

        x cut to [−746, 710]; k = x·ONE_OVER_LN2 rounded to the nearest whole number, ties to even;
        h = x − k·LN2_HIGH, l = k·LN2_LOW, r = h − l; c = r − EXP(r·r)·(r·r);
        e = 1 − ((l − (r·c)/(2 − c)) − h), times 2**(k >> 1), then times 2**(k − (k >> 1)).
        """
