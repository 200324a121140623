"""States to bytes and back: every kind of state, weights of every type, slices and merges.

Weights of slices differ in size and in their unit, so that sections of several slices meet in one
array whose type fits none of them alone.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.evaluation.saved_state import State
from steelyard.states import KeyedState
from tests.laws.state_makers import MAKE

# Roles and metrics that together need every kind of state, and sums of each shape.
STATES: dict[str, dict[str, Any]] = {
    "scores": {
        "label": "y",
        "score": "q",
        "metrics": [
            *("ecpm(bid)", "ece(3, kind=width)", "precision(0.25)", "copc", "field_ece(field)"),
            *("logloss", "prevalence", "auc"),
        ],
    },
    "groups": {"label": "y", "score": "q", "group": "field", "metrics": "gauc"},
    "class scores": {
        "label": "truth",
        "score": ["a", "b", "c"],
        "classes": ["x", "y", "z"],
        "metrics": ["logloss", "top_k_accuracy(2)", "auc"],
    },
    "classes": {"label": "truth", "prediction": "called", "metrics": "accuracy"},
    "numbers": {
        "label": "real",
        "prediction": "number",
        "metrics": ["r2", "max_error", "spearman", "bias"],
    },
}


def test_every_kind_of_state_is_in_a_state() -> None:
    columns = columns_of([Entry(0, 0, 1.0)], None)
    states = [sy.state(columns, **roles) for roles in STATES.values()]
    # The key of sums distinguishes them: which terms there are, a metric may choose.
    found = {shape(spec.empty()) for state in states for spec in state.plan.state_specs}
    assert {shape(make()) for make in MAKE.values()} <= found


def shape(state: KeyedState) -> tuple[str, str]:
    """The kind, and the kind of its key."""
    return state.kind, (state.config().get("key") or "").partition(" ")[0]


class Entry(NamedTuple):
    """A row: all its columns follow from one number, its slice from another."""

    row: int
    slice: int
    weight: float


WEIGHTS: dict[str, tuple[Any, list[float]]] = {
    "float64": (np.float64, [0.1, 0.5, 1.0, 3.0, 2.0**-40, 1e300, 1e-300, 2.0**31 - 1, 0.0]),
    "float32": (np.float32, [float(np.float32(0.1)), 0.5, 1.0, 3.0, 2.0**-40, 1e4, 0.0]),
    "int64": (np.int64, [1, 2, 3, 255, 256, 2**16, 2**31, 2**40, 0]),
    "uint8": (np.uint8, [1, 2, 200, 0]),
    "bool": (np.bool_, [1, 0]),
    "none": (None, [1]),
}


def columns_of(entries: list[Entry], dtype: Any) -> dict[str, Any]:
    """The columns of every role."""
    row = np.array([entry.row for entry in entries], np.int64)
    shares = np.array([[row % 4, (row + 1) % 3, row % 3 + 1]], np.float64).reshape(3, -1)
    shares /= shares.sum(axis=0)
    made: dict[str, Any] = {
        "y": row % 2,
        "q": (row % 5) / 4,
        "truth": np.array(["x", "y", "z"])[row % 3],
        "called": np.array(["x", "y", "z"])[row % 5 % 3],
        **dict(zip("abc", shares, strict=True)),
        "real": row * 0.1,
        "number": row**2 * 0.3,
        "field": row % 3,
        "bid": row * 0.7,
        "by": np.array([entry.slice for entry in entries], np.int64),
    }
    if dtype is not None:
        made["w"] = np.array([entry.weight for entry in entries], dtype)
    return made


@st.composite
def weighted(draw: st.DrawFn) -> tuple[str, list[Entry]]:
    """Rows of up to three slices, with weights of one type."""
    name = draw(st.sampled_from(sorted(WEIGHTS)))
    weight = st.sampled_from(WEIGHTS[name][1])
    entry = st.builds(Entry, st.integers(0, 9), st.integers(0, 2), weight)
    return name, draw(st.lists(entry, max_size=8))


@pytest.mark.parametrize("kind", STATES)
@given(rows=weighted(), cut=st.integers(0, 8))
@example(rows=("float64", [Entry(0, 0, 0.1), Entry(1, 1, 2.0)]), cut=1)
@example(rows=("int64", [Entry(0, 0, 1), Entry(1, 1, 2**40), Entry(2, 1, 1)]), cut=2)
def test_what_is_loaded_dumps_to_the_same_bytes(
    kind: str, rows: tuple[str, list[Entry]], cut: int
) -> None:
    name, entries = rows
    dtype = WEIGHTS[name][0]
    roles = STATES[kind] | {"by": "by", **({} if dtype is None else {"weight": "w"})}
    some = (entries, entries[:cut], entries[cut:])
    whole, *parts = (sy.state(columns_of(each, dtype), **roles) for each in some)
    loaded = [State.loads(state.dumps()) for state in (whole, *parts)]
    assert [state.dumps() for state in loaded] == [state.dumps() for state in (whole, *parts)]
    assert sy.merge(*loaded[1:]).dumps() == sy.merge(*parts).dumps() == whole.dumps()
    assert repr(loaded[0].result().rows) == repr(whole.result().rows)


@pytest.mark.parametrize("kind", STATES)
def test_uniform_weights_in_many_slices(kind: str) -> None:
    """Weights whose lowest bits all differ, as a log of sampled rows has them."""
    random = np.random.default_rng(7)
    entries = [Entry(row, row % 7, 1.0) for row in range(200)]
    for dtype in (np.float32, np.float64):
        made = columns_of(entries, dtype)
        made["w"] = random.random(len(entries)).astype(dtype)
        state = sy.state(made, **STATES[kind], weight="w", by="by")
        assert State.loads(state.dumps()) == state
