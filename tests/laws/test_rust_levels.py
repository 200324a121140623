"""Compiled levels and placements give what the NumPy kernels give, for any rows and threads."""

from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.digits import integers
from steelyard.kernels.interface import Array, ExactSums, KeyedRun, SortedTable
from tests.effort import random_cases
from tests.laws.test_rust_kernels import is_same
from tests.laws.test_rust_sorting import draw_chunks

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")

TERMS = ("expected", "variance", "squares", "squares_of_rest")


def draw_table(seed: int, large: bool = False) -> SortedTable:
    """A sorted table whose scores are probabilities."""
    chunks, slices, unit = draw_chunks(seed, large)
    with np.errstate(over="ignore"):
        chances = [np.abs(chunk.scores) for chunk in chunks]
        most = max((float(column.max(initial=0)) for column in chances), default=0)
        chances = [column / column.dtype.type(max(most, 1)) for column in chances]
    rows = [chunk._replace(scores=own) for chunk, own in zip(chunks, chances, strict=True)]
    return kernels.available()["numpy"].sort_scores(rows, slices, unit)


def totals_of(table: SortedTable) -> Array:
    """The weight of each slice."""
    found = np.zeros(len(table.positives.starts) - 1, object)
    for side in table[:2]:
        ones = np.ones(len(side.scores), object)
        weights = ones if side.digits is None else integers(side.digits).astype(object)
        sums = np.append(0, np.cumsum(weights)) if len(weights) else np.zeros(1, object)
        found += np.diff(sums[side.starts])
    return found


def whole(column: Array) -> list[int]:
    return [int(number) for number in column.tolist()]


def sums(found: ExactSums) -> list[Fraction]:
    columns = [(Fraction(2) ** power, digits.tolist()) for power, digits in found.items()]
    assert all(power % 31 == 0 and digits.dtype == np.int64 for power, digits in found.items())
    return [
        sum((unit * digits[place] for unit, digits in columns), Fraction(0))
        for place in range(len(columns[0][1]))
    ]


def results(kernel: Any, table: SortedTable, seed: int) -> list[Any]:
    """Everything that levels and placements say of a table."""
    rng, runs, totals = np.random.default_rng(seed), table[:2], totals_of(table)
    r = [None, 0.1, 0.9, 1e-300][seed % 4]
    clip = [None, None, 1e-15][seed % 3]
    found: list[Any] = []
    for count in (1, 15, 1000):
        below = np.where(totals > 3, 1, 0) if seed % 5 == 0 else 0 * totals
        bins = kernel.level_bins(*runs, totals + below, below, count)
        found.append([column.tolist() for column in bins])
        for rows, bounds in zip(runs, bins[2:], strict=True):
            found.append(sums(kernel.level_sums(rows, bounds, TERMS[seed % 4], r)))
    side: KeyedRun
    for side in runs:
        bounds = np.sort(rng.integers(0, len(side.scores) + 1, int(rng.integers(2, 40))))
        found += [sums(kernel.level_sums(side, bounds, term, r)) for term in TERMS]
    hull = kernel.level_hull(*runs)
    found.append([whole(column) for column in hull])
    bits = rng.integers(10, 41, len(totals)) if seed % 2 else np.full(len(totals), 12)
    cells = kernel.level_cells(*runs, bits, r, clip)
    columns = (cells.starts, cells.codes, *cells.positives, *cells.negatives, cells.infinite)
    found.append([whole(column) for column in columns])
    return found


def check(seed: int, large: bool = False) -> None:
    table = draw_table(seed, large)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    expected = results(specification, table, seed)
    for number in (1, 3):
        with threads.limited(number):
            found = results(rust, table, seed)
        for place, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert one == other, (seed, place)


def check_placements(seed: int, large: bool = False) -> None:
    chunks, slices, unit = draw_chunks(seed, large)
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    table = specification.sort_scores(chunks, slices, unit)
    for rows in (chunks, table):
        expected = specification.placements(rows, slices, unit)
        for number in (1, 3):
            with threads.limited(number):
                found = rust.placements(rows, slices, unit)
            for one, other in zip(found, expected, strict=True):
                assert one is not None
                assert other is not None
                assert one.dtype == other.dtype, seed
                assert one.tolist() == other.tolist(), seed
    totals, _ = specification.curve_points(table, slices, unit, points=False)
    for number in (1, 3):
        with threads.limited(number):
            areas, _ = rust.curve_points(table, slices, unit, points=False)
        assert all(map(is_same, areas, totals)), seed


def check_line_areas(seed: int, large: bool = False) -> None:
    chunks, slices, unit = draw_chunks(seed, large)
    rng = np.random.default_rng(seed)
    lines = int(rng.integers(1, 40))
    if seed % 2:
        chunks, unit = [each._replace(weights=None) for each in chunks], 0
    given = [
        each._replace(clusters=rng.integers(0, lines, len(each.scores)).astype(kind))
        for each, kind in zip(chunks, rng.choice(["u4", "i8", "u1"], len(chunks)), strict=True)
    ]
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    expected = specification.line_areas(given, slices, unit, lines)
    for rows in (given, specification.sort_scores(given, slices, unit)):
        for number in (1, 3):
            with threads.limited(number):
                found = rust.line_areas(rows, slices, unit, lines)
            for one, other in zip(chain(*found), chain(*expected), strict=True):
                assert whole_sums(one, lines) == whole_sums(other, lines), seed


def whole_sums(column: dict[int, Any], lines: int) -> list[int]:
    """The sums of whole numbers."""
    assert all(power % 31 == 0 and power >= 0 for power in column)
    digits = [(power, digit.tolist()) for power, digit in column.items()]
    return [sum(digit[line] << power for power, digit in digits) for line in range(lines)]


def test_line_areas_are_those_of_the_specification() -> None:
    for seed in range(random_cases(150, 20_000)):
        check_line_areas(seed)


def test_line_areas_of_many_parts_are_those_of_the_specification() -> None:
    for seed in range(random_cases(6, 200)):
        check_line_areas(seed, large=True)


@pytest.mark.parametrize("large", [False, True])
def test_line_areas_of_wide_weights_are_those_of_the_specification(large: bool) -> None:
    """Of up to three digits in each row by the compiled kernel, of four by the specification."""
    from steelyard.kernels.rust.placements import _of_lines

    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    for seed in range(random_cases(3, 50) if large else random_cases(60, 5_000)):
        table, rng = draw_table(seed, large), np.random.default_rng(seed)
        lines, kind, slices = int(rng.integers(1, 40)), seed % 5, len(table.positives.starts) - 1
        up, down = (widened(side, rng, kind) for side in table[:2])
        own = tuple(rng.integers(0, lines, len(side.scores)) for side in (up, down))
        rows = SortedTable(up, down, 0, (own[0], own[1]))
        expected = specification.line_areas(rows, slices, 0, lines)
        for number in (1, 3):
            with threads.limited(number):
                found, made = rust.line_areas(rows, slices, 0, lines), _of_lines(rows, lines)
            assert (made is None) == any(run_is_wide(side) for side in (up, down))
            for one, other in zip(chain(*found), chain(*expected), strict=True):
                assert whole_sums(one, lines) == whole_sums(other, lines), seed


def run_is_wide(side: KeyedRun) -> bool:
    """Whether some weight has more than three digits."""
    assert side.digits is not None
    return any(digit.any() for digit in side.digits[3:])


def test_levels_are_those_of_the_specification() -> None:
    for seed in range(random_cases(30, 5_000)):
        check(seed)


def test_levels_of_many_pieces_are_those_of_the_specification() -> None:
    for seed in range(random_cases(2, 100)):
        check(seed, large=True)


def test_placements_are_those_of_the_specification() -> None:
    for seed in range(random_cases(150, 20_000)):
        check_placements(seed)


def test_placements_of_many_pieces_are_those_of_the_specification() -> None:
    for seed in range(random_cases(4, 200)):
        check_placements(seed, large=True)


def test_levels_of_weights_beyond_64_bits_are_those_of_the_specification() -> None:
    """Up to three digits in each row and more than 2**62 in total: only sums of three decline."""
    from steelyard.kernels import _rust
    from steelyard.kernels.rust.levels import both_runs, masses_of

    rust: Any = kernels.available()["rust"]
    specification: Any = kernels.available()["numpy"]
    for seed in range(random_cases(40, 2_000)):
        rng = np.random.default_rng(seed)
        table = draw_table(seed, large=seed % 20 == 0)
        up, down = (widened(side, rng, seed % 4) for side in table[:2])
        runs, rows = (up, down), table._replace(positives=up, negatives=down)
        columns, totals = both_runs(up, down), totals_of(rows)
        assert columns is not None
        below, term, r = totals // 5 * (seed % 2), TERMS[seed % 4], [None, 0.1][seed % 2]
        for count in (1, 15, 1000):
            bins = specification.level_bins(*runs, totals + below, below, count)
            for number in (1, 3):
                masses = masses_of(totals + below, below)
                assert masses is not None
                assert _rust.level_bins(columns, *masses, count, number) is not None
                with threads.limited(number):
                    found = rust.level_bins(*runs, totals + below, below, count)
                assert all(map(is_same, found, bins)), seed
                for side, own, bounds in zip(runs, columns, bins[2:], strict=True):
                    made = _rust.level_sums(own, bounds, term, r, number)
                    assert (made is None) == (len(own[2]) > 2)
                    with threads.limited(number):
                        one = rust.level_sums(side, bounds, term, r)
                    assert sums(one) == sums(specification.level_sums(side, bounds, term, r)), seed


def widened(side: KeyedRun, rng: Any, kind: int) -> KeyedRun:
    """Other weights: two digits of which the upper one is large, or is large in few rows, or 0.

    kind: from 3 on, as many large digits
    """
    if kind > 2:
        column = (kind, len(side.scores))
        return side._replace(digits=tuple(rng.integers(0, 2**31, column).astype(np.uint32)))
    low = rng.integers(0, 2**31, len(side.scores)).astype(np.uint32)
    high = rng.integers(0, 2**31, len(side.scores)).astype(np.uint32)
    if kind == 1:
        high = np.where(rng.random(len(high)) < 0.1, high, 0).astype(np.uint32)
    return side._replace(digits=(low, high) if kind < 2 else (0 * low + 1, high // 2**31))


def small_run(scores: Any, digits: Any = None) -> KeyedRun:
    column = np.asarray(scores, np.float64)
    return KeyedRun(np.array([0, len(column)]), column, digits)


def test_what_is_too_wide_is_left_to_the_specification() -> None:
    """Weights from 2**62 in total but for bins and sums, bins whose products take more than 128
    bits, and numbers that are no probabilities.
    """
    from steelyard.kernels import _rust
    from steelyard.kernels.rust.levels import both_runs, masses_of, run_columns

    wide = tuple(np.full(2, 2**31 - 1, np.uint32) for _ in range(2))
    run = small_run([0.25, 0.5], wide)
    runs = both_runs(run, run)
    assert runs is not None
    assert _rust.level_hull(runs, 1) is None
    assert _rust.heaviest_slice(runs, 1) is None
    assert _rust.sorted_areas(runs, 1) is None
    three = (*wide, wide[0])
    assert run_columns(small_run([0.25, 0.5], (*three, wide[0]))) is None
    assert run_columns(small_run([0.25, 0.5], (*three, 0 * wide[0]))) is not None
    beyond = run_columns(small_run([0.5, 1.5]))
    assert beyond is not None
    assert _rust.level_sums(beyond, np.array([0, 2]), "expected", None, 1) is None
    rust, specification = (kernels.available()[name] for name in ("rust", "numpy"))
    ones = small_run([0.25, 0.5])
    for bits, bins in ((70, 10), (123, 1000), (130, 10)):
        masses = np.array([2**bits], object), np.array([2**bits - 9], object)
        both = [kernel.level_bins(ones, ones, *masses, bins) for kernel in (rust, specification)]
        assert [column.tolist() for column in both[0]] == [column.tolist() for column in both[1]]
        columns, words = both_runs(ones, ones), masses_of(*masses)
        assert columns is not None
        assert (words is None) == (bits > 124)
        if words is not None:
            assert (_rust.level_bins(columns, *words, bins, 1) is None) == (bits == 123)


def test_columns_that_do_not_fit_are_an_error() -> None:
    from steelyard.kernels import _rust
    from steelyard.kernels.rust.levels import run_columns

    run, empty = run_columns(small_run([0.25, 0.5])), run_columns(small_run([]))
    assert run is not None
    assert empty is not None
    with pytest.raises(ValueError, match="different lengths"):
        _rust.level_hull(((*run[:2], [np.ones(1, np.uint32)]), run), 1)
    with pytest.raises(ValueError, match="different slices"):
        _rust.level_hull((run, (np.array([0, 1, 2]), *run[1:])), 1)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.level_cells((run, run), np.array([12, 12]), None, None, 1)
    with pytest.raises(TypeError, match="too many digits"):
        _rust.level_hull(((*run[:2], [np.ones(2, np.uint32)] * 4), run), 1)
    lines = np.zeros(2, np.uint32)
    with pytest.raises(ValueError, match="different lengths"):
        _rust.sorted_line_areas((run, run), (lines, lines[:1]), 1, 1)
    with pytest.raises(RuntimeError, match="compiled kernel failed"):
        _rust.sorted_line_areas((run, run), (lines, lines + 1), 1, 1)
    with pytest.raises(ValueError, match="no such term"):
        _rust.level_sums(run, np.array([0, 2]), "cubes", None, 1)
    with pytest.raises(ValueError, match="another length"):
        _rust.placements((run, empty), [(np.empty(2, np.int64), np.empty(2, np.int64))] * 2, 1)
    # Starts and bounds beyond the rows are cut: no row is read that is not there.
    outside = (np.array([-3, 99]), *run[1:])
    assert _rust.sorted_areas((outside, run), 1) is not None
    assert _rust.level_sums(run, np.array([-5, 99]), "expected", None, 1) is not None
