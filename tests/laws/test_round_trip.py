"""Tallies to bytes and back: every kind of state, weights of every type, slices and merges.

Weights of slices differ in size and in their unit, so that sections of several slices meet in one
array whose type fits none of them alone.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.states import State
from steelyard.tally import Tally
from tests.laws.state_makers import MAKE

SCORED: dict[str, Any] = {"label": "y", "score": "q"}
CLASSES: dict[str, Any] = {"label": "truth", "score": ["a", "b", "c"], "classes": ["x", "y", "z"]}
NUMBERS: dict[str, Any] = {"label": "real", "prediction": "number"}

# The roles and metrics that need each kind of state, and sums of each shape.
NEEDS: dict[str, tuple[dict[str, Any], str]] = {
    "amounts": (SCORED, "ecpm(bid)"),
    "bins": (SCORED, "ece(3, kind=width)"),
    "cells": (SCORED, "precision(0.25)"),
    "class_pairs": ({"label": "truth", "prediction": "called"}, "accuracy"),
    "class_losses": (CLASSES, "logloss"),
    "class_ranks": (CLASSES, "top_k_accuracy(2)"),
    "class_scores": (CLASSES, "auc"),
    "errors": (NUMBERS, "r2"),
    "expected": (SCORED, "copc"),
    "fields": (SCORED, "field_ece(field)"),
    "groups": ({**SCORED, "group": "field"}, "gauc"),
    "largest": (NUMBERS, "max_error"),
    "losses": (SCORED, "logloss"),
    "pairs": (NUMBERS, "spearman"),
    "prediction_sample": (NUMBERS, "bias"),
    "sample": (SCORED, "prevalence"),
    "score_table": (SCORED, "auc"),
}


def test_every_kind_makes_the_trip() -> None:
    assert set(NEEDS) == set(MAKE)
    for name, (roles, metric) in NEEDS.items():
        tally = sy.state(columns([Entry(0, 0, 1.0)], None), metrics=metric, **roles)
        made = MAKE[name]()
        # The key of sums tells them apart: which terms there are, a metric may choose.
        assert shape(made) in [shape(state_spec.empty()) for state_spec in tally.plan.state_specs]


def shape(state: State) -> tuple[str, str]:
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


def columns(entries: list[Entry], dtype: Any) -> dict[str, Any]:
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


@pytest.mark.parametrize("kind", NEEDS)
@given(rows=weighted(), cut=st.integers(0, 8))
@example(rows=("float64", [Entry(0, 0, 0.1), Entry(1, 1, 2.0)]), cut=1)
@example(rows=("int64", [Entry(0, 0, 1), Entry(1, 1, 2**40), Entry(2, 1, 1)]), cut=2)
def test_what_is_loaded_dumps_to_the_same_bytes(
    kind: str, rows: tuple[str, list[Entry]], cut: int
) -> None:
    name, entries = rows
    roles, metric = NEEDS[kind]
    dtype = WEIGHTS[name][0]
    roles = roles | {"metrics": metric, "by": "by", **({} if dtype is None else {"weight": "w"})}
    whole = sy.state(columns(entries, dtype), **roles)
    parts = [sy.state(columns(some, dtype), **roles) for some in (entries[:cut], entries[cut:])]
    for tally in (whole, *parts):
        assert Tally.loads(tally.dumps()).dumps() == tally.dumps()
    loaded = [Tally.loads(part.dumps()) for part in parts]
    assert sy.merge(*loaded).dumps() == sy.merge(*parts).dumps() == whole.dumps()
    assert repr(Tally.loads(whole.dumps()).result().rows) == repr(whole.result().rows)


@pytest.mark.parametrize("kind", NEEDS)
def test_uniform_weights_in_many_slices(kind: str) -> None:
    """Weights whose lowest bits all differ, as a log of sampled rows has them."""
    roles, metric = NEEDS[kind]
    random = np.random.default_rng(7)
    entries = [Entry(row, row % 7, 1.0) for row in range(200)]
    for dtype in (np.float32, np.float64):
        made = columns(entries, dtype)
        made["w"] = random.random(len(entries)).astype(dtype)
        tally = sy.state(made, **roles, metrics=metric, weight="w", by="by")
        assert Tally.loads(tally.dumps()) == tally
