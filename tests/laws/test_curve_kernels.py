"""Kernels of curves against literal Python: every pair of rows, fractions, the first of a list.

Rows come in chunks of any weights (none, floats, whole numbers, digits), or sorted; scores tie, are
negative, subnormal or -0.0; slices may be empty or of one class, and so may all of them.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.kernels.interface import (
    Array,
    CurvePoints,
    Kernels,
    KeyedRun,
    ScoreChunk,
    ScoreRows,
    SortedTable,
    Upwards,
)
from steelyard.kernels.numpy import curves
from tests.laws.kernel_numbers import digits_of, each_kernel, fractions_of, integers_of

WIDE = [-1e308, -1.0, -5e-324, -0.0, 0.0, 5e-324, 2.0**-1022, 0.25, 0.5, 1e308]
NARROW = [-3e38, -1.0, -1e-45, -0.0, 0.0, 1e-45, 2.0**-126, 0.25, 0.5, 3e38]
CODES = ("uint8", "uint16", "uint32", "int64")
WEIGHTS: dict[str, list[Any]] = {
    "float64": [1.0, 0.1, 2.0**-1074, 2.0**1000, 3.0],
    "float32": [1.0, 0.5, float(np.float32(0.1)), 2.0**-140, 2.0**100],
    "uint32": [1, 2, 2**32 - 1],
    "int64": [1, 3, 2**62],
    "digits": [1, 2**31 - 1, 2**31, 2**93 + 5],
}


class Row(NamedTuple):
    slice: int
    score: float
    positive: bool
    weight: Fraction


class Given(NamedTuple):
    """Chunks, the unit of their weights, how many slices; and the same rows one by one."""

    chunks: list[ScoreChunk]
    unit: int
    slices: int
    rows: list[Row]

    def of(self, number: int, positive: bool) -> list[Row]:
        return [each for each in self.rows if (each.slice, each.positive) == (number, positive)]

    def forms(self, kernel: Kernels) -> list[ScoreRows]:
        return [self.chunks, kernel.sort_scores(self.chunks, self.slices, self.unit)]


def lowest_bit(number: Fraction) -> int:
    """The largest u such that a number is a multiple of 2**u, by Python's arithmetic."""
    up, down = number.numerator, number.denominator
    return (up & -up).bit_length() - down.bit_length()


@st.composite
def score_rows(draw: st.DrawFn, kinds: tuple[str, ...] = (*WEIGHTS, "none")) -> Given:
    slices = draw(st.sampled_from([1, 1, 3, 5]))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    score = st.sampled_from(NARROW if dtype == np.float32 else WIDE)
    drawn = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(kinds))
        weight = st.sampled_from([1] if kind == "none" else WEIGHTS[kind])
        row = st.tuples(st.integers(0, slices - 1), score, st.booleans(), weight)
        drawn.append((kind, draw(st.sampled_from(CODES)), draw(st.lists(row, max_size=7))))
    weights = {Fraction(row[3]) for _, _, rows in drawn for row in rows}
    unit = min([0 if any(k == "none" for k, *_ in drawn) else 9, *map(lowest_bit, weights)])
    chunks, found = [], []
    for kind, code_type, rows in drawn:
        columns: list[list[Any]] = [[row[i] for row in rows] for i in range(4)]
        codes, scores, positive, amounts = columns
        column: Any = None
        if kind == "digits":
            column = digits_of([int(w / Fraction(2) ** unit) for w in map(Fraction, amounts)])
        elif kind != "none":
            column = np.array(amounts, kind)
        own = None if slices == 1 and draw(st.booleans()) else np.array(codes, code_type)
        chunks.append(ScoreChunk(own, np.array(scores, dtype), np.array(positive, bool), column))
        # float32 rounds what Python holds as float64.
        exact = np.array(scores, dtype).astype(float).tolist()
        found += [
            Row(code, each + 0.0, is_up, Fraction(w) / Fraction(2) ** unit)
            for code, each, is_up, w in zip(codes, exact, positive, amounts, strict=True)
        ]
    return Given(chunks, unit, slices, found)


def weight_of(rows: list[Row]) -> int:
    total = sum((each.weight for each in rows), Fraction(0))
    assert total.denominator == 1
    return total.numerator


@each_kernel
@pytest.mark.parametrize("length", [1, 2, None], ids=["ranges of 1", "ranges of 2", "one range"])
@given(given_=score_rows())
def test_curve_points(kernel: Kernels, length: int | None, given_: Given) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "RANGE", length or 1 << 18)
        for rows in given_.forms(kernel):
            check_points(kernel, given_, rows)


def check_points(kernel: Kernels, given_: Given, rows: ScoreRows) -> None:
    totals, points = kernel.curve_points(rows, given_.slices, given_.unit, points=True)
    alone, none = kernel.curve_points(rows, given_.slices, given_.unit, points=False)
    assert none is None
    assert points is not None
    for one, other in zip(totals, alone, strict=True):
        assert one.dtype == other.dtype
        assert list(map(repr, one.tolist())) == list(map(repr, other.tolist()))
    heaviest, entries = 0, []
    for number in range(given_.slices):
        up, down = given_.of(number, True), given_.of(number, False)
        ordered, tied = 0, 0
        for row in up:
            ordered += int(row.weight) * weight_of([o for o in down if o.score < row.score])
            tied += int(row.weight) * weight_of([o for o in down if o.score == row.score])
        assert int(totals.positives[number]) == weight_of(up)
        assert int(totals.negatives[number]) == weight_of(down)
        assert totals.doubled_area[number] == 2 * ordered + tied
        assert totals.tied_pairs[number] == tied
        scores = [each.score for each in up + down]
        for found, wanted in ((totals.lowest, min), (totals.highest, max)):
            assert found.dtype == np.float64
            assert [float(found[number])] == [wanted(scores)] if scores else np.isnan(found[number])
        heaviest = max(heaviest, weight_of(up + down))
        entries += [
            (
                number,
                score,
                weight_of([each for each in up if each.score == score]),
                weight_of([each for each in down if each.score < score]),
                weight_of([each for each in down if each.score == score]),
            )
            for score in sorted({each.score for each in up})
        ]
    check_entries(points, entries, given_.slices, heaviest)
    check_types([totals.positives, totals.negatives, *points[2:]], heaviest)
    assert points.scores.dtype == given_.chunks[0].scores.dtype
    assert not np.signbit(points.scores[points.scores == 0]).any()


def check_entries(points: CurvePoints, entries: list[Any], slices: int, heaviest: int) -> None:
    assert points.starts.dtype == np.int64
    numbers = [each[0] for each in entries]
    assert points.starts.tolist() == [sum(n < at for n in numbers) for at in range(slices + 1)]
    assert points.scores.tolist() == [each[1] for each in entries]
    own = [1] * len(entries) if points.positives is None else points.positives.tolist()
    assert own == [each[2] for each in entries]
    assert points.below.tolist() == [each[3] for each in entries]
    tied = [0] * len(entries) if points.tied is None else points.tied.tolist()
    assert tied == [each[4] for each in entries]


def check_types(columns: list[Array | None], heaviest: int) -> None:
    """Whole numbers are of the narrowest type that holds every total; of objects, or int64."""
    kind = np.uint32 if heaviest < 1 << 32 else np.int64 if heaviest < 1 << 63 else object
    found = {column.dtype for column in columns if column is not None}
    assert found == {np.dtype(kind)} or (kind is object and found <= {np.dtype("O"), np.dtype("q")})


@each_kernel
@pytest.mark.parametrize("length", [1, None], ids=["ranges of 1", "one range"])
@given(given_=score_rows())
def test_placements(kernel: Kernels, length: int | None, given_: Given) -> None:
    table = kernel.sort_scores(numbered(given_.chunks), given_.slices, given_.unit)
    assert table.clusters is not None
    order = np.concatenate(table.clusters).tolist()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "RANGE", length or 1 << 18)
        found = [
            (kernel.placements(given_.chunks, given_.slices, given_.unit), range(len(order))),
            (kernel.placements(table, given_.slices, given_.unit), order),
        ]
    heaviest = max(
        weight_of([each for each in given_.rows if each.slice == n]) for n in range(given_.slices)
    )
    for (below, tied), rows in found:
        check_types([below, tied], heaviest)
        equal = [0] * len(order) if tied is None else tied.tolist()
        for row, lower, same in zip(rows, below.tolist(), equal, strict=True):
            own = given_.rows[row]
            others = given_.of(own.slice, not own.positive)
            assert lower == weight_of([each for each in others if each.score < own.score])
            assert same == weight_of([each for each in others if each.score == own.score])


@each_kernel
@given(given_=score_rows(), weighted=st.booleans())
def test_line_areas(kernel: Kernels, given_: Given, weighted: bool) -> None:
    """A line has the rows of a slice whose number has the same rest, divided by three."""
    rows = [each if weighted else each._replace(weight=Fraction(1)) for each in given_.rows]
    unit = given_.unit if weighted else 0
    chunks = [
        each._replace(weights=each.weights if weighted else None)
        for each in numbered(given_.chunks)
    ]
    line = [3 * each.slice + place % 3 for place, each in enumerate(rows)]
    codes = np.array(line, np.uint32)
    given_lines = [each._replace(clusters=codes[each.clusters]) for each in chunks]
    expected = [[[Fraction(0)] * (3 * given_.slices) for _ in range(2)] for _ in range(2)]
    for own, place in zip(rows, line, strict=True):
        others = [each for each in rows if each.slice == own.slice]
        others = [each for each in others if each.positive != own.positive]
        equal = [each for each in others if each.score == own.score]
        below, above = (
            [each for each in others if sign * each.score < sign * own.score] for sign in (1, -1)
        )
        worse = below if own.positive else above
        side = 0 if own.positive else 1
        expected[0][side][place] += own.weight
        expected[1][side][place] += own.weight * (2 * weight_of(worse) + weight_of(equal))
    for table in (given_lines, kernel.sort_scores(given_lines, given_.slices, unit)):
        found = kernel.line_areas(table, given_.slices, unit, 3 * given_.slices)
        for columns, of_sides in zip(found, expected, strict=True):
            for column, sums in zip(columns, of_sides, strict=True):
                digits = [(power, digit.tolist()) for power, digit in column.items()]
                assert [
                    sum(digit[at] << power for power, digit in digits) for at in range(len(sums))
                ] == sums


def numbered(chunks: list[ScoreChunk]) -> list[ScoreChunk]:
    found, start = [], 0
    for each in chunks:
        end = start + len(each.scores)
        found.append(each._replace(clusters=np.arange(start, end, dtype=np.uint32)))
        start = end
    return found


@each_kernel
@given(given_=score_rows())
def test_sort_scores(kernel: Kernels, given_: Given) -> None:
    copies = [each.scores.copy() for each in given_.chunks]
    table = kernel.sort_scores(numbered(given_.chunks), given_.slices, given_.unit)
    assert all(np.array_equal(a.scores, b) for a, b in zip(given_.chunks, copies, strict=True))
    assert table.unit == given_.unit
    assert table.clusters is not None
    for side, rows, positive in zip(table[:2], table.clusters, (True, False), strict=True):
        assert len(side.starts) == given_.slices + 1
        weights = [1] * len(rows) if side.digits is None else integers_of(side.digits)
        listed = list(zip(side.scores.tolist(), weights, rows.tolist(), strict=True))
        for number in range(given_.slices):
            here = listed[side.starts[number] : side.starts[number + 1]]
            assert [each[0] for each in here] == sorted(each[0] for each in here)
            assert sorted(each[2] for each in here) == [
                row
                for row, each in enumerate(given_.rows)
                if (each.slice, each.positive) == (number, positive)
            ]
            for score, weight, row in here:
                assert (score, weight) == (given_.rows[row].score, given_.rows[row].weight)
        assert not np.signbit(side.scores[side.scores == 0]).any()


@each_kernel
@given(given_=score_rows())
def test_next_above(kernel: Kernels, given_: Given) -> None:
    queries = sorted({(each.slice, each.score) for each in given_.rows})
    codes = np.array([code for code, _ in queries], np.int64)
    scores = np.array([score for _, score in queries], given_.chunks[0].scores.dtype)
    for rows in given_.forms(kernel):
        found = kernel.next_above(rows, given_.slices, codes, scores)
        assert found.dtype == scores.dtype
        for (code, score), above in zip(queries, found.tolist(), strict=True):
            others = [each.score for each in given_.of(code, False) if each.score > score]
            assert above == min(others, default=inf)


# --- terms and maxima ----------------------------------------------------------------------------


class Curve(NamedTuple):
    """Points with what lies above them, and the same entries one by one."""

    points: CurvePoints
    upwards: Upwards
    entries: list[list[tuple[int, int, int, int]]]  # of each slice: p, t, TP, FP


LARGEST = [3, 2**20, 2**26, 2**31, 2**40, 2**52, 2**60, 2**70, 2**200]


@st.composite
def curve(draw: st.DrawFn) -> Curve:
    """Any points; some start in the middle of a slice."""
    largest = draw(st.sampled_from(LARGEST))
    weight = st.integers(1, 3) | st.integers(1, largest) | st.just(largest)
    plain, clear = draw(st.booleans()), draw(st.booleans())
    entries, columns, upwards, starts = [], [], [], [0]
    for _ in range(draw(st.integers(1, 4))):
        size = draw(st.integers(0, 6))
        own = [1] * size if plain else draw(st.lists(weight, min_size=size, max_size=size))
        apart = draw(st.lists(st.just(0) | weight, min_size=size, max_size=size))
        tied = [0] * size
        if not clear:
            tied = draw(st.lists(st.just(0) | weight, min_size=size, max_size=size))
        below = [sum(apart[: i + 1]) + sum(tied[:i]) for i in range(size)]
        more = draw(st.just(0) | weight)  # of positives in higher ranges
        top = [sum(own) + more, sum(apart) + sum(tied) + draw(st.just(0) | weight)]
        upwards.append(top)
        entries.append(
            [(own[i], tied[i], sum(own[i:]) + more, top[1] - below[i]) for i in range(size)]
        )
        columns += list(zip(own, below, tied, strict=True))
        starts.append(starts[-1] + size)
    heaviest = max(map(sum, upwards))
    kind: Any = np.uint32 if heaviest < 1 << 32 else np.int64 if heaviest < 1 << 63 else object
    up, lower, equal = (np.array([c[i] for c in columns], kind) for i in range(3))
    scores = np.arange(len(columns), dtype=np.float64)
    points = CurvePoints(
        np.array(starts), scores, None if plain else up, lower, None if clear else equal
    )
    wide: Any = np.int64 if heaviest < 1 << 62 else object
    return Curve(
        points, Upwards(*(np.array([u[i] for u in upwards], wide) for i in range(2))), entries
    )


def quotient(above: int, below: int) -> float:
    return float(Fraction(above, below))  # rounded once


@each_kernel
@given(curve())
def test_sums_of_precisions(kernel: Kernels, given_: Curve) -> None:
    found = kernel.curve_sums(given_.points, given_.upwards, "precision")
    expected = [
        sum((own * Fraction(quotient(tp, tp + fp)) for own, _, tp, fp in each), Fraction(0))
        for each in given_.entries
    ]
    assert fractions_of(found, len(expected)) == expected


@each_kernel
@given(curve())
def test_sums_of_pr_segments(kernel: Kernels, given_: Curve) -> None:
    """Up to the rounding of the term, of some ten operations."""
    found = kernel.curve_sums(given_.points, given_.upwards, "pr_segment")
    for sum_, each in zip(fractions_of(found, len(given_.entries)), given_.entries, strict=True):
        expected = sum((own * mean_precision(own, *rest) for own, *rest in each), Fraction(0))
        assert abs(sum_ - expected) <= expected / 10**14


@each_kernel
@given(curve())
def test_sums_of_negatives_above(kernel: Kernels, given_: Curve) -> None:
    found = kernel.curve_sums(given_.points, given_.upwards, "doubled_fp")
    expected = [sum(own * (2 * fp - tied) for own, tied, _, fp in each) for each in given_.entries]
    assert fractions_of(found, len(expected)) == expected


def mean_precision(own: int, tied: int, tp: int, fp: int) -> Fraction:
    """The mean of precision on the way through a block, by its integral, to 200 decimals."""
    above, before = tp - own, tp + fp - own - tied
    alpha = Fraction(own, own + tied)
    if before == 0:
        return alpha
    with localcontext() as context:
        context.prec = 400
        z = Decimal(own + tied) / Decimal(before)
        return alpha + (Fraction(above, before) - alpha) * Fraction((1 + z).ln() / z)


FACTORS = st.integers(0, 3) | st.sampled_from([2**20, 2**33, 2**61, 2**100, 10**400])


@each_kernel
@pytest.mark.parametrize("measure", ["gain", "share", "precise", "allowed", "within", "reached"])
@given(given_=curve(), data=st.data())
@example(given_=None, data=None)
def test_curve_most(kernel: Kernels, measure: Any, given_: Any, data: Any) -> None:
    if given_ is None:  # two equal gains, F1s and precisions: the higher entry
        points = CurvePoints(
            np.array([0, 3]), np.arange(3.0), None, np.array([0, 1, 2], np.uint32), None
        )
        given_ = Curve(
            points,
            Upwards(np.array([3]), np.array([3])),
            [[(1, 0, 3, 3), (1, 0, 2, 2), (1, 0, 1, 1)]],
        )
        up, down = [0 if measure == "share" else 1], [0 if measure == "share" else 1]
    else:
        up, down = ([data.draw(FACTORS) for _ in given_.entries] for _ in range(2))
        if measure in ("allowed", "within", "reached", "share"):
            own = [each for slice_ in given_.entries for _, _, *each in slice_] or [[1, 1]]
            some = st.sampled_from([x for pair in own for x in (*pair, sum(pair))]) | st.just(0)
            up, down = ([data.draw(some) for _ in given_.entries] for _ in range(2))
    columns = (whole(each, data is not None and data.draw(st.booleans())) for each in (up, down))
    found = kernel.curve_most(given_.points, given_.upwards, measure, *columns)
    for number, each in enumerate(given_.entries):
        first = int(given_.points.starts[number])
        wanted = best(measure, each, up[number], down[number])
        if wanted is None:
            assert (found.places[number], found.tp[number], found.fp[number]) == (-1, 0, 0)
        else:
            assert found.places[number] == first + wanted
            assert (found.tp[number], found.fp[number]) == each[wanted][2:]


def whole(numbers: list[int], wide: bool) -> Array:
    fits = not wide and all(number < 1 << 63 for number in numbers)
    return np.array(numbers, np.int64 if fits else object)


def best(measure: str, entries: list[Any], up: int, down: int) -> int | None:
    """The entry that a measure chooses, by its definition."""
    places = range(len(entries))
    counts = [(tp, fp) for _, _, tp, fp in entries]
    if measure == "gain":
        gains = [up * tp - down * fp for tp, fp in counts]
        above = [place for place in places if gains[place] > 0]
        return max(above, key=lambda place: (gains[place], place), default=None)
    if measure == "share":
        shares = [Fraction(tp, tp + fp + down) for tp, fp in counts]
        enough = [place for place in places if counts[place][0] >= up]
        return max(enough, key=lambda place: (shares[place], place), default=None)
    if measure == "precise":
        return next((p for p in places if up * counts[p][0] >= down * counts[p][1]), None)
    if measure == "allowed":
        return next((place for place in places if counts[place][1] <= down), None)
    if measure == "within":
        return next((place for place in places if sum(counts[place]) <= down), None)
    return max((place for place in places if counts[place][0] >= up), default=None)


def test_a_sorted_table_is_not_sorted_again() -> None:
    """The rows of a sorted table are used as they are: no array of theirs is copied and sorted."""
    table = SortedTable(*(KeyedRun(np.array([0, 0]), np.zeros(0), None),) * 2, 0)
    totals, points = curves.curve_points(table, 1, 0, points=True)
    assert points is not None
    assert points.scores is table.positives.scores
    assert np.isnan(totals.lowest).all()
