"""Expected calibration error: the mean gap between predictions and outcomes, bin by bin.

The null level among its details is what a perfect model would have on as many rows: read the two
together.
"""

from collections.abc import Sequence

from steelyard.kernels.segments import sums_between
from steelyard.metrics.bin_metrics import BinMetric
from steelyard.metrics.calibration.clustered_null_level import by_line, of_lines
from steelyard.metrics.division import FEW, NO_ROWS
from steelyard.metrics.influence import NEAR_ZERO
from steelyard.metrics.roots import roots
from steelyard.metrics.values import digit_quotients, digit_ratios
from steelyard.result.metric_column import DeferredColumn, MetricColumn
from steelyard.views.digit_column import DigitColumn
from steelyard.views.part_columns import SliceLists

TWO_OVER_PI = (5734161139222659, -53)  # the float64 nearest to 2/π, a whole number · 2**-53


def ece(bins: SliceLists) -> MetricColumn:
    weight = bins.columns.weight.by_list(bins.starts)
    gaps = abs(bins.columns.positives - bins.columns.predicted).by_list(bins.starts)
    found = digit_quotients(gaps, weight, NO_ROWS)
    if len(bins) <= FEW:
        levels: Sequence[float] = DeferredColumn(len(bins), null_level, bins, weight)
    else:
        levels = null_level(bins, weight)
    return found.with_details({"null_level": levels})


def null_level(bins: SliceLists, weight: DigitColumn) -> list[float]:
    """Σ √(2V/π) / W, the effect of chance alone; each root is rounded, their sum is exact."""
    each = roots(bins.columns.variance.times(*TWO_OVER_PI))
    total = DigitColumn(sums_between(each, bins.starts), len(bins))
    levels: list[float] = digit_ratios(total, weight).tolist()
    return levels


METRIC = BinMetric(
    value=ece,
    details_by_line=by_line,
    details_of_lines=of_lines,
    interval=NEAR_ZERO,
    formula=(
        "Σ_b |Σ w·y − Σ w·q| / Σ w, the inner sums over bin b; null level Σ_b √(2V_b/π) / Σ w, V_b "
        "= Σ w·q(1−q); with clusters V_b = Σ_c (Σ w(y−q))², the inner sum over cluster c in bin b"
    ),
    tex=(
        r"\mathrm{ECE} = \frac{1}{W}\sum_{b}\Bigl|\sum_{i\in b} w_i(y_i - q_i)\Bigr|, \quad "
        r"\mathrm{null} = \frac{1}{W}\sum_b\sqrt{\tfrac{2}{\pi}\sum_{i\in b} w_i q_i(1-q_i)}"
    ),
    reading=(
        "The mean gap between the predictions and the share of positives, over bins of rows with "
        "similar predictions: 0.02 means two percentage points. Compare it with null_level, the "
        "value that a perfect model would have by chance alone."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "A perfect model does not have 0: at a base rate of 0.2, 10 bins of equal mass give "
            "about 0.025 on 1,000 rows and 0.0028 on 100,000; more bins give more."
        ),
        "The value depends on the bins: values with different bins cannot be compared.",
        (
            "With kind=width almost all rows of a click log are in the first bin; with kind=mass "
            "all bins have about the same number."
        ),
        (
            "The null level takes rows as independent, unless a cluster is named: then it is "
            "larger where the rows of a user err in the same direction."
        ),
        "Errors that cancel within a bin are invisible; ecce and mcb have no bins.",
    ),
    reference=(
        "Naeini, Cooper & Hauskrecht (2015), AAAI; equal mass: Nguyen & O'Connor (2015), EMNLP. A "
        "tied block is in bin ⌊B(2C+w)/2W⌋, C the weight below it and w its own."
    ),
    chinese="期望校准误差",
    example="sy.ece([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], bins=2)",
)
