"""Calibration by parts: any cut of the score table into ranges gives the same bits."""

import pickle
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.engines import run
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.metrics import catalogue
from steelyard.metrics.fold import Pass, Unfinished, join_all
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.model import RequiredColumns
from steelyard.reading.arrays import read_arrays
from steelyard.reading.slices import KeyNumbers, Slices
from steelyard.states import ScoreTable
from steelyard.states.base import TOTAL_SLICE
from steelyard.views.scores import ScoreView

SPECS = [
    *("ece(1)", "ece(3)", "ece(10)", "hosmer_lemeshow(4)", "ecce", "mcb", "dsc"),
    *("calibration_slope", "calibration_intercept", "calibration_curve(5)"),
]
BOUNDS = [catalogue.resolve(spec) for spec in SPECS]
CHANCES = [0.0, 0.125, 0.25, 0.3, 0.5, 0.75, 1.0, 1e-300, 1 - 2.0**-53]
WEIGHTS = [1.0, 2.0, 0.1, 2.0**-40, 2.0**31 - 1]
WIDE = [(True, 0.25, 1e300), (False, 0.25, 1e-300), (True, 0.75, 0.1), (False, 0.3, 1e-300)]
One = tuple[bool, float, float]
rows_ = st.lists(
    st.tuples(st.booleans(), st.sampled_from(CHANCES), st.sampled_from(WEIGHTS)), max_size=8
)


def table(rows: list[One], **how: Any) -> ScoreTable:
    state = ScoreTable()
    label, score, weight = (
        np.array(c) for c in (zip(*rows, strict=True) if rows else ([], [], []))
    )
    batch = read_arrays(
        label.astype(bool),
        score.astype(float),
        weight.astype(float),
        required_columns=RequiredColumns(probability=True),
        **how,
    )
    state.update(batch)
    return state


def values(state: ScoreTable, rows: int | None) -> dict[str, str]:
    """Every metric's value, read off the table in ranges of so many rows."""
    (place,) = {bound.state_spec.identity for bound in BOUNDS}
    table = Table({place: state}, 0, 1, TOTAL_SLICE, rows)
    found = run.values(BOUNDS, table, IN_MEMORY)
    return {bound.name: repr(value) for bound, [value] in zip(BOUNDS, found, strict=True)}


def test_every_metric_of_levels_is_here() -> None:
    known = {m.name for m in catalogue.every() if isinstance(m, LevelMetric)}
    assert known == {bound.metric.name for bound in BOUNDS}


@given(rows=rows_, clip=st.sampled_from([None, 1e-9]))
@example(rows=WIDE, clip=None)  # a slope of such weights takes a tenth of a second
def test_ranges_of_any_size_give_the_same_bits(rows: list[One], clip: Any) -> None:
    state = table(rows, clip=clip)
    assert values(state, 1) == values(state, 3) == values(state, None)


def test_ranges_of_many_rows_give_the_same_bits() -> None:
    random = np.random.default_rng(11)
    score = random.beta(1, 4, 3000).round(3)
    label = random.random(3000) < score**1.3
    state = table(list(zip(label, score, random.gamma(1, size=3000), strict=True)), clip=1e-9)
    whole = values(state, None)
    for size in (20, 100, 999):
        assert values(state, size) == whole


@given(rows=rows_, size=st.integers(1, 3))
@example(rows=WIDE, size=1)
def test_joins_are_associative(rows: list[One], size: int) -> None:
    """Left to right, right to left, and as a tree."""
    view = ScoreView(table(rows, clip=1e-9), 0, 1, TOTAL_SLICE, size)
    ranges = list(view.levels())
    for bound in BOUNDS if ranges else ():
        metric = bound.metric
        assert isinstance(metric, LevelMetric)
        parts = [metric.part(each, **bound.params) for each in ranges]
        left = reduce(metric.join, parts)
        right = reduce(lambda later, part: metric.join(part, later), reversed(parts))
        assert repr(left) == repr(right) == repr(tree(metric, parts)), bound.name


sliced_rows = st.lists(
    st.tuples(st.integers(0, 2), st.booleans(), st.sampled_from(CHANCES), st.sampled_from(WEIGHTS)),
    min_size=1,
    max_size=10,
)


@given(rows=sliced_rows, clip=st.sampled_from([None, 1e-9]))
def test_slices_are_computed_as_if_alone(rows: list[Any], clip: Any) -> None:
    k, y, q, w = (np.array(column) for column in zip(*rows, strict=True))
    log = {"k": k, "y": y.astype(int), "q": q.astype(float), "w": w.astype(float)}
    roles: dict[str, Any] = {"label": "y", "score": "q", "weight": "w", "positive": 1, "clip": clip}
    result = sy.evaluate(log, by="k", metrics=SPECS, **roles).rows
    for key in {*k.tolist()}:
        found = [row for row in result if row.slice == {"k": key}]
        part = {name: column[k == key] for name, column in log.items()}
        alone = sy.evaluate(part, metrics=SPECS, **roles).rows
        for row, other in zip(found, alone, strict=True):
            assert (repr(row.value), row.why) == (repr(other.value), other.why), row.metric
            assert repr(row.details) == repr(other.details), row.metric


@given(rows=sliced_rows, size=st.integers(1, 4))
def test_parts_of_ranges_travel(rows: list[Any], size: int) -> None:
    """Parts are made elsewhere, pickled, joined as a tree, and have the bits of one range."""
    slices = np.arange(3)
    numbers, y, q, w = (np.array(column) for column in zip(*rows, strict=True))
    state = ScoreTable(2)
    given = read_arrays(y.astype(bool), q, w, required_columns=RequiredColumns(probability=True))
    keys = KeyNumbers()
    keys.number([(number,) for number in range(3)])
    by = Slices(keys, numbers.astype(np.uint8), np.zeros(3, np.int64))
    state.update(replace(given, slices=(by,)))
    cut, whole = (ScoreView(state, 1, 3, slices, rows) for rows in (size, None))
    for bound in BOUNDS:
        metric = bound.metric
        assert isinstance(metric, LevelMetric)
        found = []
        for view in (cut, whole):
            parts = [metric.make(each, bound.params, Pass(slices)) for each in view.levels()]
            joined = join_all(metric, pickle.loads(pickle.dumps(parts)))
            values = metric.finish(view, joined, bound.params, Pass(slices))
            found.append([*(values.values if isinstance(values, Unfinished) else values)])
        assert repr(found[0]) == repr(found[1]), bound.name


def tree(metric: LevelMetric, parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return metric.join(tree(metric, parts[:middle]), tree(metric, parts[middle:]))
