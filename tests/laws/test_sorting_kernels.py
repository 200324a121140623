"""Kernels that sort, collapse and place rows, against sorted lists and dictionaries of Python."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.kernels.collapsing import collapse
from steelyard.kernels.interface import MASK, Array, Digits, KeyedRun, Run
from steelyard.kernels.numpy import exact, score_sorting, sorting
from steelyard.kernels.row_blocks import BLOCK
from steelyard.states.weights import weight_between
from tests.laws.kernel_numbers import are_digits, digits_of, integers_of

RANDOM = np.random.default_rng(20)
MANY = exact.BLOCK + 7  # a whole block and a rest

SPECIAL = [-0.0, 0.0, 5e-324, -5e-324, 1e308, -1e308, 1.0, -1.0, 1.0, 0.5, 2.0**-1022]


def near(count: int) -> Array:
    """float64 that agree in their top 40 bits and more: equal in the kept bits of a key."""
    bits = np.float64(0.75).view(np.int64) + RANDOM.integers(0, 40, count)
    return bits.view(np.float64)


# What each column of scores tests.
SCORES: dict[str, Array] = {
    "empty": np.zeros(0),
    "one value": np.array([0.25]),
    "two in the wrong order": np.array([2.0, 1.0]),
    "both zeros, subnormals, extremes": np.array(SPECIAL),
    "negative scores": RANDOM.normal(size=1000),
    "all equal": np.full(100, -0.0),
    "duplicates": RANDOM.integers(-3, 4, 1000).astype(float),
    "ties in the kept bits": near(5000),
    "near neighbours of both signs": np.concatenate([near(3000), -near(3000)]),
    "near neighbours among others": np.concatenate([near(500), RANDOM.normal(size=500)]),
    "descending, more than a block": np.linspace(1, -1, MANY),
}
COLUMNS: dict[str, Callable[[int], Digits]] = {
    "no column": lambda n: (),
    "uint32": lambda n: (np.arange(n, dtype=np.uint32) * np.uint32(3_000_017),),
    "int32": lambda n: (np.arange(n, dtype=np.int32) % 1000,),
    "float32": lambda n: ((np.arange(n) % 911 + 0.5).astype(np.float32),),
    "int64": lambda n: ((1 << 62) + np.arange(n, dtype=np.int64),),
    "uint64": lambda n: ((1 << 63) + np.arange(n, dtype=np.uint64),),
    "float64": lambda n: (np.arange(n) + 0.5,),
    "two columns": lambda n: (np.arange(n, dtype=np.uint32), np.arange(n, dtype=np.uint32)[::-1]),
}


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sort_rows(dtype: type, scores: Array, columns: Callable[[int], Digits]) -> None:
    with np.errstate(over="ignore"):
        scores = np.nan_to_num(scores.astype(dtype))  # 1e308 is beyond float32: its largest
    given_columns = columns(len(scores))
    copies = [column.copy() for column in given_columns]
    sorted_scores, carried = sorting.sort_rows(scores.copy(), given_columns)  # uses up the scores

    assert sorted_scores.dtype == dtype
    assert [column.dtype for column in carried] == [column.dtype for column in given_columns]
    assert not np.signbit(sorted_scores[sorted_scores == 0]).any()
    rows = zip(scores.tolist(), *(column.tolist() for column in given_columns), strict=True)
    found = zip(sorted_scores.tolist(), *(column.tolist() for column in carried), strict=True)
    found_rows = list(found)
    assert all(a[0] <= b[0] for a, b in pairwise(found_rows))
    assert sorted(found_rows) == sorted(rows)  # -0.0 == 0.0; rows of one score in any order
    assert all(np.array_equal(a, b) for a, b in zip(given_columns, copies, strict=True))


@pytest.mark.parametrize("rows", [0, 1, 10, BLOCK, 3 * BLOCK + 5])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_split(rows: int, share: float) -> None:
    chosen = RANDOM.random(rows) < share
    wide = np.arange(rows, dtype=np.uint64) + 2**63
    columns: Digits = (np.arange(rows, dtype=np.float32), wide)
    cut = rows // 3
    parts = score_sorting.split(
        [chosen[:cut], chosen[cut:]],
        [tuple(c[:cut] for c in columns), tuple(c[cut:] for c in columns)],
    )
    for part, is_mine in zip(parts, (True, False), strict=True):
        for column, mine in zip(columns, part, strict=True):
            assert mine.dtype == column.dtype
            assert not np.shares_memory(mine, column)
            rows_ = zip(column.tolist(), chosen.tolist(), strict=True)
            assert mine.tolist() == [value for value, is_in in rows_ if is_in == is_mine]


def table(run: Run) -> dict[float, int]:
    """Score to weight, by a dictionary."""
    weights = integers_of(run.digits) if run.digits is not None else [1] * len(run.scores)
    sums: dict[float, int] = {}
    for score, weight in zip(run.scores.tolist(), weights, strict=True):
        sums[score] = sums.get(score, 0) + weight
    return sums


def a_run(draw: st.DrawFn, *, largest: int) -> Run:
    scores = sorted(draw(st.lists(st.integers(-4, 4), max_size=12)))
    if draw(st.booleans()):
        return Run(np.array(scores, np.float64), None)
    number = st.integers(0, largest) | st.integers(largest - 3, largest)
    numbers = draw(st.lists(number, min_size=len(scores), max_size=len(scores)))
    return Run(np.array(scores, np.float64), digits_of(numbers, np.uint32))


@st.composite
def small_runs(draw: st.DrawFn) -> Run:
    return a_run(draw, largest=draw(st.sampled_from([3, MASK, 2**62 - 1, 2**93 - 1])))


@given(run=small_runs())
def test_collapse(run: Run) -> None:
    collapsed = collapse(KeyedRun(np.array([0, len(run.scores)]), *run))
    assert collapsed.starts.tolist() == [0, len(collapsed.scores)]
    weights = integers_of(collapsed.digits) if collapsed.digits else [1] * len(collapsed.scores)
    expected = table(run)
    assert collapsed.scores.tolist() == sorted(expected)
    assert dict(zip(collapsed.scores.tolist(), weights, strict=True)) == expected
    assert collapsed.digits is None or are_digits(collapsed.digits)


def test_collapse_carries_beyond_int32() -> None:
    """Many rows of the largest digit at one score: the digit's sum takes 31 + 16 bits."""
    rows = MANY
    run = Run(np.zeros(rows), (np.full(rows, MASK, np.uint32), np.full(rows, MASK, np.uint32)))
    collapsed = collapse(KeyedRun(np.array([0, rows]), *run))
    assert collapsed.digits is not None
    assert are_digits(collapsed.digits)
    assert integers_of(collapsed.digits) == [rows * (2**62 - 1)]


@given(positives=small_runs(), negatives=small_runs())
def test_place(positives: Run, negatives: Run) -> None:
    placed = sorting.place(positives.scores, negatives.scores)
    ups, downs = positives.scores.tolist(), negatives.scores.tolist()
    scores = sorted(set(ups))
    assert placed.scores.tolist() == scores
    assert placed.starts.tolist() == [sum(t < s for t in ups) for s in scores]
    assert placed.below.tolist() == [sum(t < s for t in downs) for s in scores]
    assert placed.past.tolist() == [sum(t <= s for t in downs) for s in scores]
    assert (placed.past is placed.below) == (not set(ups) & set(downs))


@given(run=small_runs(), data=st.data())
def test_weight_between(run: Run, data: st.DataObject) -> None:
    """The weights of states between any bounds, also where each row has weight 1."""
    size = len(run.scores)
    bounds = sorted(data.draw(st.lists(st.integers(0, size), min_size=1, max_size=6)))
    found = weight_between(run.digits, np.array(bounds))
    weights = integers_of(run.digits) if run.digits else [1] * size
    assert are_digits(found)
    assert integers_of(found) == [sum(weights[a:b]) for a, b in pairwise(bounds)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_place_many_rows(dtype: type) -> None:
    """More than a block of rows with heavy ties."""
    scores: Array = np.sort(RANDOM.integers(0, 50, MANY)).astype(dtype)
    placed = sorting.place(scores, scores)
    counts = np.bincount(scores.astype(int), minlength=50).tolist()
    values = [int(score) for score in placed.scores]
    assert values == [score for score in range(50) if counts[score]]
    assert placed.starts.tolist() == placed.below.tolist() == [sum(counts[:s]) for s in values]
    assert placed.past.tolist() == [sum(counts[: s + 1]) for s in values]
