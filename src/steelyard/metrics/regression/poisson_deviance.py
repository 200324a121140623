"""Poisson deviance: twice the gap in log-likelihood between perfect predictions and these."""

from steelyard.metrics.division import NO_ROWS, finite_ratio
from steelyard.metrics.influence import LOG, OF_ERRORS, Quotient, TermSums
from steelyard.metrics.regression_metrics import ErrorMetric, undefined_if
from steelyard.model import Value
from steelyard.views.sums import SumLine

OFF_POISSON = "have a truth below 0 or a prediction that is not above 0"


def quotient(sums: TermSums) -> Quotient:
    return 2 * sums["deviance"], sums["weight"]


def poisson_deviance(sums: SumLine) -> Value:
    return finite_ratio(*quotient(sums), NO_ROWS)


METRIC = ErrorMetric(
    aliases=("mean_poisson_deviance",),
    value=poisson_deviance,
    interval=OF_ERRORS,
    scale=LOG,
    quotient=quotient,
    undefined=undefined_if("off_poisson", OFF_POISSON),
    terms=("deviance", "off_poisson"),
    formula="2·Σ w·(y·ln(y/p) − (y − p)) / Σ w, where y·ln(y/p) is 0 for y = 0",
    tex=r"\frac{2 \sum_i w_i \left( y_i \ln\frac{y_i}{p_i} - (y_i - p_i) \right)}{\sum_i w_i}",
    reading=(
        "How badly predicted rates explain counts: an error of 5 costs much where 1 was expected "
        "and little where 100 were. The prediction that makes it smallest is the expected count."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        "With a prediction of 0 it has no value, even if the count is 0: a rate is above 0.",
        (
            "It is near 1 for large counts that are truly Poisson; a larger value is a poor model "
            "or counts that vary more than Poisson's."
        ),
        "Scale matters: counting in thousands divides it by a thousand.",
    ),
    reference="McCullagh & Nelder (1989), Generalized Linear Models, 2nd ed., §2.3.",
    chinese="泊松离差",
    example="sy.poisson_deviance([2.0, 0.0, 1.0, 4.0], [0.5, 0.5, 2.0, 2.0])",
)
