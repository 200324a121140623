"""Gini: AUC on a scale where chance is 0, also Somers' D of score on label."""

from typing import Any

from steelyard.metrics.curve_metrics import AreaMetric
from steelyard.metrics.curves.auc import doubled_area
from steelyard.metrics.curves.auc import influence as of_auc
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import Influences
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Floats
from steelyard.result.metric_column import MetricColumn
from steelyard.views.clustered_scores import LineSides
from steelyard.views.totals import Totals


def order(area: Any, pairs: Any) -> tuple[Any, Any]:
    """The pairs in the right order minus those in the wrong one, and all pairs."""
    return area - pairs, pairs


def gini(area: Array, totals: Totals) -> MetricColumn:
    return quotient_values(*order(area, totals.pairs), NO_ROWS)


def influence(rows: LineSides, value: Floats) -> Influences:
    """Twice that of AUC."""
    found = of_auc(rows, (value + 1) / 2)
    return found._replace(columns=(2 * found.columns[0], 2 * found.columns[1]))


METRIC = AreaMetric(
    formula="2·AUC − 1",
    tex=r"2 \cdot \mathrm{AUC} - 1",
    reading=(
        "Pairs in the right order minus pairs in the wrong order, over all pairs. It is used in "
        "credit scoring where others use AUC."
    ),
    range="−1 to 1; 0 is chance",
    better="higher",
    pitfalls=(
        "It is not the Gini impurity of decision trees, nor the Gini coefficient of incomes.",
        (
            "What holds for AUC holds here: ties count ½, values of shards must not be averaged, "
            "calibration is ignored."
        ),
    ),
    reference="Somers (1962), American Sociological Review 27(6):799.",
    chinese="基尼系数",
    example="sy.gini([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    part=doubled_area,
    value=gini,
    quotient=order,
    influence=influence,
)
