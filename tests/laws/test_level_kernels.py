"""Kernels of probability levels against literal Python: one slice and one block at a time.

Weights are from 1 to 2**2074 times the unit, as those of 2**-1074 beside 2**1000; scores tie, are 0
and 1, subnormal, and as close to each other as float64 allows.
"""

import struct
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.kernels import hulls, segments
from steelyard.kernels.interface import Array, ExactSums, Kernels, KeyedRun
from steelyard.kernels.numpy.levels import grid
from steelyard.kernels.probabilities import probabilities
from steelyard.kernels.segments import sums_between
from tests.laws.kernel_numbers import digits_of, each_kernel, fractions_of, integers_of

SCORES = [0.0, 5e-324, 2.0**-1022, 0.125, 0.3, 0.3 + 2.0**-54, 0.5, 0.75, 1 - 2.0**-53, 1.0]
WEIGHTS = [1, 2, 3, 2**31 - 1, 2**31, 2**40 + 1, 2**62, 2**2074]


class Entry(NamedTuple):
    """A row: its slice, whether it is positive, its score and its weight."""

    slice: int
    positive: bool
    score: float
    weight: int


@st.composite
def entries(draw: st.DrawFn, most: int = 14) -> list[Entry]:
    light = st.sampled_from(WEIGHTS[:3])
    weight = draw(st.sampled_from([st.just(1), light, st.sampled_from(WEIGHTS)]))
    entry = st.builds(Entry, st.integers(0, 2), st.booleans(), st.sampled_from(SCORES), weight)
    return draw(st.lists(entry, max_size=most))


def run(rows: list[Entry], positive: bool, dtype: Any = np.float64) -> KeyedRun:
    """The rows of one class, sorted; weights of 1 have no digits."""
    own = sorted(row for row in rows if row.positive == positive)
    starts = np.searchsorted([row.slice for row in own], np.arange(4))
    weights = [row.weight for row in own]
    every = all(row.weight == 1 for row in rows)
    digits = None if every else digits_of(weights or [0], np.uint32)
    if digits is not None and not own:
        digits = (np.zeros(0, np.uint32),)
    return KeyedRun(starts, np.array([row.score for row in own], dtype), digits)


def runs(rows: list[Entry], dtype: Any = np.float64) -> tuple[KeyedRun, KeyedRun]:
    return run(rows, True, dtype), run(rows, False, dtype)


def blocks(rows: list[Entry], number: int) -> list[list[Entry]]:
    """The tied blocks of a slice, by rising score."""
    own = [row for row in rows if row.slice == number]
    scores = sorted({row.score for row in own})
    return [[row for row in own if row.score == score] for score in scores]


def weight(rows: list[Entry]) -> int:
    return sum(row.weight for row in rows)


def whole(numbers: list[int]) -> Array:
    return np.array(numbers, np.int64 if max(numbers, default=0) < 1 << 62 else object)


@pytest.fixture(params=[1, 3, 128], ids="grid of {}".format)
def sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points of a grid that are near and far apart, and ways to merge what is between them."""
    monkeypatch.setattr(grid, "ROWS", request.param)
    monkeypatch.setattr(grid, "LONG", 1 << 30 if request.param == 3 else 64)
    monkeypatch.setattr(grid, "MERGED", 4 if request.param == 1 else 1 << 15)
    monkeypatch.setattr(hulls, "ROUNDS", 1 if request.param == 1 else 64)
    monkeypatch.setattr(segments, "BLOCK", 2 if request.param == 1 else 1 << 16)


# --- bins ----------------------------------------------------------------------------------------
@each_kernel
@pytest.mark.usefixtures("sizes")
@given(
    rows=entries(),
    bins=st.sampled_from([1, 2, 3, 10, 1 << 20]),
    more=st.tuples(st.sampled_from([0, 1, 2**70]), st.sampled_from([0, 5, 2**2074])),
)
def test_level_bins(kernel: Kernels, rows: list[Entry], bins: int, more: tuple[int, int]) -> None:
    """A block is in bin ⌊B(2C + w)/2W⌋, also where a part of the slice is below and above."""
    below, above = more
    totals = [
        weight([row for row in rows if row.slice == number]) + below + above for number in range(3)
    ]
    found = kernel.level_bins(*runs(rows), whole(totals), whole([below] * 3), bins)
    expected: list[tuple[int, ...]] = []
    for number, total in enumerate(totals):
        counts: dict[int, list[int]] = {}
        before = below
        for block in blocks(rows, number):
            own = bins * (2 * before + weight(block)) // (2 * total)
            both = counts.setdefault(own, [0, 0])
            both[0] += sum(row.positive for row in block)
            both[1] += sum(not row.positive for row in block)
            before += weight(block)
        expected += [(number, own, *counts[own]) for own in sorted(counts)]
    slices = np.repeat(np.arange(3), np.diff(found.starts))
    columns = slices, found.numbers, np.diff(found.positives), np.diff(found.negatives)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
    assert (found.positives[0], found.negatives[0]) == (0, 0)


TERMS = {
    "expected": lambda q: q,
    "variance": lambda q: q * (1.0 - q),
    "squares": lambda q: q * q,
    "squares_of_rest": lambda q: (1.0 - q) * (1.0 - q),
}


def probability(score: float, downsampled: float | None) -> float:
    if downsampled is None:
        return score
    with np.errstate(over="ignore"):
        rest = float(np.float64(1.0 - score) / downsampled)
    return score / (rest + score)


@each_kernel
@pytest.mark.usefixtures("sizes")
@given(
    rows=entries(),
    term=st.sampled_from(sorted(TERMS)),
    downsampled=st.sampled_from([None, 0.1, 1e-310]),
    places=st.lists(st.integers(0, 14), min_size=2, max_size=4),
)
def test_level_sums(
    kernel: Kernels, rows: list[Entry], term: str, downsampled: float | None, places: list[int]
) -> None:
    side = run(rows, True)
    bounds = np.sort(np.minimum(places, len(side.scores)))
    found = kernel.level_sums(side, bounds, term, downsampled)
    weights = [1] * len(side.scores) if side.digits is None else integers_of(side.digits)
    terms = [
        Fraction(TERMS[term](probability(score, downsampled))) * own
        for score, own in zip(side.scores.tolist(), weights, strict=True)
    ]
    expected = [sum(terms[a:b], Fraction(0)) for a, b in pairwise(bounds)]
    assert fractions_of(found, len(expected)) == expected


NUMBERS = [0.0, -0.0, 1.0, -1.5, 2.0**-1074, -(2.0**-1022), 1.7e308, -1.7e308, 0.1, 2.0**52 + 1]


@pytest.mark.usefixtures("sizes")
@given(
    values=st.lists(st.sampled_from(NUMBERS), max_size=9),
    places=st.lists(st.integers(0, 9), min_size=2, max_size=5),
)
def test_sums_between(values: list[float], places: list[int]) -> None:
    bounds = np.sort(np.minimum(places, len(values)))
    found = sums_between(np.array(values), bounds)
    expected = [sum(map(Fraction, values[a:b]), Fraction(0)) for a, b in pairwise(bounds)]
    assert fractions_of(found, len(expected)) == expected


# --- hulls ---------------------------------------------------------------------------------------
def corners(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The ends, and the points that are strictly below every line of two others."""
    found = []
    for i, (x, y) in enumerate(points):
        lines = [(a, b) for a in points[:i] for b in points[i + 1 :]]
        left_turns = ((x - a[0]) * (b[1] - y) > (b[0] - x) * (y - a[1]) for a, b in lines)
        if all(left_turns):
            found.append((x, y))
    return found


@each_kernel
@pytest.mark.usefixtures("sizes")
@given(rows=entries(), dtype=st.sampled_from([np.float32, np.float64]))
def test_level_hull(kernel: Kernels, rows: list[Entry], dtype: Any) -> None:
    rows = [row._replace(score=float(dtype(row.score))) for row in rows]
    found = kernel.level_hull(*runs(rows, dtype))
    for number in range(3):
        points = [(0, 0)]
        for block in blocks(rows, number):
            x, y = points[-1]
            up = weight([row for row in block if row.positive])
            points.append((x + weight(block) - up, y + up))
        here = slice(found.starts[number], found.starts[number + 1])
        columns = found.negatives[here].tolist(), found.positives[here].tolist()
        expected = corners(points) if len(points) > 1 else []
        assert list(zip(*columns, strict=True)) == expected


@pytest.mark.parametrize("wide", [1, 2**20, 2**40])
def test_rounds_that_drop_one_point_each(wide: int) -> None:
    """A convex line of 99 points and one far right: a loop takes over after 64 rounds."""
    x = np.array([*range(99), 9000], object) * wide
    y = np.array([*(i * i for i in range(99)), 98 * 98], object) * wide
    points = list(zip(x.tolist(), y.tolist(), strict=True))
    chosen = corners(points)
    expected = [i for i, point in enumerate(points) if point in chosen]
    assert len(expected) < 99 - 64
    for type_ in (np.int64, object):
        both = [np.tile(column.astype(type_), 2) for column in (x, y)]
        found = hulls.lower_hulls(np.repeat([0, 1], 100), *both)
        assert found.tolist() == expected + [i + 100 for i in expected]


# --- walks ---------------------------------------------------------------------------------------
@each_kernel
@pytest.mark.usefixtures("sizes")
@given(rows=entries(), downsampled=st.sampled_from([None, 0.5]))
@example([Entry(0, True, 0.5, 2**2074), Entry(0, False, 0.5, 1), Entry(0, True, 0.75, 1)], None)
def test_level_walk(kernel: Kernels, rows: list[Entry], downsampled: float | None) -> None:
    rows += [Entry(number, False, 0.5, 1) for number in range(3)]  # each slice has rows
    found = kernel.level_walk(*runs(rows), downsampled)
    expected: list[list[Fraction]] = [[], [], []]
    for number in range(3):
        at = [Fraction(0)]
        for block in blocks(rows, number):
            q = Fraction(probability(block[0].score, downsampled))
            at.append(at[-1] + sum(row.weight * (row.positive - q) for row in block))
        for column, value in zip(expected, (at[-1], min(at), max(at)), strict=True):
            column.append(value)
    sums: tuple[ExactSums, ...] = found
    assert [fractions_of(column, 3) for column in sums] == expected


# --- cells ---------------------------------------------------------------------------------------
def cell_of(q: float, bits: int) -> tuple[int, tuple[int, int, int]]:
    """The code of a probability, and t, t², t³ in whole multiples."""
    number = 1.0 - q if q >= 0.5 else q * 2.0**60 if q < 2.0**-1022 else q
    (raw,) = struct.unpack("<q", struct.pack("<d", number))
    place = 52 - bits
    code, rest = raw >> place, raw & ((1 << place) - 1)
    code = 2**61 - code if q >= 0.5 else code - 2**60 if q < 2.0**-1022 else code
    t = rest / 2**place
    return code, (rest, int(t * t * 2**31), int(t * t * t * 2**31))


@each_kernel
@given(
    rows=entries(),
    bits=st.lists(st.integers(10, 40), min_size=3, max_size=3),
    clip=st.sampled_from([None, 1e-9]),
)
def test_level_cells(
    kernel: Kernels, rows: list[Entry], bits: list[int], clip: float | None
) -> None:
    found = kernel.level_cells(*runs(rows), np.array(bits), None, clip)
    for number in range(3):
        cells: dict[int, list[list[int]]] = {}
        infinite = 0
        for row in (row for row in rows if row.slice == number):
            q = row.score if clip is None else min(max(row.score, clip), 1.0 - clip)
            if q in (0.0, 1.0):
                infinite += row.weight
                continue
            code, terms = cell_of(q, bits[number])
            sums = cells.setdefault(code, [[0] * 4, [0] * 4])[not row.positive]
            sums[:] = [a + row.weight * b for a, b in zip(sums, (1, *terms), strict=True)]
        here = slice(found.starts[number], found.starts[number + 1])
        assert found.codes[here].tolist() == sorted(cells)
        assert found.infinite[number] == infinite
        for place, side in enumerate((found.positives, found.negatives)):
            columns = [column[here].tolist() for column in side]
            assert columns == [[cells[code][place][k] for code in sorted(cells)] for k in range(4)]


def falling(rng: np.random.Generator, downsampled: float, bits: int) -> Array | None:
    """Rising scores whose probabilities cross the start of a cell more than once."""
    start = 2.0 ** -int(rng.integers(2, 12)) * (1 + int(rng.integers(1 << 10)) / (1 << 10))
    odds = start / downsampled / (1 - start)
    near = np.float64(odds / (1 + odds)).view(np.int64)
    scores = (near + np.arange(-1000, 1000)).view(np.float64)
    codes = probabilities(scores, downsampled).view(np.int64) >> (52 - bits)
    return scores if (np.diff(codes) < 0).any() else None


@each_kernel
def test_cells_of_probabilities_that_fall_as_scores_rise(kernel: Kernels) -> None:
    """A cell that has rows before and after those of another is one cell: nothing is lost."""
    rng, cases = np.random.default_rng(5), 0
    while cases < 5:
        downsampled, bits = float(rng.random()), int(rng.integers(10, 41))
        scores = falling(rng, downsampled, bits)
        if scores is None:
            continue
        cases += 1
        cells: dict[int, list[int]] = {}
        for q in probabilities(scores, downsampled).tolist():
            code, terms = cell_of(q, bits)
            moments = cells.get(code, [0] * 4)
            cells[code] = [a + b for a, b in zip(moments, (1, *terms), strict=True)]
        run = KeyedRun(np.array([0, len(scores)]), scores, None)
        found = kernel.level_cells(run, run, np.array([bits]), downsampled, None)
        assert found.codes.tolist() == sorted(cells)
        for side in (found.positives, found.negatives):
            columns = [[cells[code][k] for code in sorted(cells)] for k in range(4)]
            assert [column.tolist() for column in side] == columns
