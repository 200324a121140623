"""Kernels of rows by slice against literal Python: lists, dictionaries and fractions.

Slices may be empty, codes come in every unsigned type, scores tie, are negative or subnormal, and
lie as far apart as float64 allows.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.kernels.collapsing import collapse
from steelyard.kernels.interface import MASK, Array, Digits, Kernels, KeyedRun
from steelyard.kernels.numpy import keyed
from steelyard.kernels.numpy.coded import exact_sums_of
from steelyard.kernels.numpy.keyed import dot_by_slice
from tests.laws.kernel_numbers import are_digits, digits_of, each_kernel, fractions_of, integers_of

TYPES = {"uint8": 7, "uint16": 300, "uint32": 70_000, "int64": 5}  # and how many codes there are
SCORES = [-1e308, -1.0, -5e-324, -0.0, 0.0, 5e-324, 2.0**-1022, 0.25, 0.5, 1e308]
NARROW = [-3e38, -1.0, -1e-45, -0.0, 0.0, 1e-45, 2.0**-126, 0.25, 0.5, 3e38]

Slices = list[list[float]]


@st.composite
def rows(draw: st.DrawFn) -> tuple[Array, int, Array]:
    """Codes of one type, how many there are, and scores of one type."""
    name = draw(st.sampled_from(sorted(TYPES)))
    count = TYPES[name]
    code = st.sampled_from([0, 1, 3, count - 1])
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    score = st.sampled_from(NARROW if dtype == np.float32 else SCORES)
    drawn = draw(st.lists(st.tuples(code, score), max_size=12))
    codes = np.array([code for code, _ in drawn], name)
    return codes, count, np.array([score for _, score in drawn], dtype)


CARRIED: dict[str, tuple[Any, ...]] = {
    "nothing": (),
    "uint32": (np.uint32,),
    "float32": (np.float32,),
    "float64": (np.float64,),
    "two": (np.uint32, np.int64),
}


@pytest.mark.parametrize("long", [False, True], ids=["all at once", "one by one"])
@pytest.mark.parametrize("carried", CARRIED.values(), ids=CARRIED)
@given(given_rows=rows())
def test_sort_keyed(
    carried: tuple[Any, ...],
    long: bool,
    given_rows: tuple[Array, int, Array],
) -> None:
    codes, count, scores = given_rows
    columns = tuple(np.arange(len(codes)).astype(dtype) for dtype in carried)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyed, "LONG", 1 if long else 1 << 12)
        found = keyed.sort_keyed(codes, count, scores.copy(), columns)
    starts = found.starts.tolist()
    assert len(starts) == count + 1
    assert (starts[0], starts[-1]) == (0, len(codes))
    assert found.scores.dtype == scores.dtype
    assert not np.signbit(found.scores[found.scores == 0]).any()
    assert [column.dtype for column in found.columns] == [column.dtype for column in columns]
    assert all(np.array_equal(c, np.arange(len(codes))) for c in columns)  # not used up
    entries = list(zip(codes.tolist(), scores.tolist(), *columns, strict=True))
    for code in {0, 1, 3, count - 1}:
        here = slice(starts[code], starts[code + 1])
        mine = sorted(entry[1:] for entry in entries if entry[0] == code)
        kept = [column[here].tolist() for column in found.columns]
        ordered = found.scores[here].tolist()
        assert ordered == [entry[0] for entry in mine]
        assert sorted(zip(ordered, *kept, strict=True)) == mine  # -0.0 == 0.0


@given(given_rows=rows())
def test_sort_keyed_of_one_slice(given_rows: tuple[Array, int, Array]) -> None:
    _, _, scores = given_rows
    found = keyed.sort_keyed(None, 1, scores.copy(), ())
    assert found.starts.tolist() == [0, len(scores)]
    assert found.scores.tolist() == sorted(scores.tolist())


@each_kernel
@given(given_rows=rows())
def test_bring_together(kernel: Kernels, given_rows: tuple[Array, int, Array]) -> None:
    codes, count, _ = given_rows
    order, starts = kernel.bring_together(codes, count)
    listed = codes.tolist()
    assert order.tolist() == sorted(range(len(listed)), key=listed.__getitem__)  # stable
    assert starts.tolist()[-1] == len(codes)
    for code in {0, 1, 3, count - 1}:
        here = order[starts[code] : starts[code + 1]].tolist()
        assert here == [row for row, mine in enumerate(listed) if mine == code]


slices_of_scores = st.lists(st.lists(st.sampled_from(SCORES), max_size=5), min_size=1, max_size=5)


def side(slices: Slices) -> KeyedRun:
    ordered = [sorted(score + 0.0 for score in each) for each in slices]
    starts = np.cumsum([0, *map(len, ordered)])
    return KeyedRun(starts, np.array([score for each in ordered for score in each]), None)


@given(up=slices_of_scores, down=slices_of_scores)
@example(up=[[0.5], [0.5]], down=[[0.5], []])  # the end of one slice ties with the next
@example(up=[[], [0.25], []], down=[[1.0], [], [0.25]])
def test_place_keyed(up: Slices, down: Slices) -> None:
    count = max(len(up), len(down))
    up, down = ([*each, *[[] for _ in range(count - len(each))]] for each in (up, down))
    positives, negatives = side(up), side(down)
    found = keyed.place_keyed(positives, negatives)
    scores, starts, below, past = [], [], [], []
    for number in range(count):
        first, low = int(positives.starts[number]), int(negatives.starts[number])
        for score in sorted(set(up[number])):
            scores.append(score)
            starts.append(first + sum(other < score for other in up[number]))
            below.append(low + sum(other < score for other in down[number]))
            past.append(low + sum(other <= score for other in down[number]))
    assert found.scores.tolist() == scores
    assert found.starts.tolist() == starts
    assert found.below.tolist() == below
    assert found.past.tolist() == past
    assert (found.past is found.below) == (below == past)


weights_of = st.sampled_from([3, MASK, 2**62 - 1, 2**93 - 1])


@given(slices=slices_of_scores, largest=weights_of | st.none(), data=st.data())
def test_collapse_by_slice(slices: Slices, largest: int | None, data: st.DataObject) -> None:
    run = side(slices)
    size = len(run.scores)
    weights = [1] * size
    digits: Digits | None = None
    if largest is not None:
        weight_of = st.integers(1, largest) | st.just(largest)
        weights = data.draw(st.lists(weight_of, min_size=size, max_size=size))
        digits = digits_of(weights, np.uint32)
    collapsed = collapse(run._replace(digits=digits))
    expected: list[tuple[int, float, int]] = []
    for number, (start, end) in enumerate(pairwise(run.starts.tolist())):
        sums: dict[float, int] = {}
        for row in range(start, end):
            score = float(run.scores[row])
            sums[score] = sums.get(score, 0) + weights[row]
        expected += [(number, score, weight) for score, weight in sorted(sums.items())]
    assert collapsed.scores.tolist() == [score for _, score, _ in expected]
    found = [1] * len(expected) if collapsed.digits is None else integers_of(collapsed.digits)
    assert found == [weight for _, _, weight in expected]
    assert collapsed.digits is None or are_digits(collapsed.digits)
    numbers = [number for number, _, _ in expected]
    assert collapsed.starts.tolist() == [
        sum(n < at for n in numbers) for at in range(len(slices) + 1)
    ]


any_float = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(SCORES)


def amounts(kind: str, *, signed: bool) -> st.SearchStrategy[float]:
    """Numbers that a type holds."""
    if kind == "float32":
        number = st.floats(width=32, allow_nan=False, allow_infinity=False)
    elif kind == "float64":
        number = any_float
    else:
        return st.integers(0, int(np.iinfo(kind).max))
    return number if signed else number.map(abs)


COLUMNS = (None, "float32", "float64", "uint32", "int64", "uint64")  # those that a reader makes


@st.composite
def coded(draw: st.DrawFn) -> tuple[Array | None, int, Array | None, Array | None]:
    """Codes, values and weights of any types."""
    name = draw(st.sampled_from(sorted(TYPES)))
    count, size = min(TYPES[name], 9), draw(st.integers(0, 9))

    def column(strategy: st.SearchStrategy[Any], dtype: str) -> Array:
        return np.array(draw(st.lists(strategy, min_size=size, max_size=size)), dtype)

    kinds = [draw(st.sampled_from(COLUMNS)) for _ in range(2)]
    values, weights = (
        None if kind is None else column(amounts(kind, signed=place == 0), kind)
        for place, kind in enumerate(kinds)
    )
    codes: Array | None = column(st.sampled_from([0, 1, count - 1]), name)
    if draw(st.booleans()) and (values is not None or weights is not None):
        codes, count = None, 1
    return codes, count, values, weights


@each_kernel
@given(coded())
def test_sums_by_code(
    kernel: Kernels, columns: tuple[Array | None, int, Array | None, Array | None]
) -> None:
    codes, count, values, weights = columns
    size = max(0 if c is None else len(c) for c in (codes, values, weights))
    expected = [Fraction(0)] * count
    for row in range(size):
        one = Fraction(1 if values is None else values[row].item())
        other = Fraction(1 if weights is None else weights[row].item())
        expected[0 if codes is None else int(codes[row])] += one * other
    assert fractions_of(kernel.sums_by_code(codes, count, values, weights), count) == expected


@given(st.integers(-(2**200), 2**200), st.integers(-2200, 2200))
@example(0, 5)
@example(-1, -1)
@example(2**31 - 1, 31)
@example(-(2**31), 30)
def test_levels_of(amount: int, power: int) -> None:
    levels = exact_sums_of(amount, power)
    assert fractions_of(levels, 1) == [amount * Fraction(2) ** power]
    assert all(abs(int(digit[0])) <= MASK for digit in levels.values())


@st.composite
def dotted(draw: st.DrawFn) -> tuple[list[int], list[float], list[int]]:
    """Weights, numbers and where slices start."""
    largest = draw(weights_of)
    size = draw(st.integers(0, 9))
    cuts = sorted(draw(st.lists(st.integers(0, size), max_size=4)))
    weight = st.integers(0, largest) | st.just(largest) | st.just(1)
    weights = draw(st.lists(weight, min_size=size, max_size=size))
    numbers = draw(st.lists(any_float, min_size=size, max_size=size))
    return weights, numbers, [0, *cuts, size]


def dots(weights: Sequence[int], numbers: Sequence[float], starts: Sequence[int]) -> list[Fraction]:
    products = [w * Fraction(n) for w, n in zip(weights, numbers, strict=True)]
    return [sum(products[start:end], Fraction(0)) for start, end in pairwise(starts)]


@given(dotted())
@example(([1, 1, 1], [0.5, -0.5, 5e-324], [0, 0, 3, 3]))
def test_dot_by_slice(given_: tuple[list[int], list[float], list[int]]) -> None:
    weights, numbers, starts = given_
    digits = digits_of(weights, np.uint32)
    found = dot_by_slice(digits, np.array(numbers, np.float64), np.array(starts))
    assert fractions_of(found, len(starts) - 1) == dots(weights, numbers, starts)


@given(dotted())
def test_sum_between(given_: tuple[list[int], list[float], list[int]]) -> None:
    weights, _, starts = given_
    column = np.array([weight % 2**40 for weight in weights], np.int64)
    found = keyed.sum_between(column, np.array(starts))
    assert found.tolist() == [sum(column[a:b].tolist()) for a, b in pairwise(starts)]
