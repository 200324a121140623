"""Kernels of exact sums against Python's integers and Fractions: `==`, for every set of kernels."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard import kernels
from steelyard.kernels import digits
from steelyard.kernels.interface import (
    DIGIT,
    MASK,
    Array,
    Digits,
    Kernels,
    RowCodes,
    RowTerm,
    TermColumns,
)
from steelyard.kernels.numpy import coded, exact
from tests.laws.kernel_numbers import are_digits, digits_of, each_kernel, fractions_of, integers_of

RANDOM = np.random.default_rng(20)
MANY = exact.BLOCK + 7  # a whole block and a rest

# --- sums and dot products -----------------------------------------------------------------------


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
    "the largest and the smallest": np.array([1e308, 5e-324, 1.0, 1e308]),
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
    "int8": np.array([-128, 127, 5], np.int8),
    "uint16": np.array([2**16 - 1, 2**16 - 1], np.uint16),
    "uint64 of one bit": np.array([2**63, 2**63], np.uint64),
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_exact_sum(values: Array) -> None:
    signed = (
        values * np.where(np.arange(len(values)) % 3, 1, -1) if values.dtype == float else values
    )
    for column in (values, signed):
        expected = literal_sum(column)
        assert exact.exact_sum(column) == expected
        assert exact.exact_sum(RANDOM.permutation(column)) == expected


@pytest.mark.parametrize("power", [-1074, -1060, -1022, -500, 0, 500, 960, 1007, 1008, 1009, 1023])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_exact_sum_of_a_full_block(power: int, sign: float) -> None:
    """The largest values of a power, as many as are summed at a time, and one bit far below."""
    largest = np.nextafter(np.ldexp(1.0, power), 0) if power > -1074 else 5e-324
    column = np.full(2 * exact.SUM_BLOCK + 5, sign * largest)
    column[::3] = np.ldexp(sign, max(power - 80, -1074))
    thirds = len(column[::3])
    expected = Fraction(column[0]) * thirds + Fraction(column[1]) * (len(column) - thirds)
    assert exact.exact_sum(column) == expected


WEIGHTS = {name: np.abs(v) for name, v in VALUES.items() if v.dtype.kind in "fu"} | {
    "int64": np.array([2**63 - 1, 12, 4], np.int64),
    "multiples of 2**40": np.array([2**40, 3 * 2**50], np.uint64),
    "zeros and tiny numbers": np.array([0.0, 2.0**-100, 0.0, 3.0]),
    "the largest and a power of two": np.array([2.0**1000, np.finfo(np.float64).max]),
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
        assert integers_of(digits) == [multiple << lower for multiple in multiples]


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_exact_dot(weights: Array) -> None:
    steps = np.linspace(-1, 1, len(weights))
    for values in (steps, 10.0 ** (300 * steps), steps.astype(np.float32), np.zeros(len(weights))):
        assert exact.exact_dot(values, weights) == literal_dot(values, weights)
    order = RANDOM.permutation(len(weights))
    assert exact.exact_dot(steps[order], weights[order]) == exact.exact_dot(steps, weights)


any_float = st.floats(allow_nan=False, allow_infinity=False)


@given(values=st.lists(any_float, max_size=20))
def test_sums_of_any_floats(values: list[float]) -> None:
    column, weights = np.array(values, np.float64), np.abs(np.array(values[::-1], np.float64))
    assert exact.exact_sum(column) == literal_sum(column)
    assert exact.exact_dot(column, weights) == literal_dot(column, weights)


NUMBERS: dict[str, list[int]] = {
    "none": [],
    "small": [1, 2, 3],
    "a full digit": [MASK] * 100,
    "just beyond a digit": [MASK + 1, MASK, 0, 1],
    "two digits": [2**62 - 1, 2**61, 5],
    "three digits": [2**93 - 1, 2**64 - 1, 0],
    "more than a block of full digits": [MASK] * MANY,
}


@pytest.mark.parametrize("left", NUMBERS.values(), ids=NUMBERS)
def test_total(left: list[int]) -> None:
    assert digits.total(digits_of(left)) == sum(left)
    assert digits.total(digits_of(left, np.uint32)) == sum(left)


# --- digits --------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2**93 - 1), min_size=1, max_size=8), st.integers(0, 100))
def test_shift_and_integers(numbers: list[int], bits: int) -> None:
    shifted = digits.shift(digits_of(numbers, np.uint32), bits)
    assert are_digits(shifted)
    assert integers_of(shifted) == [number << bits for number in numbers]
    column = digits.integers(shifted)
    assert [int(number) for number in column] == [number << bits for number in numbers]
    assert column.dtype == (np.int64 if len(shifted) <= 2 else object)


@given(st.lists(st.lists(st.integers(0, 2**62), min_size=3, max_size=3), min_size=1, max_size=4))
def test_carry(rows: list[list[int]]) -> None:
    """Digits that additions made too large, up to the 2**62 that sums of 2**31 rows reach."""
    columns = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
    expected = [sum(d << (DIGIT * i) for i, d in enumerate(row)) for row in rows]
    carried = digits.carry(columns)
    assert are_digits(carried)
    assert integers_of(carried) == expected


def test_digits_of_no_rows() -> None:
    empty: Digits = (np.zeros(0, np.uint32),)
    assert [len(digit) for digit in digits.shift(empty, 40)] == [0, 0]
    assert len(digits.integers(empty)) == 0
    assert digits.total(empty) == 0


def test_the_module_offers_every_function_of_the_interface() -> None:
    wanted = {name for name in dir(Kernels) if not name.startswith("_")}
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
    **{kind: RANDOM.integers(0, 128, 2000).astype(kind) for kind in ("uint8", "int8")},
    **{kind: RANDOM.integers(0, 2**15, 2000).astype(kind) for kind in ("uint16", "int16")},
}


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
    assert fractions_of(kernel.sums_by_code(codes, 7, column, weight), 7) == expected


@each_kernel
@pytest.mark.parametrize("weights", CODED_WEIGHTS)
def test_sums_of_terms(kernel: Kernels, weights: str) -> None:
    weight, score = CODED_WEIGHTS[weights], RANDOM.random(2000)
    lines = [RowCodes(None, 1), RowCodes(np.arange(2000) % 2, 2)]
    columns = TermColumns(2000, score=score, weight=weight, count=weight)
    terms = [RowTerm("score", True), RowTerm("one", False)]
    found = kernel.add_terms(lines, columns, terms)
    counts = [Fraction(1)] * 2000 if weight is None else [Fraction(w) for w in weight.tolist()]
    sums = [n * Fraction(s) for n, s in zip(counts, score.tolist(), strict=True)]
    for line, step in zip(found, (1, 2), strict=True):
        for made, column in zip(line, (sums, counts), strict=True):
            expected = [sum(column[first::step], Fraction(0)) for first in range(step)]
            assert fractions_of(made, step) == expected


@each_kernel
def test_sums_by_code_of_several_blocks(kernel: Kernels) -> None:
    """More rows than a block has: blocks of other sizes of value share one grid."""
    values = np.concatenate([np.full(coded.LONG_BLOCK, 1 - 2.0**-53), np.full(9, -(2.0**-900))])
    codes = np.arange(len(values)) % 2
    found = fractions_of(kernel.sums_by_code(codes, 2, values), 2)
    tiny = [Fraction(5, 2**900), Fraction(4, 2**900)]
    large = Fraction(coded.LONG_BLOCK // 2) * Fraction(values[0])
    assert found == [large - tiny[0], large - tiny[1]]


@pytest.mark.parametrize("rows", [0, 3, 1000, 5000])
@pytest.mark.parametrize("lists", [0, 1, 2, 30, 400])
def test_sums_of_lists_are_those_of_their_rows(rows: int, lists: int) -> None:
    """Long lists, short ones and empty ones, which need not begin with the first row."""
    for type_ in (np.uint32, np.int64):
        column = RANDOM.integers(0, MASK, rows).astype(type_)
        for starts in (
            np.sort(RANDOM.integers(0, rows + 1, lists)),
            np.sort(RANDOM.choice([0, rows // 2, rows], lists)),
        ):
            found = digits.sums_of_starts(column, starts)
            ends = starts.tolist()
            expected = [sum(column[a:b].tolist()) for a, b in pairwise(ends)]
            assert found.dtype == np.int64
            assert found.tolist() == expected
