"""MAE: the mean size of an error."""

from steelyard.metrics.influence import LOG, OF_ERRORS
from steelyard.metrics.regression_metrics import ErrorMetric, mean, mean_of
from steelyard.model import Value
from steelyard.views.sums import SumLine


def mae(sums: SumLine) -> Value:
    return mean(sums, "absolute")


METRIC = ErrorMetric(
    aliases=("mean_absolute_error",),
    value=mae,
    interval=OF_ERRORS,
    scale=LOG,
    quotient=mean_of("absolute"),
    terms=("absolute",),
    formula="Σ w·|p − y| / Σ w",
    tex=r"\mathrm{MAE} = \frac{\sum_i w_i |p_i - y_i|}{\sum_i w_i}",
    reading="How far a prediction is from the truth on average, in the unit of the truth.",
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "It is smallest for the median, not the mean: where most truths are 0, predicting 0 "
            "everywhere may win, and sums of predictions are then far too low."
        ),
        (
            "An error of 10 counts as ten errors of 1: it does not show rare large errors; read it "
            "together with RMSE."
        ),
        "It has the unit and the scale of the truth, so two targets cannot be compared by it.",
    ),
    reference="Willmott & Matsuura (2005), Climate Research 30(1):79.",
    chinese="平均绝对误差",
    example="sy.mae([3.0, 5.0, 2.0], [2.5, 5.0, 4.0])",
    seed="001",
)
