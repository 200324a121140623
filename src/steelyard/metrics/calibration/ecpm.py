"""eCPM: the revenue of a thousand impressions, predicted or realised.

The predicted value of a row is its probability times its `bid`. The realised value is its
`revenue`; where only bids are known, it is the bid of a positive row. The two differ where the
price is not the bid, as in a second-price auction.
"""

from collections.abc import Callable
from typing import Any

from steelyard import errors
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import Influences, Quotient, SliceValues, TermSums, of_sums
from steelyard.metrics.parameter import Parameter, choice, column
from steelyard.metrics.probability_metrics import ProbabilityMetric
from steelyard.metrics.record import StateSpec, metric_class, sums_of
from steelyard.metrics.values import quotient_values
from steelyard.model import PROBABILITIES, TWO_CLASSES, RequiredColumns
from steelyard.result.metric_column import MetricColumn
from steelyard.views.clusters import ClusterSums
from steelyard.views.sums import SumsView, TermArrays

THOUSAND = 1000


@metric_class
class Ecpm(ProbabilityMetric):
    """A mean of amounts, which the parameters choose."""

    shown_in_usage: tuple[str, ...] = ("bid",)
    parameters: tuple[Parameter, ...] = (
        column("bid", None, means="the price of a click; kind=realised with a revenue needs none"),
        choice(
            "kind", "predicted", "realised", means="predicted uses the score, realised the outcome"
        ),
        column("revenue", None, means="the revenue of a row"),
    )

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        name, of = _amounts(params)
        return sums_of("weight", f"{of} {name}")

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        name, of = _amounts(params)
        rest = PROBABILITIES if of == "expected_amount" else TWO_CLASSES
        return rest | RequiredColumns(amounts=(name,))

    def values_in(self, view: SumsView, params: dict[str, Any]) -> MetricColumn:
        return quotient_values(*_quotient(params)(TermArrays(view.columns)), NO_ROWS)

    def influences(
        self, view: ClusterSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        return of_sums(_quotient(params), None, view, {}, values)


def _quotient(params: dict[str, Any]) -> Callable[[TermSums], Quotient]:
    name, of = _amounts(params)
    return lambda sums: (THOUSAND * sums[f"{of} {name}"], sums["weight"])


def _amounts(params: dict[str, Any]) -> tuple[str, str]:
    """The column to sum, and the row term that uses it."""
    bid, revenue = params["bid"], params["revenue"]
    if params["kind"] == "realised" and revenue is not None:
        return revenue, "amount"
    if bid is None:
        wanted = "bid" if params["kind"] == "predicted" else "revenue"
        raise errors.MISSING_PARAMETER(metric="ecpm", name=wanted)
    return bid, "expected_amount" if params["kind"] == "predicted" else "earned_amount"


METRIC = Ecpm(
    formula="1000·Σ w·p·bid / Σ w; realised 1000·Σ w·revenue / Σ w, or 1000·Σ w·y·bid / Σ w",
    tex=r"\mathrm{eCPM} = 1000 \cdot \frac{\sum_i w_i p_i \mathrm{bid}_i}{\sum_i w_i}",
    reading=(
        "The revenue of a thousand impressions, in the currency of the bids. If the predicted "
        "value is larger than the realised one, predictions are too high where bids are high."
    ),
    range="0 and above",
    better="depends",
    pitfalls=(
        (
            "With trials, bid and revenue are those of one impression: divide the revenue of an "
            "aggregated row by its impressions."
        ),
        (
            "In a second-price auction revenue is less than clicks times bids: compare the "
            "prediction with y·bid, not with revenue."
        ),
        "Rows must be impressions, each with its own bid: lost auctions earn nothing.",
    ),
    reference="Common in computational advertising, as effective cost per mille.",
    chinese="千次展示期望收入",
    seed="002",
    example="sy.ecpm([1, 0, 0, 0], [0.5, 0.125, 0.25, 0.125], bid=[2.0, 1.0, 1.5, 3.0])",
)
