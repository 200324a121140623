"""Lift: the share of positives among the top share q of rows, relative to that among all rows."""

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.capture import SHARE, captured
from steelyard.metrics.division import NO_POSITIVES, decimal
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.values import quotient_values
from steelyard.model import Array
from steelyard.result.metric_column import MetricColumn
from steelyard.views.totals import Totals


def lift(found: Array, totals: Totals, q: float) -> MetricColumn:
    return quotient_values(found, decimal(q) * totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    formula="capture(q) / q",
    tex=r"\frac{\text{capture}(q)}{q}",
    reading=(
        "How much better than chance the top of the list is: 2.5 means that it has two and a half "
        "times as many positives as a random sample of that size."
    ),
    range="0 to 1/q; 1 is chance",
    better="higher",
    pitfalls=(
        (
            "It cannot exceed 1/q, nor 1/prevalence: lifts of different q, or of data with "
            "different prevalence, cannot be compared."
        ),
        "It is about the top only: rows below q do not count.",
        "Equal scores at the cut are taken in proportion.",
    ),
    reference="Ling & Li (1998), KDD, 73.",
    chinese="提升度",
    example="sy.lift([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1], q=0.2)",
    part=captured,
    value=lift,
    interval=DENSITY,
    parameters=(SHARE,),
    requires=("positives",),
)
