"""Normalized Gini: how much of the truth the highest predictions have, relative to the best order.

Equal predictions count as the mean over all their orders.
"""

from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import GiniSums
from steelyard.metrics.pair_metrics import SAME_TRUTH, RankFold, added
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Floats
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairsView

BELOW_ZERO, ALL_ZERO = "there are truths below 0", "every truth is 0"


class TruthSums(NamedTuple):
    """The sums of each slice, and its lowest and highest truth."""

    sums: GiniSums
    low: Floats
    high: Floats


def part(view: PairsView) -> TruthSums:
    return TruthSums(view.gini_sums(), *view.truth_ends())


def join(lower: TruthSums, upper: TruthSums) -> TruthSums:
    unit = np.minimum(lower.sums.unit, upper.sums.unit)
    sums = added(_in_unit(lower.sums, unit), _in_unit(upper.sums, unit))._replace(unit=unit)
    return TruthSums(sums, np.fmin(lower.low, upper.low), np.fmax(lower.high, upper.high))


def _in_unit(sums: GiniSums, unit: Array) -> GiniSums:
    """The sums where truths are multiples of 2**unit."""
    prediction, truth, values = (column << (sums.unit - unit) for column in sums[:3])
    return GiniSums(prediction, truth, values, sums.weight, unit)


def normalized_gini(of_truths: TruthSums) -> MetricColumn:
    sums, least, largest = of_truths
    known = dict.fromkeys(np.flatnonzero(largest == 0).tolist(), ALL_ZERO)
    known |= dict.fromkeys(np.flatnonzero(least < 0).tolist(), BELOW_ZERO)
    middle = sums.weight * sums.values
    return quotient_values(sums.prediction - middle, sums.truth - middle, SAME_TRUTH, known)


METRIC = RankFold(
    part=part,
    join=join,
    value=normalized_gini,
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
