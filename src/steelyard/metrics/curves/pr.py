"""Precision-recall curve: precision against recall as the threshold falls.

Only corners are returned. Where nothing is called positive there is no precision, so the curve
begins at the highest score: no point is added at recall 0. `points=1000` thins further;
`area_error` then bounds the change in area.
"""

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.corners import RocPath, append, finish, thin
from steelyard.metrics.curves.roc import POINTS, path
from steelyard.metrics.division import ratios
from steelyard.model import PrecisionRecall
from steelyard.views.curve import each_slice
from steelyard.views.totals import SliceTotals


def pr(found: RocPath, totals: SliceTotals, points: int | None) -> PrecisionRecall:
    fp, tp, thresholds = (column[1:] for column in finish(found, totals, straight=False))
    precision, recall = ratios(tp, tp + fp), ratios(tp, totals.positives)
    kept, error = thin(recall, precision, points)
    return PrecisionRecall(
        precision[kept], recall[kept], thresholds[kept].astype(np.float64), error
    )


METRIC = CurveMetric(
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
            "scikit-learn adds a point (0, 1) that no threshold has, and its area by trapezoids "
            "counts it."
        ),
    ),
    reference=(
        "Davis & Goadrich (2006), ICML, 233; Saito & Rehmsmeier (2015), PLoS ONE 10(3):e0118432."
    ),
    seed="001",
    chinese="精确率-召回率曲线（又称 PR 曲线、P-R 曲线）",
    example="sy.pr([1, 0, 0, 1], [0.9, 0.6, 0.5, 0.5])",
    aliases=("precision_recall_curve",),
    part=each_slice(path),
    join=append,
    value=pr,
    parameters=(POINTS,),
    requires=("positives",),
    shape=PrecisionRecall,
)
