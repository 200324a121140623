"""Compiled sums are those of the NumPy kernels, for any rows and number of threads."""

from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import Array, ExactSums, RowCodes, RowTerm, TermColumns, terms
from steelyard.kernels.numpy import checking
from tests.effort import random_cases

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")

SHIFT = 4500  # bits: below them there is no digit
NUMBERS: tuple[Any, ...] = (
    lambda rng, n: rng.random(n),
    lambda rng, n: rng.normal(size=n) * 100,
    lambda rng, n: rng.integers(-3, 4, n) / 2.0,
    lambda rng, n: rng.choice([0.0, -0.0, 1.0, 5e-324, 2.0**-1022, 1.7e308, -1.7e308, 1e-160], n),
    lambda rng, n: np.ldexp(rng.choice([-1.0, 1.0], n), rng.integers(-1074, 1020, n)),
    lambda rng, n: np.where(rng.random(n) < 0.01, 1e300, rng.random(n)),
    lambda rng, n: rng.integers(-40, 40, n) * 5e-324,
)
WEIGHTS: tuple[Any, ...] = (
    lambda rng, n: rng.random(n, np.float32),
    lambda rng, n: rng.lognormal(size=n),
    lambda rng, n: rng.choice([2.0**-1074, 2.0**1000, 1.0, 0.0], n),
    lambda rng, n: rng.integers(0, 9, n),
    lambda rng, n: rng.integers(0, 2**32, n).astype(np.uint32),
    lambda rng, n: rng.integers(0, 2**63 - 1, n),
    lambda rng, n: rng.integers(0, 2**20, n),
    lambda rng, n: rng.integers(0, 2**64 - 1, n, np.uint64, endpoint=True),
)
SIZES = (0, 1, 2, 3, 9, 60, 700, 3000)
FORMULAS = [
    *terms.SCORE_FORMULAS.keys() - {"called", "hit", "amount", "earned_amount", "expected_amount"},
    *("called 0.3", "hit 0.3", "called 1e+300", "hit 0.75"),
    *("amount bid", "earned_amount bid", "expected_amount bid"),
    *terms.CLASS_FORMULAS,
    *terms.ERROR_FORMULAS,
    *terms.CONDITIONS,
    *("beyond squared", "beyond squared,relative", "beyond deviance", "beyond absolute,truth"),
]


def test_the_lowest_bit_is_that_of_the_specification() -> None:
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    for seed in range(random_cases(300, 20_000)):
        rng = np.random.default_rng(seed)
        rows = int(rng.choice([*SIZES, 40_000]))
        weights = np.abs(NUMBERS[seed % len(NUMBERS)](rng, rows))
        with np.errstate(over="ignore"):
            narrow = np.minimum(weights.astype(np.float32), np.float32(3e38))
        for column in (weights, narrow, narrow[::2]):
            with threads.limited(int(rng.integers(1, 4))):
                assert rust.lowest_bit(column) == specification.lowest_bit(column), seed


def whole(sums: ExactSums, size: int) -> list[int]:
    """The sums by code, in the smallest unit."""
    found = [0] * size
    for power, digits in sums.items():
        assert power % 31 == 0
        assert digits.dtype == np.int64
        assert digits.shape == (size,)
        assert digits.flags.writeable
        for code in np.flatnonzero(digits).tolist():
            found[code] += int(digits[code]) << (power + SHIFT)
    return found


def spaced(rng: np.random.Generator, column: Array) -> Array:
    """The same column, now and then with gaps in memory."""
    return column if rng.random() < 0.8 else np.repeat(column, 2)[::2]


def drawn_codes(rng: np.random.Generator, rows: int) -> RowCodes:
    size = int(rng.choice([1, 2, 50, 4000]))
    if size == 1 and rng.random() < 0.5:
        return RowCodes(None, 1)
    type_ = rng.choice(["u2", "u4", "i8", "u8"] if size > 200 else ["u1", "u2", "u4", "i8", "u8"])
    return RowCodes(spaced(rng, (rng.random(rows) ** 3 * size).astype(type_)), size)


def drawn_weights(rng: np.random.Generator, rows: int) -> Array | None:
    kind = int(rng.integers(-3, len(WEIGHTS)))
    return spaced(rng, WEIGHTS[kind](rng, rows)) if kind >= 0 else None


def drawn_columns(rng: np.random.Generator, rows: int) -> TermColumns:
    def numbers() -> Array:
        return spaced(rng, NUMBERS[rng.integers(len(NUMBERS))](rng, rows))

    outside = bool(rng.random() < 0.2)
    scores = [*(numbers() for _ in range(4))]
    scores = scores if outside else [np.clip(np.abs(each), 0, 1) for each in scores]
    type_ = rng.choice(["f4", "f8"])
    limit = 3e38 if type_ == "f4" else np.inf
    scores = [np.clip(each, -limit, limit).astype(type_) for each in scores]
    return TermColumns(
        rows,
        drawn_weights(rng, rows),
        drawn_weights(rng, rows),
        scores[0],
        rng.random(rows) < rng.choice([0.0, 0.05, 0.5, 1.0]),
        outside=outside,
        downsampled=(None, None, 0.1, 1e-310)[rng.integers(4)],
        clip=(None, None, 1e-15, 0.25)[rng.integers(4)],
        amounts={"bid": np.abs(numbers()), "other": np.ones(rows)},
        truth=numbers(),
        prediction=numbers(),
        classes=tuple(np.clip(each, 0, 1) for each in scores[1:]),
        true_class=rng.integers(0, 3, rows).astype(np.uint8),
    )


def check_terms(seed: int, rows: int | None = None) -> None:
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    rows = int(rng.choice(SIZES)) if rows is None else rows
    columns = drawn_columns(rng, rows)
    lines = [drawn_codes(rng, rows) for _ in range(rng.integers(1, 3))]
    chosen = rng.choice(FORMULAS, rng.integers(1, 6), replace=False).tolist()
    wanted = [RowTerm(formula, bool(rng.random() < 0.5)) for formula in chosen]
    expected = specification.add_terms(lines, columns, wanted)
    with threads.limited(int(rng.integers(1, 4))):
        found = rust.add_terms(lines, columns, wanted)
    for line, mine, theirs in zip(lines, found, expected, strict=True):
        for term, left, right in zip(wanted, mine, theirs, strict=True):
            assert whole(left, line.size) == whole(right, line.size), (seed, term)


def test_terms_have_the_sums_of_the_specification() -> None:
    for seed in range(random_cases(300, 100_000)):
        check_terms(seed)


def test_terms_of_many_rows_have_the_sums_of_the_specification() -> None:
    for seed in range(random_cases(4, 300)):
        check_terms(seed, threads.SHORT + seed)


def check_sums(seed: int, rows: int | None = None) -> None:
    """Sums by code: values of every type, and weights or none."""
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    rows = int(rng.choice(SIZES)) if rows is None else rows
    line, weights = drawn_codes(rng, rows), drawn_weights(rng, rows)
    values = (NUMBERS, WEIGHTS)[rng.integers(2)][rng.integers(len(NUMBERS))](rng, rows)
    if rng.random() < 0.2:
        values = np.clip(values, 0, 1e30).astype(np.float32)
    given = (values, weights)
    if line.codes is not None and rng.random() < 0.3:
        given = ((None, None), (None, weights), (rng.random(rows) < 0.5, None))[rng.integers(3)]
    if line.codes is None and weights is not None and values.dtype.kind != "f":
        given = (values, None)
    expected = specification.sums_by_code(line.codes, line.size, *given)
    with threads.limited(int(rng.integers(1, 4))):
        found = rust.sums_by_code(line.codes, line.size, *given)
    assert whole(found, line.size) == whole(expected, line.size), seed
    values = given[0] if given[0] is not None else given[1]
    is_product = given[0] is not None and given[1] is not None
    if line.codes is not None and not is_product and (values is None or values.dtype.kind != "f"):
        assert rows == 0 or 0 in found, seed


def check_columns(seed: int, rows: int | None = None) -> None:
    """Ends and checks of a column, and codes of bins."""
    rng = np.random.default_rng(seed)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    rows = int(rng.choice(SIZES)) if rows is None else rows
    column = drawn_columns(rng, rows)
    values = (column.truth, column.score, drawn_weights(rng, rows))[rng.integers(3)]
    if values is not None:
        if values.dtype.kind == "f" and rng.random() < 0.3:
            values = np.where(rng.random(rows) < 0.1, values.dtype.type(np.nan), values)
            values[rng.random(rows) < 0.1] = np.inf
        with threads.limited(int(rng.integers(1, 4))):
            found = rust.check_column(values, list(checking.PASSES))
        expected = specification.check_column(values, list(checking.PASSES))
        assert found.bad == expected.bad, seed
        np.testing.assert_array_equal(found[:2], expected[:2])
        assert type(found.least) is type(expected.least)
    bins = int(rng.choice([1, 2, 7, 10, 15, 100, 1 << 20]))
    edges = TermColumns(rows, score=rng.integers(0, bins + 1, rows) / bins)
    for each in (column, edges):
        found_codes = rust.bin_codes(each, bins)
        assert found_codes.dtype == np.int64
        assert (found_codes == specification.bin_codes(each, bins)).all(), seed


def test_sums_by_code_are_those_of_the_specification() -> None:
    for seed in range(random_cases(300, 100_000)):
        check_sums(seed)
    for seed in range(random_cases(3, 100)):
        check_sums(seed, threads.SHORT + seed)


def test_columns_are_checked_and_binned_as_in_the_specification() -> None:
    for seed in range(random_cases(300, 100_000)):
        check_columns(seed)
    for seed in range(random_cases(3, 100)):
        check_columns(seed, threads.SHORT + seed)


def test_codes_that_are_too_large_and_short_columns_are_no_disaster() -> None:
    rust = kernels.available()["rust"]
    rows = TermColumns(9, score=np.ones(9), positive=np.ones(9, bool))
    beyond = RowCodes(np.full(9, 7, np.uint8), 2)
    ((sums,),) = rust.add_terms([beyond], rows, [RowTerm("score", True)])
    assert whole(sums, 2) == [0, 9 << SHIFT]
    with pytest.raises(ValueError, match="different lengths"):
        rust.add_terms([RowCodes(np.zeros(8, np.uint8), 2)], rows, [RowTerm("score", True)])
    short = TermColumns(9, weight=np.ones(8), score=np.ones(9), positive=np.ones(9, bool))
    with pytest.raises(ValueError, match="different lengths"):
        rust.add_terms([RowCodes(None, 1)], short, [RowTerm("score", True)])
