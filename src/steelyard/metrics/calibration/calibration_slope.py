"""Calibration slope: b of the logistic model logit P(y = 1) = a + b·logit q.

The intercept of that model is among its details; `calibration_intercept` is another, with b fixed
at 1.
"""

import numpy as np

from steelyard.metrics.calibration.logistic import (
    FITTED,
    NO_CONVERGENCE,
    STEEP,
    STUCK,
    TOO_STEEP,
    Start,
    cells_of,
    fit_slopes,
    no_fit,
)
from steelyard.metrics.calibration.logistic_influence import influence, lines_of_slope
from steelyard.metrics.fold import Pass, Unfinished
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.result.metric_column import ABSENT, MetricColumn
from steelyard.views.levels.logit_cells import WIDTH, CellSums, join
from steelyard.views.part_columns import take
from steelyard.views.totals import Totals

ALIKE = "all rows have the same score, so that there is no slope"
SEPARABLE = "the classes are separable by score: the slope has no finite value"


def calibration_slope(
    found: CellSums, totals: Totals, start: Start | None = None
) -> MetricColumn | Unfinished:
    count = len(found.bits)
    whys = _no_slope(found) | no_fit(found, totals)
    numbers, intercepts = np.full(count, np.nan), np.full(count, ABSENT, object)
    places = np.setdiff1d(np.arange(count), list(whys))
    if not len(places):
        return MetricColumn(numbers, whys)
    fits = fit_slopes(take(found, places), totals.all[places], take(start, places))
    fitted, steep = fits.became == FITTED, fits.became == TOO_STEEP
    numbers[places[fitted]] = fits.at.slope[fitted]
    intercepts[places[fitted]] = fits.at.intercept[fitted].tolist()
    whys |= dict.fromkeys(places[fits.became == STUCK].tolist(), NO_CONVERGENCE)
    bits = found.bits[places]
    for place in np.flatnonzero(steep & (fits.bits == bits)).tolist():
        whys[int(places[place])] = STEEP.format(most=2.0 ** int(bits[place] - WIDTH))
    details = {"intercept": intercepts.tolist()} if fitted.any() else {}
    values = MetricColumn(numbers, whys, details)
    again = np.flatnonzero(steep & (fits.bits > bits))
    if not len(again):
        return values
    # One more pass, for finer cells.
    part, value = {"bits": fits.bits[again]}, {"start": take(fits.start, again)}
    return Unfinished(values, places[again], Pass(places[again], part, value))


def _no_slope(found: CellSums) -> dict[int, str]:
    """The reason for no slope, if all scores are equal or they separate the classes."""
    (low_p, high_p), (low_n, high_n) = found.positives, found.negatives
    alike = np.maximum(high_p, high_n) == np.minimum(low_p, low_n)
    separable = (low_p >= high_n) | (high_p <= low_n)
    whys = dict.fromkeys(np.flatnonzero(separable).tolist(), SEPARABLE)
    return whys | dict.fromkeys(np.flatnonzero(alike).tolist(), ALIKE)


METRIC = LevelMetric(
    part=cells_of,
    join=join,
    value=calibration_slope,
    by_line=lines_of_slope,
    influence=influence,
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
