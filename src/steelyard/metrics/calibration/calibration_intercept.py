"""Calibration intercept: a of logit P(y = 1) = a + logit q; calibration in the large.

The slope is fixed at 1. The intercept among the details of `calibration_slope` is that of another
model.
"""

import numpy as np

from steelyard.metrics.calibration.logistic import (
    NO_CONVERGENCE,
    STUCK,
    cells_of,
    fit_intercepts,
    no_fit,
)
from steelyard.metrics.calibration.logistic_influence import influence, lines_of_intercept
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.result.metric_column import MetricColumn
from steelyard.views.levels.logit_cells import CellSums, join
from steelyard.views.part_columns import take
from steelyard.views.totals import Totals


def calibration_intercept(found: CellSums, totals: Totals) -> MetricColumn:
    whys = no_fit(found, totals)
    places = np.setdiff1d(np.arange(len(found.bits)), list(whys))
    numbers = np.full(len(found.bits), np.nan)
    if len(places):
        fits = fit_intercepts(take(found, places), totals.all[places])
        numbers[places] = fits.at.intercept
        whys |= dict.fromkeys(places[fits.became == STUCK].tolist(), NO_CONVERGENCE)
        numbers[list(whys)] = np.nan
    return MetricColumn(numbers, whys)


METRIC = LevelMetric(
    aliases=("calibration_in_the_large",),
    part=cells_of,
    join=join,
    value=calibration_intercept,
    by_line=lines_of_intercept,
    influence=influence,
    requires=("positives", "negatives"),
    formula="a of logit P(y = 1) = a + ln(q/(1−q)), by maximum likelihood",
    tex=r"\operatorname{logit} P(y=1) = a + \ln\frac{q}{1-q}",
    reading=(
        "0 means that as many positives were predicted as there were. Above 0 the model predicts "
        "too little, below 0 too much: to correct it, multiply the odds by e to the power of a."
    ),
    range="any number; 0 is perfect",
    better="nearer 0",
    pitfalls=(
        "0 means that the total is right; parts of it may be wrong.",
        (
            "For a model trained on sampled negatives it is off by the logarithm of their share: "
            "pass downsampled=."
        ),
        "Probabilities of exactly 0 or 1 have no logit: pass clip=, and report it with the value.",
    ),
    reference=(
        "Cox (1958), Biometrika 45:562; Van Calster et al. (2016), Journal of Clinical "
        "Epidemiology 74:167."
    ),
    chinese="校准截距",
    example="sy.calibration_intercept([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])",
)
