"""Rows for every kind of state: one list of entries, read as each of them needs it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from steelyard.kernels.interface import ExactSums
from steelyard.model import Array, Reading, RequiredColumns
from steelyard.reading.arrays import read_arrays
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import (
    ClassPredictions,
    ClassScores,
    CodedClasses,
    NumericPredictions,
)
from steelyard.states import Sums
from tests.laws.state_makers import MAKE, OF_CHANCES, OF_PREDICTIONS


class Entry(NamedTuple):
    """A row: its values are exact in every type that a batch may choose for it."""

    positive: bool
    score: float
    weight: float


SCORES = [-1.5, -0.0, 0.0, 0.25, 0.5, 1e-30, 3.0]
CHANCES = dict(zip(SCORES, [0.875, 0.5, 0.5, 0.25, 0.0625, 1.0, 0.0], strict=True))
# Ones for unweighted batches; halves that add up to one; units far apart; a sum with 31 zeros.
ONES = st.just(1.0)
WHOLE = st.sampled_from([1.0, 2.0, 3.0, 2.0**31 - 1, 2.0**40])
ANY = st.sampled_from([0.5, 1.0, 3.0, 2.0**-40, 1 - 2.0**-40, 0.1, 2.0**31 - 1, 1e300, 1e-300])


def rows(weight: st.SearchStrategy[float], most: int = 9) -> st.SearchStrategy[list[Entry]]:
    return st.lists(st.builds(Entry, st.booleans(), st.sampled_from(SCORES), weight), max_size=most)


any_rows = st.one_of(rows(ONES), rows(WHOLE), rows(ANY))


def weight_columns(weights: Sequence[float]) -> list[Any]:
    """These weights in every type that holds them exactly."""
    ways: list[Any] = [np.array(weights, np.float64)]
    if all(weight == 1 for weight in weights):
        ways.append(None)
    if all(weight == int(weight) and weight < 2**63 for weight in weights):
        ways += [np.array(weights, dtype) for dtype in (np.int64, np.uint64)]
    if all(float(np.float32(min(weight, 1e38))) == weight for weight in weights):
        ways.append(np.array(weights, np.float32))
    return ways


def field_of(score: float) -> str:
    """The value of the column `field` in a row of that score."""
    return f"f{score:.1f}"


def read(label: Any, score: Any, weight: Any = None, **how: Any) -> Batch:
    """Rows in groups by a truth value and a text, so that states have dictionaries of their own."""
    group = {"user": [str(s) > "0" for s in score], "day": [f"d{s}" for s in score]}
    return read_arrays(
        label, score, weight, group=group, required_columns=RequiredColumns(group=True), **how
    )


def batch_for(name: str, label: Array, score: Array, chance: Array, weight: Any) -> Batch:
    """The rows as the state of that name reads them: predictions, probabilities or scores."""
    if name in OF_PREDICTIONS:
        truth = label.astype(np.uint8)
        called = CodedClasses((score > 0).astype(np.uint8), ["no", "yes"])
        return Batch(
            len(label),
            Reading(),
            numbers=NumericPredictions(truth.astype(np.float64), score),
            classes=ClassPredictions(CodedClasses(truth, ["no", "yes"]), called),
            class_scores=ClassScores(("no", "yes"), (1 - chance, chance), truth),
            weight=weight,
        )
    if name in OF_CHANCES:
        columns = {"field": list(map(field_of, score.tolist())), "bid": np.abs(score)}
        required = RequiredColumns(probability=True, fields=("field",), amounts=("bid",))
        return read_arrays(label, chance, weight, columns=columns, required_columns=required)
    return read(label, score, weight)


def state_of(name: str, *parts: Sequence[Entry], ways: Sequence[int] = ()) -> Any:
    """The state of these batches; `ways` chooses the type of each batch's weights."""
    state = MAKE[name]()
    for i, part in enumerate(parts):
        weights = weight_columns([entry.weight for entry in part])
        label = np.array([entry.positive for entry in part], bool)
        score = np.array([entry.score for entry in part], np.float64)
        chance = np.array([CHANCES[entry.score] for entry in part], np.float64)
        weight = weights[(ways[i] if ways else 0) % len(weights)]
        state.update(batch_for(name, label, score, chance, weight))
    return state


def total(levels: ExactSums) -> Fraction:
    """What the digits of one line add up to, by Python's own numbers."""
    digits = [digit.tolist() for digit in levels.values()]
    assert all(len(digit) == 1 for digit in digits)
    powers = [Fraction(2) ** power for power in levels]
    return sum((d[0] * p for d, p in zip(digits, powers, strict=True)), Fraction(0))


def sums_of(state: Sums) -> dict[str, Fraction]:
    """Every term's sum, of a state without keys."""
    return {term: total(levels) for term, levels in state.table(0).columns.items()}
