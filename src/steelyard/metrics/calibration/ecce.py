"""Estimated cumulative calibration error: the range of the cumulative difference, without bins.

Rows are taken by rising score; the difference counts at the end of each tied block, and before the
first row. The p-value assumes a calibrated model: the range is then that of a Brownian motion.
"""

from typing import NamedTuple

import numpy as np

from steelyard.metrics.division import NO_ROWS, root
from steelyard.metrics.influence import A_TEST
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import ABSENT, ColumnValues, ComputedColumn, MetricColumn
from steelyard.stats.tails import range_tail
from steelyard.views.digit_column import DigitColumn
from steelyard.views.levels import LevelView
from steelyard.views.levels.walk import Walk, join
from steelyard.views.sums import exact
from steelyard.views.totals import Totals

CERTAIN = "every probability is 0 or 1, so that nothing is left to chance"


class WalkPart(NamedTuple):
    """The cumulative difference over some blocks, and Σ w·q(1−q) of their rows."""

    difference: Walk
    variance: DigitColumn


def walk(levels: LevelView) -> WalkPart:
    return WalkPart(levels.walk, levels.variance)


def append(lower: WalkPart, upper: WalkPart) -> WalkPart:
    """The walk over two neighbouring ranges."""
    variance = (lower.variance + upper.variance).canonical()
    return WalkPart(join(lower.difference, upper.difference), variance)


def ecce(found: WalkPart, totals: Totals) -> MetricColumn:
    range_, variance = found.difference.highest - found.difference.lowest, found.variance
    power = min(range_.power, variance.power, totals.power)
    weight = totals.all.astype(object) << (totals.power - power)
    ranges, variances = range_.integers(power), variance.integers(power)
    powers = np.full(len(weight), power)
    details: dict[str, ColumnValues] = {
        "sigma": ComputedColumn(_sigma, (variances, weight, powers)),
        "p_value": ComputedColumn(_p_value, (ranges, variances, powers)),
    }
    if (variances == 0).any():
        details["why_no_p_value"] = [ABSENT if each else CERTAIN for each in variances.tolist()]
    return quotient_values(ranges, weight, NO_ROWS).with_details(details)


def _sigma(variance: int, weight: int, power: int) -> float:
    return root(exact(variance, int(power)) / exact(weight, int(power)) ** 2)


def _p_value(range_: int, variance: int, power: int) -> float | None:
    if variance == 0:
        return None
    return range_tail(exact(range_, int(power)) ** 2 / exact(variance, int(power)))


METRIC = LevelMetric(
    aliases=("ecce_r",),
    part=walk,
    join=append,
    value=ecce,
    interval=A_TEST,
    formula=(
        "max_k C_k − min_k C_k, C_k = Σ_{i≤k} w_i(y_i − q_i) / Σ w, C_0 = 0, k over the ends of "
        "tied blocks by rising score; σ = √(Σ w·q(1−q)) / Σ w"
    ),
    tex=(
        r"\mathrm{ECCE} = \max_{k} C_k - \min_{k} C_k, \quad C_k = \frac{1}{W}\sum_{i\le k} "
        r"w_{(i)}\bigl(y_{(i)} - q_{(i)}\bigr), C_0 = 0"
    ),
    reading=(
        "The largest difference of predicted and actual positives in any interval of scores, per "
        "row of the whole sample: 0.01 means one in a hundred rows. The p-value says how often a "
        "calibrated model would have a value as large."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "For a calibrated model it shrinks as 1/√n, so values of samples of different sizes "
            "cannot be compared; value/sigma and the p-value can."
        ),
        "The p-value assumes independent rows: the rows of one user are not.",
        (
            "The p-value holds for many rows: with fewer than a few hundred, or with few "
            "positives, it is rough."
        ),
        "A weight of 2 counts as two rows, in sigma too.",
    ),
    reference=(
        "Arrieta-Ibarra, Gujral, Tannen, Tygert & Xu (2022), JMLR 23(351), as ECCE-R; its "
        "distribution: Feller (1951), Annals of Mathematical Statistics 22:427."
    ),
    chinese="累积校准误差",
    example="sy.ecce([0, 1, 0, 1], [0.25, 0.25, 0.5, 0.75])",
)
