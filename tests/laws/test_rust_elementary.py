"""Compiled logarithms and exp give the bits of the NumPy kernels, for any numbers and threads."""

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.model import Array
from tests.effort import random_cases

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")


def numbers(rng: np.random.Generator, rows: int) -> Array:
    """Numbers from 0 of every size, ends and neighbours of 1 among them."""
    kind = rng.integers(5)
    if kind == 0:
        return rng.random(rows)
    if kind == 1:
        bits = rng.integers(0, 0x7FF0_0000_0000_0000, rows)
        return bits.view(np.float64)
    if kind == 2:
        return 1.0 + rng.integers(-9, 9, rows) * 2.0**-53
    if kind == 3:
        return rng.choice([0.0, -0.0, 1.0, 5e-324, 1e-310, 0.5, 1e-17, 2.0**-1022], rows)
    return np.exp(rng.normal(0, 30, rows))


def check(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    values, happened = numbers(rng, rows), rng.random(rows) < rng.random()
    chances = np.minimum(values, 1.0)
    signed = np.where(happened, values, -values)
    with threads.limited(int(rng.integers(1, 4))):
        assert rust.log(values).tobytes() == specification.log(values).tobytes(), seed
        assert rust.exp(signed).tobytes() == specification.exp(signed).tobytes(), seed
        for name, columns in (("log_chance", (chances, happened)), ("log_complement", (chances,))):
            found, wanted = (getattr(kernel, name)(*columns) for kernel in (rust, specification))
            assert found.tobytes() == wanted.tobytes(), seed


def test_the_bits_of_the_specification() -> None:
    for seed in range(random_cases(200, 50_000)):
        check(seed, 1 + seed % 40)


def test_many_rows_have_the_bits_of_the_specification() -> None:
    for seed in range(random_cases(4, 400)):
        check(seed, 200_000 + seed)


def test_narrow_numbers() -> None:
    """float32 chances, and columns with gaps in memory."""
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    chances = np.linspace(0, 1, 99, dtype=np.float32)[::2]
    happened = np.arange(99)[::2] % 3 == 0
    found = rust.log_chance(chances, happened)
    assert found.tobytes() == specification.log_chance(chances, happened).tobytes()
    assert rust.log(chances).tobytes() == specification.log(chances).tobytes()
