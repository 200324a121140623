"""Calibration on tables large enough for grids, blocks and rounds of columns."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import isnan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest

import steelyard as sy
from steelyard.kernels import hulls, segments
from steelyard.kernels.numpy.levels import cells, grid, walk
from steelyard.kernels.row_blocks import blocks as cut_into_blocks
from steelyard.metrics.calibration import logistic
from steelyard.reading.arrays import read_arrays
from steelyard.states import ScoreTable
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.sums.keys import equal_width
from steelyard.views.levels import LevelView
from steelyard.views.scores import ScoreView
from tests.tables.binary_data import scored
from tests.tables.calibration import FAMILY
from tests.tables.harness import check
from tests.tables.random_probabilities import sample

SPECS = (
    *("ece()", "ece(bins=3)", "ece(bins=300)", "ece(bins=7, kind=width)", "ecce()"),
    *("hosmer_lemeshow(bins=2)", "hosmer_lemeshow()"),
    *("calibration_curve(bins=3)", "calibration_curve(bins=300)"),
)


class Block(NamedTuple):
    """A tied block: its probability, the weight of its positives and of all its rows."""

    q: Fraction
    positives: Fraction
    weight: Fraction


def blocks(y: Sequence[int], q: Sequence[float], w: Sequence[float] | None = None) -> list[Block]:
    found: dict[float, list[Fraction]] = {}
    for label, score, weight in zip(y, q, w or [1.0] * len(y), strict=True):
        sums = found.setdefault(score, [Fraction(0), Fraction(0)])
        sums[0] += label * Fraction(weight)
        sums[1] += Fraction(weight)
    return [Block(Fraction(score), *found[score]) for score in sorted(found)]


def weight(rows: Sequence[Block]) -> Fraction:
    return sum((row.weight for row in rows), Fraction(0))


def pooled(rows: Sequence[Block]) -> list[list[Fraction]]:
    """Pool adjacent violators, one at a time: [positives, weight] of each block."""
    found: list[list[Fraction]] = []
    for row in rows:
        found.append([row.positives, row.weight])
        while len(found) > 1 and found[-2][0] * found[-1][1] >= found[-1][0] * found[-2][1]:
            up, all_ = found.pop()
            found[-1][0] += up
            found[-1][1] += all_
    return found


def recalibrated(rows: Sequence[Block]) -> Fraction:
    parts = (up * (all_ - up) / all_ for up, all_ in pooled(rows))
    return sum(parts, Fraction(0)) / weight(rows)


SAMPLES = [
    pytest.param(*case, id="-".join(map(str, case)))
    for case in (
        (1, 40, 0.5, 1, "none"),
        (2, 300, 0.3, 2, "whole"),
        (3, 1500, 0.1, 9, "none"),
        (4, 1500, 0.5, 9, "floats"),
        (5, 1500, 0.5, 3, "none"),
        (6, 1000, 0.5, 9, "wide"),
        (7, 1500, 0.02, 9, "whole"),
    )
]
tables = pytest.mark.parametrize(("seed", "rows", "rate", "digits", "weights"), SAMPLES)


def assert_recalibrated(table: Sequence[Block], y: Any, q: Any, w: Any) -> None:
    """dsc to the bit, and mcb but for the rounding of squares, by the isotonic rates themselves."""
    total = weight(table)
    positives = sum((row.positives for row in table), Fraction(0))
    unc = positives * (total - positives) / total**2
    assert sy.dsc(y, q, sample_weight=w) == float(unc - recalibrated(table))
    brier = sum(
        (row.positives * (1 - row.q) ** 2 + (row.weight - row.positives) * row.q**2)
        for row in table
    )
    mcb = brier / total - recalibrated(table)
    assert sy.mcb(y, q, sample_weight=w) == pytest.approx(float(mcb), rel=1e-12, abs=1e-16)


@tables
def test_the_definitions(seed: int, rows: int, rate: float, digits: int, weights: str) -> None:
    y, q, w = sample(seed, rows, rate, digits, weights)
    data = scored("large", y, q, w)
    check(FAMILY, SPECS, data, {spec: FAMILY.answer_on(spec, data) for spec in SPECS})
    assert_recalibrated(blocks(y.tolist(), q.tolist(), None if w is None else w.tolist()), y, q, w)
    parts_of = (sy.mcb, sy.dsc, sy.unc, sy.brier)
    m, d, u, b = (metric(y, q, sample_weight=w) for metric in parts_of)
    assert m - d + u == pytest.approx(b, abs=1e-15)


@pytest.mark.parametrize("heavy", [0, 1])
@pytest.mark.parametrize("rows", [4, 100, 3000])
def test_one_heavy_side(heavy: int, rows: int) -> None:
    """The weights of one class pass int64 in their unit, those of the other do not."""
    random = np.random.default_rng(rows)
    q = np.round(random.random(rows), 6) * 0.9 + 0.05
    y = (random.random(rows) < q).astype(int)
    y[:2] = 0, 1
    w = np.where(y == heavy, 1000.1, 2.0**-52)
    w[np.flatnonzero(y != heavy)[0]] = 0.3
    table = blocks(y.tolist(), q.tolist(), w.tolist())
    assert_recalibrated(table, y, q, w)


def test_the_smallest_weights() -> None:
    """Each weighs 5e-324, whose square is 0 in float64: the details are still numbers."""
    y, q, w = [0, 1, 1, 0], [0.25, 0.5, 0.5, 0.75], [5e-324] * 4
    unit = Fraction(5e-324)
    variance = (Fraction(q[0]) * 3 / 4 * 2 + Fraction(1, 2)) * unit
    sigma = result_row(y, q, w, "ecce").details["sigma"]
    square = variance / (4 * unit) ** 2
    assert abs(Fraction(sigma) ** 2 / square - 1) < Fraction(1, 10**14)
    level = result_row(y, q, w, "ece(1)").details["null_level"]
    assert level == pytest.approx(sigma * sqrt(2 / np.pi), rel=1e-14)
    assert sy.ece(y, q, sample_weight=w, bins=1) == 0.0


def result_row(y: Any, q: Any, w: Any, metric: str) -> Any:
    (row,) = sy.evaluate(label=y, score=q, weight=w, metrics=metric)
    return row


ALL = ("ece", "ecce", "hosmer_lemeshow", "mcb", "dsc", "calibration_slope", "ece(7,kind=width)")


def results(y: Any, q: Any, w: Any = None) -> list[tuple[Any, ...]]:
    rows = sy.evaluate(label=np.array(y), score=np.array(q), weight=w, metrics=ALL)
    return [(row.metric, row.value, row.why, tuple(row.details.items())) for row in rows]


@tables
def test_sizes_of_blocks_change_nothing(
    monkeypatch: pytest.MonkeyPatch, seed: int, rows: int, rate: float, digits: int, weights: str
) -> None:
    """Grids, blocks and rounds are ways to get there."""
    y, q, w = sample(seed, rows, rate, digits, weights)
    found = results(y, q, w)
    monkeypatch.setattr(grid, "ROWS", 5)
    monkeypatch.setattr(grid, "MERGED", 30)
    monkeypatch.setattr(grid, "LONG", 1 << 30)
    monkeypatch.setattr(hulls, "ROUNDS", 2)
    monkeypatch.setattr(segments, "BLOCK", 64)
    monkeypatch.setattr(cells, "blocks", partial(cut_into_blocks, size=64))
    monkeypatch.setattr(walk, "blocks", partial(cut_into_blocks, size=64))
    monkeypatch.setattr(logistic, "CELLS", 100)
    assert results(y, q, w) == found


def levels_of(table: ScoreTable) -> LevelView:
    (view,) = ScoreView(table, 0, 1, TOTAL_SLICE).levels()
    return view


def test_a_table_is_read_again_when_rows_come() -> None:
    table = ScoreTable()
    table.update(read_arrays([0, 1], [0.25, 0.5]))
    assert table.sorted(0, 1) is table.sorted(0, 1)
    assert levels_of(table).totals.all.tolist() == [2]
    table.update(read_arrays([1], [0.75]))
    assert levels_of(table).totals.all.tolist() == [3]
    other = ScoreTable()
    other.update(read_arrays([0], [0.75]))
    table.add(other)
    assert levels_of(table).totals.all.tolist() == [4]


def test_corners_of_a_diagram() -> None:
    """By hand: the points of 1, 0 1, 0 0 1 1 by rising score, and the line below them."""
    x, y = np.array([0, 0, 1, 1, 3, 3]), np.array([0, 1, 1, 2, 2, 4])
    corners = hulls.lower_hulls(np.zeros(6, np.int64), x, y)
    found = zip(x[corners].tolist(), y[corners].tolist(), strict=True)
    assert list(found) == [(0, 0), (3, 2), (3, 4)]


@pytest.mark.parametrize("bins", [1, 2, 3, 7, 10, 15, 1000, 1 << 20])
def test_edges_are_where_users_write_them(bins: int) -> None:
    random = np.random.default_rng(bins)
    number = np.concatenate([[0, bins - 1], random.integers(0, bins, 300)])
    edges = np.array([k / bins for k in number.tolist()])
    assert equal_width(edges, bins).tolist() == number.tolist()
    below = np.nextafter(edges[edges > 0], 0)
    assert equal_width(below, bins).tolist() == (number[edges > 0] - 1).tolist()
    q = random.random(300)
    assert equal_width(q, bins).tolist() == [int(Fraction(each) * bins) for each in q.tolist()]
    assert equal_width(np.array([1.0, 5e-324]), bins).tolist() == [bins - 1, 0]


def test_weights_hundreds_of_powers_of_ten_apart() -> None:
    """ECCE: by rising score the difference is 0.8e-300, then 0.2 more. z is beyond 1.8e308."""
    assert sy.ecce([1, 1], [0.8, 0.2], sample_weight=[1, 1e-300]) == pytest.approx(0.2)
    with pytest.warns(sy.UndefinedWarning, match="beyond the largest float64"):
        assert isnan(sy.spiegelhalter([1], [5e-324], sample_weight=[1e300]))
    pairs = sy.evaluate(
        {"y": [1, 1, 0], "s": [3, 1, 2], "w": [1e300, 1e-300, 1]},
        label="y",
        score="s",
        weight="w",
        metrics="pnr",
    )
    assert pairs.rows[0].why == "it is beyond the largest float64"  # 1e600 : 1
