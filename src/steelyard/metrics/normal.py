"""The tails of the normal distribution, to more digits than a float64 has.

Decimal's exp and sqrt are correctly rounded, by their specification, so that a p-value is the same
everywhere; the C library's erfc is not.
"""

from decimal import ROUND_HALF_EVEN, Context, Decimal

CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN, traps=[])
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
NEGLIGIBLE = 40.0  # beyond, the tail is below 1e-349: less than the smallest float64
SERIES = 5.0  # up to here a series, whose complement loses 7 digits; beyond, a continued fraction
FRACTIONS = 300  # enough for 60 digits from z = 5 on


def two_sided(z: float) -> float:
    """The chance that a standard normal number is as far from 0 as z: erfc(|z|/√2).

    >>> two_sided(0.0), two_sided(-1.959963984540054)
    (1.0, 0.050000000000000024)
    """
    if abs(z) > NEGLIGIBLE:
        return 0.0
    half = CONTEXT.divide(CONTEXT.multiply(Decimal(z), Decimal(z)), Decimal(2))
    x = CONTEXT.sqrt(half)
    bell = CONTEXT.divide(CONTEXT.exp(-half), CONTEXT.sqrt(PI))
    if abs(z) <= SERIES:
        inside = CONTEXT.multiply(CONTEXT.multiply(Decimal(2), bell), _series(x, half))
        return float(CONTEXT.subtract(Decimal(1), inside))
    return float(CONTEXT.multiply(bell, _fraction(x)))


def _series(x: Decimal, half: Decimal) -> Decimal:
    """x·(1 + 2x²/3 + (2x²)²/(3·5) + …), all terms of one sign."""
    term = sum_ = x
    divisor = 1
    while CONTEXT.add(sum_, term) != sum_:
        divisor += 2
        step = CONTEXT.divide(CONTEXT.multiply(Decimal(2), half), Decimal(divisor))
        term = CONTEXT.multiply(term, step)
        sum_ = CONTEXT.add(sum_, term)
    return sum_


def _fraction(x: Decimal) -> Decimal:
    """1/(x + ½/(x + 1/(x + 1½/(x + …)))), from the inside out."""
    value = x
    for step in range(FRACTIONS, 0, -1):
        above = CONTEXT.divide(Decimal(step), Decimal(2))
        value = CONTEXT.add(x, CONTEXT.divide(above, value))
    return CONTEXT.divide(Decimal(1), value)
