"""The entropy of a binary label, from the exact weights of its two classes."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

DIGITS = 40  # more than twice those of a float64, so that a quotient with it is rounded once


def entropy(up: int, down: int) -> Fraction:
    """−ȳ·ln ȳ − (1 − ȳ)·ln(1 − ȳ) in nats, to 40 digits, where ȳ is the share of positives.

    up, down: the weights of positives and negatives, as whole multiples of one unit

    Decimal's ln is correctly rounded by its specification, and so the same everywhere. If one class
    is 10^k times heavier than the other, its logarithm needs k more digits.
    """
    uneven = abs(up.bit_length() - down.bit_length()) * 3 // 10 + 1
    context = Context(prec=DIGITS + 10 + uneven, rounding=ROUND_HALF_EVEN, traps=[])
    all_ = Decimal(up + down)
    sum_ = Decimal(0)
    for part in (Decimal(up), Decimal(down)):
        surprise = context.ln(context.divide(all_, part))
        sum_ = context.add(sum_, context.multiply(part, surprise))
    return Fraction(sum_) / (up + down)
