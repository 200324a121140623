"""The compiled sums and maxima over points of curves give what the NumPy kernels give."""

from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import Array, CurvePoints, ExactSums
from steelyard.kernels.interface.curves import CurveMeasure, Term, Upwards
from tests.laws.kernel_rows import draw_rows, unit_of

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")
FITS = 1 << 62


def draw_points(rng: np.random.Generator, seed: int, large: bool) -> tuple[CurvePoints, Upwards]:
    """The points of all rows; of every second seed those of a range of them."""
    chunks, slices = draw_rows(seed, large)
    unit = unit_of([chunk.weights for chunk in chunks])
    totals, points = kernels.available()["numpy"].curve_points(chunks, slices, unit, points=True)
    assert points is not None
    wide = max((totals.positives.astype(object) + totals.negatives).tolist()) >= FITS
    columns = [each.astype(object if wide else np.int64) for each in totals[:2]]
    if seed % 2:
        columns = [column + rng.integers(1, 1000) for column in columns]  # more of them above
    return points, Upwards(*columns)


def values_of(sums: ExactSums, count: int) -> list[Fraction]:
    found = [Fraction(0)] * count
    for power, column in sums.items():
        found = [a + b * Fraction(2) ** power for a, b in zip(found, column.tolist(), strict=True)]
    return found


def draw_factors(rng: np.random.Generator, upwards: Upwards) -> tuple[Array, Array]:
    """Shares of the totals, totals, and small or large numbers."""
    share = int(rng.integers(0, 11))
    columns = [each.astype(object) * share // 10 for each in upwards]
    small = np.full(len(columns[0]), int(rng.integers(0, 4)), object)
    large = np.full(len(columns[0]), 10**30, object)
    left, right = (rng.choice(4, p=[0.4, 0.4, 0.17, 0.03]) for _ in range(2))
    up, down = ([*columns, small, large][place] for place in (left, right))
    return narrow(up), narrow(down)


def narrow(column: Array) -> Array:
    return column if max(column.tolist()) >= FITS else column.astype(np.int64)


def check(seed: int, large: bool = False) -> None:
    rng = np.random.default_rng(seed)
    points, upwards = draw_points(rng, seed, large)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    for term in get_args(Term):
        expected = values_of(specification.curve_sums(points, upwards, term), len(upwards[0]))
        for number in (1, 3):
            with threads.limited(number):
                found = rust.curve_sums(points, upwards, term)
            assert values_of(found, len(upwards[0])) == expected, (seed, term)
    for measure in get_args(CurveMeasure):
        up, down = draw_factors(rng, upwards)
        chosen: Any = specification.curve_most(points, upwards, measure, up, down)
        for number in (1, 3):
            with threads.limited(number):
                most = rust.curve_most(points, upwards, measure, up, down)
            for column, wanted in zip(most, chosen, strict=True):
                assert column.tolist() == wanted.tolist(), (seed, measure)


def test_terms_and_maxima_are_those_of_the_specification() -> None:
    for seed in range(60):
        check(seed)


@pytest.mark.full
def test_terms_and_maxima_of_many_seeds() -> None:
    for seed in range(1000, 4000):
        check(seed, large=seed % 500 == 0)


def test_terms_of_many_points_are_those_of_the_specification() -> None:
    """More than one thread adds: more than 131,072 points."""
    rng, count = np.random.default_rng(0), 300_000
    own, tied = rng.integers(1, 3, count).astype(np.uint32), np.zeros(count, np.uint32)
    below = rng.integers(0, 2, count).cumsum().astype(np.uint32)
    starts = np.array([0, 250_000, count])
    points = CurvePoints(starts, np.arange(count, dtype=float), own, below, tied)
    upwards = Upwards(np.full(2, own.sum(), np.int64), np.full(2, 10**6))
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    with threads.limited(3):
        for term in get_args(Term):
            left, right = (k.curve_sums(points, upwards, term) for k in (rust, specification))
            assert values_of(left, 2) == values_of(right, 2)
        for measure in get_args(CurveMeasure):
            factors = upwards.negatives // 2, upwards.positives // 2
            one, other = (
                k.curve_most(points, upwards, measure, *factors) for k in (rust, specification)
            )
            assert [x.tolist() for x in one] == [x.tolist() for x in other]


def test_columns_of_points_that_do_not_fit_are_an_error() -> None:
    from steelyard.kernels import _rust

    whole, starts = np.ones(3, np.uint32), np.array([0, 3])
    tops, sums = (np.ones(1, np.int64), np.ones(1, np.int64)), np.empty(8, np.int64)
    for columns in (
        (starts, whole[:2], whole, None, tops),
        (starts, None, whole, whole[:2], tops),
        (np.array([0, 4]), None, whole, None, tops),
        (np.array([0, 3, 2, 3]), None, whole, None, (np.ones(3, np.int64),) * 2),
        (starts, None, whole, None, (np.ones(2, np.int64), tops[1])),
    ):
        with pytest.raises(ValueError, match="different lengths"):
            _rust.curve_sums(columns, "precision", sums, 1)
    with pytest.raises(ValueError, match="another length"):
        _rust.curve_sums((starts, None, whole, None, tops), "precision", sums[:7], 1)
    assert not _rust.curve_sums((starts, None, whole, None, tops), "no such term", sums, 1)
