"""Damaged and forged files: refused as what they are, or read as what they say, whole.

`test_forged` goes through the fields and arrays of states; here states and results are changed at
random, loaded and then used: tables, merging, and the formats of a result.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import InputError, SourceError, StateError
from steelyard.evaluation.saved_state import State
from steelyard.report.charts.kinds import EVERY
from steelyard.report.charts.of_result import chart_of
from tests.effort import random_cases
from tests.laws.state_bytes import forge, seal, taken_apart
from tests.laws.test_forged import COLUMNS, INVALID, STATES, mutations, places, replaced

ROWS = {name: np.array(column) for name, column in COLUMNS.items()} | {"one": np.ones(6)}
KINDS: dict[str, dict[str, Any]] = STATES | {
    "lists": {
        "label": "y",
        "score": ["s", "t"],
        "group": "word",
        "by": "k",
        "document": "word",
        "unscored": "not_retrieved",
        "metrics": ["ndcg@2", "map(group_weight=one)", "recall@1"],
    },
    "probabilities": {
        "label": "y",
        "score": "s",
        "by": "word",
        "weight": "w",
        "metrics": ["ece", "calibration_slope", "hosmer_lemeshow", "ecce", "brier", "ecpm(w)"],
        "downsampled": 0.5,
        "clip": 1e-6,
    },
    "a preset": {
        "label": "word",
        "prediction": "word",
        "metrics": ["f1(macro)", "kappa"],
        "preset": "sklearn",
    },
    "trials": {"label": "y", "score": "s", "trials": "k", "by": "word", "metrics": "logloss"},
}
# Results with intervals and shapes: their cells have more fields than plain numbers have.
DRAWN: dict[str, dict[str, Any]] = {
    "curves": {
        "label": "y",
        "score": ["s", "t"],
        "weight": "w",
        "by": "word",
        "metrics": ["auc", "logloss", "f1", "roc", "pr", "confusion", "thresholds(5)", "gains"],
    },
    "lists": {"label": "y", "score": "s", "group": "u", "metrics": ["gauc", "ndcg@2"]},
    "many classes": {
        "label": "word",
        "prediction": "called",
        "by": "k",
        "metrics": ["f1(macro)", "accuracy", "confusion", "class_report"],
    },
    "class scores": {
        "label": "word",
        "score": ["s", "rest"],
        "classes": ["a", "b"],
        "metrics": ["auc", "accuracy", "roc", "pr"],
    },
    "numbers": {
        "label": "s",
        "prediction": "t",
        "by": "k",
        "metrics": ["mae", "r2", "residuals(3)", "predicted_vs_true(3)"],
    },
}
DRAWN_ROWS = {
    **{name: np.tile(column, 4) for name, column in ROWS.items()},
    "u": np.arange(24) // 3,
}
DRAWN_ROWS |= {"called": np.roll(DRAWN_ROWS["word"], 1), "rest": 1 - DRAWN_ROWS["s"]}
BY = (None, "word", "k")
OTHERS = [*INVALID, 0, 1, 2, False, "9" * 20, "9" * 5000, "inf", "nan", "\\inf", "\ud800", 10**400]
OTHERS += [[None], [[None]], ["a", "a"], [["k", "k"]], [1, True], {"auc": {}}, {"k": "mixed"}]
OTHERS += ["own", "drop", "sklearn", "trec_eval", "not_retrieved", "prediction", "float32", "mixed"]


def changed(tree: Any, random: Random, others: Sequence[Any] = OTHERS) -> Any:
    """A header or a result with one value replaced, or left out, or repeated elsewhere."""
    every = list(places(tree))
    place, other = random.choice(every), random.choice(every)
    kind = random.random()
    if kind < 0.7:
        return replaced(tree, place, random.choice(others))
    if kind < 0.85:
        value = tree
        for step in other:
            value = value[step]
        return replaced(tree, place, value)
    copy = json.loads(json.dumps(tree))
    inside = copy
    for step in place[:-1]:
        inside = inside[step]
    del inside[place[-1]]
    return copy


def forged(data: bytes, random: Random) -> bytes:
    """The bytes of a state with valid checksums around another header or other arrays."""
    header, arrays = taken_apart(data)
    listed = header.pop("sections")
    if random.random() < 0.6:
        text = json.dumps({**changed(header, random), "sections": listed}, sort_keys=True)
        return seal(text.encode(), *arrays)
    sections = {name: (kind, raw) for (name, kind, _), raw in zip(listed, arrays, strict=True)}
    name = random.choice(list(sections))
    kind, raw = sections[name]
    if raw and random.random() < 0.5:
        place = random.randrange(len(raw))
        sections[name] = kind, raw[:place] + bytes([random.randrange(256)]) + raw[place + 1 :]
    else:
        other = random.choice([each for each in mutations(kind, raw) if each is not None])
        sections[name] = other
    return forge(header, sections)


def use_state(state: State) -> None:
    use_result(state.result())
    use_result(sy.merge(state, state).result())


def use_result(result: sy.Result) -> None:
    assert str(result) is not None
    assert result.to_markdown() is not None
    assert result._repr_html_()
    assert len(result.to_polars()) == len(result)
    text = result.to_json()
    assert sy.Result.from_json(text).to_json() == text  # a NaN equals nothing, itself included
    for score in result.scores:
        for table in (result.groups, result.classes):
            try:
                assert table(score=score).to_csv()
            except sy.SteelyardError:
                continue


def refused_or_used(
    load: Callable[[Any], Any], data: Any, use: Callable[[Any], None], refusal: Any
) -> None:
    try:
        loaded = load(data)
    except refusal:
        return
    with suppress(InputError):  # a weight of groups may vary
        use(loaded)


@pytest.mark.parametrize("kind", KINDS)
def test_forged_states_are_refused_or_usable(kind: str) -> None:
    data = sy.state(ROWS, **KINDS[kind]).dumps()
    for seed in range(random_cases(60, 2000)):
        bytes_ = forged(data, Random(seed))
        refused_or_used(State.loads, bytes_, use_state, StateError)


def use_drawn(result: sy.Result) -> None:
    shown: list[Callable[[], Any]] = [partial(use_result, result)]
    shown += [result.to_csv, result.to_pandas, result.to_html]
    shown += [partial(chart_of, result, kind, by=by) for kind in EVERY for by in BY]
    for show in shown:
        with suppress(sy.SteelyardError):
            show()


@pytest.mark.parametrize("kind", DRAWN)
def test_damaged_results_with_shapes_and_intervals(kind: str) -> None:
    """One value is another one: refused, or shown in tables, pictures and pages."""
    result = sy.evaluate(DRAWN_ROWS, **DRAWN[kind], cluster="u", shapes=True)
    tree = json.loads(result.to_json())
    for seed in range(random_cases(25, 4000)):
        text = json.dumps(changed(tree, Random(seed)))
        refused_or_used(sy.Result.from_json, text, use_drawn, SourceError)


def damaged(text: str, random: Random) -> Iterator[str]:
    """Results with a value or some characters changed."""
    tree = json.loads(text)
    yield json.dumps(changed({**tree, "rows": tree["rows"][:4]}, random))
    place = random.randrange(len(text))
    yield text[:place] + chr(random.randrange(32, 127)) + text[place + 1 :]
    yield text[:place]


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_results_are_refused_or_usable(kind: str) -> None:
    text = sy.evaluate(ROWS, **KINDS[kind]).to_json()
    for seed in range(random_cases(40, 2000)):
        for each in damaged(text, Random(seed)):
            refused_or_used(sy.Result.from_json, each, use_result, SourceError)
