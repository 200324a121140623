"""Calibration by parts: any cut of the score table into ranges gives the same bits."""

from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import catalogue
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.model import RequiredColumns
from steelyard.reading.arrays import read_arrays
from steelyard.states import ScoreTable
from steelyard.states.base import TOTAL_SLICE
from steelyard.views.scores import ScoreView
from tests.tables.harness import from_state

SPECS = [
    *("ece(1)", "ece(3)", "ece(10)", "hosmer_lemeshow(4)", "ecce", "mcb", "dsc"),
    *("calibration_slope", "calibration_intercept", "calibration_curve(5)"),
]
CHANCES = [0.0, 0.125, 0.25, 0.3, 0.5, 0.75, 1.0, 1e-300, 1 - 2.0**-53]
WEIGHTS = [1.0, 2.0, 0.1, 2.0**-40, 2.0**31 - 1, 1e300, 1e-300]
One = tuple[bool, float, float]
rows_ = st.lists(
    st.tuples(st.booleans(), st.sampled_from(CHANCES), st.sampled_from(WEIGHTS)), max_size=14
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


def test_every_metric_of_levels_is_here() -> None:
    known = {m.name for m in catalogue.every() if isinstance(m, LevelMetric)}
    assert known == {catalogue.resolve(spec).metric.name for spec in SPECS}


@pytest.mark.parametrize("spec", SPECS)
@given(rows=rows_, clip=st.sampled_from([None, 1e-9]))
def test_ranges_of_any_size_give_the_same_bits(spec: str, rows: list[One], clip: Any) -> None:
    bound, state = catalogue.resolve(spec), table(rows, clip=clip)
    whole = repr(from_state(bound, state))
    for size in (1, 3):
        assert repr(from_state(bound, state, size)) == whole


@pytest.mark.parametrize("spec", SPECS)
def test_many_rows_in_ranges(spec: str) -> None:
    random = np.random.default_rng(11)
    score = random.beta(1, 4, 3000).round(3)
    label = random.random(3000) < score**1.3
    state = table(list(zip(label, score, random.gamma(1, size=3000), strict=True)), clip=1e-9)
    bound = catalogue.resolve(spec)
    whole = repr(from_state(bound, state))
    for size in (20, 100, 999):
        assert repr(from_state(bound, state, size)) == whole


@pytest.mark.parametrize("spec", SPECS)
@given(rows=rows_, size=st.integers(1, 3))
def test_joins_are_associative(spec: str, rows: list[One], size: int) -> None:
    """Left to right, right to left, and as a tree."""
    bound, state = catalogue.resolve(spec), table(rows, clip=1e-9)
    metric = bound.metric
    assert isinstance(metric, LevelMetric)
    view = ScoreView(state, 0, 1, TOTAL_SLICE, size)
    parts = [metric.part(each, **bound.params) for v in view.levels() for each in v.levels]
    if not parts:
        return
    left = reduce(metric.join, parts)
    right = reduce(lambda later, part: metric.join(part, later), reversed(parts))
    assert repr(left) == repr(right) == repr(tree(metric, parts))


def tree(metric: LevelMetric, parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return metric.join(tree(metric, parts[:middle]), tree(metric, parts[middle:]))
