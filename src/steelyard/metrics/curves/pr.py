"""Precision-recall curve: precision against recall as the threshold falls.

`precision, recall, thresholds = sy.pr(y, s)` are those of scikit-learn's `precision_recall_curve`
with `drop_intermediate=True`: thresholds rise, recall falls, and a last point (1, 0) that no
threshold has closes the curve. Tables and files leave that point out. `points=1000` thins further;
`area_error` then bounds the change in area.
"""

import numpy as np

from steelyard.metrics.curves.corners import Corners, CornersMetric, RocPath, corners, join, thin
from steelyard.metrics.curves.roc import IN_A_TABLE, POINTS
from steelyard.metrics.division import quotients, ratios
from steelyard.model import Array, Floats, PrecisionRecall
from steelyard.views.totals import SliceTotals


def pr(found: Corners, totals: SliceTotals, points: int | None) -> PrecisionRecall:
    path = _with_highest(found.curve(totals).points.take(slice(1, None)), totals)
    error = 0.0
    if not path.is_whole(points):
        recall, precision = ratios(path.tp, totals.positives), ratios(path.tp, path.tp + path.fp)
        kept, error = thin(recall, precision, points, path.missing, _extremes(path.fp, path.tp))
        path = path.take(kept)
    fp, tp, thresholds, _ = path.take(slice(None, None, -1))
    return PrecisionRecall(
        np.append(quotients(tp, tp + fp), 1.0),
        np.append(quotients(tp, totals.positives), 0.0),
        thresholds.astype(np.float64),
        error,
    )


def _with_highest(path: RocPath, totals: SliceTotals) -> RocPath:
    """The points of the curve, with that of the highest score if it is of negatives alone."""
    if path.thresholds[0] >= totals.highest:
        return path
    first = path.take(slice(1))._replace(thresholds=np.array([totals.highest]))
    return RocPath(*map(np.concatenate, zip(first, path, strict=True)))


def _extremes(fp: Array, tp: Array) -> tuple[Floats, Floats]:
    """Bounds of the precision between each point and the next: FP and TP only grow."""
    (low_fp, high_fp), (low_tp, high_tp) = ((x, np.append(x[1:], x[-1:])) for x in (fp, tp))
    return ratios(low_tp, low_tp + high_fp), ratios(high_tp, high_tp + low_fp)


METRIC = CornersMetric(
    formula="(TP(t)/P, TP(t)/(TP(t) + FP(t))) at each threshold that calls something positive",
    tex=(
        r"\left(\frac{\mathrm{TP}(t)}{P}, \frac{\mathrm{TP}(t)}{\mathrm{TP}(t) + "
        r"\mathrm{FP}(t)}\right)"
    ),
    reading=(
        "How precision changes as more positives are found. A curve above another is better "
        "everywhere; where two cross, it depends on the recall that is needed."
    ),
    range="points from 0 to 1 in both; chance is a horizontal line at the prevalence",
    better="higher",
    pitfalls=(
        (
            "It depends on prevalence: with ten times as many negatives it falls, while the ROC "
            "curve does not change."
        ),
        "A straight line between two points is too high: between them precision is a hyperbola.",
        (
            "The last point (1, 0) belongs to no threshold, as in scikit-learn: the area by "
            "trapezoids counts it and is too large; use `ap` or `pr_auc`."
        ),
    ),
    reference=(
        "Davis & Goadrich (2006), ICML, 233; Saito & Rehmsmeier (2015), PLoS ONE 10(3):e0118432."
    ),
    seed="001",
    chinese="精确率-召回率曲线（又称 PR 曲线、P-R 曲线）",
    example="sy.pr([1, 0, 0, 1], [0.9, 0.6, 0.5, 0.5])",
    aliases=("precision_recall_curve",),
    part=corners,
    join=join,
    value=pr,
    parameters=(POINTS,),
    table_defaults=IN_A_TABLE,
    picture=IN_A_TABLE,
    requires=("positives",),
    shape=PrecisionRecall,
)
