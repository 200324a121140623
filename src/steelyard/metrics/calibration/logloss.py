"""Log loss: the mean of −ln p, where p is the probability given to the outcome.

Each row's logarithm is rounded once, to within a unit and a half in the last place, by our own
function, which is the same on every machine; the rest is exact.
"""

from steelyard.metrics.influence import Quotient, TermSums
from steelyard.metrics.probability_metrics import LOG, SumMetric
from steelyard.model import Undefined
from steelyard.views.sums import SumColumns, SumLine


def no_loss(sums: SumLine) -> Undefined | None:
    """The reason for no value, if the loss of some rows is infinite."""
    count = int(sums.exact("infinite"))
    return Undefined(infinite(count)) if count else None


def infinite(count: int) -> str:
    rows = "1 row has" if count == 1 else f"{count:,} rows have"
    return (
        f"the loss is infinite: {rows} a probability of 0 for what happened; "
        "pass clip=1e-15 to limit probabilities"
    )


def mean_loss(sums: TermSums) -> Quotient:
    return -sums["log"], sums["weight"]


def no_losses(sums: SumColumns) -> dict[int, str]:
    """The slices in which the loss of some rows is infinite, and the reason for no value."""
    counts = enumerate(sums.counts("infinite"))
    return {place: infinite(count) for place, count in counts if count}


METRIC = SumMetric(
    aliases=("log_loss",),
    formula="−Σ w·(y·ln p + (1 − y)·ln(1 − p)) / Σ w",
    tex=r"-\frac{\sum_i w_i \left(y_i \ln p_i + (1 - y_i) \ln (1 - p_i)\right)}{\sum_i w_i}",
    reading=(
        "0 means certain and always right. A prediction of ½ costs 0.693 whatever happens; a "
        "prediction of 0.01 for an event that happens costs 4.6."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        "It depends on the base rate: compare models on the same rows only, or use ne.",
        (
            "A single probability of 0 for an event that happens makes it infinite, and there is "
            "no value; clip limits probabilities, and changes the value."
        ),
    ),
    reference="Good (1952), Journal of the Royal Statistical Society B 14(1):107.",
    chinese="对数损失（又称交叉熵）",
    example="sy.logloss([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.35])",
    state=LOG,
    quotient=mean_loss,
    no_value=no_losses,
)
