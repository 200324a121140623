"""RMSLE: the root of the mean squared difference of ln(1+p) and ln(1+y)."""

from steelyard.metrics.about import About
from steelyard.metrics.regression_metrics import ErrorMetric, root_mean, rows_that
from steelyard.model import Undefined, Value
from steelyard.views.sums import SumLine


def below_zero(sums: SumLine) -> Undefined | None:
    """Why there is no value, where rows have no logarithm."""
    below = int(sums.exact("below_zero"))
    many = "have a truth or a prediction below 0"
    return Undefined(rows_that(below, many.replace("have", "has"), many)) if below else None


def rmsle(sums: SumLine) -> Value:
    return root_mean(sums, "squared_log")


METRIC = ErrorMetric(
    name="rmsle",
    doc=__doc__,
    aliases=("root_mean_squared_log_error",),
    value=rmsle,
    undefined=below_zero,
    terms=("squared_log", "below_zero"),
    about=About(
        formula="√(Σ w·(ln(1+p) − ln(1+y))² / Σ w)",
        tex=r"\mathrm{RMSLE} = \sqrt{\frac{\sum_i w_i \bigl(\ln(1+p_i) - \ln(1+y_i)\bigr)^2}"
        r"{\sum_i w_i}}",
        reading="A usual ratio of prediction and truth, on a log scale: 0.1 means that they are "
        "some ten per cent apart.",
        range="0 and above",
        better="lower",
        pitfalls=(
            (
                "Too low costs more than too high by the same amount; yet of all constants the "
                "best lies below the mean, where the mean of ln(1 + y) is."
            ),
            (
                "The 1 in ln(1+y) depends on the unit: for truths far below 1 it is RMSE, for "
                "large ones a relative error."
            ),
            (
                "Truths and predictions below 0 leave it without a value, also those above −1 that "
                "have a logarithm."
            ),
        ),
        reference="Bojer & Meldgaard (2021), International Journal of Forecasting 37(2):587, on "
        "the Kaggle competitions that use it.",
        chinese="均方根对数误差",
        example="sy.rmsle([3.0, 5.0, 2.5, 7.0], [2.5, 5.0, 4.0, 8.0])",
    ),
)
