"""Terms of regression one by one: logarithms, types of weights, long columns."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import AnyValue, Undefined
from tests.tables.harness import called

EVERY = [metric for metric in catalogue.every() if metric.family == "regression"]
NAMES = [metric.name for metric in EVERY]
NUMBERS = [metric.name for metric in EVERY if metric.shape is None]
LARGEST = 1.7976931348623157e308
TOO_LARGE = Undefined("it is beyond the largest float64")


def value(name: str, y: Any, p: Any, w: Any = None) -> AnyValue:
    return called(getattr(sy, name), y, p, sample_weight=w)


@pytest.mark.parametrize("name", NAMES)
def test_no_row_is_left(name: str) -> None:
    found = called(getattr(sy, name), [np.nan, 1.0], [1.0, np.nan], nan="drop")
    assert found == Undefined("there are no rows")


def nearest_root(square: Fraction) -> float:
    """The float64 nearest to √square, by integer arithmetic with 400 spare bits."""
    scale = 1 << 2600
    return float(Fraction(isqrt(square.numerator * scale * scale // square.denominator), scale))


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


RANDOM = np.random.default_rng(4)
TRUTH = np.round(RANDOM.gamma(2.0, 3.0, 300), 2) + 0.01
PREDICTED = np.round(TRUTH * RANDOM.lognormal(0.0, 0.4, 300) + 0.01, 1) + 0.05


@pytest.mark.parametrize("name", NUMBERS)  # histograms show the weights themselves
def test_weights_of_any_type_and_unit(name: str) -> None:
    """Twice, or a third of a power of two times: ratios of weights are all that counts."""
    w = RANDOM.integers(1, 2**20, 300)
    found = {
        repr(value(name, TRUTH, PREDICTED, weight))
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
