"""Compiled sorted tables have the rows of the NumPy kernels, for any rows and number of threads."""

from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.digits import integers
from steelyard.kernels.interface import ScoreChunk, SortedTable
from tests.effort import random_cases
from tests.laws.kernel_rows import draw_rows, unit_of

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")


def content(table: SortedTable) -> list[Any]:
    """What a table says: bits of the scores, and rows of equal scores in one order."""
    found: list[Any] = [table.unit]
    for place, side in enumerate(table[:2]):
        codes = np.repeat(np.arange(len(side.starts) - 1), np.diff(side.starts))
        columns = [codes.tolist(), side.scores.tolist()]
        if side.digits is not None:
            assert all(digit.dtype in (np.uint32, np.int64) for digit in side.digits)
            columns.append(integers(side.digits).tolist())
        if table.clusters is not None:
            columns.append(table.clusters[place].tolist())
            found.append(table.clusters[place].dtype)
        rows = sorted(zip(*columns, strict=True))
        found += [side.starts.tolist(), side.scores.tobytes(), side.scores.dtype]
        found += [side.digits is None, rows]
    return found


def draw_chunks(seed: int, large: bool = False) -> tuple[list[ScoreChunk], int, int]:
    """Chunks, some with clusters, how many slices there are, and the unit of weights."""
    chunks, slices = draw_rows(seed, large)
    unit = unit_of([chunk.weights for chunk in chunks])
    if seed % 3 == 0:
        rng = np.random.default_rng(seed)
        types = ["u4"] if seed % 2 else ["u1", "u4", "u8", "i8"]
        chunks = [
            each._replace(clusters=rng.integers(0, 9, len(each.scores)).astype(rng.choice(types)))
            for each in chunks
        ]
    return chunks, slices, unit


def check(seed: int, large: bool = False) -> None:
    given = draw_chunks(seed, large)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    expected = content(specification.sort_scores(*given))
    with threads.limited(1):
        alone = rust.sort_scores(*given)
    with threads.limited(3):
        found = rust.sort_scores(*given)
    assert content(alone) == expected, seed
    # The order of equal scores does not depend on threads either.
    for one, other in zip(alone[:2], found[:2], strict=True):
        columns = zip(one.digits or (), other.digits or (), strict=True)
        assert all(map(np.array_equal, one[:2], other[:2])), seed
        assert all(np.array_equal(*both) for both in columns), seed
    for both in zip(alone.clusters or (), found.clusters or (), strict=True):
        assert np.array_equal(*both), seed


def test_tables_have_the_rows_of_the_specification() -> None:
    for seed in range(random_cases(300, 50_000)):
        check(seed)


def test_tables_of_many_parts_have_the_rows_of_the_specification() -> None:
    for seed in range(random_cases(4, 200)):
        check(seed, large=True)


def test_columns_with_gaps_in_memory() -> None:
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    scores = np.linspace(1, 0, 99, dtype=np.float32)[::2]
    codes, positive = np.arange(99)[::2] % 3, np.arange(99)[::2] % 4 == 0
    chunk = ScoreChunk(codes, scores, positive, np.arange(1, 100)[::2], np.arange(99)[::2])
    found, expected = (kernel.sort_scores([chunk], 3, 0) for kernel in (rust, specification))
    assert content(found) == content(expected)


def test_columns_that_do_not_fit_are_an_error() -> None:
    from steelyard.kernels import _rust

    def side(rows: int, slices: int = 1) -> Any:
        return np.empty(slices + 1, np.int64), np.empty(rows), None

    chunk = (None, np.zeros(3), np.array([True, False, False]), None)
    with pytest.raises(RuntimeError, match="do not fit"):
        _rust.sort_scores([chunk], 1, [side(2), side(1)], 1)
    with pytest.raises(RuntimeError, match="do not fit"):
        _rust.sort_scores([chunk], 1, [side(0), side(2)], 1)
    with pytest.raises(ValueError, match="another length"):
        _rust.sort_scores([chunk], 1, [side(1, 2), side(2)], 1)
    with pytest.raises(TypeError, match="carry"):
        _rust.sort_scores([(*chunk[:3], np.zeros(3, np.uint32))], 1, [side(1), side(2)], 1)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.gather(np.zeros(2, np.uint32), np.zeros(2, np.uint32), np.zeros(3, np.uint32), 1)
    result = np.zeros(2, np.uint32)
    _rust.gather(np.arange(2, dtype=np.uint32), np.full(2, 9, np.uint32), result, 1)
    assert result.tolist() == [1, 1]  # a place beyond the column is its last
