"""Positive-negative ratio: pairs in the right order for each pair in the wrong order."""

from typing import NamedTuple

from steelyard.metrics.curve_metrics import AreaMetric
from steelyard.metrics.influence import ORDER
from steelyard.metrics.values import quotient_values
from steelyard.model import Array
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import AreaView
from steelyard.views.totals import Totals

NO_WRONG_PAIR = "no pair is in the wrong order"


class PairWeights(NamedTuple):
    """The weight of the pairs in the right order, and of those with equal scores."""

    right: Array
    tied: Array


def pairs(view: AreaView) -> PairWeights:
    return PairWeights((view.doubled_area - view.tied_pairs) // 2, view.tied_pairs)


def add(lower: PairWeights, upper: PairWeights) -> PairWeights:
    return PairWeights(lower.right + upper.right, lower.tied + upper.tied)


def pnr(found: PairWeights, totals: Totals) -> MetricColumn:
    return quotient_values(found.right, totals.pairs - found.right - found.tied, NO_WRONG_PAIR)


METRIC = AreaMetric(
    formula="Σ w⁺·w⁻·[s⁺ > s⁻] / Σ w⁺·w⁻·[s⁺ < s⁻]; tied pairs count on neither side",
    tex=(
        r"\frac{\sum_{i \in +} \sum_{j \in -} w_i w_j [s_i \gt s_j]}{\sum_{i \in +} \sum_{j \in -} "
        r"w_i w_j [s_i \lt s_j]}"
    ),
    reading=(
        "3 means that three pairs of a positive and a negative are in the right order for each "
        "that is not. Without ties it is AUC/(1 − AUC), the odds of the AUC."
    ),
    range="0 and above; 1 is chance",
    better="higher",
    pitfalls=(
        "A perfect order has no value: no pair is in the wrong order, so the denominator is 0.",
        (
            "Tied pairs are left out, so a score with few distinct values may have a higher value "
            "than a finer one."
        ),
        "It has no upper limit, and a mean of several is dominated by the largest.",
    ),
    reference=(
        "Goodman & Kruskal (1954), Journal of the American Statistical Association 49(268):732, "
        "whose gamma is (PNR − 1)/(PNR + 1)."
    ),
    chinese="正逆序比",
    example="sy.pnr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    part=pairs,
    join=add,
    value=pnr,
    interval=ORDER,
)
