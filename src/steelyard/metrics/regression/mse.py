"""MSE: the mean squared error."""

from steelyard.metrics.influence import LOG, OF_ERRORS
from steelyard.metrics.regression_metrics import ErrorMetric, mean, mean_of
from steelyard.model import Value
from steelyard.views.sums import SumLine


def mse(sums: SumLine) -> Value:
    return mean(sums, "squared")


METRIC = ErrorMetric(
    aliases=("mean_squared_error",),
    value=mse,
    interval=OF_ERRORS,
    scale=LOG,
    quotient=mean_of("squared"),
    terms=("squared",),
    formula="Σ w·(p − y)² / Σ w",
    tex=r"\mathrm{MSE} = \frac{\sum_i w_i (p_i - y_i)^2}{\sum_i w_i}",
    reading=(
        "The mean of squared errors: the squared bias plus the variance of the errors. The "
        "prediction that makes it smallest is the expected truth."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "One error of 100 counts as much as ten thousand errors of 1: a few outliers may "
            "decide which of two models is better."
        ),
        "Its unit is the square of the truth's: take the root (RMSE) to read it.",
    ),
    reference=(
        "Gauss (1821), Theoria combinationis observationum; Gneiting (2011), JASA 106(494):746, on "
        "what it makes optimal."
    ),
    chinese="均方误差",
    example="sy.mse([3.0, 5.0, 2.0], [2.5, 5.0, 4.0])",
    seed="001",
)
