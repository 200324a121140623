"""Discrimination: how much the order of the scores lowers the Brier score.

brier = mcb − dsc + unc
"""

from steelyard.metrics.calibration.isotonic import recalibrated
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import NEAR_ZERO
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.levels import LevelView
from steelyard.views.levels.isotonic import join
from steelyard.views.part_columns import SliceLists
from steelyard.views.totals import Totals


def corners(levels: LevelView) -> SliceLists:
    return levels.corners


def dsc(found: SliceLists, totals: Totals) -> MetricColumn:
    above, below = recalibrated(found)
    whole = totals.all.astype(object)
    return quotient_values(totals.pairs * below - above * whole, below * whole * whole, NO_ROWS)


METRIC = LevelMetric(
    aliases=("discrimination",),
    part=corners,
    join=join,
    value=dsc,
    interval=NEAR_ZERO,
    formula=(
        "Σ w·(ȳ − y)²/W − Σ w·(r − y)²/W, r the isotonic recalibration of the scores and ȳ the "
        "share of positives"
    ),
    tex=(
        r"\mathrm{DSC} = \frac{1}{W}\sum_i w_i(\bar y - y_i)^2 - \frac{1}{W}\sum_i w_i\bigl(r(s_i) "
        r"- y_i\bigr)^2"
    ),
    reading=(
        "How much of the unavoidable squared error (unc) the order of the scores explains, after "
        "the best recalibration: 0 means that the scores tell nothing, unc that they tell "
        "everything."
    ),
    range="0 to 0.25, at most unc",
    better="higher",
    pitfalls=(
        "It depends on the share of positives: compare models on the same rows.",
        (
            "It depends on the order of scores alone, so a badly calibrated model may have a high "
            "value."
        ),
        "On few rows isotonic recalibration also fits noise, and dsc and mcb are both too high.",
    ),
    reference=(
        "Dimitriadis, Gneiting & Jordan (2021), PNAS 118(8):e2016191118 (CORP); the line is the "
        "convex hull of the ROC curve: Fawcett & Niculescu-Mizil (2007), Machine Learning 68:97."
    ),
    chinese="区分度",
    example="sy.dsc([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])",
)
