"""RMSE: the root of the mean squared error."""

from steelyard.metrics.influence import LOG, OF_ERRORS
from steelyard.metrics.regression_metrics import ErrorMetric, influence_of_root, root_mean
from steelyard.model import Value
from steelyard.views.sums import SumLine


def rmse(sums: SumLine) -> Value:
    return root_mean(sums, "squared")


METRIC = ErrorMetric(
    aliases=("root_mean_squared_error",),
    value=rmse,
    influence=influence_of_root("squared"),
    interval=OF_ERRORS,
    scale=LOG,
    terms=("squared",),
    formula="√(Σ w·(p − y)² / Σ w)",
    tex=r"\mathrm{RMSE} = \sqrt{\frac{\sum_i w_i (p_i - y_i)^2}{\sum_i w_i}}",
    reading=(
        "The typical size of an error in the unit of the truth, where large errors count more. It "
        "is never below MAE."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "It is the standard deviation of the errors only where there is no bias: RMSE² = bias² "
            "+ variance."
        ),
        (
            "The RMSE of the whole is not the mean of the RMSEs of its parts; MSEs can be averaged "
            "by weight."
        ),
        (
            "The gap to MAE shows how uneven errors are: with the same RMSE, a model may have "
            "small errors everywhere or large errors in a few rows."
        ),
    ),
    reference=(
        "Willmott & Matsuura (2005), Climate Research 30(1):79; Chai & Draxler (2014), "
        "Geoscientific Model Development 7(3):1247."
    ),
    chinese="均方根误差",
    example="sy.rmse([3.0, 5.0, 2.0], [2.5, 5.0, 4.0])",
    seed="001",
)
