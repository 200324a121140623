"""Pinball loss: the loss of a forecast of the quantile q; too low costs q, too high 1 − q."""

from steelyard.metrics.division import NO_ROWS, decimal, finite_ratio
from steelyard.metrics.influence import LOG, OF_ERRORS, Quotient, TermSums
from steelyard.metrics.parameter import number
from steelyard.metrics.regression_metrics import ErrorMetric
from steelyard.model import Value
from steelyard.views.sums import SumLine

QUANTILE = number(
    "q",
    0.5,
    above=0,
    below=1,
    means="the quantile that is forecast: the share of truths expected below the forecast",
)


def pinball(sums: SumLine, q: float) -> Value:
    share = decimal(q)
    loss = share * sums["under"] + (1 - share) * sums["over"]
    return finite_ratio(loss, sums["weight"], NO_ROWS)


def quotient(sums: TermSums, q: float) -> Quotient:
    return q * sums["under"] + (1.0 - q) * sums["over"], sums["weight"]


METRIC = ErrorMetric(
    aliases=("mean_pinball_loss", "quantile_loss"),
    parameters=(QUANTILE,),
    value=pinball,
    interval=OF_ERRORS,
    scale=LOG,
    quotient=quotient,
    terms=("over", "under"),
    formula="Σ w·(q·max(y − p, 0) + (1 − q)·max(p − y, 0)) / Σ w",
    tex=r"\frac{\sum_i w_i \left( q (y_i - p_i)^+ + (1-q) (p_i - y_i)^+ \right)}{\sum_i w_i}",
    reading=(
        "A loss that is smallest for the true quantile q: for q = 0.9 a forecast that is too low "
        "costs nine times as much as one too high. At q = 0.5 it is half of MAE."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        "Losses of different q cannot be compared: extreme quantiles have small losses.",
        (
            "A low loss does not show that a share q of truths lies below the forecast: check the "
            "coverage too."
        ),
    ),
    reference="Koenker & Bassett (1978), Econometrica 46(1):33.",
    chinese="分位数损失",
    example="sy.pinball([1.0, 2.0, 3.0], [0.0, 2.0, 4.0], q=0.9)",
)
