"""The table of regression: every metric of predicted numbers."""

from random import Random
from typing import Any

import numpy as np

from steelyard.model import Row as ResultRow
from steelyard.result.result import Result
from tests.oracles import regression as oracles
from tests.oracles.answers import Answer
from tests.oracles.regression import Row, rows_of, zero_truths
from tests.tables.case import Case, Family, Options, Sample, functions_of, parsed, sample
from tests.tables.regression_by_hand import ROWS

# At most so many roundings from the exact value; the others are exact, rounded once.
ROUNDINGS = {
    "mae": 3,  # p − y, the product with the weight is exact, the quotient
    "mse": 4,
    "rmse": 4,
    "bias": 3,
    "mape": 4,
    "smape": 6,
    "wape": 3,
    "r2": 6,
    "rmsle": 12,  # two logarithms of 1 + x and their difference, see CANCELLING
    "pinball": 4,
    "poisson_deviance": 8,
}

SPECS = (
    *("mae()", "mse()", "rmse()", "bias()", "mape()", "mape(zeros=skip)", "smape()", "wape()"),
    *("r2()", "max_error()", "median_ae()"),
    *("pinball(q=0.5)", "pinball(q=0.1)", "pinball(q=0.9)"),
    *("spearman()", "kendall()", "normalized_gini()"),
    *("rmsle()", "poisson_deviance()"),
    *("residuals()", "residuals(bins=1)", "residuals(bins=7)"),
    *("predicted_vs_true(bins=1)", "predicted_vs_true(bins=7)"),
)


def numbers(why: str, truth: Any, prediction: Any, weight: Any = None) -> Sample:
    """Rows whose label and prediction are numbers."""
    return sample(why, {}, label=truth, prediction=prediction, weight=weight)


Pair = tuple[list[float], list[float]]


def _random(seed: int, count: int = 50, grid: float | None = None) -> Pair:
    dice = Random(seed)
    truth = [dice.lognormvariate(0, 1) for _ in range(count)]
    guess = [t * dice.lognormvariate(0, 0.4) for t in truth]
    if grid:
        truth = [(int(x / grid) + 1) * grid for x in truth]
        guess = [(int(x / grid) + 1) * grid for x in guess]
    return truth, guess


UGLY = [Random(4).choice([0.1, 0.2, 0.3, 0.7, 1.1]) for _ in range(50)]
COPIES = [Random(5).randrange(1, 9) for _ in range(50)]

DATA = {
    "fine": numbers("no ties", *_random(1)),
    "tied": numbers("ties in truth and in prediction", *_random(2, grid=0.5)),
    "copies": numbers("whole weights", *_random(3, grid=0.5), COPIES),
    "ugly": numbers("0.1 + 0.2 as weights", *_random(4, grid=0.25), UGLY),
    "whole": numbers("whole numbers", [3, 5, 2, 7, 7], [2, 5, 4, 8, 1]),
    "float32": numbers(
        "float32: the difference is taken in float64",
        np.array(_random(6)[0], "float32"),
        np.array(_random(6)[1], "float32"),
    ),
    "signs": numbers("below zero and above", [-3.5, 2.0, -1.0, 4.0], [-3.0, -2.0, 1.0, 4.5]),
    "zeros": numbers("truths of zero, one of them met", [0, 2, 0, 4], [1, 1, 0, 5]),
    "all_zero": numbers("nothing but zeros in truth", [0.0, 0.0], [1.0, 0.0]),
    "constant_truth": numbers("a truth that does not vary", [2.0, 2.0, 2.0], [1.0, 2.0, 4.0]),
    "constant_guess": numbers("a prediction that does not vary", [1.0, 2.0, 4.0], [2.0, 2.0, 2.0]),
    "right": numbers("all right", [1.5, 2.5, 0.5], [1.5, 2.5, 0.5]),
    "reversed": numbers("in reverse", [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]),
    "one_row": numbers("one row", [2.0], [3.0]),
    "two_rows": numbers("the median lies between the two", [0.5, 0.5], [1.5, 3.5]),
    "no_rows": numbers("nothing", np.array([], float), np.array([], float)),
    "middle": numbers("half of the weight is reached exactly", [1, 1, 1], [2, 5, 10], [2, 1, 1]),
    "thirds": numbers("0.1 + 0.2 is not 0.3 here", [1, 1, 1], [2, 5, 10], [0.1, 0.2, 0.3]),
    "absent": numbers("weight 0 is absence", [1, 1, 9], [2, 5, 1000], [1, 1, 0]),
    "weightless": numbers("every weight is 0", [1, 2], [2, 3], [0, 0]),
    "huge": numbers(
        "far apart in size, squares within float64",
        [1e150, 1.0, 1e-150, 5e100],
        [2e150, 1e-100, 1e-150, 5.5e100],
    ),
    "vast": numbers(
        "errors, squares and quotients beyond float64, one row or two",
        [1.7e308, -1e200, 5e-324, 1.0],
        [-1.7e308, 1e200, 1.0, 2.0],
    ),
    "edge": numbers(
        "squares of truths just within float64, all the same but one",
        [1e154, 1e154, 1e154, 1.3e154],
        [1e154, 1.1e154, 1e154, 1.3e154],
    ),
    "same_large": numbers("one truth, whose square float64 just holds", [1.1e154] * 3, [1e154] * 3),
    "same_small": numbers("one truth, whose square underflows", [1e-200] * 3, [1e-200, 1, 2]),
    "same_huge": numbers(
        "one residual, that float64 hardly tells apart", [0.0, 0.0], [1e300, 1e300]
    ),
    "same_largest": numbers("one truth and prediction, the largest", [1.797e308], [1.797e308]),
    "tiny": numbers("subnormal numbers", [5e-324, 1e-310, 3e-320], [1e-323, 1e-311, 3e-320]),
    "neighbours": numbers(
        "one unit in the last place apart", [1.0, 1 + 2**-52, 1 - 2**-53], [1 + 2**-52, 1.0, 1.0]
    ),
    "big_whole": numbers(
        "whole numbers that float64 holds", [2**53, 2**53 - 1, 1], [2**53 - 2, 2**53, 3]
    ),
    "wide_weights": numbers(
        "weights from 1e-300 to 1e300", [1.0, 2.0, 4.0], [1.5, 1.0, 5.0], [1e-300, 1e300, 1.0]
    ),
    "signed_zero": numbers("-0.0 is 0.0", [-0.0, 0.0, 1.0], [0.0, -0.0, 2.0]),
}


BY_HAND = [
    Case(f"{name}({params})", numbers(why, truth, prediction, weight), why, known)
    for name, truth, prediction, weight, params, known, why in ROWS
]


def rows(data: Sample, options: Options) -> list[Row]:
    """The rows of the oracles: those that have weight."""
    columns = data.columns["label"].tolist(), data.columns["prediction"].tolist()
    return rows_of(*columns, data.weights)


def details(
    spec: str, data: Sample, row: ResultRow, result: Result, answer: Answer, options: Options
) -> Answer:
    """Rows that are left out are counted."""
    if parsed(spec)[1].get("zeros") == "skip":
        assert row.details.get("skipped", 0) == zero_truths(rows(data, options))
    return answer


FAMILY = Family(
    name="regression",
    data=DATA,
    specs=SPECS,
    rows=rows,
    oracles=functions_of(oracles),
    by_hand=BY_HAND,
    roundings=ROUNDINGS,
    details=details,
)
