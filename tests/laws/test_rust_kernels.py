"""The compiled kernels give the bits of the NumPy kernels, for any rows and number of threads."""

import signal
from importlib import import_module
from itertools import product
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import Kernels, ScoreChunk
from tests.laws.kernel_rows import SCORES, draw_rows, unit_of

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")


def is_same(left: Any, right: Any) -> bool:
    """The same types and bits; a column of Python integers the same numbers."""
    if left is None or right is None:
        return left is right
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype == object:
        return bool((left == right).all()) and all(type(x) is int for x in left.tolist())
    return bool(left.tobytes() == right.tobytes())


def filled(points: Any) -> Any:
    """Points with columns of 1 and 0 where a kernel may leave them out."""
    ones, zeros = np.ones_like(points.below), np.zeros_like(points.below)
    return points._replace(
        positives=ones if points.positives is None else points.positives,
        tied=zeros if points.tied is None else points.tied,
    )


def check_curves(seed: int, large: bool) -> None:
    check_rows(*draw_rows(seed, large), seed)


def check_rows(chunks: list[ScoreChunk], slices: int, seed: int) -> None:
    unit = unit_of([chunk.weights for chunk in chunks])
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    expected, points = specification.curve_points(chunks, slices, unit, points=True)
    for number in (1, 3):
        with threads.limited(number):
            found, found_points = rust.curve_points(chunks, slices, unit, points=True)
            alone, none = rust.curve_points(chunks, slices, unit, points=False)
        assert none is None
        assert all(map(is_same, found, expected)), seed
        assert all(map(is_same, alone, expected)), seed
        assert found_points is not None
        assert all(map(is_same, filled(found_points), filled(points))), seed


def test_each_function_of_the_compiled_kernels_is_in_use() -> None:
    """A function that nobody imports would leave NumPy's in its place, with the same bits."""
    rust: Any = kernels.available()["rust"]
    wanted = {name for name in dir(Kernels) if not name.startswith("_")}
    found = set()
    for module in iter_modules(rust.__path__):
        own = import_module(f"{rust.__name__}.{module.name}")
        for name in wanted & {*vars(own)}:
            if getattr(own, name).__module__ == own.__name__:
                assert getattr(rust, name) is getattr(own, name), name
                found.add(name)
    assert {"curve_points", "order_sums", "plain_rows"} <= found < wanted


def test_curves_have_the_bits_of_the_specification() -> None:
    for seed in range(300):
        check_curves(seed, large=False)


def test_curves_of_many_parts_have_the_bits_of_the_specification() -> None:
    for seed in range(12):
        check_curves(seed, large=True)


def test_a_rare_class_or_few_scores_change_no_bit() -> None:
    """One slice of many rows: scores of a rare class in a table, few scores that are counted."""
    kinds = (
        *SCORES,
        lambda rng, n: 1 / (1 + np.exp(-rng.normal(size=n))),
        lambda rng, n: rng.integers(0, 5_000, n) / 5_000,  # about as many as are counted
        lambda rng, n: np.where(rng.random(n) < 0.02, 0.5, rng.random(n)),
        lambda rng, n: rng.normal(size=n) ** 9,
    )
    for seed, (score, share, type_) in enumerate(product(kinds, (0.01, 0.5, 0.9), ("f4", "f8"))):
        rng = np.random.default_rng(seed)
        with np.errstate(over="ignore", under="ignore"):
            scores = score(rng, 50_000).astype(type_)
        scores[~np.isfinite(scores)] = 1
        weights = rng.random(50_000, np.float32) + np.float32(0.001)
        for own in (None, weights):
            check_rows([ScoreChunk(None, scores, rng.random(50_000) < share, own)], 1, seed)


@pytest.mark.full
def test_curves_of_many_seeds() -> None:
    for seed in range(1000, 101_000):
        check_curves(seed, large=seed % 500 == 0)


def test_an_interruption_ends_a_kernel() -> None:
    """Ctrl-C is honoured within a second, also where the kernel would go on for longer."""
    rng = np.random.default_rng(0)
    scores = rng.random(1 << 23, np.float32)
    chunk = ScoreChunk(None, scores, scores < 0.5)

    def ring(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            kernels.available()["rust"].curve_points([chunk] * 64, 1, 0, points=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_columns_that_do_not_fit_are_an_error() -> None:
    """The binding checks what it is given: no slice of it reads beyond a column."""
    from steelyard.kernels import _rust

    scores, positive = np.zeros(3), np.zeros(3, bool)
    for chunk in (
        (None, scores, positive[:2], None),
        (np.zeros(2, np.uint32), scores, positive, None),
        (None, scores, positive, np.ones(4)),
    ):
        with pytest.raises(ValueError, match="different lengths"):
            _rust.curve_points([chunk], 2, 0, False, 1)
    with pytest.raises(TypeError, match="another type"):
        _rust.curve_points([(None, scores, np.zeros(3), None)], 1, 0, False, 1)
    with pytest.raises(TypeError, match="contiguous"):
        _rust.curve_points([(None, np.zeros(6)[::2], positive, None)], 1, 0, False, 1)
    beyond = (np.full(3, 9, np.uint32), scores, positive, None)
    assert _rust.curve_points([beyond], 2, 0, False, 1) is not None
