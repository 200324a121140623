"""The ways a value can be reached, and what it means that a value is right."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from math import isnan, nextafter
from typing import Any

import numpy as np

import steelyard as sy
from steelyard import plan
from steelyard.engines.memory import ENGINE
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue, Confusion, PrecisionRecall, Roc, Row, Undefined
from steelyard.reading.arrays import read_arrays
from steelyard.states import State
from steelyard.states.base import TOTAL_SLICE
from tests.oracles.binary import Answer, Why, rounded
from tests.tables.binary_data import Data

# Units in the last place that a value may be from the exact one. Each threshold's precision of ap
# is rounded before the exact sum. pr_auc is the one metric with logarithms: each block's mean
# precision is rounded from a few rounded factors. Every other value is the exact one, rounded once.
UNITS = {"ap": 1, "pr_auc": 2}


def is_right(metric: str, value: AnyValue, expected: Answer) -> bool:
    """Whether a value is the oracle's answer, to the bit."""
    if isinstance(expected, Why):
        return value == Undefined(expected.text)
    if isinstance(value, Undefined):
        return False
    if isinstance(expected, list):
        assert isinstance(value, Roc | PrecisionRecall)
        return plain(value) == [tuple(map(_rounded, point)) for point in expected]
    if isinstance(expected, tuple):
        assert isinstance(value, Confusion)
        return all(_is_cell(*pair) for pair in zip(value, expected, strict=True))
    assert isinstance(value, float)
    nearest = rounded(expected)
    if metric in UNITS:
        return units_apart(value, nearest) <= UNITS[metric]
    return repr(value) == repr(nearest)


def _is_cell(cell: int | float, expected: Fraction) -> bool:
    """A whole weight is given as it is, however large; another is rounded once."""
    return cell == expected if isinstance(cell, int) else repr(cell) == repr(rounded(expected))


def _rounded(coordinate: Any) -> float:
    return coordinate if isinstance(coordinate, float) else rounded(coordinate)


def units_apart(left: float, right: float, most: int = 10) -> int:
    """How many floats lie from one to the other, counted up to a limit."""
    steps = 0
    while left != right and steps < most:
        left = nextafter(left, right)
        steps += 1
    return steps


def plain(curve: Roc | PrecisionRecall) -> list[tuple[float, float, float]]:
    """A curve's points as tuples, without its promise about the area."""
    columns = [column.tolist() for column in curve[:3]]
    return list(zip(*columns, strict=True))


def same(left: AnyValue, right: AnyValue) -> bool:
    """The same bits, or the same reason."""
    if isinstance(left, Roc | PrecisionRecall) and isinstance(right, Roc | PrecisionRecall):
        return repr(plain(left)) == repr(plain(right))
    return repr(left) == repr(right)


# --- (a) the plain function, (b) the table -------------------------------------------------------


def by_function(metric: str, data: Data, params: dict[str, Any]) -> AnyValue:
    """sy.<metric>; NaN and exactly one warning stand for no value."""
    function = getattr(sy, metric)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value: AnyValue = function(
            list(data.label),
            data.scores,
            sample_weight=data.weights,
            positive=data.positive,
            **params,
        )
    if not caught:
        return value
    (warning,) = caught
    assert warning.category is sy.UndefinedWarning, warning.message
    first = value[0] if isinstance(value, tuple) else value
    assert all(isnan(part) for part in np.ravel(np.asarray(first)))
    return Undefined(str(warning.message).partition(" has no value: ")[2])


def by_table(specs: Sequence[str], data: Data) -> list[AnyValue]:
    """sy.evaluate, several metrics at once."""
    result = sy.evaluate(
        label=list(data.label),
        score=data.scores,
        weight=data.weights,
        positive=data.positive,
        metrics=specs,
    )
    by_name = {row.metric: row for row in result}
    return [value_of(by_name[catalogue.resolve(spec).name]) for spec in specs]


def value_of(row: Row) -> float | Undefined:
    """The number of a row, or the reason why there is none."""
    return Undefined(row.why or "") if row.value is None else row.value


# --- (c) states by hand --------------------------------------------------------------------------

Merge = Callable[[Sequence[State]], State]


def left_to_right(states: Sequence[State]) -> State:
    return reduce(lambda a, b: a.merge(b), states)


def right_to_left(states: Sequence[State]) -> State:
    return reduce(lambda a, b: b.merge(a), reversed(states))


def pairwise(states: Sequence[State]) -> State:
    """A tree, with the identity thrown in at every leaf."""
    if len(states) == 1:
        return type(states[0])(**states[0].config()).merge(states[0])
    middle = len(states) // 2
    return pairwise(states[:middle]).merge(pairwise(states[middle:]))


def by_wire(states: Sequence[State]) -> State:
    """Each to bytes and back, and what they merge to as well."""
    return wire_trip(left_to_right([wire_trip(state) for state in states]))


def from_state(bound: BoundMetric, state: State, rows: int | None = None) -> AnyValue:
    """The value that a metric has, read off the state that it needs, in ranges of so many rows."""
    place = bound.state_spec.identity
    [[value]] = plan.values([bound], plan.Table({place: state}, 0, 1, TOTAL_SLICE, rows), ENGINE)
    return value


def wire_trip(state: State) -> State:
    return type(state).loads(state.dumps())


def state_of(
    state_spec: StateSpec, data: Data, parts: Iterable[Sequence[int]], merge: Merge
) -> State:
    """One state for each part, merged."""
    states = []
    for part in parts:
        label, score, weight = data.columns(part)
        state = state_spec.empty()
        # An array of words, since an empty list has no type of its own.
        labels = np.array(label, np.asarray(data.label).dtype)
        state.update(read_arrays(labels, score, weight, positive=data.positive))
        states.append(state)
    return merge(states)
