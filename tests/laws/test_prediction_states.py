"""States of predicted numbers: exact sums, canonical bytes, bytes that are refused."""

import struct
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import StateError
from steelyard.kernels.numpy import error_terms
from steelyard.model import Reading
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import NumericPredictions
from steelyard.states import Extremes, KeyedState, Pairs, Sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.views.sums import view_of_sums
from tests.laws.state_bytes import READING, forge
from tests.tables.harness import kernels_in_use

Columns = Sequence[float]


def rows(y: Columns, p: Columns, w: Any = None) -> Batch:
    numbers = NumericPredictions(np.array(y, np.float64), np.array(p, np.float64))
    return Batch(len(y), Reading(), numbers=numbers, weight=None if w is None else np.array(w))


few = st.sampled_from([0.0, 1.0, 2.0, 2.5, -1.0, 0.1, 1e-3, 7.0])
wild = st.floats(allow_nan=False, allow_infinity=False) | few


def sums_of(*terms: str, batch: Batch, key: str | None = None) -> Any:
    """The sums of the rows of a batch."""
    state = Sums(terms, key)
    state.update(batch)
    (line,) = view_of_sums(state, 0, TOTAL_SLICE).each()
    return line


def test_a_formula_is_computed_once_per_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """For its sum, for the count of values that float64 does not hold, and for other metrics."""
    calls = []
    formula = error_terms.squared

    def counted(y: Any, p: Any) -> Any:
        calls.append(len(y))
        return formula(y, p)

    monkeypatch.setitem(error_terms.FORMULAS, "squared", counted)
    with kernels_in_use("numpy"):
        line = sums_of("weight", "squared", "beyond squared", batch=rows([1, 2], [3, 4]))
    assert (line.exact("squared"), line.exact("beyond squared"), calls) == (8, 0, [2])


@given(st.lists(wild, min_size=1, max_size=9))
def test_squares_of_the_truth_are_exact(y: list[float]) -> None:
    """Wherever float64 holds them and does not underflow."""
    held = [x for x in y if x == 0 or 2.0**-484 <= abs(x) < 2.0**511.999]
    if held:
        line = sums_of("truth_squared", "truth_squared_rest", batch=rows(held, held))
        both = line.exact("truth_squared") + line.exact("truth_squared_rest")
        assert both == sum(Fraction(x) ** 2 for x in held)


@pytest.mark.parametrize("x", [2.0**-484, 3.5e-136, 1.1e154, 2.0**500, 2.0**512 - 2.0**459])
def test_the_ends_of_exact_squares(x: float) -> None:
    line = sums_of("truth_squared", "truth_squared_rest", batch=rows([x], [x]))
    both = line.exact("truth_squared") + line.exact("truth_squared_rest")
    assert both == Fraction(x) ** 2


@given(st.floats(0, 2.0**-484))
def test_squares_of_small_truths_are_within_the_smallest_float64(x: float) -> None:
    line = sums_of("truth_squared", "truth_squared_rest", batch=rows([x], [x]))
    both = line.exact("truth_squared") + line.exact("truth_squared_rest")
    assert abs(both - Fraction(x) ** 2) <= Fraction(1, 2**1074)


@pytest.mark.filterwarnings("ignore::steelyard.UndefinedWarning")
@pytest.mark.parametrize("power", range(480, 560, 4))
def test_r2_of_small_truths_is_exact_or_has_no_value(power: int) -> None:
    """Squares below the smallest float64 are lost: a value made of them would be any number."""
    truth, guess = np.ldexp([[1.1, 3.3, 4.7, 9.9], [2.3, 3.1, 5.9, 7.7]], -power)
    mean = sum(map(Fraction, truth)) / 4
    error = sum((Fraction(p) - Fraction(y)) ** 2 for y, p in zip(truth, guess, strict=True))
    exact = 1 - error / sum((Fraction(y) - mean) ** 2 for y in truth)
    found = sy.r2(truth, guess)
    assert np.isnan(found) or abs(Fraction(found) - exact) <= Fraction(1, 2**52)
    assert not np.isnan(found) or power > 500


@pytest.mark.parametrize("of", ["", "squares of", "squared truth", " truth", "x", "beyond x"])
def test_sums_that_there_are_not(of: str) -> None:
    with pytest.raises(ValueError, match="no term is called"):
        Sums([of])


def doubles(*values: float) -> tuple[str, bytes]:
    return "<f8", struct.pack(f"<{len(values)}d", *values)


PAIRS_HEADER = {
    "kind": "pairs",
    "config": {},
    "reading": READING,
    "negative_label": None,
    "units": [-1],  # weights count halves
}
PAIRS = {
    "0.sizes": ("<i8", struct.pack("<q", 3)),
    "0.truth": doubles(-1.0, 2.0, 2.0),
    "0.prediction": doubles(5.0, 0.0, 1.5),
    "0.weights.0": ("|u1", bytes([1, 4, 2])),
}


def test_golden_pairs() -> None:
    """Each pair once, by truth and then prediction, the weight of equal ones added."""
    made = Pairs()
    made.update(rows([2, -1, 2, 2], [1.5, 5, -0.0, 0.0], [1.0, 0.5, 1.5, 0.5]))
    assert made.dumps() == forge(PAIRS_HEADER, PAIRS)
    assert Pairs.loads(forge(PAIRS_HEADER, PAIRS)) == made


BASE = {"reading": READING, "negative_label": None}
NAMES_OF_SUMS = ["absolute", "weight", "zeros"]
# Of the weights 1 and ½: Σ w·|p − y| is 5/2, Σ w is 3/2, in multiples of 2**-31.
POWERS = {"absolute": -31, "weight": -31, "zeros": 0}
SUMS_HEADER = {
    "kind": "sums",
    "config": {"key": None, "terms": NAMES_OF_SUMS},
    "keys": [],
    "powers": [POWERS],
    **BASE,
}


def digit(number: int) -> tuple[str, bytes]:
    """One digit of 31 bits, in as few bytes as it needs."""
    return ("|u1", bytes([number])) if number < 256 else ("<u4", struct.pack("<I", number))


SUMS = {
    "0.absolute.0": digit(1 << 30),
    "0.absolute.1": digit(2),
    "0.weight.0": digit(1 << 30),
    "0.weight.1": digit(1),
    "0.zeros.0": digit(1),
}
EXTREMES_HEADER = {"kind": "extremes", "config": {"term": "absolute"}, **BASE}
EXTREMES = {"0.largest": doubles(2.0)}


def test_golden_sums_and_extremes() -> None:
    errors = Sums(NAMES_OF_SUMS)
    errors.update(rows([0, 1], [2, 0], [1.0, 0.5]))
    assert errors.dumps() == forge(SUMS_HEADER, SUMS)
    largest = Extremes("absolute")
    largest.update(rows([0, 1], [2, 0.75]))
    assert largest.dumps() == forge(EXTREMES_HEADER, EXTREMES)


FORGED_PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "out of order": ({}, {"0.truth": doubles(2.0, -1.0, 2.0)}),
    "predictions out of order": ({}, {"0.prediction": doubles(5.0, 1.5, 0.0)}),
    "a pair twice": ({}, {"0.prediction": doubles(5.0, 0.0, 0.0)}),
    "a zero below zero": ({}, {"0.prediction": doubles(5.0, -0.0, 1.5)}),
    "NaN": ({}, {"0.truth": doubles(-1.0, 2.0, float("nan"))}),
    "infinite": ({}, {"0.prediction": doubles(5.0, 0.0, float("inf"))}),
    "float32": ({}, {"0.truth": ("<f4", struct.pack("<3f", -1, 2, 2))}),
    "too few predictions": ({}, {"0.prediction": doubles(5.0, 0.0)}),
    "too few weights": ({}, {"0.weights.0": ("|u1", bytes([1, 4]))}),
    "a weight of zero": ({}, {"0.weights.0": ("|u1", bytes([1, 0, 2]))}),
    "float weights": ({}, {"0.weights.0": doubles(1, 4, 2)}),
    "a digit too large": ({}, {"0.weights.0": ("<u4", struct.pack("<3I", 1, 4, 1 << 31))}),
    "a second digit of another length": ({}, {"0.weights.1": ("|u1", bytes([1]))}),
    "another section": ({}, {"colour": ("|u1", bytes([1, 4, 2]))}),
    "rows of another slice": ({}, {"0.sizes": ("<i8", struct.pack("<2q", 2, 1))}),
    "rows too few": ({}, {"0.sizes": ("<i8", struct.pack("<q", 2))}),
    "a unit below every float": ({"units": [-1075]}, {}),
    "a unit too many": ({"units": [-1, 0]}, {}),
    "no reading": ({"reading": None}, {}),
}


@pytest.mark.parametrize(("header", "sections"), FORGED_PAIRS.values(), ids=FORGED_PAIRS)
def test_forged_pairs(header: dict[str, Any], sections: dict[str, Any]) -> None:
    with pytest.raises(StateError):
        Pairs.loads(forge(PAIRS_HEADER | header, PAIRS | sections))


def test_forged_pairs_without_weights() -> None:
    columns = PAIRS | {"0.sizes": ("<i8", struct.pack("<q", 1))}
    columns |= {"0.truth": doubles(1.0), "0.prediction": doubles(2.0)}
    del columns["0.weights.0"]
    table = Pairs.loads(forge(PAIRS_HEADER | {"units": [0]}, columns)).table()
    assert (table.truth.tolist(), table.prediction.tolist(), table.digits) == ([1.0], [2.0], None)
    with pytest.raises(StateError):
        Pairs.loads(forge(PAIRS_HEADER, columns))


FORGED: dict[str, tuple[type[KeyedState], dict[str, Any], dict[str, Any]]] = {
    "sums in another order": (
        Sums,
        {"config": {"key": None, "terms": ["zeros", "absolute", "weight"]}},
        {},
    ),
    "no sums": (Sums, {"config": {"key": None, "terms": []}}, {}),
    "a sum of what is none": (
        Sums,
        {"config": {"key": None, "terms": ["absolute", "weight", "zebras"]}},
        {},
    ),
    "half a row of zeros": (
        Sums,
        {"powers": [POWERS | {"zeros": -31}]},
        {"0.zeros.0": digit(1 << 30)},
    ),
    "errors below zero": (Sums, {}, {"0.absolute.negative": digit(1)}),
    "a power off the grid": (Sums, {"powers": [POWERS | {"weight": -30}]}, {}),
    "a power beyond all": (Sums, {"powers": [POWERS | {"weight": -31 * 1000}]}, {}),
    "a power that is none": (Sums, {"powers": [POWERS | {"weight": -31.0}]}, {}),
    "powers of two tables": (Sums, {"powers": [POWERS, POWERS]}, {}),
    "a digit too large": (Sums, {}, {"0.weight.0": digit(1 << 31)}),
    "a digit in wide numbers": (Sums, {}, {"0.weight.1": ("<u4", struct.pack("<I", 1))}),
    "a digit of zero on top": (Sums, {}, {"0.weight.2": digit(0)}),
    "a digit of two lines": (Sums, {}, {"0.weight.1": ("|u1", bytes([1, 1]))}),
    "sums without reading conventions": (Sums, {"reading": None}, {}),
    "sums and a colour": (Sums, {}, {"colour": doubles(1.0)}),
    "an error below zero": (Extremes, {}, {"0.largest": doubles(-1.0)}),
    "an error of -0.0": (Extremes, {}, {"0.largest": doubles(-0.0)}),
    "an error that is none": (Extremes, {}, {"0.largest": doubles(float("nan"))}),
    "errors of two slices": (Extremes, {}, {"0.largest": doubles(2.0, 1.0)}),
    "an error as float32": (Extremes, {}, {"0.largest": ("<f4", struct.pack("<f", 2.0))}),
    "an error without reading conventions": (Extremes, {"reading": None}, {}),
    "an error and a colour": (Extremes, {}, {"colour": doubles(1.0)}),
    "the largest of what is none": (Extremes, {"config": {"term": "zebras"}}, {}),
}


@pytest.mark.parametrize(("kind", "fields", "changes"), FORGED.values(), ids=FORGED)
def test_forged_sums_and_extremes(
    kind: type[KeyedState], fields: dict[str, Any], changes: dict[str, Any]
) -> None:
    header: dict[str, Any] = SUMS_HEADER if kind is Sums else EXTREMES_HEADER
    sections = SUMS if kind is Sums else EXTREMES
    kind.loads(forge(header, sections))
    with pytest.raises(StateError):
        kind.loads(forge(header | fields, sections | changes))
