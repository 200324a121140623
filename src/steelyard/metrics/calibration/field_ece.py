"""Field ECE: the mean gap between predictions and outcomes, value by value of a column.

A missing value is a value of its own.
"""

from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.probability_metrics import FieldMetric, FieldSum
from steelyard.model import Value


def field_ece(sums: list[FieldSum]) -> Value:
    gaps = sum(abs(each.positives - each.expected) for each in sums)
    return ratio(gaps, sum(each.weight for each in sums), NO_ROWS)


METRIC = FieldMetric(
    value=field_ece,
    formula="Σ over values z of |Σ_z w·(y − p)| / Σ w",
    tex=r"\frac{1}{\sum_i w_i} \sum_{z} \left| \sum_{i: z_i = z} w_i (y_i - p_i) \right|",
    reading=(
        "The mean number of clicks per row that are predicted too many or too few, when rows are "
        "grouped by the values of the column, such as country or advertiser. 0 means that every "
        "value has as many clicks as predicted."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "With many values of few rows it is large by chance alone, even if the model is "
            "perfect: compare models on the same rows, never two columns."
        ),
        "Within one value, predictions that are too high and too low still cancel.",
        "Where clicks are rare it is small: field_rce is relative to the clicks.",
    ),
    reference="Pan et al. (2020), WWW, 729.",
    chinese="字段级期望校准误差",
    example="sy.field_ece([1, 0, 0, 0], [0.4, 0.1, 0.2, 0.1], field=['DE', 'DE', 'US', 'US'])",
)
