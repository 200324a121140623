"""Field RCE: how far predictions are off for each value of a column, in proportion to its clicks.

Of a value without positives there is no proportion. It is left out, above the line and below, and
counted; or `eps` is added to every row's label, as the paper has it, and then nothing is left out.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from steelyard.metrics.about import About
from steelyard.metrics.division import NO_POSITIVES, decimal, finite_ratio
from steelyard.metrics.parameter import Parameter, column, number
from steelyard.metrics.probability_metrics import FIELD, FieldMetric, FieldSum
from steelyard.model import Value

ADDED = (
    "what is added to every row's label below the line; "
    "without it, values without positives are left out"
)
# `None` where nothing is added, so that its type says so too.
EPS = replace(number("eps", None, above=0, means=ADDED), type="float | None")


@dataclass(frozen=True, kw_only=True)
class FieldRce(FieldMetric):
    """The mean over rows of their value's gap, relative to the clicks of that value."""

    parameters: tuple[Parameter, ...] = (column("field", means=FIELD), EPS)

    def measure(self, sums: list[FieldSum], **params: Any) -> Value:
        eps = Fraction(0) if params["eps"] is None else decimal(params["eps"])
        used = [each for each in sums if each.positives or eps]
        gaps = sum((_gap(each, eps) for each in used), Fraction(0))
        return finite_ratio(gaps, sum(each.weight for each in used), NO_POSITIVES)


def _gap(each: FieldSum, eps: Fraction) -> Fraction:
    gap = abs(each.positives - each.expected)
    return each.weight * gap / (each.positives + eps * each.weight)


METRIC = FieldRce(
    name="field_rce",
    doc=__doc__,
    about=About(
        formula="Σ over values z of W_z·|Σ_z w·(y − p)| / Σ_z w·(y + eps), over Σ W_z",
        tex=(
            r"\frac{1}{\sum_z W_z} \sum_{z} W_z \frac{\left| \sum_{i: z_i = z} w_i (y_i - p_i)"
            r"\right|}{\sum_{i: z_i = z} w_i (y_i + \epsilon)}"
        ),
        reading=(
            "0.1 means that, row by row, the country, advertiser or whatever the column holds is "
            "predicted a tenth too high or too low."
        ),
        range="0 and above",
        better="lower",
        pitfalls=(
            "Values with one click or none decide much of it: the details say how many have none.",
            (
                "Other tools may leave values without clicks out, add eps to each row, or add it "
                "to each value: the choice changes the number."
            ),
        ),
        reference="Pan et al. (2020), WWW, 729; its eps is 0.01.",
        chinese="字段级相对校准误差",
        example=(
            "sy.field_rce([1, 0, 1, 0], [0.4, 0.1, 0.2, 0.1], field=['DE', 'DE', 'US', 'US'])"
        ),
    ),
)
