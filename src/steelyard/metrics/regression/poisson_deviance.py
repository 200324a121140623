"""Poisson deviance: twice the log-likelihood that predicted counts fall short of the best."""

from steelyard.metrics.about import About
from steelyard.metrics.division import NO_ROWS, finite_ratio
from steelyard.metrics.regression_metrics import ErrorMetric, rows_that
from steelyard.model import Undefined, Value
from steelyard.views.sums import SumLine


def off_poisson(sums: SumLine) -> Undefined | None:
    """Why there is no value, where rows are none that a Poisson variable has."""
    outside = int(sums.exact("off_poisson"))
    many = "have a truth below 0 or a prediction that is not above 0"
    return Undefined(rows_that(outside, many.replace("have", "has"), many)) if outside else None


def poisson_deviance(sums: SumLine) -> Value:
    return finite_ratio(2 * sums["deviance"], sums["weight"], NO_ROWS)


METRIC = ErrorMetric(
    name="poisson_deviance",
    doc=__doc__,
    aliases=("mean_poisson_deviance",),
    value=poisson_deviance,
    undefined=off_poisson,
    terms=("deviance", "off_poisson"),
    about=About(
        formula="2·Σ w·(y·ln(y/p) − (y − p)) / Σ w, where y·ln(y/p) is 0 for y = 0",
        tex=r"\frac{2 \sum_i w_i \left( y_i \ln\frac{y_i}{p_i} - (y_i - p_i) \right)}"
        r"{\sum_i w_i}",
        reading="How badly predicted rates explain counts: an error of 5 costs much where 1 was "
        "expected and little where 100 were. The mean of what is to come makes it smallest.",
        range="0 and above",
        better="lower",
        pitfalls=(
            "A prediction of 0 leaves no value, even where nothing happened: no rate is 0.",
            (
                "It is near 1 for large counts that are truly Poisson; a larger value is a poor "
                "model or counts that vary more than Poisson's."
            ),
            "Scale matters: counting in thousands divides it by a thousand.",
        ),
        reference="McCullagh & Nelder (1989), Generalized Linear Models, 2nd ed., §2.3.",
        chinese="泊松离差",
        example="sy.poisson_deviance([2.0, 0.0, 1.0, 4.0], [0.5, 0.5, 2.0, 2.0])",
    ),
)
