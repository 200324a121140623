"""Residuals: how prediction − truth is distributed, in bins of equal width.

The first bin starts at the lowest residual, the last ends at the highest and has it.
"""

import numpy as np

from steelyard.metrics.histograms import bin_numbers, binned_weights, bins_parameter, equal_edges
from steelyard.metrics.regression_metrics import PairMetric, some_rows
from steelyard.model import Residuals, Undefined
from steelyard.views.pairs import PairRows


def residuals(rows: PairRows, bins: int) -> Residuals | Undefined:
    with np.errstate(over="ignore"):
        values = rows.prediction - rows.truth
    beyond = int(np.isinf(values).sum())
    if beyond:
        return Undefined(some_rows(beyond, "have a residual that float64 does not hold"))
    edges = equal_edges(float(values.min()), float(values.max()), bins)
    numbers = bin_numbers(values, edges)
    return Residuals(edges, binned_weights(numbers, bins, rows.digits, rows.unit))


METRIC = PairMetric(
    value=residuals,
    shape=Residuals,
    picture={"bins": 400},
    formula="for each bin b: Σ w over the rows whose p − y is in b",
    tex=r"\Bigl(\sum_{i : p_i - y_i \in b} w_i\Bigr)_b",
    reading=(
        "How large errors are, and to which side. A centre above 0 means that the model predicts "
        "too much; a long tail on one side, that some rows are far off in that direction."
    ),
    range="a weight for each bin",
    better="depends",
    pitfalls=(
        "One row that is far off makes all bins wide: more bins, or `where`, show the rest.",
        (
            "It hides where errors are: a model may be wrong in opposite directions for small and "
            "for large truths. `predicted_vs_true` shows that."
        ),
        "Some authors define a residual as truth − prediction; here above 0 is too much.",
    ),
    reference="Anscombe & Tukey (1963), Technometrics 5(2):141.",
    chinese="残差分布",
    example="sy.residuals([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0], bins=3)",
    parameters=(bins_parameter(40),),
)
