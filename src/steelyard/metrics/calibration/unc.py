"""Uncertainty: the Brier score of always predicting the base rate.

It depends on the rows and not on the model: brier = mcb − dsc + unc.
"""

from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.influence import TermSums
from steelyard.metrics.probability_metrics import EXPECTED, SumMetric, negatives
from steelyard.model import Floats, Value
from steelyard.views.sums import SumLine


def unc(sums: SumLine) -> Value:
    return ratio(sums["weighted_positives"] * negatives(sums), sums["weight"] ** 2, NO_ROWS)


def influence(own: TermSums, total: TermSums, value: Floats) -> Floats:
    """(1 − 2b)·w(y − b)/W, with the base rate b."""
    base = total["weighted_positives"] / total["weight"]
    clicks = own["weighted_positives"] - base * own["weight"]
    column: Floats = (1.0 - 2.0 * base) * clicks / total["weight"]
    return column


METRIC = SumMetric(
    formula="ȳ·(1 − ȳ), ȳ = Σ w·y / Σ w",
    tex=r"\mathrm{UNC} = \bar y (1 - \bar y)",
    reading=(
        "The variance of the label: 0.25 where both classes are equally frequent, near 0 where one "
        "of them is rare."
    ),
    range="0 to 0.25",
    better="depends",
    pitfalls=(
        (
            "It says nothing about a model. Use it as a scale for the other two parts: mcb / unc "
            "and dsc / unc."
        ),
    ),
    reference="Murphy (1973), Journal of Applied Meteorology 12(4):595.",
    chinese="不确定性（布里尔分解）",
    example="sy.unc([1, 0, 0, 0], [0.9, 0.1, 0.8, 0.35])",
    state=EXPECTED,
    value=unc,
    influence=influence,
)
