"""Threshold table: the confusion cells and their ratios at thresholds along the curves.

Every line is exact: its cells are those of `score >= threshold`. The thresholds are corners of the
ROC curve: no other threshold is better in both rates than a corner. Half of them are at about equal
steps along the ROC curve, half along the precision-recall curve, which has more of the highest
scores. The thresholds of the best F1 (`best_f1`) and of Youden's index (`ks`) are always among
them, unless calling nothing is best; from 50 lines on, those next to the break-even point too.
"""

import numpy as np

from steelyard.metrics.curves.cells import best_f1, youden
from steelyard.metrics.curves.corners import (
    Corners,
    CornersMetric,
    RocPath,
    at_equal_steps,
    corners,
    join,
    rates,
)
from steelyard.metrics.curves.roc import IN_A_TABLE
from steelyard.metrics.division import quotients, ratios, weights_of
from steelyard.metrics.parameter import count
from steelyard.model import Array, Floats, Thresholds
from steelyard.views.totals import SliceTotals

SHOWS_BREAK_EVEN = 50  # in a shorter table two nearly equal lines would take the place of others


def thresholds(found: Corners, totals: SliceTotals, points: int) -> Thresholds:
    whole = found.curve(totals).corners.take(slice(1, None))  # the first calls nothing positive
    kept = np.arange(len(whole.fp)) if len(whole.fp) <= points else choose(whole, totals, points)
    fp, tp, lowest, _ = whole.take(kept)
    return operating_points(lowest, tp, fp, totals)


def operating_points(at: Array, tp: Array, fp: Array, totals: SliceTotals) -> Thresholds:
    """The lines of some thresholds, whose cells are in whole units: each number is rounded once."""
    up, down = totals.positives, totals.negatives

    def weights(cells: Array) -> Array:
        return weights_of(cells.tolist(), totals.power)

    return Thresholds(
        thresholds=at.astype(np.float64),
        tp=weights(tp),
        fp=weights(fp),
        fn=weights(up - tp),
        tn=weights(down - fp),
        precision=_shares(tp, tp + fp),
        recall=_shares(tp, up),
        f1=_shares(2 * tp, tp + fp + up),
        fpr=_shares(fp, down),
        specificity=_shares(down - fp, down),
    )


def _shares(above: Array, below: Array | int) -> Floats:
    """Quotients rounded once; NaN where one is 0/0."""
    return np.where(np.equal(below, 0), np.nan, quotients(above, below))


def choose(whole: RocPath, totals: SliceTotals, points: int) -> Array:
    """The corners to list, of more than `points`: the most useful ones, then steps along curves."""
    fpr, tpr = rates(whole, totals)
    even = int(np.argmax(whole.tp + whole.fp >= totals.positives))
    near_even = (max(even - 1, 0), even) if points >= SHOWS_BREAK_EVEN else ()
    best = (
        len(fpr) - 1,
        best_f1(whole.fp, whole.tp, totals),
        youden(whole.fp, whole.tp, totals),
        0,
        *near_even,
    )
    first = list(dict.fromkeys(place for place in best if place is not None))[:points]
    more = points - len(first)
    if more == 0:
        return np.array(sorted(first))
    precision = ratios(whole.tp, whole.tp + whole.fp)
    # The ends of both curves are among the first.
    along_roc = at_equal_steps(fpr, tpr, 2 + more - more // 2)
    along_pr = at_equal_steps(tpr, precision, 2 + more // 2)
    return np.unique(np.concatenate([first, along_roc, along_pr]))


METRIC = CornersMetric(
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
    part=corners,
    join=join,
    value=thresholds,
    parameters=(count("points", 20, least=3, means="at most how many thresholds to list"),),
    requires=("positives",),
    shape=Thresholds,
    picture=IN_A_TABLE,
)
