"""The short way of a plain function gives what the long way gives: value, warnings and errors."""

import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import steelyard as sy
from steelyard import functions, kernels
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.model import Array
from tests.effort import random_cases
from tests.tables.harness import kernels_in_use

PACKAGE = Path(sy.__file__).parent
SHORT = tuple(
    name
    for name, metrics in catalogue.functions().items()
    if metrics[0].shape is None and name == metrics[0].function
)
GROUPED = {name for name in SHORT if "group" in catalogue.functions()[name][0].reading_keywords[0]}
NEEDED = {
    name: {each.name: 3 if each.name == "k" else 0.5}
    for name in SHORT
    for each in catalogue.functions()[name][0].parameters
    if each.default is REQUIRED and not each.column
}


class Subclass(np.ndarray[Any, Any]):
    """An array of another type."""


class Lazy:
    """An object that NumPy can convert."""

    def __init__(self, values: Array) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        return self.values


def read_only(values: Array) -> Array:
    made = values.copy()
    made.setflags(write=False)
    return made


def with_gaps(values: Array) -> Array:
    made = np.zeros(2 * len(values), values.dtype)
    made[::2] = values
    return made[::2]


def unaligned(values: Array) -> Array:
    raw = np.zeros(values.nbytes + 1, np.uint8)
    made = raw[1:].view(values.dtype)
    made[:] = values
    return made


FORMS: dict[str, Callable[[Array], Any]] = {
    "list": lambda values: values.tolist(),
    "tuple": lambda values: tuple(values.tolist()),
    "int8": lambda values: values.astype(np.int8),
    "uint8": lambda values: values.astype(np.uint8),
    "int32": lambda values: values.astype(np.int32),
    "int64": lambda values: values.astype(np.int64),
    "uint64": lambda values: values.astype(np.uint64),
    "bool": lambda values: values.astype(bool),
    "float16": lambda values: values.astype(np.float16),
    "float32": lambda values: values.astype(np.float32),
    "float64": lambda values: values.astype(np.float64),
    "longdouble": lambda values: values.astype(np.longdouble),
    "complex": lambda values: values.astype(complex),
    "swapped": lambda values: values.astype(values.dtype.newbyteorder()),
    "object": lambda values: values.astype(object),
    "text": lambda values: values.astype(str),
    "bytes": lambda values: values.astype("S"),
    "masked": lambda values: np.ma.MaskedArray(values, np.arange(len(values)) == 1),
    "subclass": lambda values: values.view(Subclass),
    "lazy": Lazy,
    "pandas": pd.Series,
    "polars": pl.Series,
    "column": lambda values: values.reshape(-1, 1),
    "row": lambda values: values.reshape(1, -1),
    "two": lambda values: np.stack([values, values], axis=1),
    "read_only": read_only,
    "gaps": with_gaps,
    "backwards": lambda values: values[::-1],
    "unaligned": unaligned,
    "shorter": lambda values: values[:-1],
    "empty": lambda values: values[:0],
    "none": lambda values: None,
    "number": lambda values: 1.0,
    "as it is": lambda values: values,
}
USUAL = ("as it is", "bool", "int64", "uint8", "float32", "float64", "read_only")


def labels_of(rng: np.random.Generator, rows: int) -> Array:
    kind = rng.integers(8)
    if kind < 4:
        return rng.integers(0, 2, rows)
    return (
        np.zeros(rows, np.int64),
        np.ones(rows),
        rng.choice([-1, 1], rows),
        rng.choice([0.0, 1.0, 2.0, -0.0, 0.5, np.nan, np.inf], rows),
    )[kind - 4]


def scores_of(rng: np.random.Generator, rows: int) -> Array:
    kind = rng.integers(8)
    if kind < 3:
        return rng.random(rows)
    return (
        rng.integers(0, 4, rows) / 4,
        rng.normal(0, 9, rows),
        rng.choice([0.0, -0.0, 1.0, 5e-324, 0.5], rows),
        rng.choice([0.5, 0.25, np.nan, np.inf, -np.inf], rows),
        rng.integers(0, 2, rows),
    )[kind - 3]


def outcome(call: Callable[..., Any], *args: Any, **keywords: Any) -> tuple[Any, ...]:
    """The value with its type and bits, the warnings, the error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value, error = call(*args, **keywords), None
        except Exception as raised:
            value, error = None, (type(raised), str(raised))
    told = [(each.category, str(each.message), each.filename) for each in caught]
    return type(value), repr(value), told, error


@pytest.fixture(scope="module")
def long_ways() -> dict[str, Callable[..., Any]]:
    """The plain functions without their short way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functions, "short_way", lambda metric: None)
        return {name: functions.plain_function(name) for name in SHORT}


def arguments(rng: np.random.Generator, name: str) -> tuple[list[Any], dict[str, Any]]:
    rows = int(rng.choice([1, 2, 3, 8, 40, 100]))
    if rng.random() < 0.4:  # plain rows, most of them short
        return [rng.integers(0, 2, rows), rng.integers(0, 9, rows) / 8], {
            **NEEDED.get(name, {}),
            **({"group": rng.integers(0, 4, rows)} if name in GROUPED else {}),
        }
    forms = USUAL if rng.random() < 0.6 else tuple(FORMS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y_true, y_score = (_formed(rng, forms, make(rng, rows)) for make in (labels_of, scores_of))
        more: dict[str, Any] = dict(NEEDED.get(name, {}))
        if name in GROUPED and rng.random() < 0.9:
            key = rng.integers(0, max(rows // 4, 1), rows)
            more["group"] = _formed(rng, forms, key) if rng.random() < 0.4 else key
    for parameter in catalogue.functions()[name][0].parameters:
        if rng.random() < 0.15:
            more[parameter.name] = rng.choice(
                np.array([1, 2, 0.5, 0.1, "stable", "trec", "rows", "skip", None, True, -1], object)
            )
    if rng.random() < 0.1:
        odd = {"nan": "drop", "positive": 0, "sample_weight": None, "unknown": 1, "threshold": 0.2}
        chosen = rng.choice(list(odd))
        more[chosen] = odd[chosen]
    return [y_true, y_score], more


def _formed(rng: np.random.Generator, forms: Sequence[str], values: Array) -> Any:
    try:
        return FORMS[str(rng.choice(forms))](values)
    except (TypeError, ValueError):  # a NaN is no whole number
        return values


@pytest.mark.parametrize("kernel", list(kernels.available()))
def test_it_is_the_long_way(kernel: str, long_ways: dict[str, Callable[..., Any]]) -> None:
    with kernels_in_use(kernel):
        for seed in range(random_cases(600, 100_000)):
            rng = np.random.default_rng(seed)
            name = SHORT[seed % len(SHORT)]
            args, more = arguments(rng, name)
            found = outcome(getattr(sy, name), *args, **more)
            assert found == outcome(long_ways[name], *args, **more), (seed, name)


def test_many_rows(long_ways: dict[str, Callable[..., Any]]) -> None:
    rng = np.random.default_rng(0)
    for rows in (5000, 70_000):
        y, s, g = rng.random(rows) < 0.3, rng.random(rows), rng.integers(0, rows // 9, rows)
        for name in ("auc", "gini", "logloss", "gauc", "ndcg"):
            more = {"group": g} if name in GROUPED else {}
            found = outcome(getattr(sy, name), y, s, **more)
            assert found == outcome(long_ways[name], y, s, **more), (rows, name)


@pytest.mark.parametrize("kernel", list(kernels.available()))
def test_the_first_call(kernel: str, long_ways: dict[str, Callable[..., Any]]) -> None:
    """What a function keeps between calls is not there yet; some groups have no relevant row."""
    rng = np.random.default_rng(3)
    with kernels_in_use(kernel):
        for name in sorted(GROUPED):
            y, s = (rng.random(60) < 0.1).astype(int), rng.integers(0, 5, 60) / 4
            more = {"group": rng.integers(0, 20, 60), **NEEDED.get(name, {})}
            function = functions.plain_function(name)
            for _ in range(2):
                assert outcome(function, y, s, **more) == outcome(long_ways[name], y, s, **more)


def test_arguments_are_not_changed() -> None:
    rng = np.random.default_rng(1)
    y, s, g = rng.integers(0, 2, 100), rng.random(100), rng.integers(0, 9, 100)
    kept = y.copy(), s.copy(), g.copy()
    for name in SHORT:
        sy_function = getattr(sy, name)
        more = {"group": g} if name in GROUPED else {}
        outcome(sy_function, y, s, **more, **NEEDED.get(name, {}))
    assert all(np.array_equal(*both) for both in zip((y, s, g), kept, strict=True))


def walked(call: Callable[[], Any]) -> tuple[int, int]:
    """How many files and functions of the package a call goes through."""
    files: set[str] = set()
    names: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and Path(frame.f_code.co_filename).is_relative_to(PACKAGE):
            files.add(frame.f_code.co_filename)
            names.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return len(files), len(names)


# The most files and functions that a call of 100 rows goes through. The long way has 47 and 207 for
# AUC, 64 and 293 for NDCG.
WALKS = {
    "roc_auc": (6, 10),
    "gini": (6, 10),
    "logloss": (19, 61),
    "gauc": (17, 58),
    "ndcg": (23, 77),
    "mae": (24, 63),
}


@pytest.mark.parametrize("name", WALKS)
def test_the_short_way_is_short(name: str) -> None:
    rng = np.random.default_rng(2)
    y, s, g = rng.integers(0, 2, 100), rng.random(100), rng.integers(0, 9, 100)
    more = {"group": g} if name in GROUPED else {}
    with kernels_in_use("numpy"):
        getattr(sy, name)(y, s, **more)
        files, names = walked(lambda: getattr(sy, name)(y, s, **more))
    assert files <= WALKS[name][0]
    assert names <= WALKS[name][1]
