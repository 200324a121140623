"""Kolmogorov-Smirnov: the largest gap between TPR and FPR over all thresholds."""

from typing import NamedTuple

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import NOTHING_CALLED, SLACK, at_threshold, chosen
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
    if len(view.scores) == 0:
        return Gap(np.zeros(len(view), object), np.full(len(view), NOTHING_CALLED))
    places = _places(view)
    tp, fp = (column[places].astype(object) for column in (view.long_tp, view.long_fp))
    sizes = tp * view.totals.negatives - fp * view.totals.positives
    found = (places >= 0) & (sizes > 0).astype(bool)  # a slice may have no positives
    thresholds = np.where(found, view.scores[places].astype(np.float64), NOTHING_CALLED)
    return Gap(np.where(found, sizes, 0), thresholds)


def _places(view: CurveView) -> Array:
    """The entry of each slice's largest gap, of several the highest; −1 where it has none."""
    positives, negatives = view.totals.positives, view.totals.negatives
    if view.integers.fits and not view.integers.narrow:
        return _places_by_rates(view)
    kind = np.int64 if view.integers.narrow else object
    up, down = view.spread(negatives.astype(kind)), view.spread(positives.astype(kind))
    return _last(view, view.long_tp * up - view.long_fp * down)


def _last(view: CurveView, gaps: Array) -> Array:
    largest = view.spread(view.most(gaps))
    return view.most(np.where(gaps == largest, np.arange(len(gaps)), -1), -1)


def _places_by_rates(view: CurveView) -> Array:
    """The same where products do not fit into int64; only possible maxima are compared exactly."""
    positives, negatives = view.totals.positives.tolist(), view.totals.negatives.tolist()
    rates = view.long_tp.astype(np.float64) / view.spread(np.array(positives, np.float64))
    rates -= view.long_fp.astype(np.float64) / np.maximum(
        view.spread(np.array(negatives, np.float64)), 1
    )
    near = np.flatnonzero(rates >= view.spread(view.most(rates)) - SLACK)
    slices = view.starts.searchsorted(near, side="right") - 1
    best: dict[int, tuple[int, int]] = {}
    for place, of in zip(near.tolist(), slices.tolist(), strict=True):
        tp, fp = int(view.long_tp[place]), int(view.long_fp[place])
        gap = tp * negatives[of] - fp * positives[of], place
        best[of] = max(best.get(of, gap), gap)
    return np.array([best[of][1] if of in best else -1 for of in range(len(view))], np.int64)


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
