"""PR area: the area under the continuous precision-recall curve.

Within a block of p positives and t tied negatives, with A positives and F negatives above it
(S = A + F), the mean precision is

    α + (βπ − φα)·ℓ(z)    or, the same,    π + (φα − βπ)·g(z)
    α = p/(p+t), β = t/(p+t), π = A/S, φ = F/S, z = (p+t)/S, ℓ(z) = ln(1+z)/z, g(z) = 1 − ℓ(z)

Of the two, the one whose second term is positive is used: nothing cancels. It is rounded to float64
for each block, their sum by weight is exact, and the result rounded once.
"""

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.division import NO_POSITIVES
from steelyard.metrics.influence import ORDER
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.sums import ExactColumn
from steelyard.views.totals import Totals


def area(view: CurveView) -> ExactColumn:
    return view.add_term("pr_segment")


def pr_auc(found: ExactColumn, totals: Totals) -> MetricColumn:
    return quotient_values(*found.over(totals.positives), NO_POSITIVES)


METRIC = CurveMetric(
    formula="∫ precision d(recall), where between two thresholds FP grows in proportion to TP",
    tex=(
        r"\frac{1}{P} \int_0^{P} \frac{x}{x + \mathrm{FP}(x)} dx \quad \text{with } \mathrm{FP}(x) "
        r"\text{ linear in } x = \mathrm{TP} \text{ between thresholds}"
    ),
    reading=(
        "The area under the precision-recall curve, where positives and negatives are evenly mixed "
        "inside a tied block. A random model has about the prevalence."
    ),
    range="0 to 1; chance is about the prevalence",
    better="higher",
    pitfalls=(
        (
            "It is not `ap`: that is the step rule. Without ties they differ little, with them a "
            "lot (0.709 and 0.680 on a medical data set with five distinct scores, where "
            "trapezoids give 0.755)."
        ),
        "Other tools' PR-AUC may be any of the three: check which before you compare.",
        "It depends on prevalence, as precision does.",
    ),
    reference=(
        "Davis & Goadrich (2006), ICML, 233; Keilwagen, Grosse & Grau (2014), PLoS ONE 9(3):e92209."
    ),
    seed="001",
    chinese="PR 曲线下面积",
    example="sy.pr_auc([1, 0, 1], [0.5, 0.5, 0.5])",
    part=area,
    value=pr_auc,
    interval=ORDER,
    requires=("positives",),
)
