"""Calibration curve: mean prediction and share of positives of each bin (a reliability diagram).

Bins without rows are left out.
"""

from itertools import pairwise

from steelyard.metrics.bin_metrics import BinMetric
from steelyard.metrics.values import digit_ratios
from steelyard.model import CalibrationCurve
from steelyard.views.part_columns import SliceLists


def calibration_curve(bins: SliceLists) -> list[CalibrationCurve]:
    sums = bins.columns
    columns = (
        digit_ratios(sums.predicted, sums.weight),
        digit_ratios(sums.positives, sums.weight),
        sums.weight.floats(),
    )
    return [
        CalibrationCurve(*(column[start:end] for column in columns))
        for start, end in pairwise(bins.starts.tolist())
    ]


METRIC = BinMetric(
    value=calibration_curve,
    shape=CalibrationCurve,
    picture={},
    formula="for each bin b: Σ w·q / Σ w, Σ w·y / Σ w, and Σ w",
    tex=(
        r"\Bigl(\tfrac{1}{W_b}\sum_{i\in b} w_i q_i, \tfrac{1}{W_b}\sum_{i\in b} w_i y_i, W_b\Bigr)"
    ),
    reading=(
        "Points on the diagonal are bins whose predictions were right; below it the model predicts "
        "too much, above it too little. The weight says how many rows a point is based on."
    ),
    range="points in the unit square",
    better="depends",
    pitfalls=(
        "A bin of few rows is off the diagonal by chance: by about √(q(1−q)/n).",
        "With kind=width the upper bins of a click log have very few rows.",
        (
            "scikit-learn's function returns the two columns in the other order, and its default "
            "bins are of equal width. A prediction on an edge is in its lower bin, here in the "
            "upper one; its strategy='quantile' cuts at interpolated quantiles, so that tied "
            "predictions may be in other bins than here."
        ),
    ),
    reference="Murphy & Winkler (1977), Journal of the Royal Statistical Society C 26(1):41.",
    chinese="校准曲线",
    example="sy.calibration_curve([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], bins=2)",
)
