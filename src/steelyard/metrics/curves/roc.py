"""ROC curve: the true positive rate against the false positive rate as the threshold falls.

`fpr, tpr, thresholds = sy.roc(y, s)` is the curve of scikit-learn's `roc_curve`; only its corners
are returned, so that there may be fewer points. `points=1000` thins further; `area_error` then
bounds the change in area.
"""

import numpy as np

from steelyard.metrics.curves.corners import Corners, CornersMetric, corners, join, rates, thin
from steelyard.metrics.division import quotients
from steelyard.metrics.parameter import count
from steelyard.model import Roc
from steelyard.views.totals import SliceTotals

IN_A_TABLE = {"points": 200}  # enough for a plot; the bound on the area is about 1/points or less
POINTS = count(
    *("points", None),
    least=2,
    means="at most how many points to keep; without it every corner, in a table about 200",
)


def roc(found: Corners, totals: SliceTotals, points: int | None) -> Roc:
    whole = found.curve(totals).corners
    error = 0.0
    if not whole.is_whole(points):
        kept, error = thin(*rates(whole, totals), points, whole.missing)
        whole = whole.take(kept)
    fpr, tpr = quotients(whole.fp, totals.negatives), quotients(whole.tp, totals.positives)
    return Roc(fpr, tpr, whole.thresholds.astype(np.float64), error)


METRIC = CornersMetric(
    formula="(FP(t)/N, TP(t)/P), from (0, 0) to (1, 1); a tied block is a slanted step",
    tex=r"\left(\frac{\mathrm{FP}(t)}{N}, \frac{\mathrm{TP}(t)}{P}\right)",
    reading=(
        "All thresholds at once: the share of the positives that is found, against the share of "
        "the negatives that is called positive by mistake. The nearer the upper left corner, the "
        "better; the diagonal is chance."
    ),
    range="points from (0, 0) to (1, 1)",
    better="higher",
    pitfalls=(
        (
            "If it is drawn row by row instead of score by score, ties make a staircase that "
            "depends on the order of rows."
        ),
        (
            "It does not change with prevalence. That helps to compare models, but misleads about "
            "how useful one is: read the precision-recall curve too."
        ),
        "On a log with rare positives only the far left matters, a small part of the plot.",
    ),
    reference="Fawcett (2006), Pattern Recognition Letters 27(8):861.",
    seed="003",
    chinese="受试者工作特征曲线（又称 ROC 曲线）",
    example="sy.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    aliases=("roc_curve",),
    part=corners,
    join=join,
    value=roc,
    parameters=(POINTS,),
    table_defaults=IN_A_TABLE,
    picture=IN_A_TABLE,
    shape=Roc,
)
