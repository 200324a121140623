"""Logarithms and the exponential function: the same bits on every processor.

Every function takes a column of numbers and gives a new float64 column of the same length; a result
never depends on other rows. The bits are part of the contract: only +, −, ×, ÷ and changes of the
exponent, each rounded once to the nearest (ties to even), in the order written here and without a
fused multiply-add. Polynomials are by Horner's rule: (c₀·x + c₁)·x + …. The constants of `log` and
of `exp` are in `kernels/numpy/elementary.py`, from fdlibm; the others, with an LN2_HIGH and LN2_LOW
of their own, in `kernels/numpy/logarithm.py`.
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

    def log_one_plus(self, values: Array) -> Array:
        """ln(1 + x) of numbers ≥ 0, also accurate for a small x.

        u = 1 + x; ln u + c/u with c = x − (u − 1) where x < 1, else 1 − (u − x).
        """

    def log2_counts(self, counts: Array) -> Array:
        """log2 of whole numbers from 1; exact for powers of two.

        n = 2**k·m with m from √½ to √2; y = (m − 1)/(m + 1); k + (y + y·T)·TWO_OVER_LN2 with the
        first 12 terms T of y²/3 + y⁴/5 + …: from 0, for i = 12 … 1, T = (T + 1/(2i + 1))·(y·y).
        """

    def one_minus_log1p_ratio(self, z: Array, y: Array) -> tuple[Array, Array]:
        """1 − ln(1+z)/z and ln(1+z)/z for z ≥ 0, which may be ∞; y is z/(2+z), rounded once.

        Up to z = 1, with T as above: r = y − (1 − y)·T and 1 − r; T has 6 terms up to z = 1/16, and
        18 beyond, where y is cut to 1/3. For z > 1, with u = 1 + z = 2**k·m, y = (m − 1)/(m + 1)
        and T of 12 terms: a = k·LN2_HIGH, b = k·LN2_LOW + (2·(y + y·T) + (1 − (u − z))/u), and
        ((z − a) − b)/z, (a + b)/z. 1 and 0 at ∞.
        """

    def exp(self, values: Array) -> Array:
        """e to the power of each number; 0 and ∞ beyond float64.

        x cut to [−746, 710]; k = x·ONE_OVER_LN2 rounded to the nearest whole number, ties to even;
        h = x − k·LN2_HIGH, l = k·LN2_LOW, r = h − l; c = r − EXP(r·r)·(r·r);
        e = 1 − ((l − (r·c)/(2 − c)) − h), times 2**(k >> 1), then times 2**(k − (k >> 1)).
        """
