"""Compiled pairs of rows give what the NumPy kernels give, for any codes, slices and weights."""

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels.interface import Digits, RankedPairs
from tests.effort import random_cases

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")


def drawn_digits(rng: np.random.Generator, rows: int) -> Digits | None:
    """Weights of up to 93 bits, which the compiled kernel declines, or none."""
    count, bits = rng.integers(0, 4), rng.choice([3, 20, 31])
    return tuple(rng.integers(1, 1 << bits, rows).astype(np.uint32) for _ in range(count)) or None


def check(seed: int, rows: int | None = None) -> None:
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    rows = int(rng.choice([0, 1, 2, 30, 300, 5000])) if rows is None else rows
    cuts = np.sort(rng.integers(0, rows + 1, int(rng.choice([0, 1, 40]))))
    starts, digits = np.array([0, *cuts.tolist(), rows]), drawn_digits(rng, rows)
    kinds = [int(rng.choice([1, 2, 7, 100, 1 << 30])) for _ in range(2)]
    columns = [rng.integers(0, kind, rows) / kind for kind in kinds]
    if rng.random() < 0.3:
        columns[1] = columns[0] + columns[1] / 100
    truth, prediction = (specification.rank_values(starts, each, digits) for each in columns)
    pairs = RankedPairs(starts, digits, truth, prediction)
    found, expected = rust.order_sums(pairs), specification.order_sums(pairs)
    for one, other in zip(found, expected, strict=True):
        assert one.tolist() == other.tolist(), seed
        assert {type(number) for number in one.tolist()} <= {int}


def test_pairs_in_order_are_those_of_the_specification() -> None:
    for seed in range(random_cases(150, 20_000)):
        check(seed)
    check(1, 200_000)


def check_areas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    rows, count = int(rng.choice([0, 1, 2, 30, 300, 5000])), int(rng.choice([1, 2, 7, 65]))
    scores = np.sort(rng.integers(0, int(rng.choice([1, 20, 10_000])), rows))
    edges = np.flatnonzero(np.append(scores[1:] != scores[:-1], [True] * min(rows, 1))) + 1
    edges = np.append(0, edges)
    positive = rng.random(rows) < rng.choice([0, 0.1, 0.9, 1])
    codes = rng.integers(0, count, rows).astype(rng.choice(["u1", "u4", "i8"]))
    digits = tuple(rng.integers(0, 1 << 31, (seed % 5, rows)).astype(np.uint32)) or None
    columns = (edges, positive, codes, count, digits)
    found, expected = rust.pair_areas(*columns), specification.pair_areas(*columns)
    for one, other in zip(found, expected, strict=True):
        assert one.tolist() == other.tolist(), seed
        assert {type(number) for number in one.ravel().tolist()} <= {int}


def test_areas_of_pairs_of_slices_are_those_of_the_specification() -> None:
    """Of up to three digits in each row by the compiled kernel."""
    for seed in range(random_cases(150, 20_000)):
        check_areas(seed)


def test_columns_of_areas_that_do_not_fit_are_an_error() -> None:
    from steelyard.kernels import _rust

    positive, codes = np.array([True, False]), np.zeros(2, np.uint32)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.pair_areas(np.array([0, 3]), positive, codes, 1, [], True)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.pair_areas(np.array([0, 2]), positive, codes, 1, [codes[:1]], True)
    with pytest.raises(RuntimeError, match="compiled kernel failed"):
        _rust.pair_areas(np.array([0, 2]), positive, codes + 1, 1, [], True)
