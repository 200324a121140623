"""Spiegelhalter's z: how far the Brier score is from that of calibrated probabilities.

The p-value among its details is two-sided.
"""

from steelyard.metrics.division import root_ratio
from steelyard.metrics.influence import A_TEST
from steelyard.metrics.probability_metrics import SURPLUS, SumMetric
from steelyard.model import Detailed, Undefined
from steelyard.stats.tails import two_sided
from steelyard.views.sums import SumLine

NO_VARIANCE = "every probability is 0, ½ or 1: the statistic does not vary"


def spiegelhalter(sums: SumLine) -> Detailed:
    above, variance = sums.exact("surplus"), sums.exact("surplus_variance")
    # √(n/d) is √(n·d)/d, so that the root is one of a whole number.
    square = variance.numerator * variance.denominator
    ratio = above * variance.denominator
    z = root_ratio(ratio.numerator, square * ratio.denominator**2, NO_VARIANCE)
    if isinstance(z, Undefined):
        return Detailed(z, {})
    return Detailed(z, {"p_value": two_sided(z)})


METRIC = SumMetric(
    formula="Σ w·(y − p)(1 − 2p) / √(Σ w·(1 − 2p)²·p(1 − p))",
    tex=(
        r"z = \frac{\sum_i w_i (y_i - p_i)(1 - 2 p_i)}{\sqrt{\sum_i w_i (1 - 2 p_i)^2 p_i (1 - "
        r"p_i)}}"
    ),
    reading=(
        "For calibrated probabilities it is a standard normal number: beyond ±1.96 in one case of "
        "twenty. Above 0 the Brier score is larger than it should be: predictions are too extreme."
    ),
    range="any number; 0 is best",
    better="nearer 0",
    pitfalls=(
        (
            "A weight counts as that many rows: if weights are not counts, or all ten times as "
            "large, the p-value means nothing."
        ),
        (
            "With millions of rows it finds errors too small to matter: read it together with ece "
            "or copc, which say how large they are."
        ),
        "Rows of one user are not independent, and z is then too large.",
        "It does not see errors that cancel, nor any at p = ½.",
    ),
    reference="Spiegelhalter (1986), Statistics in Medicine 5(5):421.",
    chinese="Spiegelhalter 检验",
    example="sy.spiegelhalter([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.35])",
    state=SURPLUS,
    value=spiegelhalter,
    interval=A_TEST,
)
