"""Break-even point: precision and recall where the two are equal."""

from fractions import Fraction

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.depth import positives_within
from steelyard.metrics.division import NO_POSITIVES
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.values import quotient_values
from steelyard.model import Array
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


def found_in_time(view: CurveView) -> Array:
    return positives_within(view, [Fraction(each) for each in view.totals.positives.tolist()])


def break_even(found: Array, totals: Totals) -> MetricColumn:
    return quotient_values(found, totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    formula="TP/P at depth TP + FP = P, linear inside a tied block",
    tex=r"\frac{\mathrm{TP}}{P} \quad \text{where} \quad \mathrm{TP} + \mathrm{FP} = P",
    reading=(
        "If as many rows are called positive as there are positives: the share of them that is "
        "right. At that depth precision and recall are equal."
    ),
    range="0 to 1; chance is the prevalence",
    better="higher",
    pitfalls=(
        "It is one point of the curve: two models may be equal there and differ everywhere else.",
        (
            "If the depth is inside a tied block no threshold reaches it; the value is then the "
            "mean over random orders of the block."
        ),
        "It depends on prevalence, as precision does.",
    ),
    reference="Joachims (1998), ECML, 137.",
    seed="001",
    chinese="平衡点（又称 BEP）",
    example="sy.break_even([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])",
    part=found_in_time,
    value=break_even,
    interval=DENSITY,
    requires=("positives",),
)
