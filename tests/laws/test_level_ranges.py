"""Calibration by parts: any cut of the score table into ranges gives the same bits."""

from functools import reduce
from typing import Any

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard import plan
from steelyard.engines.memory import ENGINE
from steelyard.metrics import catalogue
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.model import RequiredColumns
from steelyard.reading.arrays import read_arrays
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
    table = plan.Table({place: state}, 0, 1, TOTAL_SLICE, rows)
    found = plan.values(BOUNDS, table, ENGINE)
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


def tree(metric: LevelMetric, parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return metric.join(tree(metric, parts[:middle]), tree(metric, parts[middle:]))
