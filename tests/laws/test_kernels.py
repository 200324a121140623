"""Every kernel against slow literal arithmetic: Python integers, Fractions and sorted lists.

The oracles here are definitions, not numbers: `==`, for every set of kernels that can run here.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard import kernels
from steelyard.kernels import coded, exact
from steelyard.kernels.interface import DIGIT, MASK, Array, Digits, ExactSums, Kernels, Run
from steelyard.kernels.sorting import BLOCK

KERNELS = [pytest.param(kernel, id=name) for name, kernel in kernels.available().items()]
each_kernel = pytest.mark.parametrize("kernel", KERNELS)

RANDOM = np.random.default_rng(20)
MANY = exact.BLOCK + 7  # a whole block and a rest


def whole(digits: Digits) -> list[int]:
    """The integers that digits spell, by Python's arithmetic."""
    columns = [[int(value) for value in digit] for digit in digits]
    return [sum(d << (DIGIT * i) for i, d in enumerate(row)) for row in zip(*columns, strict=True)]


def spell(numbers: Sequence[int], dtype: type = np.int64) -> Digits:
    """Digits of integers, by Python's arithmetic."""
    places = max(1, *(-(-number.bit_length() // DIGIT) for number in numbers), 1)
    return tuple(
        np.array([(number >> (DIGIT * place)) & MASK for number in numbers], dtype)
        for place in range(places)
    )


def are_digits(digits: Digits) -> bool:
    return all(((digit >= 0) & (digit <= MASK)).all() for digit in digits)


# --- sorting -------------------------------------------------------------------------------------

SPECIAL = [-0.0, 0.0, 5e-324, -5e-324, 1e308, -1e308, 1.0, -1.0, 1.0, 0.5, 2.0**-1022]


def near(count: int) -> Array:
    """float64 that agree in their top 40 bits and more: the kept bits of a key cannot tell them."""
    bits = np.float64(0.75).view(np.int64) + RANDOM.integers(0, 40, count)
    return bits.view(np.float64)


# Why: what each column of scores puts to the test.
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


@each_kernel
@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("scores", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sort_rows(
    kernel: Kernels, dtype: type, scores: Array, columns: Callable[[int], Digits]
) -> None:
    with np.errstate(over="ignore"):
        scores = np.nan_to_num(scores.astype(dtype))  # 1e308 is beyond float32: its largest
    given_columns = columns(len(scores))
    copies = [column.copy() for column in given_columns]
    sorted_scores, carried = kernel.sort_rows(scores.copy(), given_columns)  # uses up the scores

    assert sorted_scores.dtype == dtype
    assert [column.dtype for column in carried] == [column.dtype for column in given_columns]
    assert not np.signbit(sorted_scores[sorted_scores == 0]).any()
    rows = zip(scores.tolist(), *(column.tolist() for column in given_columns), strict=True)
    found = zip(sorted_scores.tolist(), *(column.tolist() for column in carried), strict=True)
    found_rows = list(found)
    assert all(a[0] <= b[0] for a, b in pairwise(found_rows))
    assert sorted(found_rows) == sorted(rows)  # -0.0 == 0.0; rows of one score in any order
    assert all(np.array_equal(a, b) for a, b in zip(given_columns, copies, strict=True))


@each_kernel
@pytest.mark.parametrize("rows", [0, 1, 10, BLOCK, 3 * BLOCK + 5])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_split(kernel: Kernels, rows: int, share: float) -> None:
    chosen = RANDOM.random(rows) < share
    wide = np.arange(rows, dtype=np.uint64) + 2**63
    columns: Digits = (np.arange(rows, dtype=np.float32), wide)
    parts = kernel.split(chosen, columns)
    for part, is_mine in zip(parts, (True, False), strict=True):
        for column, mine in zip(columns, part, strict=True):
            assert mine.dtype == column.dtype
            assert not np.shares_memory(mine, column)
            rows_ = zip(column.tolist(), chosen.tolist(), strict=True)
            assert mine.tolist() == [value for value, is_in in rows_ if is_in == is_mine]


def table(run: Run) -> dict[float, int]:
    """Score to weight, by a dictionary."""
    weights = whole(run.digits) if run.digits is not None else [1] * len(run.scores)
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
    return Run(np.array(scores, np.float64), spell(numbers, np.uint32))


@st.composite
def small_runs(draw: st.DrawFn) -> Run:
    return a_run(draw, largest=draw(st.sampled_from([3, MASK, 2**62 - 1, 2**93 - 1])))


@each_kernel
@given(run=small_runs())
def test_collapse(kernel: Kernels, run: Run) -> None:
    collapsed, starts = kernel.collapse(run, np.array([0, len(run.scores)]))
    assert starts.tolist() == [0, len(collapsed.scores)]
    weights = whole(collapsed.digits) if collapsed.digits else [1] * len(collapsed.scores)
    expected = table(run)
    assert collapsed.scores.tolist() == sorted(expected)
    assert dict(zip(collapsed.scores.tolist(), weights, strict=True)) == expected
    assert collapsed.digits is None or are_digits(collapsed.digits)


@each_kernel
def test_collapse_carries_beyond_int32(kernel: Kernels) -> None:
    """Many rows of the largest digit at one score: the digit's sum takes 31 + 16 bits."""
    rows = MANY
    run = Run(np.zeros(rows), (np.full(rows, MASK, np.uint32), np.full(rows, MASK, np.uint32)))
    collapsed, _ = kernel.collapse(run, np.array([0, rows]))
    assert collapsed.digits is not None
    assert are_digits(collapsed.digits)
    assert whole(collapsed.digits) == [rows * (2**62 - 1)]


@each_kernel
@given(positives=small_runs(), negatives=small_runs())
def test_place(kernel: Kernels, positives: Run, negatives: Run) -> None:
    placed = kernel.place(positives, negatives)
    pos, neg = table(positives), table(negatives)
    scores = sorted(pos)
    assert placed.scores.tolist() == scores
    ups, downs = positives.scores.tolist(), negatives.scores.tolist()
    assert placed.starts.tolist() == [sum(t < s for t in ups) for s in scores]
    assert placed.below.tolist() == [sum(t < s for t in downs) for s in scores]
    assert placed.past.tolist() == [sum(t <= s for t in downs) for s in scores]
    assert (placed.past is placed.below) == (not set(ups) & set(downs))

    ends = np.append(placed.starts, len(ups))
    positive_sums, negative_sums = kernel.cumulative(positives), kernel.cumulative(negatives)
    weights = {
        "own": (kernel.weight_between(positive_sums, ends), [pos[s] for s in scores]),
        "before": (
            kernel.weight_before(positive_sums, placed.starts),
            [sum(pos[t] for t in pos if t < s) for s in scores],
        ),
        "below": (
            kernel.weight_before(negative_sums, placed.below),
            [sum(neg[t] for t in neg if t < s) for s in scores],
        ),
        "upto": (
            kernel.weight_before(negative_sums, placed.past),
            [sum(neg[t] for t in neg if t <= s) for s in scores],
        ),
    }
    for digits, expected in weights.values():
        assert are_digits(digits)
        assert whole(digits) == expected


@each_kernel
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_place_many_rows(kernel: Kernels, dtype: type) -> None:
    """More than a block, weights near the digit's end: cumulative digits need int64."""
    scores: Array = np.sort(RANDOM.integers(0, 50, MANY)).astype(dtype)
    light, heavy = (
        Run(scores, None),
        Run(scores, (np.full(MANY, MASK, np.uint32), np.ones(MANY, np.uint8))),
    )
    each = (1 << DIGIT) + MASK
    placed = kernel.place(heavy, light)
    counts = np.bincount(scores.astype(int), minlength=50).tolist()
    values = [int(score) for score in placed.scores]
    assert values == [score for score in range(50) if counts[score]]
    before, upto = [sum(counts[:s]) for s in values], [sum(counts[: s + 1]) for s in values]
    assert placed.starts.tolist() == placed.below.tolist() == before
    assert placed.past.tolist() == upto
    for run, weight in ((light, 1), (heavy, each)):
        sums, ends = kernel.cumulative(run), np.append(placed.starts, MANY)
        assert whole(kernel.weight_between(sums, ends)) == [counts[s] * weight for s in values]
        assert whole(kernel.weight_before(sums, placed.starts)) == [n * weight for n in before]
        assert whole(kernel.weight_before(sums, placed.past)) == [n * weight for n in upto]


# --- exact sums ----------------------------------------------------------------------------------


def scaled(values: Array) -> list[int]:
    """Each value as so many times 2**-1074: whole, by Python's own exact ratio."""
    ratios = [value.as_integer_ratio() for value in values.tolist()]
    return [numerator * ((1 << 1074) // denominator) for numerator, denominator in ratios]


def literal_sum(values: Array) -> Fraction:
    return Fraction(sum(scaled(values)), 1 << 1074)


def literal_dot(left: Array, right: Array) -> Fraction:
    products = (a * b for a, b in zip(scaled(left), scaled(right), strict=True))
    return Fraction(sum(products), 1 << 2148)


LOGS = RANDOM.uniform(-300, 300, 400)
VALUES: dict[str, Array] = {
    "empty": np.zeros(0),
    "empty integers": np.zeros(0, np.int64),
    "one": np.array([0.1]),
    "zeros": np.array([0.0, -0.0]),
    "subnormals": np.array([5e-324, 1e-310, 2.0**-1022, 3e-320]),
    "the largest": np.full(50, np.finfo(np.float64).max),
    "the largest beside the smallest": np.array([1e308, 5e-324, 1.0, 1e308]),
    "1e-300 to 1e300": 10.0**LOGS,
    "float32": RANDOM.normal(size=300).astype(np.float32),
    "float32 subnormals": np.array([1e-45, 3e38, 1.5], np.float32),
    "more than a block": RANDOM.normal(size=MANY),
    "a block of zeros": np.concatenate([np.zeros(exact.BLOCK), [2.0**-40, 3.0]]),
    "a big block and a small one": np.concatenate([np.full(exact.BLOCK, 1e300), [1e-300]]),
    "int32": np.array([-(2**31), 2**31 - 1, 5], np.int32),
    "uint32": np.full(1000, 2**32 - 1, np.uint32),
    "int64": np.array([2**63 - 1, 2**63 - 1, -(2**63), 7], np.int64),
    "uint64": np.full(MANY, 2**64 - 1, np.uint64),
    "uint64 of one bit": np.array([2**63, 2**63], np.uint64),
}


@each_kernel
@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_exact_sum(kernel: Kernels, values: Array) -> None:
    signed = (
        values * np.where(np.arange(len(values)) % 3, 1, -1) if values.dtype == float else values
    )
    for column in (values, signed):
        expected = literal_sum(column)
        assert kernel.exact_sum(column) == expected
        assert kernel.exact_sum(RANDOM.permutation(column)) == expected


@each_kernel
@pytest.mark.parametrize("power", [-1074, -1060, -1022, -500, 0, 500, 960, 1007, 1008, 1009, 1023])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_exact_sum_of_a_full_block(kernel: Kernels, power: int, sign: float) -> None:
    """As many of the largest value of a power as are summed at a time, and one bit beside it."""
    largest = np.nextafter(np.ldexp(1.0, power), 0) if power > -1074 else 5e-324
    column = np.full(2 * exact.SUMMED + 5, sign * largest)
    column[::3] = np.ldexp(sign, max(power - 80, -1074))
    thirds = len(column[::3])
    expected = Fraction(column[0]) * thirds + Fraction(column[1]) * (len(column) - thirds)
    assert kernel.exact_sum(column) == expected


WEIGHTS = {name: np.abs(v) for name, v in VALUES.items() if v.dtype.kind in "fu"} | {
    "int64": np.array([2**63 - 1, 12, 4], np.int64),
    "multiples of 2**40": np.array([2**40, 3 * 2**50], np.uint64),
    "zeros beside the tiny": np.array([0.0, 2.0**-100, 0.0, 3.0]),
    "the largest beside a round one": np.array([2.0**1000, np.finfo(np.float64).max]),
    "all in the top binade": np.array([2.0**1023, 1.5 * 2.0**1023]),
    "the top binade of float32": np.array([2.0**127, 1.5 * 2.0**127], np.float32),
}


@each_kernel
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_lowest_bit_and_to_digits(kernel: Kernels, weights: Array) -> None:
    """The unit divides every weight and no larger power of two does; the digits spell them."""
    unit = kernel.lowest_bit(weights)
    divided = [divmod(number, 1 << (unit + 1074)) for number in scaled(weights)]
    assert not any(rest for _, rest in divided)
    multiples = [multiple for multiple, _ in divided]
    assert any(multiple % 2 for multiple in multiples) or not any(multiples)
    for lower in (0, 5, 40):
        digits = kernel.to_digits(weights, unit - lower)
        assert are_digits(digits)
        assert whole(digits) == [multiple << lower for multiple in multiples]


@each_kernel
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_exact_dot(kernel: Kernels, weights: Array) -> None:
    steps = np.linspace(-1, 1, len(weights))
    for values in (steps, 10.0 ** (300 * steps), steps.astype(np.float32), np.zeros(len(weights))):
        assert kernel.exact_dot(values, weights) == literal_dot(values, weights)
    order = RANDOM.permutation(len(weights))
    assert kernel.exact_dot(steps[order], weights[order]) == kernel.exact_dot(steps, weights)


any_float = st.floats(allow_nan=False, allow_infinity=False)


@each_kernel
@given(values=st.lists(any_float, max_size=20))
def test_sums_of_any_floats(kernel: Kernels, values: list[float]) -> None:
    column, weights = np.array(values, np.float64), np.abs(np.array(values[::-1], np.float64))
    assert kernel.exact_sum(column) == literal_sum(column)
    assert kernel.exact_dot(column, weights) == literal_dot(column, weights)


NUMBERS: dict[str, list[int]] = {
    "none": [],
    "small": [1, 2, 3],
    "a full digit": [MASK] * 100,
    "just beyond a digit": [MASK + 1, MASK, 0, 1],
    "two digits": [2**62 - 1, 2**61, 5],
    "three digits": [2**93 - 1, 2**64 - 1, 0],
    "more than a block of full digits": [MASK] * MANY,
}


@each_kernel
@pytest.mark.parametrize("left", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("widest", [1, 2**31 - 1, 2**80])
def test_dot_and_total(kernel: Kernels, left: list[int], widest: int) -> None:
    right = [widest - (i % 2) for i in range(len(left))]
    assert kernel.total(spell(left)) == sum(left)
    assert kernel.total(spell(left, np.uint32)) == sum(left)
    expected = sum(a * b for a, b in zip(left, right, strict=True))
    assert kernel.dot(spell(left), spell(right, np.uint32)) == expected
    assert kernel.dot(spell(right, np.uint32), spell(left)) == expected


# --- digits --------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**93 - 1), min_size=1, max_size=8), st.integers(0, 100))
def test_shift_and_integers(numbers: list[int], bits: int) -> None:
    shifted = exact.shift(spell(numbers, np.uint32), bits)
    assert are_digits(shifted)
    assert whole(shifted) == [number << bits for number in numbers]
    column = exact.integers(shifted)
    assert [int(number) for number in column] == [number << bits for number in numbers]
    assert column.dtype == (np.int64 if len(shifted) <= 2 else object)


@given(st.lists(st.lists(st.integers(0, 2**62), min_size=3, max_size=3), min_size=1, max_size=4))
def test_carry(rows: list[list[int]]) -> None:
    """Digits that additions made too large, up to the 2**62 that sums of 2**31 rows reach."""
    columns = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
    expected = [sum(d << (DIGIT * i) for i, d in enumerate(row)) for row in rows]
    carried = exact.carry(columns)
    assert are_digits(carried)
    assert whole(carried) == expected


def test_digits_of_no_rows() -> None:
    empty: Digits = (np.zeros(0, np.uint32),)
    assert [len(digit) for digit in exact.shift(empty, 40)] == [0, 0]
    assert len(exact.integers(empty)) == 0
    assert kernels.active().total(empty) == 0


def test_the_module_offers_every_function_of_the_interface() -> None:
    wanted = {name for name in vars(Kernels) if not name.startswith("_")}
    for kernel in kernels.available().values():
        assert all(callable(getattr(kernel, name)) for name in wanted)
    assert kernels.active() in kernels.available().values()


# --- exact sums by code --------------------------------------------------------------------------

CODED_VALUES = {
    "none": None,
    "float32": RANDOM.normal(size=2000).astype(np.float32),
    "probabilities": RANDOM.random(2000),
    "any size": RANDOM.normal(size=2000) * 10.0 ** RANDOM.integers(-300, 300, 2000),
    "subnormal": RANDOM.integers(-9, 9, 2000) * 5e-324,
    "whole": RANDOM.integers(0, 2**63, 2000, dtype=np.uint64),
    "zeros": np.zeros(2000),
}
CODED_WEIGHTS = {
    "none": None,
    "float32": RANDOM.random(2000).astype(np.float32),
    "float64": RANDOM.lognormal(size=2000),
    "uint32": RANDOM.integers(1, 2**32, 2000, dtype=np.uint32),
    "int64": RANDOM.integers(1, 2**62, 2000),
}


def literal(levels: ExactSums, count: int) -> list[Fraction]:
    """What digits add up to, code by code; they are on the one grid, and int64."""
    sums = [Fraction(0)] * count
    for power, digits in levels.items():
        assert power % DIGIT == 0
        assert digits.dtype == np.int64
        assert len(digits) == count
        sums = [s + int(d) * Fraction(2) ** power for s, d in zip(sums, digits, strict=True)]
    return sums


@each_kernel
@pytest.mark.parametrize("weights", CODED_WEIGHTS)
@pytest.mark.parametrize("values", CODED_VALUES)
def test_sums_by_code(kernel: Kernels, values: str, weights: str) -> None:
    codes = RANDOM.integers(0, 5, 2000).astype(np.uint8)
    column, weight = CODED_VALUES[values], CODED_WEIGHTS[weights]
    expected = [Fraction(0)] * 7
    for row, code in enumerate(codes.tolist()):
        of = Fraction(1 if column is None else column[row].item())
        expected[code] += of * Fraction(1 if weight is None else weight[row].item())
    assert literal(kernel.sums_by_code(codes, 7, column, weight), 7) == expected


@each_kernel
def test_sums_by_code_of_several_blocks(kernel: Kernels) -> None:
    """More rows than a block has: blocks of other sizes of value share one grid."""
    values = np.concatenate([np.full(coded.BLOCK, 1 - 2.0**-53), np.full(9, -(2.0**-900))])
    codes = np.arange(len(values)) % 2
    found = literal(kernel.sums_by_code(codes, 2, values), 2)
    tiny = [Fraction(5, 2**900), Fraction(4, 2**900)]
    large = Fraction(coded.BLOCK // 2) * Fraction(values[0])
    assert found == [large - tiny[0], large - tiny[1]]


# --- inversions ----------------------------------------------------------------------------------

# Why: weights that fit one digit, that take several, and that make sums beyond int64.
PAIR_WEIGHTS: dict[str, list[int] | None] = {
    "none": None,
    "small": [3, 1, 2, 1, 5, 1, 1],
    "two digits": [2**40, 1, 2**33 + 1, 7, 2**31, 2**31 - 1, 2**61],
    "beyond int64": [2**90 + 1, 2**62, 3, 2**31 - 1, 2**64 - 1, 1, 2**80],
}


@each_kernel
@pytest.mark.parametrize("weights", PAIR_WEIGHTS)
@given(codes=st.lists(st.integers(0, 5) | st.integers(0, 2**31), min_size=7, max_size=7))
def test_inversions(kernel: Kernels, weights: str, codes: list[int]) -> None:
    chosen = PAIR_WEIGHTS[weights]
    numbers = [1] * 7 if chosen is None else chosen
    expected = sum(
        numbers[i] * numbers[j] for j in range(7) for i in range(j) if codes[i] > codes[j]
    )
    digits = None if chosen is None else spell(chosen)
    assert kernel.inversions(np.array(codes), digits) == expected


@each_kernel
def test_inversions_of_few_rows(kernel: Kernels) -> None:
    assert kernel.inversions(np.zeros(0, np.int64), None) == 0
    assert kernel.inversions(np.array([4]), None) == 0
