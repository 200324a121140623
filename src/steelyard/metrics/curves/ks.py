"""Kolmogorov-Smirnov: the largest gap between TPR and FPR over all thresholds."""

from typing import NamedTuple

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import NOTHING_CALLED, at_threshold, chosen
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import MAXIMUM
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Floats
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


class Gap(NamedTuple):
    """The largest (TPR − FPR)·P·N of each slice, a whole number, and its highest threshold.

    Calling nothing has a gap of 0, so that none is negative.
    """

    size: Array
    threshold: Floats


def gaps(view: CurveView) -> Gap:
    """The largest gap of each slice."""
    positives, negatives = view.totals.positives, view.totals.negatives
    places, tp, fp = view.most("gain", negatives, positives)
    sizes = tp.astype(object) * negatives - fp.astype(object) * positives
    return Gap(sizes, view.scores_at(places, NOTHING_CALLED))


def larger(lower: Gap, upper: Gap) -> Gap:
    """The larger of two gaps; if they are equal, the one at the higher threshold."""
    return chosen((lower.size > upper.size).astype(bool), lower, upper)


def ks(largest: Gap, totals: Totals) -> MetricColumn:
    return at_threshold(quotient_values(largest.size, totals.pairs, NO_ROWS), largest.threshold)


METRIC = CurveMetric(
    formula="max over t of TP(t)/P − FP(t)/N",
    tex=r"\max_t \left(\frac{\mathrm{TP}(t)}{P} - \frac{\mathrm{FP}(t)}{N}\right)",
    reading=(
        "How well the best threshold separates the two classes: 0 if the scores of both are "
        "distributed alike, 1 if a threshold separates them. It is the largest height of the ROC "
        "curve above the diagonal."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "It is about one threshold only; two models with the same KS may order the top quite "
            "differently."
        ),
        (
            "It is the signed gap: a score in reversed order has a KS near 0 here, while the "
            "two-sided test statistic (scipy's `ks_2samp`) would be large."
        ),
        (
            "It is a maximum over these rows, so it is too high in small samples: 20 rows per "
            "class of pure noise reach 0.3 one time in six."
        ),
    ),
    reference="Smirnov (1948), Annals of Mathematical Statistics 19(2):279.",
    chinese="KS 统计量（又称 KS 值）",
    example="sy.ks([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    part=gaps,
    join=larger,
    value=ks,
    interval=MAXIMUM,
)
