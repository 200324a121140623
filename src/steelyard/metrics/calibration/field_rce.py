"""Field RCE: the mean relative gap between predictions and outcomes, value by value of a column.

A value without positives has no proportion: it is left out of the mean and counted. With `eps`,
which is added to every label as in the paper, no value is left out.
"""

from dataclasses import replace
from fractions import Fraction

from steelyard.metrics.division import NO_POSITIVES, decimal, finite_ratio
from steelyard.metrics.parameter import number
from steelyard.metrics.probability_metrics import FIELD, FieldMetric, FieldSum
from steelyard.model import Value

ADDED = (
    "a number added to every label in the denominator; without it, values without positives are "
    "left out"
)
EPS = replace(number("eps", None, above=0, means=ADDED), type="float | None")


def field_rce(sums: list[FieldSum], eps: float | None) -> Value:
    added = Fraction(0) if eps is None else decimal(eps)
    used = [each for each in sums if each.positives or added]
    gaps = sum((_gap(each, added) for each in used), Fraction(0))
    return finite_ratio(gaps, sum(each.weight for each in used), NO_POSITIVES)


def _gap(each: FieldSum, eps: Fraction) -> Fraction:
    gap = abs(each.positives - each.expected)
    return each.weight * gap / (each.positives + eps * each.weight)


METRIC = FieldMetric(
    value=field_rce,
    parameters=(FIELD, EPS),
    formula="Σ over values z of W_z·|Σ_z w·(y − p)| / Σ_z w·(y + eps), over Σ W_z",
    tex=(
        r"\frac{1}{\sum_z W_z} \sum_{z} W_z \frac{\left| \sum_{i: z_i = z} w_i (y_i - "
        r"p_i)\right|}{\sum_{i: z_i = z} w_i (y_i + \epsilon)}"
    ),
    reading=(
        "0.1 means that the clicks of the values of the column, such as country or advertiser, are "
        "predicted a tenth too high or too low on average."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        "Values with one click or none dominate it: the details count those that have none.",
        (
            "Other tools may leave values without clicks out, add eps to each row, or add it to "
            "each value: the choice changes the number."
        ),
    ),
    reference="Pan et al. (2020), WWW, 729; its eps is 0.01.",
    chinese="字段级相对校准误差",
    example="sy.field_rce([1, 0, 1, 0], [0.4, 0.1, 0.2, 0.1], field=['DE', 'DE', 'US', 'US'])",
)
