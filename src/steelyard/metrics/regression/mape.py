"""MAPE: the mean size of an error as a share of the truth; a fraction, so 0.1 is ten per cent.

A truth of 0 has no relative error. With such rows the metric has no value, unless
zeros=skip leaves them out and counts them.
"""

from steelyard.metrics.division import finite_ratio
from steelyard.metrics.influence import LOG, OF_ERRORS, Quotient, TermSums
from steelyard.metrics.parameter import choice
from steelyard.metrics.regression_metrics import ErrorMetric, some_rows
from steelyard.model import Detailed, Undefined, Value
from steelyard.views.sums import SumLine

ZEROS = choice(
    "zeros", "undefined", "skip", means="whether rows with a truth of 0 are left out, and counted"
)


def without_zeros(sums: SumLine, zeros: str) -> Undefined | None:
    """The reason for no value, if a truth is 0 and such rows are not left out."""
    count = int(sums.exact("zeros"))
    if not count or zeros == "skip":
        return None
    why = some_rows(count, "have a truth of 0")
    return Undefined(f"{why}: leave such rows out with zeros=skip")


def quotient(sums: TermSums, zeros: str) -> Quotient:
    return sums["relative"], sums["weight"] - sums["weight_of_zeros"]


def mape(sums: SumLine, zeros: str) -> Value | Detailed:
    value = finite_ratio(*quotient(sums, zeros), "every truth is 0")
    return Detailed(value, {"skipped": int(sums.exact("zeros"))}) if zeros == "skip" else value


METRIC = ErrorMetric(
    aliases=("mean_absolute_percentage_error",),
    parameters=(ZEROS,),
    value=mape,
    interval=OF_ERRORS,
    scale=LOG,
    quotient=quotient,
    undefined=without_zeros,
    terms=("relative", "zeros", "weight_of_zeros"),
    formula="Σ w·|p − y|/|y| / Σ w",
    tex=r"\mathrm{MAPE} = \frac{1}{\sum_i w_i} \sum_i w_i \frac{|p_i - y_i|}{|y_i|}",
    reading="The error as a share of the truth, on average: 0.1 is ten per cent.",
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "It favours low forecasts: too low costs at most 1 (a prediction of 0), too high has "
            "no limit."
        ),
        "Truths near 0 dominate it; where they occur, use WAPE instead.",
        (
            "With a truth of 0 it has no value. Some libraries then divide by a tiny number and "
            "show something like 1e15."
        ),
    ),
    reference="Hyndman & Koehler (2006), International Journal of Forecasting 22(4):679.",
    chinese="平均绝对百分比误差",
    example="sy.mape([2.0, 4.0, 5.0], [1.0, 4.0, 6.0])",
)
