"""Sums of row terms against Python's floats and fractions, row by row, for every set of kernels."""

from collections.abc import Callable
from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.kernels.interface import Array, Kernels, RowCodes, RowTerm, TermColumns, terms
from steelyard.kernels.numpy import adding_terms, error_terms, row_terms
from tests.laws.kernel_numbers import each_kernel, fractions_of

CODES = 3
SCORES = st.sampled_from([0.0, -0.0, 0.3, 0.5, 1.0, 0.1, 5e-324, 2.0**-1022, 1 - 2.0**-53, 1e-9])
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, -0.0, 1.0, -1.0, 2.5, 5e-324, 1e-310, 1.7e308, -1.7e308, 1e154]
)
WEIGHTS: dict[str, Any] = {
    "none": None,
    "float64": st.sampled_from([2.0**-1074, 2.0**1000, 1.0, 0.1, 3.0, 0.0]),
    "float32": st.sampled_from([2.0**-149, 2.0**127, 1.5, 0.0]),
    "uint32": st.integers(0, 2**32 - 1),
    "int64": st.integers(0, 2**63 - 1),
    "uint64": st.integers(0, 2**64 - 1),
}


@st.composite
def weights(draw: Any, rows: int) -> Array | None:
    name = draw(st.sampled_from(sorted(WEIGHTS)))
    if WEIGHTS[name] is None:
        return None
    return np.array(draw(st.lists(WEIGHTS[name], min_size=rows, max_size=rows)), name)


@st.composite
def columns_and_codes(draw: Any) -> tuple[TermColumns, RowCodes]:
    """Rows with all columns, and a code for each, or none."""
    rows = draw(st.integers(0, 9))

    def drawn(values: Any, type_: Any) -> Array:
        return np.array(draw(st.lists(values, min_size=rows, max_size=rows)), type_)

    columns = TermColumns(
        rows,
        draw(weights(rows)),
        draw(st.sampled_from([None, drawn(st.integers(1, 9), np.uint32)])),
        drawn(SCORES, draw(st.sampled_from([np.float32, np.float64]))),
        drawn(st.booleans(), bool),
        downsampled=draw(st.sampled_from([None, None, 0.1, 1e-310])),
        clip=draw(st.sampled_from([None, None, 1e-15, 0.25])),
        amounts={"bid": drawn(st.floats(0, 1e300), np.float64)},
        truth=drawn(NUMBERS, np.float64),
        prediction=drawn(NUMBERS, np.float64),
        classes=tuple(drawn(SCORES, np.float32) for _ in range(3)),
        true_class=drawn(st.integers(0, 2), np.uint8),
    )
    codes = drawn(st.integers(0, CODES - 1), draw(st.sampled_from([np.uint8, np.int64])))
    return columns, draw(st.sampled_from([RowCodes(None, 1), RowCodes(codes, CODES)]))


def probability(c: TermColumns, i: int) -> float:
    assert c.score is not None
    q = float(c.score[i])
    if c.downsampled is None:
        return q
    others = 1.0 - q
    return q / (q + (others / c.downsampled if others else 0.0))


def cut(c: TermColumns, q: float) -> float:
    return q if c.clip is None else min(max(q, c.clip), 1.0 - c.clip)


def reaches(c: TermColumns, i: int, limit: float) -> bool:
    assert c.score is not None
    return bool(c.score[i] >= c.score.dtype.type(limit))


Literal = Callable[[TermColumns, int], float]


def of_score(formula: Callable[[float, int], float]) -> Literal:
    """A formula of q and y, with Python's floats."""
    return lambda c, i: formula(probability(c, i), int(c.positive[i]))  # type: ignore[index]


def of_error(formula: Callable[[float, float], float]) -> Literal:
    return lambda c, i: formula(float(c.truth[i]), float(c.prediction[i]))  # type: ignore[index]


def squares(c: TermColumns, i: int) -> float:
    sum_ = 0.0
    for place, column in enumerate(c.classes):
        p = float(column[i])
        gap = 1.0 - p if place == c.true_class[i] else p  # type: ignore[index]
        sum_ += gap * gap
    return sum_


def relative(y: float, p: float) -> float:
    return abs(p - y) / abs(y) if y else 0.0


def symmetric(y: float, p: float) -> float:
    if abs(y) + abs(p) == inf:
        y, p = y / 4, p / 4
    return abs(p - y) / (abs(y) + abs(p)) if y or p else 0.0


LITERAL: dict[str, Literal] = {
    "one": lambda c, i: 1.0,
    "positive": of_score(lambda q, y: y),
    "score": lambda c, i: float(c.score[i]),  # type: ignore[index]
    "probability": probability,
    "square": of_score(lambda q, y: (1.0 - q) * (1.0 - q) if y else q * q),
    "surplus": of_score(lambda q, y: (y - q) * (1.0 - 2.0 * q)),
    "surplus_variance": of_score(
        lambda q, y: ((1.0 - 2.0 * q) * (1.0 - 2.0 * q)) * (q * (1.0 - q))
    ),
    "variance": of_score(lambda q, y: q * (1.0 - q)),
    "called 0.3": lambda c, i: reaches(c, i, 0.3),
    "hit 0.3": lambda c, i: reaches(c, i, 0.3) and bool(c.positive[i]),  # type: ignore[index]
    "called 1e+300": lambda c, i: reaches(c, i, inf),
    "infinite": of_score(lambda q, y: 0.0),  # replaced below
    "amount bid": lambda c, i: float(c.amounts["bid"][i]),
    "earned_amount bid": lambda c, i: (
        float(c.amounts["bid"][i]) * int(c.positive[i])  # type: ignore[index]
    ),
    "expected_amount bid": lambda c, i: probability(c, i) * float(c.amounts["bid"][i]),
    "squares_of_classes": squares,
    "truth": of_error(lambda y, p: y),
    "prediction": of_error(lambda y, p: p),
    "truth_size": of_error(lambda y, p: abs(y)),
    "absolute": of_error(lambda y, p: abs(p - y)),
    "over": of_error(lambda y, p: max(p - y, 0.0)),
    "under": of_error(lambda y, p: max(y - p, 0.0)),
    "squared": of_error(lambda y, p: (p - y) * (p - y)),
    "truth_squared": of_error(lambda y, p: y * y),
    "relative": of_error(relative),
    "symmetric": of_error(symmetric),
    "zeros": of_error(lambda y, p: y == 0),
    "below_zero": of_error(lambda y, p: y < 0 or p < 0),
    "off_poisson": of_error(lambda y, p: y < 0 or p <= 0),
    "beyond squared,relative": of_error(
        lambda y, p: not (isfinite((p - y) * (p - y)) and isfinite(relative(y, p)))
    ),
}


def chance(c: TermColumns, i: int) -> float:
    """The probability whose logarithm is the row's; 0: the logarithm is infinite."""
    q = cut(c, probability(c, i))
    return q if c.positive[i] else 1.0 - q  # type: ignore[index]


LITERAL["infinite"] = lambda c, i: chance(c, i) == 0
LITERAL["infinite_of_class"] = lambda c, i: cut(c, float(c.classes[c.true_class[i]][i])) == 0  # type: ignore[index]


def expected(c: TermColumns, line: RowCodes, value: Literal, weighted: bool) -> list[Fraction]:
    """Σ value · weight of each code; a value that is not finite adds nothing."""
    sums = [Fraction(0)] * line.size
    factor = c.weight if weighted else c.count
    for i in range(c.rows):
        number = value(c, i)
        if isfinite(number):
            weight = 1 if factor is None else Fraction(factor[i].item())
            sums[0 if line.codes is None else int(line.codes[i])] += Fraction(number) * weight
    return sums


@each_kernel
@given(columns_and_codes(), st.booleans())
def test_sums_of_terms(
    kernel: Kernels, given_rows: tuple[TermColumns, RowCodes], weighted: bool
) -> None:
    columns, line = given_rows
    total = RowCodes(None, 1)
    wanted = [RowTerm(formula, weighted) for formula in LITERAL]
    found = kernel.add_terms([line, total], columns, wanted)
    for coding, sums in zip([line, total], found, strict=True):
        for formula, column in zip(LITERAL, sums, strict=True):
            literal = expected(columns, coding, LITERAL[formula], weighted)
            assert fractions_of(column, coding.size) == literal, formula


@each_kernel
@given(columns_and_codes())
def test_sums_of_logarithms(kernel: Kernels, given_rows: tuple[TermColumns, RowCodes]) -> None:
    """They are those of the elementary kernels, whose bits have laws of their own."""
    columns, line = given_rows
    wanted = [RowTerm("log", True), RowTerm("log_of_class", True)]
    ((logs, of_class),) = kernel.add_terms([line], columns, wanted)

    def log(c: TermColumns, i: int) -> float:
        q = np.array([cut(c, probability(c, i))])
        return float(kernel.log_chance(q, c.positive[i : i + 1])[0])  # type: ignore[index]

    def log_of_class(c: TermColumns, i: int) -> float:
        q = cut(c, float(c.classes[c.true_class[i]][i]))  # type: ignore[index]
        return float(kernel.log(np.array([q]))[0])

    assert fractions_of(logs, line.size) == expected(columns, line, log, True)
    assert fractions_of(of_class, line.size) == expected(columns, line, log_of_class, True)


@each_kernel
@pytest.mark.parametrize("formula", ["deviance", "squared_log", "truth_squared_rest"])
@given(columns_and_codes())
def test_a_sum_is_that_of_its_rows(
    kernel: Kernels, formula: str, given_rows: tuple[TermColumns, RowCodes]
) -> None:
    """A value never depends on other rows; those of single rows are in tests/tables."""
    columns, line = given_rows

    def alone(c: TermColumns, i: int) -> float:
        rows = slice(i, i + 1)
        one = TermColumns(1, truth=c.truth[rows], prediction=c.prediction[rows])  # type: ignore[index]
        ((column,),) = kernel.add_terms([RowCodes(None, 1)], one, [RowTerm(formula, False)])
        return float(fractions_of(column, 1)[0])

    ((found,),) = kernel.add_terms([line], columns, [RowTerm(formula, True)])
    assert fractions_of(found, line.size) == expected(columns, line, alone, True)


@each_kernel
@given(columns_and_codes())
def test_largest_errors(kernel: Kernels, given_rows: tuple[TermColumns, RowCodes]) -> None:
    columns, line = given_rows
    (found,) = kernel.largest_errors([line], columns, "absolute")
    literal = [-inf] * line.size
    for i in range(columns.rows):
        code = 0 if line.codes is None else int(line.codes[i])
        literal[code] = max(literal[code], LITERAL["absolute"](columns, i))
    assert found.tolist() == literal


@each_kernel
@given(columns_and_codes(), st.integers(1, 12))
def test_codes_of_bins_and_ranks(
    kernel: Kernels, given_rows: tuple[TermColumns, RowCodes], bins: int
) -> None:
    columns, _ = given_rows
    reached = [
        min(sum(probability(columns, i) >= k / bins for k in range(1, bins + 1)), bins - 1)
        for i in range(columns.rows)
    ]
    assert kernel.bin_codes(columns, bins).tolist() == reached
    ranks = []
    for i in range(columns.rows):
        scores = [float(column[i]) for column in columns.classes]
        own = scores[columns.true_class[i]]  # type: ignore[index]
        above = sum(score > own for score in scores)
        ranks.append(above * len(scores) + sum(score == own for score in scores) - 1)
    assert kernel.rank_codes(columns).tolist() == ranks


@each_kernel
@pytest.mark.parametrize("size", [2, adding_terms.FEW_CODES + 1])
def test_several_blocks_add_up(kernel: Kernels, size: int) -> None:
    rows = adding_terms.SHORT_BLOCK * 2 + 3
    codes = np.arange(rows) % 2
    columns = TermColumns(rows, score=np.full(rows, 0.25), positive=codes == 1)
    wanted = [RowTerm("score", True), RowTerm("positive", True)]
    ((scores, positives),) = kernel.add_terms([RowCodes(codes, size)], columns, wanted)
    counts = [rows - rows // 2, rows // 2]
    assert fractions_of(scores, size)[:2] == [Fraction(count, 4) for count in counts]
    assert fractions_of(positives, size)[:2] == [0, counts[1]]


def test_the_contract_names_every_formula() -> None:
    named = {**terms.SCORE_FORMULAS, **terms.CLASS_FORMULAS, **terms.OVERFLOW}
    assert {*row_terms.WITHOUT_ARGUMENT, *row_terms.WITH_ARGUMENT} == named.keys()
    assert error_terms.FORMULAS.keys() == terms.ERROR_FORMULAS.keys()
    assert error_terms.CONDITIONS.keys() == terms.CONDITIONS.keys()
