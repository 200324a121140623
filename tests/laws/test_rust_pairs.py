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
