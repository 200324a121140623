"""Regression: worked cases, definitions in Fractions, other tools, laws, odd numbers."""

import struct
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise, permutations
from math import isqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import StateError
from steelyard.metrics import catalogue
from steelyard.metrics.record import PREDICTION, Metric
from steelyard.model import AnyValue, Detailed, Reading, Undefined
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import NumericPredictions
from steelyard.states import Extremes, Pairs, State, Sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.sums import error_terms, terms
from steelyard.views.sums import view_of_sums
from tests.laws.state_bytes import READING, forge
from tests.parity.peers import package
from tests.tables.harness import from_state

METRICS = [m for m in catalogue.every() if catalogue.family(m) == "regression"]
NAMES = [metric.name for metric in METRICS]
Columns = Sequence[float]


def rows(y: Columns, p: Columns, w: Any = None) -> Batch:
    numbers = NumericPredictions(np.array(y, np.float64), np.array(p, np.float64))
    return Batch(len(y), Reading(), numbers=numbers, weight=None if w is None else np.array(w))


def metric(name: str) -> Metric:
    return catalogue.find(name, reads=PREDICTION)


def state_of(name: str, *batches: Batch, **params: Any) -> State:
    state = metric(name).state_spec(params).empty()
    for batch in batches:
        state.update(batch)
    return state


def value_of(name: str, state: State, **params: Any) -> AnyValue:
    bound = catalogue.bind(metric(name), params)
    value = from_state(bound, state)
    return value.value if isinstance(value, Detailed) else value


def value(name: str, y: Columns, p: Columns, w: Any = None, **params: Any) -> AnyValue:
    return value_of(name, state_of(name, rows(y, p, w)), **params)


def test_the_family() -> None:
    assert sorted(NAMES) == sorted(
        [
            *("mae", "mse", "rmse", "bias", "mape", "smape", "wape", "r2", "max_error"),
            *("median_ae", "rmsle", "pinball", "poisson_deviance"),
            *("spearman", "kendall", "normalized_gini"),
        ]
    )


# --- worked by hand ------------------------------------------------------------------------------

LARGEST = 1.7976931348623157e308
NO_ROWS = Undefined("there are no rows")
TOO_LARGE = Undefined("it is beyond the largest float64")
ONE_BEYOND = Undefined("1 row has a term that float64 does not hold")
TWO_BEYOND = Undefined("2 rows have a term that float64 does not hold")
SAME_TRUTH = Undefined("every truth is the same")

# metric, truth, prediction, weight, parameters, value, why the row is here
HAND: list[tuple[Any, ...]] = [
    ("mae", [3, 5, 2], [2.5, 5, 4], None, {}, 5 / 6, "(0.5 + 0 + 2) / 3"),
    ("mae", [3, 5], [2, 8], [3, 1], {}, 1.5, "(3·1 + 3) / 4"),
    ("mse", [3, 5], [2, 8], [3, 1], {}, 3.0, "(3·1 + 9) / 4"),
    ("rmse", [0, 0], [3, 4], None, {}, 12.5**0.5, "√((9 + 16) / 2)"),
    ("rmse", [1], [1], None, {}, 0.0, "no error: the root of zero"),
    ("bias", [3, 5], [2, 8], [3, 1], {}, 0.0, "−3 + 3"),
    ("bias", [1, 1], [0, 0], None, {}, -1.0, "too low is below zero"),
    ("mape", [2, -4], [1, -5], None, {}, 0.375, "(1/2 + 1/4) / 2: the size of the truth divides"),
    ("smape", [0, 1, 2], [0, 3, -1], None, {}, 1.0, "0/0 is 0; 4/4; unlike signs cost 2"),
    ("wape", [0, 4, 6], [1, 4, 5], None, {}, 0.2, "2 / 10, a truth of 0 is no trouble"),
    ("r2", [1, 2, 3], [1, 2, 3], None, {}, 1.0, "perfect"),
    ("r2", [1, 2, 3], [2, 2, 2], None, {}, 0.0, "as good as the mean"),
    ("r2", [1, 2, 3], [3, 2, 1], None, {}, -3.0, "worse than the mean: 1 − 8/2"),
    ("r2", [0, 3], [1, 3], [2, 1], {}, 2 / 3, "the mean is 1: 1 − 2·1/(2·1 + 4)"),
    ("max_error", [3, 2, 7], [4, 2, 4.5], [1, 1, 9], {}, 2.5, "weights do not enter"),
    ("median_ae", [0, 0, 0], [1, -5, 2], None, {}, 2.0, "the middle of 1, 2, 5"),
    ("median_ae", [0, 0], [1, 2], None, {}, 1.5, "between the two"),
    ("median_ae", [0, 0], [1, 2], [1, 2], {}, 2.0, "of 1, 2, 2"),
    ("median_ae", [0, 0, 0], [1, 2, 8], [0.25, 0.25, 0.5], {}, 5.0, "half of the weight exactly"),
    ("rmsle", [0, 3], [0, 3], None, {}, 0.0, "no error"),
    ("pinball", [0, 0], [1, -2], None, {"q": 0.9}, 0.95, "(0.1·1 + 0.9·2) / 2"),
    ("pinball", [0, 0], [1, -2], None, {}, 0.75, "half of MAE"),
    ("poisson_deviance", [0, 1], [2, 1], None, {}, 2.0, "2·2 and 0, over two rows"),
    ("spearman", [1, 2, 3, 4], [1, 2, 4, 3], None, {}, 0.8, "1 − 6·2/60"),
    ("spearman", [1, 2, 2], [1, 1, 2], None, {}, 0.5, "ranks 1, 2.5, 2.5 and 1.5, 1.5, 3"),
    ("kendall", [1, 2, 3, 4], [1, 2, 4, 3], None, {}, 4 / 6, "five of six pairs in order"),
    ("kendall", [1, 2, 2], [1, 1, 2], None, {}, 0.5, "one of three in order: 1/√(2·2)"),
    ("normalized_gini", [0, 0, 1], [1, 2, 2], None, {}, 0.5, "as 2·AUC − 1 with AUC ¾"),
    ("normalized_gini", [1, 2, 3], [3, 2, 1], None, {}, -1.0, "the reverse order"),
    ("normalized_gini", [1, 2, 3], [7, 7, 7], None, {}, 0.0, "one tie: no order at all"),
    # no value, and why
    ("r2", [2, 2], [1, 3], None, {}, SAME_TRUTH, "no variance"),
    ("r2", [0.1] * 10, [0.2] * 10, None, {}, SAME_TRUTH, "rounded sums would see a variance"),
    ("spearman", [2, 2], [1, 3], None, {}, SAME_TRUTH, "no ranks"),
    ("kendall", [2, 2], [3, 3], [1, 5], {}, SAME_TRUTH, "no pairs"),
    (
        *("kendall", [1, 2], [3, 3], None, {}),
        *(Undefined("every prediction is the same"), "no order"),
    ),
    (
        *("spearman", [1, 2], [3, 3], None, {}),
        *(Undefined("every prediction is the same"), "no order"),
    ),
    ("normalized_gini", [2, 2], [1, 3], None, {}, SAME_TRUTH, "nothing to find"),
    ("normalized_gini", [0, 0], [1, 3], None, {}, Undefined("every truth is 0"), "0/0"),
    (
        *("normalized_gini", [-1, 2], [1, 3], None, {}),
        *(Undefined("there are truths below 0"), "shares of a sum need it"),
    ),
    ("wape", [0, 0], [1, 3], None, {}, Undefined("every truth is 0"), "a sum of zero"),
    (
        *("mape", [0, 1, 0], [1, 1, 0], None, {}),
        *(Undefined("2 rows have a truth of 0: leave such rows out with zeros=skip"), "1/0, 0/0"),
    ),
    ("mape", [0, 2, 0], [1, 1, 0], [5, 2, 1], {"zeros": "skip"}, 0.5, "left out with their weight"),
    ("mape", [0], [1], None, {"zeros": "skip"}, Undefined("every truth is 0"), "none left"),
    (
        *("rmsle", [1, -0.5], [1, 1], None, {}),
        *(Undefined("1 row has a truth or a prediction below 0"), "though ln(1 − 0.5) exists"),
    ),
    (
        *("rmsle", [1, 0], [-1, -2], None, {}),
        *(Undefined("2 rows have a truth or a prediction below 0"), "predictions too"),
    ),
    (
        *("poisson_deviance", [1, -1, 2], [0, 1, 2], None, {}),
        Undefined("2 rows have a truth below 0 or a prediction that is not above 0"),
        "a rate is above 0",
    ),
    # at the edge of float64
    ("mse", [1e300], [-1e300], None, {}, ONE_BEYOND, "4e600 is no float64"),
    ("mse", [1e300, 1, 1e200], [-1e300, 2, 0], None, {}, TWO_BEYOND, "1e400 is none either"),
    ("rmse", [1e300], [-1e300], None, {}, ONE_BEYOND, "nor is there a root of what is not held"),
    ("rmse", [0, 1], [1e-200, 1], None, {}, 0.0, "a square below the smallest float64 is 0"),
    ("rmse", [0], [2.0**-530], None, {}, 2.0**-530, "a square among the subnormal numbers"),
    ("rmse", [0, 0], [2.0**-537] * 2, [5e-324, 5e-324], {}, 2.0**-537, "the smallest of all"),
    ("rmse", [LARGEST], [-LARGEST], None, {}, ONE_BEYOND, "twice the largest"),
    ("mae", [LARGEST, 0], [-LARGEST, 0], None, {}, ONE_BEYOND, "twice the largest, over two rows"),
    ("mae", [LARGEST] * 2, [-LARGEST] * 2, [3, 5], {}, TWO_BEYOND, "rows are counted, not weight"),
    ("mae", [0, 0], [LARGEST] * 2, None, {}, LARGEST, "sums are exact"),
    ("bias", [-LARGEST, 0], [LARGEST, 0], None, {}, LARGEST, "sums are exact"),
    ("max_error", [-LARGEST], [LARGEST], None, {}, TOO_LARGE, "twice the largest"),
    ("median_ae", [-LARGEST, 0], [LARGEST, 0], None, {}, TOO_LARGE, "between 0 and twice that"),
    ("median_ae", [-LARGEST, 0, 0], [LARGEST, 0, 1], None, {}, 1.0, "one beyond is not the middle"),
    (
        *("median_ae", [-LARGEST, -1e308, 0], [LARGEST, 1e308, 1], [1, 2, 1], {}),
        *(TOO_LARGE, "two beyond the largest, in order"),
    ),
    ("mape", [5e-324], [1.0], None, {}, ONE_BEYOND, "the quotient is"),
    ("mape", [5e-324] + [1.0] * 3, [LARGEST, 1, 1, 1], None, {}, ONE_BEYOND, "2**2097"),
    ("wape", [5e-324], [1.0], None, {}, TOO_LARGE, "the quotient is"),
    ("smape", [LARGEST], [-LARGEST], None, {}, 2.0, "sum and difference overflow"),
    ("smape", [5e-324], [1e-323], None, {}, 2 / 3, "1/(1 + 2) of the smallest, doubled"),
    ("wape", [-LARGEST, 1], [LARGEST, 1], None, {}, ONE_BEYOND, "an error is"),
    ("r2", [1e300, -1e300], [1e300, 0], None, {}, TWO_BEYOND, "squares overflow"),
    ("r2", [1e150, -1e150], [1e150, 0], None, {}, 0.5, "1 − 1/2, whose squares do not"),
    ("r2", [1.1e154] * 3, [1e154] * 3, None, {}, SAME_TRUTH, "squares just within float64"),
    ("r2", [1e-300, -1e-300], [1e-300, 0], None, {}, TWO_BEYOND, "squares vanish"),
    ("r2", [1e-200] * 2, [1, 2], None, {}, TWO_BEYOND, "squares vanish, (Σ y)² does not"),
    ("pinball", [LARGEST, 0], [-LARGEST, 0], None, {}, ONE_BEYOND, "half of MAE"),
    ("poisson_deviance", [LARGEST], [5e-324], None, {}, ONE_BEYOND, "y·1454"),
    ("normalized_gini", [5e-324, LARGEST], [1, 2], None, {}, 1.0, "exact over 2098 bits"),
]


@pytest.mark.parametrize(("name", "y", "p", "w", "params", "expected", "why"), HAND)
def test_worked_by_hand(
    name: str,
    y: list[float],
    p: list[float],
    w: Any,
    params: dict[str, Any],
    expected: Any,
    why: str,
) -> None:
    assert value(name, y, p, w, **params) == expected, why


@pytest.mark.parametrize("name", NAMES)
def test_no_rows(name: str) -> None:
    assert value(name, [], []) == NO_ROWS
    dropped = Batch(
        0, Reading(nan="drop"), numbers=NumericPredictions(np.zeros(0), np.zeros(0)), dropped=2
    )
    assert value_of(name, state_of(name, dropped)) == NO_ROWS


def test_rows_left_out_are_counted() -> None:
    columns = {"y": [0.0, 2.0, 0.0], "p": [1.0, 1.0, 0.0]}
    result = sy.evaluate(columns, label="y", prediction="p", metrics=["mape(skip)"])
    assert result.rows[0].details == {"skipped": 2}
    assert result["mape(skip)"] == 0.5


# --- definitions, in Fractions -------------------------------------------------------------------


def nearest_root(square: Fraction) -> float:
    """The float64 nearest to √square, by integer arithmetic with 400 spare bits."""
    scale = 1 << 2600
    return float(Fraction(isqrt(square.numerator * scale * scale // square.denominator), scale))


def signed_root(part: Fraction, square: Fraction) -> float:
    root = nearest_root(part * part / square)
    return -root if part < 0 else root


def copies(column: Columns, w: Sequence[int]) -> list[Fraction]:
    return [Fraction(x) for x, count in zip(column, w, strict=True) for _ in range(count)]


def median_by_copies(y: Columns, p: Columns, w: Sequence[int]) -> float:
    errors = sorted(copies([abs(b - a) for a, b in zip(y, p, strict=True)], w))
    half = len(errors) // 2
    middle = errors[half] if len(errors) % 2 else (errors[half - 1] + errors[half]) / 2
    return float(middle)


def sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def kendall_by_pairs(y: Columns, p: Columns, w: Sequence[int]) -> float | None:
    a, b = copies(y, w), copies(p, w)
    pairs = [(i, j) for j in range(len(a)) for i in range(j)]
    score = sum(sign(a[i] - a[j]) * sign(b[i] - b[j]) for i, j in pairs)
    product = sum(a[i] != a[j] for i, j in pairs) * sum(b[i] != b[j] for i, j in pairs)
    return signed_root(Fraction(score), Fraction(product)) if product else None


def midranks(column: list[Fraction]) -> list[Fraction]:
    below = [sum(other < x for other in column) for x in column]
    return [b + Fraction(column.count(x) + 1, 2) for b, x in zip(below, column, strict=True)]


def spearman_by_ranks(y: Columns, p: Columns, w: Sequence[int]) -> float | None:
    a, b = midranks(copies(y, w)), midranks(copies(p, w))
    mean = Fraction(len(a) + 1, 2)
    both = sum(((u - mean) * (v - mean) for u, v in zip(a, b, strict=True)), Fraction(0))
    product = sum((u - mean) ** 2 for u in a) * sum((v - mean) ** 2 for v in b)
    return signed_root(both, Fraction(product)) if product else None


def lorenz(truths: Sequence[Fraction]) -> Fraction:
    """Kaggle's Gini of truths in a given order: the area between shares found and rows seen."""
    all_, seen, area = sum(truths), Fraction(0), Fraction(0)
    for number, truth in enumerate(truths, start=1):
        seen += truth
        area += seen / all_ - Fraction(number, len(truths))
    return area


def gini_by_orders(y: Columns, p: Columns) -> float | None:
    """The mean over all orders of rows that go by falling prediction."""
    if min(y) < 0 or len(set(y)) < 2:
        return None
    truths = [Fraction(x) for x in y]
    orders = [
        [truths[i] for i in order]
        for order in permutations(range(len(y)))
        if all(p[i] >= p[j] for i, j in pairwise(order))
    ]
    mean = sum(map(lorenz, orders), Fraction(0)) / len(orders)
    return float(mean / lorenz(sorted(truths, reverse=True)))


few = st.sampled_from([0.0, 1.0, 2.0, 2.5, -1.0, 0.1, 1e-3, 7.0])
row = st.tuples(few, few, st.integers(1, 4))
tables = st.lists(row, min_size=1, max_size=7)


def columns_of(table: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*table, strict=True)]


BRUTE: dict[str, Callable[..., float | None]] = {
    "median_ae": median_by_copies,
    "kendall": kendall_by_pairs,
    "spearman": spearman_by_ranks,
}


@pytest.mark.parametrize("name", BRUTE)
@given(table=tables)
def test_ranks_and_medians_by_brute_force(name: str, table: Any) -> None:
    y, p, w = columns_of(table)
    expected = BRUTE[name](y, p, w)
    found = value(name, y, p, w)
    assert found == expected if expected is not None else isinstance(found, Undefined)


@given(table=st.lists(row, min_size=1, max_size=5))
def test_gini_over_all_orders_of_ties(table: Any) -> None:
    y, p, _ = columns_of(table)
    expected, found = gini_by_orders(y, p), value("normalized_gini", y, p)
    assert found == expected if expected is not None else isinstance(found, Undefined)


reals = st.floats(-1e6, 1e6) | few
real_rows = st.tuples(reals, reals, st.floats(1e-9, 1e9) | st.integers(1, 5).map(float))


@given(table=st.lists(real_rows, min_size=1, max_size=9))
def test_sums_of_terms(table: Any) -> None:
    """Each row's term as its formula rounds it, the rest in Fractions."""
    y, p, w = columns_of(table)
    weights = list(map(Fraction, w))
    all_ = sum(weights)

    def mean(terms: list[Any]) -> Fraction:
        return (
            sum((w * Fraction(t) for w, t in zip(weights, terms, strict=True)), Fraction()) / all_
        )

    d = [b - a for a, b in zip(y, p, strict=True)]
    squares = mean([x * x for x in d])
    assert value("mae", y, p, w) == float(mean([abs(x) for x in d]))
    assert value("bias", y, p, w) == float(mean(p) - mean(y))
    under, over = mean([max(-x, 0.0) for x in d]), mean([max(x, 0.0) for x in d])
    assert value("pinball", y, p, w, q=0.1) == float(under / 10 + over * 9 / 10)
    assert value("max_error", y, p, w) == max(map(abs, d))
    sizes = [abs(a) + abs(b) for a, b in zip(y, p, strict=True)]
    shares = [abs(x) / s if s else 0.0 for x, s in zip(d, sizes, strict=True)]
    assert value("smape", y, p, w) == float(2 * mean(shares))
    if mean([abs(a) for a in y]):
        expected = mean([abs(x) for x in d]) / mean([abs(a) for a in y])
        assert value("wape", y, p, w) == float(expected)
    assert value("mse", y, p, w) == float(squares)
    assert value("rmse", y, p, w) == nearest_root(squares)
    if all(abs(a) > 1e-130 or a == 0 for a in y):  # smaller squares are rounded
        variance = mean([Fraction(a) ** 2 for a in y]) - mean(y) ** 2
        expected_r2 = float(1 - squares / variance) if variance else SAME_TRUTH
        assert value("r2", y, p, w) == expected_r2


def decimal_log(x: Fraction) -> Fraction:
    return Fraction((Decimal(x.numerator) / Decimal(x.denominator)).ln())


# Why: far, near, nearly the same, the same, tiny, vast, ratios beyond float64.
POSITIVE = [
    1.0,
    1.0 + 2**-52,
    0.9999999,
    1.21,
    1.5,
    0.3,
    1e-9,
    5e-324,
    1e-310,
    1e17,
    1e300,
    LARGEST,
]


@pytest.mark.parametrize("y", [0.0, *POSITIVE])
def test_logarithms_are_accurate_row_by_row(y: float) -> None:
    """Each term within a few units in its last place, wherever truth and prediction lie."""
    for p in POSITIVE:
        with localcontext() as context:
            context.prec = 700
            one, other = Fraction(y), Fraction(p)
            log = abs(decimal_log((1 + other) / (1 + one)))
            term = one * decimal_log(one / other) - one + other if y else other
        square = float(log) ** 2
        root = float(log) if square >= 2.0**-1022 else nearest_root(Fraction(square))
        assert value("rmsle", [y], [p]) == pytest.approx(root, rel=2e-15, abs=0), p
        found = value("poisson_deviance", [y] * 10**3, [p] * 10**3, [1e-3] * 10**3)
        if term > LARGEST:
            assert found == Undefined("1000 rows have a term that float64 does not hold")
        elif 2 * term > LARGEST:
            assert found == TOO_LARGE
        else:
            assert found == pytest.approx(float(2 * term), rel=4e-15, abs=5e-324), p


# --- other tools ---------------------------------------------------------------------------------

RANDOM = np.random.default_rng(4)
COUNT = 5000
TRUTH = np.round(RANDOM.gamma(2.0, 3.0, COUNT), 2) + 0.01
PREDICTED = np.round(TRUTH * RANDOM.lognormal(0.0, 0.4, COUNT) + 0.01, 1) + 0.05
WEIGHTS: dict[str, Any] = {"none": None, "floats": RANDOM.random(COUNT) + 0.1}

SKLEARN = {
    "mae": "mean_absolute_error",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
    "mape": "mean_absolute_percentage_error",
    "r2": "r2_score",
    "rmsle": "root_mean_squared_log_error",
    "pinball": "mean_pinball_loss",
    "poisson_deviance": "mean_poisson_deviance",
    "median_ae": "median_absolute_error",
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", SKLEARN)
def test_scikit_learn_agrees(name: str, weights: str) -> None:
    metrics = package("sklearn.metrics", "scikit-learn")
    expected = getattr(metrics, SKLEARN[name])(TRUTH, PREDICTED, sample_weight=WEIGHTS[weights])
    found = getattr(sy, name)(TRUTH, PREDICTED, sample_weight=WEIGHTS[weights])
    assert found == pytest.approx(expected, rel=1e-12)


def test_scikit_learn_agrees_on_the_rest() -> None:
    metrics = package("sklearn.metrics", "scikit-learn")
    assert sy.max_error(TRUTH, PREDICTED) == metrics.max_error(TRUTH, PREDICTED)
    expected = metrics.mean_pinball_loss(TRUTH, PREDICTED, alpha=0.9)
    assert sy.pinball(TRUTH, PREDICTED, q=0.9) == pytest.approx(expected, rel=1e-12)
    clicks = RANDOM.integers(0, 2, COUNT)
    auc = metrics.roc_auc_score(clicks, PREDICTED)
    assert sy.normalized_gini(clicks, PREDICTED) == pytest.approx(2 * auc - 1, rel=1e-12, abs=1e-15)


def test_scipy_agrees() -> None:
    stats = package("scipy.stats", "scipy")
    assert len(np.unique(PREDICTED)) < COUNT // 10  # many ties
    spearman, kendall = stats.spearmanr(TRUTH, PREDICTED), stats.kendalltau(TRUTH, PREDICTED)
    assert sy.spearman(TRUTH, PREDICTED) == pytest.approx(spearman.statistic, rel=1e-12)
    assert sy.kendall(TRUTH, PREDICTED) == pytest.approx(kendall.statistic, rel=1e-12)


# --- laws ----------------------------------------------------------------------------------------


def dressed(name: str) -> dict[str, Any]:
    return {"zeros": "skip"} if name == "mape" else {}


wild = st.floats(allow_nan=False, allow_infinity=False) | few
# Weights 600 powers of two apart would have rank sums of 2,000 digits, which take seconds.
wild_rows = st.tuples(wild, wild, st.floats(1e-9, 1e9) | st.sampled_from([1.0, 0.1, 3.0]))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(table=st.lists(wild_rows, min_size=1, max_size=8), cut=st.integers(0, 8), data=st.data())
def test_splits_and_orders_do_not_matter(name: str, table: Any, cut: int, data: Any) -> None:
    whole = state_of(name, rows(*columns_of(table)))
    mixed = data.draw(st.permutations(table))
    parts = [part for part in (mixed[:cut], mixed[cut:]) if part]
    states = [state_of(name, rows(*columns_of(part))) for part in parts]
    merged = metric(name).state_spec({}).empty()
    for each in states:
        merged = merged.merge(type(each).loads(each.dumps()))
    assert merged.dumps() == whole.dumps() == state_of(name, *map_rows(parts)).dumps()
    assert repr(value_of(name, merged, **dressed(name))) == repr(
        value_of(name, whole, **dressed(name))
    )


def map_rows(parts: list[Any]) -> list[Batch]:
    return [rows(*columns_of(part)) for part in parts]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(table=st.lists(st.tuples(wild, wild, st.integers(1, 4)), min_size=1, max_size=6))
def test_a_weight_is_so_many_copies(name: str, table: Any) -> None:
    y, p, w = columns_of(table)
    many = [(a, b) for a, b, count in table for _ in range(count)]
    more = columns_of(many)
    weighed, copied = value(name, y, p, w, **dressed(name)), value(name, *more, **dressed(name))
    if isinstance(weighed, Undefined):  # the reason may count rows
        assert isinstance(copied, Undefined)
    else:
        assert repr(weighed) == repr(copied)


@pytest.mark.parametrize("name", NAMES)
def test_weights_of_any_type_and_unit(name: str) -> None:
    """Twice, or a third of a power of two times: ratios of weights are all that counts."""
    y, p = TRUTH[:300], PREDICTED[:300]
    w = RANDOM.integers(1, 2**20, 300)
    found = {
        repr(value(name, list(y), list(p), weight))
        for weight in (w, w.astype(np.float32), w * 2.0**-40, w.astype(np.uint64) * np.uint64(8))
    }
    assert len(found) == 1


def test_large_columns_are_added_in_blocks() -> None:
    """More rows than a block, an odd one in the last."""
    y = np.zeros(2**16 + 3)
    p = np.full(2**16 + 3, 2.0**-30)
    p[-1] = 2.0**500
    exact = (Fraction(2) ** 1000 + (2**16 + 2) * Fraction(2) ** -60) / (2**16 + 3)
    assert value("rmse", list(y), list(p)) == nearest_root(exact)


# --- states --------------------------------------------------------------------------------------


def sums_of(*terms: str, batch: Batch, key: str | None = None) -> Any:
    """The sums of the rows of a batch."""
    state = Sums(terms, key)
    state.update(batch)
    (line,) = view_of_sums(state, 0, TOTAL_SLICE).each()
    return line


def test_a_formula_is_worked_out_once_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks: its sum, the count of what float64 does not hold, other metrics."""
    calls = []
    formula = error_terms.squared

    def counted(y: Any, p: Any) -> Any:
        calls.append(len(y))
        return formula(y, p)

    monkeypatch.setitem(error_terms.FORMULAS, "squared", counted)
    monkeypatch.setitem(terms.SUMS, "squared", terms.Term(terms.formula_values(counted)))
    terms.find.cache_clear()
    try:
        line = sums_of("weight", "squared", "beyond squared", batch=rows([1, 2], [3, 4]))
    finally:
        terms.find.cache_clear()
    assert (line.exact("squared"), line.exact("beyond squared"), calls) == (8, 0, [2])


@given(st.lists(wild, min_size=1, max_size=9))
def test_squares_of_the_truth_are_exact(y: list[float]) -> None:
    """Wherever float64 holds them and does not underflow."""
    held = [x for x in y if x == 0 or 2.0**-484 <= abs(x) < 2.0**511.999]
    if held:
        line = sums_of("truth_squared", "truth_squared_rest", batch=rows(held, held))
        both = line.exact("truth_squared") + line.exact("truth_squared_rest")
        assert both == sum(Fraction(x) ** 2 for x in held)


@pytest.mark.parametrize("x", [2.0**-484, 3.5e-136, 1.1e154, 2.0**500, 2.0**512 - 2.0**459])
def test_the_ends_of_exact_squares(x: float) -> None:
    line = sums_of("truth_squared", "truth_squared_rest", batch=rows([x], [x]))
    both = line.exact("truth_squared") + line.exact("truth_squared_rest")
    assert both == Fraction(x) ** 2


@pytest.mark.parametrize("of", ["", "squares of", "squared truth", " truth", "x", "beyond x"])
def test_sums_that_there_are_not(of: str) -> None:
    with pytest.raises(ValueError, match="no term is called"):
        Sums([of])


def doubles(*values: float) -> tuple[str, bytes]:
    return "<f8", struct.pack(f"<{len(values)}d", *values)


PAIRS_HEADER = {
    "kind": "pairs",
    "config": {},
    "reading": READING,
    "negative_label": None,
    "units": [-1],  # weights count halves
}
PAIRS = {
    "0.sizes": ("<i8", struct.pack("<q", 3)),
    "0.truth": doubles(-1.0, 2.0, 2.0),
    "0.prediction": doubles(5.0, 0.0, 1.5),
    "0.weights.0": ("|u1", bytes([1, 4, 2])),
}


def test_golden_pairs() -> None:
    """Each pair once, by truth and then prediction, the weight of equal ones added."""
    made = Pairs()
    made.update(rows([2, -1, 2, 2], [1.5, 5, -0.0, 0.0], [1.0, 0.5, 1.5, 0.5]))
    assert made.dumps() == forge(PAIRS_HEADER, PAIRS)
    assert Pairs.loads(forge(PAIRS_HEADER, PAIRS)) == made


BASE = {"reading": READING, "negative_label": None}
NAMES_OF_SUMS = ["absolute", "weight", "zeros"]
# Of the weights 1 and ½: Σ w·|p − y| is 5/2, Σ w is 3/2, in multiples of 2**-31.
POWERS = {"absolute": -31, "weight": -31, "zeros": 0}
SUMS_HEADER = {
    "kind": "sums",
    "config": {"key": None, "terms": NAMES_OF_SUMS},
    "keys": [],
    "powers": [POWERS],
    **BASE,
}


def digit(number: int) -> tuple[str, bytes]:
    """One digit of 31 bits, in as few bytes as it needs."""
    return ("|u1", bytes([number])) if number < 256 else ("<u4", struct.pack("<I", number))


SUMS = {
    "0.absolute.0": digit(1 << 30),
    "0.absolute.1": digit(2),
    "0.weight.0": digit(1 << 30),
    "0.weight.1": digit(1),
    "0.zeros.0": digit(1),
}
EXTREMES_HEADER = {"kind": "extremes", "config": {"term": "absolute"}, **BASE}
EXTREMES = {"0.largest": doubles(2.0)}


def test_golden_sums_and_extremes() -> None:
    errors = Sums(NAMES_OF_SUMS)
    errors.update(rows([0, 1], [2, 0], [1.0, 0.5]))
    assert errors.dumps() == forge(SUMS_HEADER, SUMS)
    largest = Extremes("absolute")
    largest.update(rows([0, 1], [2, 0.75]))
    assert largest.dumps() == forge(EXTREMES_HEADER, EXTREMES)


FORGED_PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "out of order": ({}, {"0.truth": doubles(2.0, -1.0, 2.0)}),
    "predictions out of order": ({}, {"0.prediction": doubles(5.0, 1.5, 0.0)}),
    "a pair twice": ({}, {"0.prediction": doubles(5.0, 0.0, 0.0)}),
    "a zero below zero": ({}, {"0.prediction": doubles(5.0, -0.0, 1.5)}),
    "NaN": ({}, {"0.truth": doubles(-1.0, 2.0, float("nan"))}),
    "infinite": ({}, {"0.prediction": doubles(5.0, 0.0, float("inf"))}),
    "float32": ({}, {"0.truth": ("<f4", struct.pack("<3f", -1, 2, 2))}),
    "too few predictions": ({}, {"0.prediction": doubles(5.0, 0.0)}),
    "too few weights": ({}, {"0.weights.0": ("|u1", bytes([1, 4]))}),
    "a weight of zero": ({}, {"0.weights.0": ("|u1", bytes([1, 0, 2]))}),
    "float weights": ({}, {"0.weights.0": doubles(1, 4, 2)}),
    "a digit too large": ({}, {"0.weights.0": ("<u4", struct.pack("<3I", 1, 4, 1 << 31))}),
    "a second digit of another length": ({}, {"0.weights.1": ("|u1", bytes([1]))}),
    "another section": ({}, {"colour": ("|u1", bytes([1, 4, 2]))}),
    "rows of another slice": ({}, {"0.sizes": ("<i8", struct.pack("<2q", 2, 1))}),
    "rows too few": ({}, {"0.sizes": ("<i8", struct.pack("<q", 2))}),
    "a unit below every float": ({"units": [-1075]}, {}),
    "a unit too many": ({"units": [-1, 0]}, {}),
    "no reading": ({"reading": None}, {}),
}


@pytest.mark.parametrize(("header", "sections"), FORGED_PAIRS.values(), ids=FORGED_PAIRS)
def test_forged_pairs(header: dict[str, Any], sections: dict[str, Any]) -> None:
    with pytest.raises(StateError):
        Pairs.loads(forge(PAIRS_HEADER | header, PAIRS | sections))


def test_forged_pairs_without_weights() -> None:
    columns = PAIRS | {"0.sizes": ("<i8", struct.pack("<q", 1))}
    columns |= {"0.truth": doubles(1.0), "0.prediction": doubles(2.0)}
    del columns["0.weights.0"]
    table = Pairs.loads(forge(PAIRS_HEADER | {"units": [0]}, columns)).table()
    assert (table.truth.tolist(), table.prediction.tolist(), table.digits) == ([1.0], [2.0], None)
    with pytest.raises(StateError):
        Pairs.loads(forge(PAIRS_HEADER, columns))


FORGED: dict[str, tuple[type[State], dict[str, Any], dict[str, Any]]] = {
    "sums in another order": (
        Sums,
        {"config": {"key": None, "terms": ["zeros", "absolute", "weight"]}},
        {},
    ),
    "no sums": (Sums, {"config": {"key": None, "terms": []}}, {}),
    "a sum of what is none": (
        Sums,
        {"config": {"key": None, "terms": ["absolute", "weight", "zebras"]}},
        {},
    ),
    "half a row of zeros": (
        Sums,
        {"powers": [POWERS | {"zeros": -31}]},
        {"0.zeros.0": digit(1 << 30)},
    ),
    "errors below zero": (Sums, {}, {"0.absolute.negative": digit(1)}),
    "a power off the grid": (Sums, {"powers": [POWERS | {"weight": -30}]}, {}),
    "a power beyond all": (Sums, {"powers": [POWERS | {"weight": -31 * 1000}]}, {}),
    "a power that is none": (Sums, {"powers": [POWERS | {"weight": -31.0}]}, {}),
    "powers of two tables": (Sums, {"powers": [POWERS, POWERS]}, {}),
    "a digit too large": (Sums, {}, {"0.weight.0": digit(1 << 31)}),
    "a digit in wide numbers": (Sums, {}, {"0.weight.1": ("<u4", struct.pack("<I", 1))}),
    "a digit of zero on top": (Sums, {}, {"0.weight.2": digit(0)}),
    "a digit of two lines": (Sums, {}, {"0.weight.1": ("|u1", bytes([1, 1]))}),
    "sums that nobody read": (Sums, {"reading": None}, {}),
    "sums and a colour": (Sums, {}, {"colour": doubles(1.0)}),
    "an error below zero": (Extremes, {}, {"0.largest": doubles(-1.0)}),
    "an error of -0.0": (Extremes, {}, {"0.largest": doubles(-0.0)}),
    "an error that is none": (Extremes, {}, {"0.largest": doubles(float("nan"))}),
    "errors of two slices": (Extremes, {}, {"0.largest": doubles(2.0, 1.0)}),
    "an error as float32": (Extremes, {}, {"0.largest": ("<f4", struct.pack("<f", 2.0))}),
    "an error that nobody read": (Extremes, {"reading": None}, {}),
    "an error and a colour": (Extremes, {}, {"colour": doubles(1.0)}),
    "the largest of what is none": (Extremes, {"config": {"term": "zebras"}}, {}),
}


@pytest.mark.parametrize(("kind", "fields", "changes"), FORGED.values(), ids=FORGED)
def test_forged_sums_and_extremes(
    kind: type[State], fields: dict[str, Any], changes: dict[str, Any]
) -> None:
    header: dict[str, Any] = SUMS_HEADER if kind is Sums else EXTREMES_HEADER
    sections = SUMS if kind is Sums else EXTREMES
    kind.loads(forge(header, sections))
    with pytest.raises(StateError):
        kind.loads(forge(header | fields, sections | changes))


# The metric, truths, predictions, and why there is no value: rows that are not of a metric's kind
# come before terms that float64 does not hold, and a row with two such terms counts once.
NO_VALUE = [
    ("poisson_deviance", [4e307, 1], [3e302, 0], "1 row has a truth below 0 or a prediction …"),
    ("mape", [1e-300, 0], [1e300, 1], "1 row has a truth of 0: …"),
    ("mape(zeros=skip)", [1e-300, 0], [1e300, 1], ONE_BEYOND.why),
    ("pinball", [-1.7e308, 1.7e308], [1.7e308, -1.7e308], TWO_BEYOND.why),
    ("r2", [1e200, 1, 2], [1e200, 1e200, 2], TWO_BEYOND.why),
    ("r2", [1e200, 1], [0, 1], ONE_BEYOND.why),
    ("r2", [1.1e-146, 2e-146, 1], [1, 1, 1], TWO_BEYOND.why),
]


@pytest.mark.parametrize(("metric", "truth", "predicted", "why"), NO_VALUE)
def test_reasons_come_in_order(
    metric: str, truth: list[float], predicted: list[float], why: str
) -> None:
    row = sy.evaluate(label=truth, prediction=predicted, metrics=metric).rows[0]
    assert row.value is None
    assert (row.why or "").startswith(why.rstrip("…"))
    assert row.details == ({"skipped": 1} if "skip" in metric else {})


def test_small_truths_have_exact_squares_as_far_as_float64_holds_them() -> None:
    truth = [3e-136 * (1 + 1e-9), 3e-136]
    assert sy.r2(truth, [3e-136] * 2) == -1.0  # predictions are one of the two truths
