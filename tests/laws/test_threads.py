"""`threads=` reaches the kernels, whichever function it is given to; no result depends on it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import kernels
from steelyard.kernels import threads

RNG = np.random.default_rng(0)
ROWS = 400
LOG = {
    "label": RNG.random(ROWS) < 0.4,
    "score": RNG.random(ROWS),
    "new": RNG.random(ROWS),
    "user": RNG.integers(0, 30, ROWS),
    "device": RNG.choice(["tv", "pc"], ROWS),
}

CALLS: dict[str, Callable[[int], Any]] = {
    "evaluate": lambda n: sy.evaluate(LOG, "label", "score", metrics=["auc"], threads=n),
    "state": lambda n: sy.state(LOG, "label", "score", metrics=["logloss"], threads=n),
    "compare": lambda n: sy.compare(
        LOG, label="label", score=["score", "new"], cluster="user", metrics=["auc"], threads=n
    ),
    "diagnose": lambda n: sy.diagnose(
        LOG, LOG, label="label", score="score", over=["device"], cluster="row", threads=n
    ),
}
WATCHED = ("curve_points", "add_terms", "check_column", "sort_scores", "pair_areas")


@pytest.mark.parametrize("name", CALLS)
def test_threads_reach_the_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, seen = kernels.active(), set()

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **keywords: Any) -> Any:
            seen.add(threads.most())
            return function(*args, **keywords)

        return call

    for each in WATCHED:
        monkeypatch.setattr(kernel, each, watched(getattr(kernel, each)))
    CALLS[name](7)
    assert seen == {7}
    assert threads.most() != 7


def test_a_function_does_not_change_or_keep_its_arrays() -> None:
    label, score = LOG["label"].copy(), LOG["score"].copy()
    value = sy.auc(label, score)
    assert (label == LOG["label"]).all()
    assert (score == LOG["score"]).all()
    state = sy.state(label=label, score=score, metrics="auc")  # outlives the call
    score[:] = 0
    assert state.result()["auc"] == value
