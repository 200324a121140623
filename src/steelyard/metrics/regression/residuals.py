"""Residuals: how prediction − truth is distributed, in bins of equal width.

The first bin starts at the lowest residual, the last ends at the highest and has it.
"""

import numpy as np

from steelyard.metrics.binned_pairs import BinnedPairs, Ends
from steelyard.metrics.histograms import bin_numbers, bins_parameter
from steelyard.model import Array, Floats, Residuals
from steelyard.views.pairs import PairRows


def residuals(rows: PairRows) -> Floats:
    with np.errstate(over="ignore"):
        found: Floats = rows.prediction - rows.truth
    return found


def ends(rows: PairRows) -> Ends:
    values = residuals(rows)
    beyond = int(np.isinf(values).sum())
    return Ends(float(values.min()), float(values.max()), beyond)


def numbers(rows: PairRows, edges: Floats) -> Array:
    return bin_numbers(residuals(rows), edges)


METRIC = BinnedPairs(
    ends=ends,
    beyond="have a residual that float64 does not hold",
    numbers=numbers,
    value=Residuals,
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
