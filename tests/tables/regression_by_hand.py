"""Regression worked out by hand, with what is at the edges of float64."""

from typing import Any

from tests.oracles.answers import Why

LARGEST = 1.7976931348623157e308
NO_ROWS = Why("there are no rows")
TOO_LARGE = Why("it is beyond the largest float64")
ONE_BEYOND = Why("1 row has a term that float64 does not hold")
TWO_BEYOND = Why("2 rows have a term that float64 does not hold")
SAME_TRUTH = Why("every truth is the same")
NEARLY_SAME_TRUTH = Why(
    "every truth is the same, or too close to the others for squares in float64"
)

# Metric, truth, prediction, weight, parameters, value, why the row is here.
ROWS: list[tuple[Any, ...]] = [
    ("mae", [3, 5, 2], [2.5, 5, 4], None, "", 5 / 6, "(0.5 + 0 + 2) / 3"),
    ("mae", [3, 5], [2, 8], [3, 1], "", 1.5, "(3·1 + 3) / 4"),
    ("mse", [3, 5], [2, 8], [3, 1], "", 3.0, "(3·1 + 9) / 4"),
    ("rmse", [0, 0], [3, 4], None, "", 12.5**0.5, "√((9 + 16) / 2)"),
    ("rmse", [1], [1], None, "", 0.0, "no error: the root of zero"),
    ("bias", [3, 5], [2, 8], [3, 1], "", 0.0, "−3 + 3"),
    ("bias", [1, 1], [0, 0], None, "", -1.0, "too low is below zero"),
    ("mape", [2, -4], [1, -5], None, "", 0.375, "(1/2 + 1/4) / 2: the size of the truth divides"),
    ("smape", [0, 1, 2], [0, 3, -1], None, "", 1.0, "0/0 is 0; 4/4; unlike signs cost 2"),
    ("wape", [0, 4, 6], [1, 4, 5], None, "", 0.2, "2 / 10, a truth of 0 is no trouble"),
    ("r2", [1, 2, 3], [1, 2, 3], None, "", 1.0, "perfect"),
    ("r2", [1, 2, 3], [2, 2, 2], None, "", 0.0, "as good as the mean"),
    ("r2", [1, 2, 3], [3, 2, 1], None, "", -3.0, "worse than the mean: 1 − 8/2"),
    ("r2", [0, 3], [1, 3], [2, 1], "", 2 / 3, "the mean is 1: 1 − 2·1/(2·1 + 4)"),
    ("max_error", [3, 2, 7], [4, 2, 4.5], [1, 1, 9], "", 2.5, "weights do not enter"),
    ("median_ae", [0, 0, 0], [1, -5, 2], None, "", 2.0, "the middle of 1, 2, 5"),
    ("median_ae", [0, 0], [1, 2], None, "", 1.5, "between the two"),
    ("median_ae", [0, 0], [1, 2], [1, 2], "", 2.0, "of 1, 2, 2"),
    ("median_ae", [0, 0, 0], [1, 2, 8], [0.25, 0.25, 0.5], "", 5.0, "half of the weight exactly"),
    ("rmsle", [0, 3], [0, 3], None, "", 0.0, "no error"),
    ("pinball", [0, 0], [1, -2], None, "q=0.9", 0.95, "(0.1·1 + 0.9·2) / 2"),
    ("pinball", [0, 0], [1, -2], None, "", 0.75, "half of MAE"),
    ("poisson_deviance", [0, 1], [2, 1], None, "", 2.0, "2·2 and 0, over two rows"),
    ("spearman", [1, 2, 3, 4], [1, 2, 4, 3], None, "", 0.8, "1 − 6·2/60"),
    ("spearman", [1, 2, 2], [1, 1, 2], None, "", 0.5, "ranks 1, 2.5, 2.5 and 1.5, 1.5, 3"),
    ("kendall", [1, 2, 3, 4], [1, 2, 4, 3], None, "", 4 / 6, "five of six pairs in order"),
    ("kendall", [1, 2, 2], [1, 1, 2], None, "", 0.5, "one of three in order: 1/√(2·2)"),
    ("normalized_gini", [0, 0, 1], [1, 2, 2], None, "", 0.5, "as 2·AUC − 1 with AUC ¾"),
    ("normalized_gini", [1, 2, 3], [3, 2, 1], None, "", -1.0, "the reverse order"),
    ("normalized_gini", [1, 2, 3], [7, 7, 7], None, "", 0.0, "one tie: no order at all"),
    # no value, and why
    ("r2", [2, 2], [1, 3], None, "", SAME_TRUTH, "no variance"),
    ("r2", [0.1] * 10, [0.2] * 10, None, "", SAME_TRUTH, "rounded sums would see a variance"),
    ("spearman", [2, 2], [1, 3], None, "", SAME_TRUTH, "no ranks"),
    ("kendall", [2, 2], [3, 3], [1, 5], "", SAME_TRUTH, "no pairs"),
    (
        *("kendall", [1, 2], [3, 3], None, ""),
        *(Why("every prediction is the same"), "no order"),
    ),
    (
        *("spearman", [1, 2], [3, 3], None, ""),
        *(Why("every prediction is the same"), "no order"),
    ),
    ("normalized_gini", [2, 2], [1, 3], None, "", SAME_TRUTH, "nothing to find"),
    ("normalized_gini", [0, 0], [1, 3], None, "", Why("every truth is 0"), "0/0"),
    (
        *("normalized_gini", [-1, 2], [1, 3], None, ""),
        *(Why("there are truths below 0"), "shares of a sum need it"),
    ),
    ("wape", [0, 0], [1, 3], None, "", Why("every truth is 0"), "a sum of zero"),
    (
        *("mape", [0, 1, 0], [1, 1, 0], None, ""),
        *(Why("2 rows have a truth of 0: leave such rows out with zeros=skip"), "1/0, 0/0"),
    ),
    ("mape", [0, 2, 0], [1, 1, 0], [5, 2, 1], "zeros=skip", 0.5, "left out with their weight"),
    ("mape", [0], [1], None, "zeros=skip", Why("every truth is 0"), "none left"),
    (
        *("rmsle", [1, -0.5], [1, 1], None, ""),
        *(Why("1 row has a truth or a prediction below 0"), "though ln(1 − 0.5) exists"),
    ),
    (
        *("rmsle", [1, 0], [-1, -2], None, ""),
        *(Why("2 rows have a truth or a prediction below 0"), "predictions too"),
    ),
    (
        *("poisson_deviance", [1, -1, 2], [0, 1, 2], None, ""),
        Why("2 rows have a truth below 0 or a prediction that is not above 0"),
        "a rate is above 0",
    ),
    # at the edge of float64
    ("mse", [1e300], [-1e300], None, "", ONE_BEYOND, "4e600 is no float64"),
    ("mse", [1e300, 1, 1e200], [-1e300, 2, 0], None, "", TWO_BEYOND, "1e400 is none either"),
    ("rmse", [1e300], [-1e300], None, "", ONE_BEYOND, "nor is there a root of what is not held"),
    ("rmse", [0, 1], [1e-200, 1], None, "", 0.0, "a square below the smallest float64 is 0"),
    ("rmse", [0], [2.0**-530], None, "", 2.0**-530, "a square among the subnormal numbers"),
    ("rmse", [0, 0], [2.0**-537] * 2, [5e-324, 5e-324], "", 2.0**-537, "the smallest of all"),
    ("rmse", [LARGEST], [-LARGEST], None, "", ONE_BEYOND, "twice the largest"),
    ("mae", [LARGEST, 0], [-LARGEST, 0], None, "", ONE_BEYOND, "twice the largest, over two rows"),
    ("mae", [LARGEST] * 2, [-LARGEST] * 2, [3, 5], "", TWO_BEYOND, "rows are counted, not weight"),
    ("mae", [0, 0], [LARGEST] * 2, None, "", LARGEST, "sums are exact"),
    ("bias", [-LARGEST, 0], [LARGEST, 0], None, "", LARGEST, "sums are exact"),
    ("max_error", [-LARGEST], [LARGEST], None, "", TOO_LARGE, "twice the largest"),
    ("median_ae", [-LARGEST, 0], [LARGEST, 0], None, "", TOO_LARGE, "between 0 and twice that"),
    ("median_ae", [-LARGEST, 0, 0], [LARGEST, 0, 1], None, "", 1.0, "one beyond is not the middle"),
    (
        *("median_ae", [-LARGEST, -1e308, 0], [LARGEST, 1e308, 1], [1, 2, 1], ""),
        *(TOO_LARGE, "two beyond the largest, in order"),
    ),
    ("mape", [5e-324], [1.0], None, "", ONE_BEYOND, "the quotient is"),
    ("mape", [5e-324] + [1.0] * 3, [LARGEST, 1, 1, 1], None, "", ONE_BEYOND, "2**2097"),
    ("wape", [5e-324], [1.0], None, "", TOO_LARGE, "the quotient is"),
    ("smape", [LARGEST], [-LARGEST], None, "", 2.0, "sum and difference overflow"),
    ("smape", [5e-324], [1e-323], None, "", 2 / 3, "1/(1 + 2) of the smallest, doubled"),
    ("wape", [-LARGEST, 1], [LARGEST, 1], None, "", ONE_BEYOND, "an error is"),
    ("r2", [1e300, -1e300], [1e300, 0], None, "", TWO_BEYOND, "squares overflow"),
    ("r2", [1e150, -1e150], [1e150, 0], None, "", 0.5, "1 − 1/2, whose squares do not"),
    ("r2", [1.1e154] * 3, [1e154] * 3, None, "", SAME_TRUTH, "squares just within float64"),
    ("r2", [1e-300, -1e-300], [1e-300, 0], None, "", NEARLY_SAME_TRUTH, "squares vanish"),
    ("r2", [1e-200] * 2, [1, 2], None, "", NEARLY_SAME_TRUTH, "squares vanish, (Σ y)² does not"),
    ("r2", [1e-200, 2, 0, 2], [0, 2, 1, 2], None, "", 0.75, "1 − 1/4: one truth is almost 0"),
    ("r2", [2.0**-500, 2.0**-499], [2.0**-500, 3 * 2.0**-501], None, "", 0.5, "small: 1 − 1/2"),
    ("pinball", [LARGEST, 0], [-LARGEST, 0], None, "", ONE_BEYOND, "half of MAE"),
    ("poisson_deviance", [LARGEST], [5e-324], None, "", ONE_BEYOND, "y·1454"),
    ("normalized_gini", [5e-324, LARGEST], [1, 2], None, "", 1.0, "exact over 2098 bits"),
    # Rows that are not of a metric's kind come before terms that float64 does not hold, and a row
    # with two such terms counts once.
    (
        "poisson_deviance",
        [4e307, 1],
        [3e302, 0],
        None,
        "",
        Why("1 row has a truth below 0 or a prediction …"),
        "which reason comes first",
    ),
    (
        "mape",
        [1e-300, 0],
        [1e300, 1],
        None,
        "",
        Why("1 row has a truth of 0: …"),
        "which reason comes first",
    ),
    ("mape", [1e-300, 0], [1e300, 1], None, "zeros=skip", ONE_BEYOND, "which reason comes first"),
    (
        "pinball",
        [-1.7e308, 1.7e308],
        [1.7e308, -1.7e308],
        None,
        "",
        TWO_BEYOND,
        "which reason comes first",
    ),
    ("r2", [1e200, 1, 2], [1e200, 1e200, 2], None, "", TWO_BEYOND, "which reason comes first"),
    ("r2", [1e200, 1], [0, 1], None, "", ONE_BEYOND, "which reason comes first"),
    ("r2", [1.1e-146, 2e-146, 1], [1, 1, 1], None, "", -2.0, "two truths are almost 0: 1 − 2·3/2"),
    (
        *("r2", [3e-136 * (1 + 1e-9), 3e-136], [3e-136] * 2, None, "", -1.0),
        "squares of small truths are exact as far as float64 holds them",
    ),
]
