"""Estimated cumulative calibration error: the range of the cumulative difference, without bins.

Rows are taken by rising score; the difference counts at the end of each tied block, and before the
first row. The p-value assumes a calibrated model: the range is then that of a Brownian motion.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from steelyard.metrics.division import NO_ROWS, ratio, root
from steelyard.metrics.influence import A_TEST
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.model import Detailed
from steelyard.stats.tails import range_tail
from steelyard.views.levels import Levels
from steelyard.views.levels.differences import Prefix, join
from steelyard.views.sums import exact
from steelyard.views.totals import SliceTotals

CERTAIN = "every probability is 0 or 1, so that nothing is left to chance"


class Walk(NamedTuple):
    """The cumulative difference over some blocks, and Σ w·q(1−q) of their rows."""

    difference: Prefix
    variance: Fraction


def walk(levels: Levels) -> Walk:
    return Walk(levels.prefix, levels.variance)


def append(lower: Walk, upper: Walk) -> Walk:
    """The walk over two neighbouring ranges."""
    return Walk(join(lower.difference, upper.difference), lower.variance + upper.variance)


def ecce(found: Walk, totals: SliceTotals) -> Detailed:
    weight, variance = exact(totals.all, totals.power), found.variance
    range_ = found.difference.highest - found.difference.lowest
    details: dict[str, Any] = {"sigma": root(variance / weight**2)}
    if variance:
        details["p_value"] = range_tail(range_**2 / variance)
    else:
        details |= {"p_value": None, "why_no_p_value": CERTAIN}
    return Detailed(ratio(range_, weight, NO_ROWS), details)


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
