"""Normalized entropy: the log loss, divided by that of always predicting the base rate.

The entropy of the base rate is computed to 40 digits, so that the quotient is rounded once.
"""

from fractions import Fraction

from steelyard import kernels
from steelyard.metrics.calibration.logloss import no_loss
from steelyard.metrics.division import finite, missing_class
from steelyard.metrics.entropy import entropy
from steelyard.metrics.influence import LOG as LOG_SCALE
from steelyard.metrics.influence import TermSums
from steelyard.metrics.probability_metrics import LOG, SumMetric, negatives
from steelyard.model import Floats, Value
from steelyard.views.sums import SumLine


def ne(sums: SumLine) -> Value:
    up, down = sums["weighted_positives"], negatives(sums)
    absent = missing_class(up, down, ("positives", "negatives"))
    if absent is not None:
        return absent  # the entropy of the base rate is 0
    mean = Fraction(-sums["log"], sums["weight"])
    return no_loss(sums) or finite(mean / entropy(up, down))


def influence(own: TermSums, total: TermSums, value: Floats) -> Floats:
    """w·[(loss − CE)/H − CE·ln((1−b)/b)·(y − b)/H²]/W, with CE/H the value and the base rate b."""
    log = kernels.active().log
    weight, positives = total["weight"], total["weighted_positives"]
    base = positives / weight
    of_positive, of_negative = log(base), log(negatives(total) / weight)
    entropy = -(base * of_positive) - (1.0 - base) * of_negative
    losses = -own["log"] - value * entropy * own["weight"]
    clicks = own["weighted_positives"] - base * own["weight"]
    column: Floats = (losses - value * (of_negative - of_positive) * clicks) / (entropy * weight)
    return column


METRIC = SumMetric(
    formula="log loss / H(ȳ), H(ȳ) = −ȳ·ln ȳ − (1 − ȳ)·ln(1 − ȳ), ȳ = Σ w·y / Σ w",
    tex=(
        r"\mathrm{NE} = \frac{-\frac{1}{W}\sum_i w_i \left(y_i \ln p_i + "
        r"(1-y_i)\ln(1-p_i)\right)}{-\bar y \ln \bar y - (1-\bar y)\ln(1-\bar y)}"
    ),
    reading=(
        "1 is no better than predicting the base rate of these rows. 0.8 means that a fifth of the "
        "uncertainty about a row is removed."
    ),
    range="0 and above; above 1 is worse than the base rate",
    better="lower",
    pitfalls=(
        (
            "It depends on calibration as well as on order: a model with a better order may have a "
            "worse NE if its predictions are too high."
        ),
        "Each slice has its own base rate: the NE of the total is not the mean of the slices' NEs.",
    ),
    reference="He et al. (2014), ADKDD, 1 (Facebook).",
    chinese="归一化熵",
    example="sy.ne([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.35])",
    state=LOG,
    value=ne,
    influence=influence,
    scale=LOG_SCALE,
)
