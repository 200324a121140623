"""The two-sided tail of Student's t, for any real degrees of freedom, in decimals of 320 digits.

The weight of both sums needs Γ(a+½)/Γ(a), which is Stirling's series after 1,000 steps up. So many
digits are left where 1 − P cancels that a tail of 1e-280 has forty.
"""

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import comb

from tests.oracles.special import HALF, pi

DIGITS = 320
STEPS = 1000
STIRLING = 80  # terms; the last is below 1e-320 from STEPS on


def t_tail(t: float, freedom: float) -> Decimal:
    """P(|T| ≥ t) = I_x(a, ½): a sum in x, or 1 minus a sum in 1 − x, whichever is below ½."""
    with localcontext(Context(prec=DIGITS, Emin=-(10**9), Emax=10**9)):
        a, square = Decimal(freedom) / 2, Decimal(t) ** 2
        x, y = 2 * a / (2 * a + square), square / (2 * a + square)
        weight = (a * x.ln()).exp() * y.sqrt() * _gamma_ratio(a) / pi(DIGITS).sqrt()
        if x < HALF:
            return weight / a * _sum(x, a + HALF, a + 1)
        return 1 - 2 * weight * _sum(y, a + HALF, 3 * HALF)


def _sum(x: Decimal, above: Decimal, below: Decimal) -> Decimal:
    """Σ (above)ₙ/(below)ₙ·xⁿ, term by term."""
    total = term = Decimal(1)
    n = 0
    while True:
        term *= x * (above + n) / (below + n)
        if total + term == total:
            return total
        total, n = total + term, n + 1


def _gamma_ratio(a: Decimal) -> Decimal:
    ratio = Decimal(1)
    for j in range(STEPS):
        ratio *= (a + j) / (a + j + HALF)
    return ratio * (_log_gamma(a + STEPS + HALF) - _log_gamma(a + STEPS)).exp()


def _log_gamma(z: Decimal) -> Decimal:
    """ln Γ(z) − ln √2π = (z−½)·ln z − z + Σ B₂ₙ/(2n(2n−1)·z^(2n−1))."""
    total = (z - HALF) * z.ln() - z
    for n in range(1, STIRLING):
        share = _bernoulli()[2 * n] / (2 * n * (2 * n - 1))
        total += Decimal(share.numerator) / Decimal(share.denominator) / z ** (2 * n - 1)
    return total


@cache
def _bernoulli() -> list[Fraction]:
    numbers = [Fraction(1)]
    for m in range(1, 2 * STIRLING):
        known = (comb(m + 1, k) * numbers[k] for k in range(m))
        numbers.append(-sum(known, Fraction(0)) / (m + 1))
    return numbers
