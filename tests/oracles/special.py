"""Functions that no fraction has, in decimals: π, logarithms, tails of distributions.

Each works with digits to spare and is held against SciPy in test_calibration_oracles.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

from tests.oracles.answers import Number, as_decimal

DIGITS = 60
HALF = Decimal("0.5")


def decimal(value: Number | float) -> Decimal:
    if isinstance(value, Decimal):
        return value
    return as_decimal(Fraction(value))


def ln(value: Number) -> Decimal:
    with localcontext(prec=DIGITS):
        return decimal(value).ln()


def sqrt(value: Number) -> Decimal:
    with localcontext(prec=DIGITS):
        return decimal(value).sqrt()


@cache
def pi(digits: int = DIGITS) -> Decimal:
    """Machin: π = 16·atan(1/5) − 4·atan(1/239)."""
    with localcontext(prec=digits + 10):
        return 16 * _atan_of_one_over(5) - 4 * _atan_of_one_over(239)


def _atan_of_one_over(n: int) -> Decimal:
    term = Decimal(1) / n
    total, k = term, 1
    while True:
        term /= -n * n
        step = term / (2 * k + 1)
        if total + step == total:
            return total
        total, k = total + step, k + 1


def erfc(x: Number) -> Decimal:
    """1 − (2/√π)·Σ (−1)ⁿ x^(2n+1)/(n!·(2n+1)), with digits for all that cancels."""
    far = decimal(x)
    if far > 30:  # below 1e-392, where float64 has nothing left
        return Decimal(0)
    with localcontext(prec=DIGITS + int(far * far)):
        square, term, total, n = far * far, far, far, 0
        while True:
            n += 1
            term *= -square / n
            step = term / (2 * n + 1)
            if total + step == total:
                break
            total += step
        return 1 - 2 * total / pi(DIGITS + int(far * far)).sqrt()


def two_sided(z: Number) -> Decimal:
    """How often a standard normal is at least as far from zero."""
    with localcontext(prec=DIGITS):
        return erfc(abs(decimal(z)) / Decimal(2).sqrt())


def chi_square_tail(x: Number, df: int) -> Decimal:
    """How often χ² with `df` degrees is at least x: Q(s) = Q(s − 1) + h^(s−1)·e^(−h)/Γ(s)."""
    with localcontext(prec=DIGITS):
        half = decimal(x) / 2
        if df % 2:
            tail, s, gamma = erfc(half.sqrt()), HALF, pi().sqrt()  # Γ(½) = √π
        else:
            tail, s, gamma = (-half).exp(), Decimal(1), Decimal(1)
        while s < Decimal(df) / 2:
            gamma *= s  # Γ(s + 1)
            tail += half**s * (-half).exp() / gamma if half else Decimal(0)
            s += 1
        return tail


def range_tail(x: Number) -> Decimal:
    """How often a Brownian motion on [0, 1] spans at least x.

    F(x) = Σ_k [8/x² + 2/((k+½)²π²)]·exp(−2((k+½)π)²/x²), k = 0, 1, …
    """
    far = decimal(x)
    if far == 0:
        return Decimal(1)
    if far > 40:  # about exp(−x²/2): below 1e-340
        return Decimal(0)
    digits = DIGITS + int(far * far / 4)  # F is 1 save for a tail of x²/4.6 zeros
    with localcontext(prec=digits):
        inner, total, k = pi(digits), Decimal(0), 0
        while True:
            step = (k + HALF) * inner
            weight = 8 / (far * far) + 2 / (step * step)
            term = weight * (-2 * step * step / (far * far)).exp()
            if total + term == total:
                return 1 - total
            total, k = total + term, k + 1
