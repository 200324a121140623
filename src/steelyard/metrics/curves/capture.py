"""Capture: the share of the positives among the top share q of all rows."""

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.depth import positives_within
from steelyard.metrics.division import NO_POSITIVES, decimal
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import number
from steelyard.metrics.values import quotient_values
from steelyard.model import Array
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals

SHARE = number(
    "q", above=0, most=1, means="the share of all rows to take, from the highest score down"
)


def captured(view: CurveView, q: float) -> Array:
    return positives_within(view, [decimal(q) * each for each in view.totals.all.tolist()])


def capture(found: Array, totals: Totals, q: float) -> MetricColumn:
    return quotient_values(found, totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    formula="TP at depth q·(P + N), over P; linear inside a tied block",
    tex=r"\frac{\mathrm{TP} \text{ among the top } q (P + N) \text{ rows}}{P}",
    reading=(
        "If only the share q of rows with the highest scores is used: the share of the positives "
        "among them. A random order captures q."
    ),
    range="0 to 1; chance is q",
    better="higher",
    pitfalls=(
        (
            "It cannot exceed q/prevalence: with 20 % positives, the top 10 % contain half of them "
            "at most."
        ),
        "The depth is a share of weight where there are weights.",
        "Equal scores at the cut are taken in proportion, so the order of rows does not matter.",
    ),
    reference="Ling & Li (1998), KDD, 73.",
    chinese="捕获率",
    example="sy.capture([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1], q=0.2)",
    part=captured,
    value=capture,
    interval=DENSITY,
    parameters=(SHARE,),
    requires=("positives",),
)
