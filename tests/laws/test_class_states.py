"""States of many classes: cells by rows alone, canonical bytes, bytes that are refused."""

import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import StateError
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import ClassPredictions, CodedClasses
from steelyard.states import ClassScoreTable, Sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.views.classes import ClassCells
from steelyard.views.sums import view_of_sums
from tests.laws.class_rows import READING, class_cells, rows, scored
from tests.laws.state_bytes import forge


def cells_of(state: Sums) -> ClassCells:
    """What metrics see of cells of classes."""
    (cells,) = view_of_sums(state, 0, TOTAL_SLICE).each()
    assert isinstance(cells, ClassCells)
    return cells


def test_labels_of_several_types() -> None:
    """1, 1.0 and True are one class, with one canonical label in any order; "1" is another."""
    state = class_cells()
    state.update(rows([True, 1.0, "1", 0.5], [1, "1", 1, True]))
    table = cells_of(state).table
    assert table.labels == (0.5, 1, "1")
    assert [type(label) for label in table.labels] == [float, int, str]
    assert table.truth == [1, 2, 1]
    assert table.hits == [0, 1, 0]


LABELS = st.sampled_from(["a", "b", "c", 7, 0.5])
WEIGHTS = st.sampled_from([1, 2, 5]) | st.sampled_from([0.5, 0.1, 3.0, 1e-30, 2.0**60])
ROWS = st.lists(st.tuples(LABELS, LABELS, WEIGHTS), min_size=1, max_size=30)
Row = tuple[Any, Any, float]


def batch_of(some: Sequence[Row]) -> Batch:
    truth, called, weights = zip(*some, strict=True)
    return rows(truth, called, np.array(weights, np.float64))


def sums_of(some: Sequence[Row]) -> tuple[list[Any], dict[tuple[Any, Any], Fraction], Fraction]:
    labels = sorted({label for row in some for label in row[:2]}, key=repr)
    cells: dict[tuple[Any, Any], Fraction] = {}
    for true, called, weight in some:
        cells[true, called] = cells.get((true, called), Fraction(0)) + Fraction(weight)
    return labels, cells, sum(cells.values(), Fraction(0))


@given(ROWS, st.randoms(use_true_random=False), st.integers(0, 30))
def test_cells_go_by_the_rows_alone(some: list[Row], dice: Any, cut: int) -> None:
    whole = class_cells()
    whole.update(batch_of(some))
    other = list(some)
    dice.shuffle(other)
    parts = []
    for part in (other[:cut], other[cut:]):
        state = class_cells()
        if part:
            state.update(batch_of(part))
        parts.append(state)
    merged = parts[0].merge(parts[1])
    assert merged.dumps() == whole.dumps() == parts[1].merge(parts[0]).dumps()
    again = Sums.loads(merged.dumps())
    assert again.dumps() == merged.dumps()
    _, cells, all_ = sums_of(some)
    for state in (again, merged):
        seen = cells_of(state)
        unit = Fraction(2) ** seen.power
        assert {cell: unit * amount for cell, amount in seen.weights.items()} == cells
        assert unit * seen.table.all == all_


def test_thousands_of_classes() -> None:
    dice = np.random.default_rng(1)
    codes = [dice.integers(0, 2_000, 20_000).astype(np.uint16) for _ in range(2)]
    words = [f"w{i}" for i in range(2_000)]
    batch = Batch(
        20_000,
        READING,
        classes=ClassPredictions(CodedClasses(codes[0], words), CodedClasses(codes[1], words)),
    )
    state = class_cells()
    state.update(batch)
    cells = cells_of(state)
    right = int((codes[0] == codes[1]).sum())
    assert sum(cells.table.hits) == right
    assert sum(cells.weights.values()) == 20_000
    assert cells_of(Sums.loads(state.dumps())).weights == cells.weights
    pairs = np.unique(codes[0].astype(np.int64) * 2_000 + codes[1])
    assert len(cells.weights) == len(pairs)


def test_other_classes_do_not_merge() -> None:
    one, other = ClassScoreTable(), ClassScoreTable()
    one.update(scored("ab", [0], [[1.0, 0.0]]))
    other.update(scored("ba", [0], [[1.0, 0.0]]))
    with pytest.raises(StateError, match="the classes"):
        one.merge(other)


# --- forged bytes: valid checksums around what no rows could have made ---------------------------


def u4(*numbers: int) -> tuple[str, bytes]:
    return "<u4", struct.pack(f"<{len(numbers)}I", *numbers)


def f8(*numbers: float) -> tuple[str, bytes]:
    return "<f8", struct.pack(f"<{len(numbers)}d", *numbers)


def head(kind: str, **more: Any) -> dict[str, Any]:
    reading = {"nan": "error", "positive": None, "score_type": "float64"}
    return {"kind": kind, "config": {}, "reading": reading, "negative_label": None} | more


def u1(*numbers: int) -> tuple[str, bytes]:
    return "|u1", bytes(numbers)


def keyed(key: str, keys: list[Any], power: int) -> dict[str, Any]:
    config = {"key": key, "terms": ["weight"]}
    return head("sums", config=config, keys=keys, powers=[{"weight": power}])


# Half a row and a row and a half, in digits of 31 bits: of halves, 2**30/2**31 and 1 + 2**30/2**31.
CELLS = keyed("class_pair", [[2, 0.5], ["a", "a"]], -31)
CELLS_SECTIONS = {
    "0.slice": u4(0, 0),
    "0.key": u4(0, 1),
    "0.weight.0": u4(1 << 30, 1 << 30),
    "0.weight.1": u1(0, 1),
}
RANKS = keyed("rank", [[0, 1], [1, 0]], 0)
RANKS_SECTIONS = {"0.slice": u4(0, 0), "0.key": u4(0, 1), "0.weight.0": u1(1, 3)}
SCORES_ = head("class_scores", unit=0, classes=["b", "a"])
SCORES_SECTIONS = {"true": u4(0, 1), "score.0": f8(0.5, 0.25), "score.1": f8(0.5, 0.75)}


def test_golden_bytes() -> None:
    """Written by hand: 2 was called 0.5 (half a row), "a" was called "a" (a row and a half)."""
    cells = Sums.loads(forge(CELLS, CELLS_SECTIONS))
    seen = cells_of(cells)
    scale = Fraction(2) ** seen.power
    assert {cell: scale * weight for cell, weight in seen.weights.items()} == {
        (2, 0.5): Fraction(1, 2),
        ("a", "a"): Fraction(3, 2),
    }
    made = class_cells()
    made.update(rows(["a", 2, "a"], ["a", 0.5, "a"], [1.0, 0.5, 0.5]))
    assert made.dumps() == cells.dumps() == forge(CELLS, CELLS_SECTIONS)
    ranks = Sums.loads(forge(RANKS, RANKS_SECTIONS))
    (lines,) = view_of_sums(ranks, 0, TOTAL_SLICE).each()
    assert [(line.key, line["weight"]) for line in lines] == [((0, 1), 1), ((1, 0), 3)]
    scores = ClassScoreTable()
    scores.update(scored(["b", "a"], [1, 0], [[0.25, 0.75], [0.5, 0.5]]))
    assert scores.dumps() == forge(SCORES_, SCORES_SECTIONS)
    assert ClassScoreTable.loads(scores.dumps()) == scores


Changes = dict[str, Any]
FORGED_CELLS: dict[str, tuple[Changes, Changes]] = {
    "a pair of classes twice": ({"keys": [[2, 0.5], [2, 0.5]]}, {}),
    "classes out of order": ({"keys": [["a", "a"], [2, 0.5]]}, {}),
    "classes that no row has": ({"keys": [[2, 0.5], ["a", "a"], ["b", "b"]]}, {}),
    "too few classes": ({"keys": [[2, 0.5]]}, {}),
    "no classes": ({"keys": []}, {}),
    "a true class": ({"keys": [[True, 0.5], ["a", "a"]]}, {}),
    "1.0 as a class": ({"keys": [[1.0, 0.5], ["a", "a"]]}, {}),
    "no class as a class": ({"keys": [[2, 0.5], ["a", None]]}, {}),
    "NaN as a class": ({"keys": [[2, float("nan")], ["a", "a"]]}, {}),
    "a list as a class": ({"keys": [[2, [0.5]], ["a", "a"]]}, {}),
    "a class alone": ({"keys": [[2], ["a", "a"]]}, {}),
    "three classes": ({"keys": [[2, 0.5, 1], ["a", "a"]]}, {}),
    "a word as classes": ({"keys": "abcd"}, {}),
    "a pair twice": ({}, {"0.key": u4(0, 0)}),
    "pairs out of order": ({}, {"0.key": u4(1, 0)}),
    "a pair beyond": ({}, {"0.key": u4(0, 2)}),
    "a pair below": ({}, {"0.key": ("<i8", struct.pack("<2q", 0, -1))}),
    "pairs as floats": ({}, {"0.key": f8(0, 1)}),
    "a pair too few": ({}, {"0.key": u4(0)}),
    "a slice beyond": ({}, {"0.slice": u4(0, 1)}),
    "no slices": ({}, {"0.slice": None}),
    "a weight too few": ({}, {"0.weight.1": u1(0)}),
    "a weight too many": ({}, {"0.weight.1": u1(0, 1, 1)}),
    "weights in wide numbers": ({}, {"0.weight.1": u4(0, 1)}),
    "a digit too large": ({}, {"0.weight.0": u4(1 << 30, 1 << 31)}),
    "weights as floats": ({}, {"0.weight.0": f8(1, 3)}),
    "a weight below zero": ({}, {"0.weight.negative": u1(0, 1)}),
    "another section": ({}, {"x": u4(1, 2)}),
    "rows without reading conventions": ({"reading": None}, {}),
    "a power of its own": ({"powers": [{"weight": -31.0}]}, {}),
    "a power off the grid": ({"powers": [{"weight": -1}]}, {}),
    "another key": ({"config": {"key": "class_pairs", "terms": ["weight"]}}, {}),
}
FORGED_RANKS: dict[str, tuple[Changes, Changes]] = {
    "ranks out of order": ({"keys": [[1, 0], [0, 1]]}, {}),
    "ranks twice": ({"keys": [[0, 1], [0, 1]]}, {}),
    "ranks without reading conventions": ({"reading": None}, {}),
    "ranks below": ({"keys": [[-1, 1], [1, 0]]}, {}),
    "ranks that are true": ({"keys": [[0, True], [1, 0]]}, {}),
    "ranks as floats": ({"keys": [[0, 1.0], [1, 0]]}, {}),
    "a rank alone": ({"keys": [[0], [1, 0]]}, {}),
}
FORGED_ROWS: dict[str, tuple[Changes, Changes]] = {
    "a scored class twice": ({"classes": ["a", "a"]}, {}),
    "1.0 as a scored class": ({"classes": ["b", 1.0]}, {}),
    "a score column too few": ({}, {"score.1": None}),
    "a score column too many": ({}, {"score.2": f8(0.5, 0.75)}),
    "a score too few": ({}, {"score.1": f8(0.5)}),
    "scores out of order": (
        {},
        {"true": u4(1, 0), "score.0": f8(0.25, 0.5), "score.1": f8(0.75, 0.5)},
    ),
    "a score that is infinite": ({}, {"score.1": f8(0.5, float("inf"))}),
    "a score that is -0.0": ({}, {"score.1": f8(0.5, -0.0)}),
    "scores of another type": (
        {},
        {name: ("<f4", struct.pack("<2f", 0.5, 0.25)) for name in ("score.0", "score.1")},
    ),
    "a row of no class": ({}, {"true": u4(0, 2)}),
    "scored rows without reading conventions": ({"reading": None}, {}),
    "scored rows of weight zero": ({}, {"weight.0": u1(1, 0)}),
    "weights of 1 that are written": ({}, {"weight.0": u1(1, 1)}),
    "a weight of a row too few": ({}, {"weight.0": u1(3)}),
    "a unit without weights": ({"unit": -1}, {}),
}
FORGED = {
    name: (kind, header | fields, sections | changes)
    for kind, header, sections, forged in (
        (Sums, CELLS, CELLS_SECTIONS, FORGED_CELLS),
        (Sums, RANKS, RANKS_SECTIONS, FORGED_RANKS),
        (ClassScoreTable, SCORES_, SCORES_SECTIONS, FORGED_ROWS),
    )
    for name, (fields, changes) in forged.items()
}


@pytest.mark.parametrize(("kind", "header", "sections"), FORGED.values(), ids=FORGED)
def test_forged_classes(kind: Any, header: Changes, sections: Changes) -> None:
    kept = {name: part for name, part in sections.items() if part is not None}
    with pytest.raises(StateError):
        kind.loads(forge(header, kept))
