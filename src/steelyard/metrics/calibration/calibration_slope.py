"""Calibration slope: b of the logistic model logit P(y = 1) = a + b·logit q.

The intercept of that model is among its details; `calibration_intercept` is another, with b fixed
at 1.
"""

from steelyard.metrics.calibration.logistic import Steeper, cells_of, fit_slope, no_fit
from steelyard.metrics.calibration.logistic_influence import of_slope
from steelyard.metrics.fold import AnotherPass
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.model import Detailed, Undefined
from steelyard.views.levels.logit_cells import CellSums, cells, join
from steelyard.views.totals import SliceTotals

ALIKE = "all rows have the same score, so that there is no slope"
SEPARABLE = "the classes are separable by score: the slope has no finite value"


def calibration_slope(
    found: CellSums, totals: SliceTotals, start: Steeper | None = None
) -> Detailed | Undefined | AnotherPass:
    if why := no_fit(found, totals) or _no_slope(found):
        return why
    fit = fit_slope(cells(found, totals.all), start)
    if isinstance(fit, Steeper):  # one more pass, for finer cells
        return AnotherPass(part={"bits": fit.bits}, value={"start": fit})
    if isinstance(fit, Undefined):
        return fit
    return Detailed(fit.slope, {"intercept": fit.intercept})


def _no_slope(found: CellSums) -> Undefined | None:
    """The reason for no slope, if all scores are equal or they separate the classes."""
    (_, _, _, low_p, high_p), (_, _, _, low_n, high_n) = found.positives, found.negatives
    if max(high_p, high_n) == min(low_p, low_n):
        return Undefined(ALIKE)
    return Undefined(SEPARABLE) if low_p >= high_n or high_p <= low_n else None


METRIC = LevelMetric(
    part=cells_of,
    join=join,
    value=calibration_slope,
    influence=of_slope,
    requires=("positives", "negatives"),
    formula="b of logit P(y = 1) = a + b·ln(q/(1−q)), by maximum likelihood",
    tex=r"\operatorname{logit} P(y=1) = a + b \ln\frac{q}{1-q}",
    reading=(
        "1 means that the spread of the predictions is right. Below 1 they are too extreme, as "
        "those of an overfitted model; above 1 they are too close to each other."
    ),
    range="any number; 1 is perfect",
    better="nearer 1",
    pitfalls=(
        "A slope of 1 alone does not mean that a model is calibrated: the intercept may be wrong.",
        "Where the scores separate the classes there is no finite slope, and so no value.",
        "Probabilities of exactly 0 or 1 have no logit: pass clip=, and report it with the value.",
    ),
    reference=(
        "Cox (1958), Biometrika 45:562; Van Calster et al. (2016), Journal of Clinical "
        "Epidemiology 74:167."
    ),
    chinese="校准斜率",
    example="sy.calibration_slope([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])",
)
