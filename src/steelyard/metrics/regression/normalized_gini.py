"""Normalized Gini: how much of the truth the highest predictions have, relative to the best order.

Equal predictions count as the mean over all their orders.
"""

import numpy as np

from steelyard.metrics.regression_metrics import SAME_TRUTH, PairMetric
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairsView

BELOW_ZERO, ALL_ZERO = "there are truths below 0", "every truth is 0"


def normalized_gini(view: PairsView) -> MetricColumn:
    least, largest = view.truth_ends
    known = dict.fromkeys(np.flatnonzero(largest == 0).tolist(), ALL_ZERO)
    known |= dict.fromkeys(np.flatnonzero(least < 0).tolist(), BELOW_ZERO)
    return quotient_values(*view.gini_sums(), SAME_TRUTH, known)


METRIC = PairMetric(
    values=normalized_gini,
    formula="G(p) / G(y), G(x) = Σ w·y·(share of weight ranked below by x − share above)",
    tex=(
        r"\frac{G(p)}{G(y)},\quad G(x) = \sum_i w_i y_i \Bigl( \sum_{x_j \lt x_i} w_j - \sum_{x_j "
        r"\gt x_i} w_j \Bigr)"
    ),
    reading=(
        "1 if the largest predictions have the largest truths, 0 for a random order, −1 for the "
        "reverse. With truths of 0 and 1 it is 2·AUC − 1."
    ),
    range="-1 to 1",
    better="higher",
    pitfalls=(
        "It depends on the order of predictions alone: they may be wrong by any factor.",
        (
            "Common scripts break ties by the order of rows, so shuffling the rows changes their "
            "value; here a tie counts as the mean over its orders."
        ),
        "A few large truths dominate it.",
    ),
    reference=(
        "Frees, Meyers & Cummings (2011), JASA 106(495):1085, on the Gini index of insurance "
        "scores."
    ),
    chinese="归一化基尼系数",
    example="sy.normalized_gini([0.0, 1.0, 2.0, 10.0], [0.1, 0.4, 0.3, 0.9])",
)
