"""Miscalibration: the part of the Brier score that isotonic recalibration would save.

brier = mcb − dsc + unc
"""

from typing import NamedTuple

import numpy as np

from steelyard.metrics.calibration.isotonic import recalibrated
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import NEAR_ZERO
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.digit_column import DigitColumn
from steelyard.views.levels import LevelView
from steelyard.views.levels.isotonic import join
from steelyard.views.part_columns import SliceLists
from steelyard.views.totals import Totals


class MiscalibrationPart(NamedTuple):
    """The corners of isotonic regression, and the squared errors."""

    corners: SliceLists
    squares: DigitColumn


def part(levels: LevelView) -> MiscalibrationPart:
    return MiscalibrationPart(levels.corners, levels.squares)


def joined(lower: MiscalibrationPart, upper: MiscalibrationPart) -> MiscalibrationPart:
    return MiscalibrationPart(join(lower.corners, upper.corners), lower.squares + upper.squares)


def mcb(found: MiscalibrationPart, totals: Totals) -> MetricColumn:
    above, below = recalibrated(found.corners)
    power = min(found.squares.power, totals.power)
    unit = 1 << (totals.power - power)
    gain = found.squares.integers(power) * below - above * unit
    # Squared errors are rounded, row by row: without that, no recalibration makes it less than 0.
    return quotient_values(np.maximum(gain, 0), below * totals.all * unit, NO_ROWS)


METRIC = LevelMetric(
    aliases=("miscalibration",),
    part=part,
    join=joined,
    value=mcb,
    interval=NEAR_ZERO,
    formula="Σ w·(q − y)²/W − Σ w·(r − y)²/W, r the isotonic recalibration of q",
    tex=(
        r"\mathrm{MCB} = \frac{1}{W}\sum_i w_i(q_i - y_i)^2 - \frac{1}{W}\sum_i w_i\bigl(r(q_i) - "
        r"y_i\bigr)^2"
    ),
    reading=(
        "How much the Brier score would fall after the best recalibration that keeps the order of "
        "scores: 0 means that the probabilities can be used unchanged."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "A perfect model does not have 0: isotonic recalibration also fits noise, more so on "
            "fewer rows."
        ),
        "It is a squared error: an error of 0.01 in every row shows as 0.0001.",
        "A model that predicts the share of positives everywhere has 0, and is useless: see dsc.",
    ),
    reference="Dimitriadis, Gneiting & Jordan (2021), PNAS 118(8):e2016191118 (CORP).",
    chinese="失准度",
    example="sy.mcb([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])",
)
