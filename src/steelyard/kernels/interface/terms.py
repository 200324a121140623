"""Row terms: what `add_terms` adds, formula by formula.

A formula has a name, and some an argument after a space: "called 0.5". Every +, −, × and ÷ is
rounded once by IEEE 754, in the order written here, without a fused multiply-add; logarithms are
those of the elementary kernels. A value that float64 does not hold (infinite, NaN) adds nothing.

q is the score as a probability: cut to 0…1 where `outside`, as float64, and with a share r =
`downsampled` q/(q + (1 − q)/r). y is 1 for a positive row, else 0; in errors y is the truth and p
the prediction.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from steelyard.kernels.interface.exact import Array, Columns

SCORE_FORMULAS = {
    "one": "1",
    "positive": "y",
    "score": "the score, as it is",
    "probability": "q",
    "log": "ln q of positives, ln(1 − q) of the others, q cut to [clip, 1 − clip]",
    "infinite": "1 where that logarithm is −∞, else 0",
    "square": "(1 − q)·(1 − q) of positives, q·q of the others",
    "surplus": "(y − q)·(1 − 2q)",
    "surplus_variance": "((1 − 2q)·(1 − 2q))·(q·(1 − q))",
    "variance": "q·(1 − q)",
    "called": "1 where the score reaches the argument, rounded to the score's type; else 0",
    "hit": "`called` · y",
    "amount": "the amount whose name is the argument",
    "earned_amount": "y · amount",
    "expected_amount": "q · amount",
}
CLASS_FORMULAS = {
    "log_of_class": "ln of the score of the true class, cut to [clip, 1 − clip]",
    "infinite_of_class": "1 where that logarithm is −∞, else 0",
    "squares_of_classes": "Σ (p − [the class is true])² in their order; half of it for two classes",
}
ERROR_FORMULAS = {
    "truth": "y",
    "prediction": "p; nothing where rows have no numbers",
    "truth_size": "|y|",
    "truth_squared": "y·y",
    "truth_squared_rest": "y² − y·y, exactly (Dekker 1971); to 2**-1074 for 0 < |y| < 2**-484",
    "absolute": "|p − y|",
    "over": "p − y where it is above 0, else 0",
    "under": "y − p where it is above 0, else 0",
    "squared": "d·d with d = p − y",
    "relative": "|p − y| / |y|; 0 where y is 0",
    "symmetric": "|p − y| / (|y| + |p|), both over 4 where the sum overflows; 0 where both are 0",
    "squared_log": "ln(1 + t)², t = |p − y| / (1 + min(p, y)); 0 where y or p is below 0",
    "deviance": "y·ln(y/p) − (y − p), or p where y is 0; 0 where y < 0 or p ≤ 0",
}
CONDITIONS = {
    "zeros": "1 where y is 0",
    "below_zero": "1 where y or p is below 0",
    "off_poisson": "1 where y is below 0, or p is not above 0",
}
OVERFLOW = {
    "beyond": "1 where float64 does not hold a formula of those in the argument, joined by commas",
}


class RowTerm(NamedTuple):
    """A formula; weighted: times the row's weight, or else the rows that it stands for."""

    formula: str
    weighted: bool


class RowCodes(NamedTuple):
    """The code of each row, of any unsigned type or int64, below `size`; None: all are 0."""

    codes: Array | None
    size: int


@dataclass(frozen=True)
class TermColumns:
    """The columns of rows that formulas read; None, or without entries, where none reads them.

    rows: how many; weight, count: floats, or whole numbers, ≥ 0; None: 1 each
    score: float32 or float64; positive: boolean
    outside: whether a score is outside 0 to 1; downsampled, clip: see above; None: not at all
    amounts: float64 columns by name; truth, prediction: float64
    classes: the scores of each class, of one float type; true_class: the place of the true one
    """

    rows: int
    weight: Array | None = None
    count: Array | None = None
    score: Array | None = None
    positive: Array | None = None
    outside: bool = False
    downsampled: float | None = None
    clip: float | None = None
    amounts: Mapping[str, Array] = field(default_factory=dict)
    truth: Array | None = None
    prediction: Array | None = None
    classes: Columns = ()
    true_class: Array | None = None
