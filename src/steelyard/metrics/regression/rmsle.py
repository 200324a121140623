"""RMSLE: the root of the mean squared difference of ln(1+p) and ln(1+y)."""

from steelyard.metrics.influence import LOG, OF_ERRORS
from steelyard.metrics.regression_metrics import (
    ErrorMetric,
    influence_of_root,
    root_mean,
    undefined_if,
)
from steelyard.model import Value
from steelyard.views.sums import SumLine


def rmsle(sums: SumLine) -> Value:
    return root_mean(sums, "squared_log")


METRIC = ErrorMetric(
    aliases=("root_mean_squared_log_error",),
    value=rmsle,
    influence=influence_of_root("squared_log"),
    interval=OF_ERRORS,
    scale=LOG,
    undefined=undefined_if("below_zero", "have a truth or a prediction below 0"),
    terms=("squared_log", "below_zero"),
    formula="√(Σ w·(ln(1+p) − ln(1+y))² / Σ w)",
    tex=(
        r"\mathrm{RMSLE} = \sqrt{\frac{\sum_i w_i \bigl(\ln(1+p_i) - \ln(1+y_i)\bigr)^2}{\sum_i "
        r"w_i}}"
    ),
    reading=(
        "The typical ratio of prediction and truth, on a log scale: 0.1 means that they differ by "
        "about ten per cent."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "Too low costs more than too high by the same amount; yet the best constant prediction "
            "is below the mean of the truth: it is where ln(1 + p) is the mean of ln(1 + y)."
        ),
        (
            "The 1 in ln(1+y) depends on the unit: for truths far below 1 it is RMSE, for large "
            "ones a relative error."
        ),
        (
            "With a truth or prediction below 0 it has no value, even above −1, where ln(1 + y) "
            "exists."
        ),
    ),
    reference=(
        "Bojer & Meldgaard (2021), International Journal of Forecasting 37(2):587, on the Kaggle "
        "competitions that use it."
    ),
    chinese="均方根对数误差",
    example="sy.rmsle([3.0, 5.0, 2.5, 7.0], [2.5, 5.0, 4.0, 8.0])",
)
