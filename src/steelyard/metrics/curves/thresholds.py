"""Threshold table: the confusion cells and their ratios at thresholds along the ROC curve.

Every line is exact: its cells are those of `score >= threshold`. The thresholds are corners of the
ROC curve at about equal steps along it; no other threshold is better in both rates than a corner.
"""

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.corners import RocPath, append, finish, thin
from steelyard.metrics.curves.roc import IN_A_TABLE, path
from steelyard.metrics.division import ratios, weights_of
from steelyard.metrics.parameter import count
from steelyard.model import Array, Thresholds
from steelyard.views.curve import each_slice
from steelyard.views.totals import SliceTotals


def thresholds(found: RocPath, totals: SliceTotals, points: int) -> Thresholds:
    whole = finish(found, totals, straight=True)
    up, down = totals.positives, totals.negatives
    fpr = ratios(whole.fp, max(down, 1))[1:]  # the first calls nothing positive
    kept, _ = thin(fpr, ratios(whole.tp, up)[1:], points)
    tp, fp = whole.tp[1:][kept], whole.fp[1:][kept]

    def weights(cells: Array) -> Array:
        return weights_of(cells.tolist(), totals.power)

    none = np.full(len(kept), np.nan)
    return Thresholds(
        thresholds=whole.thresholds[1:][kept].astype(np.float64),
        tp=weights(tp),
        fp=weights(fp),
        fn=weights(up - tp),
        tn=weights(down - fp),
        precision=ratios(tp, tp + fp),
        recall=ratios(tp, up),
        f1=ratios(2 * tp, tp + fp + up),
        fpr=ratios(fp, down) if down else none,
        specificity=ratios(down - fp, down) if down else none,
    )


METRIC = CurveMetric(
    formula="for thresholds t: TP, FP, FN, TN, precision, recall, F1, FPR, specificity",
    tex=(r"\left(t, \mathrm{TP}(t), \mathrm{FP}(t), \mathrm{FN}(t), \mathrm{TN}(t), \ldots\right)"),
    reading=(
        "What each choice of a threshold means: how many rows are called positive, how many of "
        "these calls are right, and how many positives are missed."
    ),
    range="a line for each threshold, the highest first; the last calls every row positive",
    better="depends",
    pitfalls=(
        "A threshold that is chosen on these rows is too good on them: check it on others.",
        "The thresholds are scores of these rows; another day has others.",
    ),
    reference="Provost & Fawcett (2001), Machine Learning 42:203.",
    chinese="阈值表",
    example="sy.thresholds([0, 1, 1], [0.5, 0.4, 0.9])",
    part=each_slice(path),
    join=append,
    value=thresholds,
    parameters=(count("points", 20, least=2, means="at most how many thresholds to list"),),
    requires=("positives",),
    shape=Thresholds,
    picture=IN_A_TABLE,
)
