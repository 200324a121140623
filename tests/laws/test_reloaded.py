"""A state that was saved and loaded, or pickled, gives the same result, to the last detail."""

import pickle
from typing import Any

import pytest

import steelyard as sy
from steelyard import presets
from steelyard.evaluation.saved_state import State
from steelyard.metrics import catalogue
from tests.effort import random_cases
from tests.laws.test_hostile_input import FRAME, ROLES, that_fit

WEIGHTS = {"no weights": None, "ones": "one", "whole": "n", "fractions": "w", "zeros": "zero"}
# Weights of 1 and whole ones are read as fractions are; both alone are laws elsewhere.
EACH_WEIGHT = [
    pytest.param(name, marks=[pytest.mark.full] * (name in ("ones", "whole"))) for name in WEIGHTS
]
OPTIONS: dict[str, dict[str, Any]] = {
    "slices": {"by": ["country", ("country", "user")]},
    "plain": {},
    "a condition": {"where": "y = 1 OR s < 0.3", "nan": "drop", "rows": "own"},
    "corrected": {"clip": 1e-6, "downsampled": 0.5, "positive": 1},
    **{preset: {"preset": preset} for preset in presets.names()},
}
CORRECTED = ("a group", "a group of two columns", "not retrieved")


@pytest.mark.parametrize("weight", EACH_WEIGHT)
@pytest.mark.parametrize("roles", ROLES)
def test_a_reloaded_state_gives_the_same_result(roles: str, weight: str) -> None:
    """Over all metrics, parameters and options: JSON has values, details and conventions."""
    few = list(OPTIONS)[: random_cases(1, len(OPTIONS))]
    for name in few:
        how = ROLES[roles] | OPTIONS[name] | {"weight": WEIGHTS[weight]}
        if roles not in CORRECTED:
            how = {
                key: value for key, value in how.items() if key not in ("downsampled", "positive")
            }
        if roles == "classes":
            how |= {"prediction": ["y"]}
        metrics = that_fit(how)
        if roles == "numbers":  # 0.8 is no class
            found = {m: catalogue.resolve(m, reads="prediction") for m in metrics}
            metrics = [m for m in metrics if found[m].required_columns.numbers]
        state = sy.state(FRAME, label="y", metrics=metrics, **how)
        result = state.result()
        assert result.to_json() == State.loads(state.dumps()).result().to_json()
        assert result.to_json() == pickle.loads(pickle.dumps(result)).to_json()
        assert result.to_json() == sy.Result.from_json(result.to_json()).to_json()
        if "preset" in how:  # some depend on the order of rows, which merging loses
            continue
        others = [m for m in metrics if "stable" not in m]
        state = sy.state(FRAME, label="y", metrics=others, **how)
        merged = sy.merge(state, state)
        assert merged.result().to_json() == State.loads(merged.dumps()).result().to_json()


@pytest.mark.parametrize("weights", [[1, 1, 1, 1], [1.0, 1.0, 1.0, 1.0], [2, 1, 1, 1]])
def test_a_reloaded_state_gives_the_same_json(weights: list[float]) -> None:
    """Weights of 1 are as no weights; others are said to be unused, before and after."""
    columns = {"y": [1, 0, 0, 1], "s": [4, 3, 2, 1], "user": [1, 1, 2, 2], "w": weights}
    roles: dict[str, Any] = {
        "label": "y",
        "score": "s",
        "group": "user",
        "weight": "w",
        "metrics": "ndcg@2",
    }
    state = sy.state(columns, **roles)
    result, reloaded = state.result(), State.loads(state.dumps()).result()
    assert result.to_json() == reloaded.to_json()
    assert ("weights" in result.rows[0].details) == (weights[0] == 2)
