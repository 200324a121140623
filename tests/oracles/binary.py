"""Every oracle by its metric's name, and how an answer is rounded."""

from decimal import Decimal

from tests.oracles import counts as count_oracles
from tests.oracles import curves as curve_oracles
from tests.oracles.answers import ORACLES, Answer, Number, Rows, Why

__all__ = [
    "ORACLES",
    "Answer",
    "Number",
    "Rows",
    "Why",
    "count_oracles",
    "curve_oracles",
    "rounded",
]


def rounded(value: Number) -> float:
    """The float64 nearest to an exact answer; Python rounds both kinds correctly."""
    if isinstance(value, Decimal):
        return float(value)
    try:
        return value.numerator / value.denominator
    except OverflowError:  # a pnr may be larger than any float
        return float("inf") if value > 0 else float("-inf")
