"""AUC: the probability that a positive scores above a negative; the area under the ROC curve."""

from typing import Any

import numpy as np

from steelyard.metrics.curve_metrics import AreaMetric
from steelyard.metrics.division import NO_ROWS, rounded_products
from steelyard.metrics.influence import LOGIT, Influences
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Floats
from steelyard.result.metric_column import MetricColumn
from steelyard.views.clustered_scores import LineSides
from steelyard.views.curve import AreaView
from steelyard.views.totals import Totals


def doubled_area(view: AreaView) -> Array:
    return view.doubled_area


def share_in_order(area: Any, pairs: Any) -> tuple[Any, Any]:
    """Twice the area over twice the weight of all pairs."""
    return area, 2 * pairs


def auc(area: Array, totals: Totals) -> MetricColumn:
    found = quotient_values(*share_in_order(area, totals.pairs), NO_ROWS)
    return found.with_details({"area": rounded_products(area, 2 * totals.power - 1)})


def influence(rows: LineSides, value: Floats) -> Influences:
    """Placements: w·(share below − A)/W⁺ of a positive, w·(share above − A)/W⁻ of a negative."""
    columns, divisors, present = [], [], []
    for side, other in (rows.sides, rows.sides[::-1]):
        with np.errstate(divide="ignore", invalid="ignore"):  # slices of one class
            shares = side.areas / (2.0 * other.totals)
            columns.append((shares - value * side.weights) / side.totals)
            divisors.append(side.weights / side.totals)
        present.append(side.weights > 0)
    return Influences(rows.lines, tuple(columns), tuple(divisors), tuple(present))


METRIC = AreaMetric(
    formula="Σ over pairs of w⁺·w⁻·([s⁺ > s⁻] + ½[s⁺ = s⁻]) / (W⁺·W⁻)",
    tex=(
        r"\frac{\sum_{i \in +} \sum_{j \in -} w_i w_j \left([s_i \gt s_j] + \frac{1}{2} [s_i = "
        r"s_j]\right)}{\sum_{i \in +} w_i \cdot \sum_{j \in -} w_j}"
    ),
    reading=(
        "How often a random positive has a higher score than a random negative. 1 is a perfect "
        "order, 0.5 is chance, below 0.5 the order is reversed."
    ),
    range="0 to 1; 0.5 is chance",
    better="higher",
    pitfalls=(
        (
            "Tied pairs count one half. Tools that break ties by row order may give 0 or 1 for a "
            "constant score."
        ),
        (
            "Never average the AUCs of shards or days: if shards are related to the score, the "
            "mean is off by 0.07 to 0.09. Merge the states."
        ),
        "It ignores calibration: any increasing function of the score has the same AUC.",
        (
            "It rewards the order across users too, while each user sees only their own list: "
            "`gauc` compares rows within a list only."
        ),
        (
            "With imbalanced classes it can be high while precision is useless: 0.95 does not say "
            "how many of the top 100 are positive."
        ),
        "Binned AUCs (200 thresholds) are off by 0.17 where one row in 650 is positive.",
    ),
    reference="Hanley & McNeil (1982), Radiology 143(1):29.",
    seed="000",
    chinese="ROC 曲线下面积",
    example="sy.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    aliases=("roc_auc", "roc_auc_score", "auroc"),
    part=doubled_area,
    value=auc,
    quotient=share_in_order,
    influence=influence,
    scale=LOGIT,
)
