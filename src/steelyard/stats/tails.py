"""Tails of distributions, for p-values, with the same bits on every machine.

All is computed in decimal arithmetic of 40 digits, whose exp and square root are correctly rounded
by definition; a result is rounded to float64 once. No library's erfc or gamma function is used.
"""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

CONTEXT = Context(prec=40, Emin=-999_999_999, Emax=999_999_999)
PI = Decimal("3.1415926535897932384626433832795028841971693993751")
FAR = 5  # from here on erfc is a continued fraction, since its series would lose digits
FRACTIONS = 80  # terms of the continued fraction, for 34 digits
SERIES = 160  # terms of the series; the last is below 1e-40 up to FAR
RANGES = 12  # terms of each series of the range; the last is below 1e-40
LOW = Decimal("1.5")  # below it the series of the lower tail converges faster


def chi2_tail(statistic: Fraction, freedom: int) -> float:
    """The probability that χ² with `freedom` degrees of freedom is above the statistic.

    With y half the statistic: e^−y·Σ yʲ/j! for an even number; for an odd one erfc(√y) and
    e^−y·Σ y^(j+½)/Γ(j+3/2). All terms are positive, so that nothing cancels.
    """
    with localcontext(CONTEXT):
        y = _decimal(statistic) / 2
        odd = freedom % 2
        start = Decimal(odd) / 2
        term = 2 * (y / PI).sqrt() if odd else Decimal(1)
        total = Decimal(0)
        for j in range(1, freedom // 2 + 1):
            total += term
            term = term * y / (j + start)
        return float(total * (-y).exp() + (_erfc(y.sqrt()) if odd else 0))


def two_sided(z: float) -> float:
    """The probability that a standard normal number is as far from 0 as z: erfc(|z|/√2).

    >>> two_sided(0.0), two_sided(-1.959963984540054)
    (1.0, 0.050000000000000024)
    """
    with localcontext(CONTEXT):
        return float(_erfc(abs(Decimal(z)) / Decimal(2).sqrt()))


def range_tail(square: Fraction) -> float:
    """The probability that the range of a Brownian motion in unit time is above √square.

    1 − Σ (8/x² + 2/((k+½)π)²)·exp(−2((k+½)π)²/x²) for a small x, and 4 Σ (−1)^(k−1)·k·erfc(kx/√2)
    for a large one, which is the same: Feller (1951), Annals of Mathematical Statistics 22:427.
    """
    if square == 0:
        return 1.0
    with localcontext(CONTEXT):
        x2 = _decimal(square)
        x = x2.sqrt()
        if x < LOW:
            angles = [((k + Decimal("0.5")) * PI) ** 2 for k in range(RANGES)]
            return float(1 - sum((8 / x2 + 2 / a) * (-2 * a / x2).exp() for a in angles))
        root = x / Decimal(2).sqrt()
        return float(4 * sum((-1) ** (k - 1) * k * _erfc(k * root) for k in range(1, RANGES)))


def _erfc(z: Decimal) -> Decimal:
    """The complementary error function of a number of zero or more."""
    scale = (-z * z).exp() / PI.sqrt()
    if z >= FAR:
        tail = z
        for k in range(FRACTIONS, 0, -1):
            tail = z + Decimal(k) / 2 / tail
        return scale / tail
    term, total = z, Decimal(0)
    for k in range(SERIES):
        total += term
        term = term * 2 * z * z / (2 * k + 3)
    return 1 - 2 * scale * total


def _decimal(exact: Fraction) -> Decimal:
    return Decimal(exact.numerator) / Decimal(exact.denominator)
