"""`evaluate` of plain arrays gives by its short way what it gives by the long one."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import kernels
from steelyard.evaluation import short_evaluation
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import SCORE
from steelyard.model import Array
from tests.effort import random_cases
from tests.laws.test_short_way import FORMS, USUAL, labels_of, outcome, scores_of
from tests.tables.harness import kernels_in_use

NAMES = [
    name
    for name, metrics in catalogue.functions().items()
    if metrics[0].reads == SCORE and name == metrics[0].function
    if all(each.default is not REQUIRED for each in metrics[0].parameters)
]
EIGHT = ["auc", "ap", "ks", "logloss", "copc", "ece", "f1", "brier"]


def read(found: sy.Result) -> tuple[Any, ...]:
    """All that a result says."""
    rows = [(row, {name: repr(each) for name, each in row.details.items()}) for row in found]
    shapes = [repr(shape) for shape in found.shapes]
    return rows, found.to_json(), found.conventions, str(found), shapes


def long_way(label: Any, score: Any, metrics: Any) -> tuple[Any, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(short_evaluation, "_known", {})
        return read(sy.evaluate(label=label, score=score, metrics=metrics))


def short_way(label: Any, score: Any, metrics: Any) -> tuple[Any, ...]:
    """The same, of a request that is known if it was plain once."""
    return read(sy.evaluate(label=label, score=score, metrics=metrics))


def plain(rng: np.random.Generator) -> tuple[Array, Array]:
    rows = int(rng.choice([2, 3, 8, 40, 100]))
    label = rng.integers(0, 2, rows)
    label[0], label[-1] = 0, 1
    kind = (bool, np.uint8, np.int64, np.float32, np.float64)[rng.integers(5)]
    score = rng.choice([rng.random(rows), rng.integers(0, 5, rows) / 4])
    return label.astype(kind), score.astype((np.float32, np.float64)[rng.integers(2)])


@pytest.mark.parametrize("kernel", list(kernels.available()))
def test_it_is_the_long_way(kernel: str) -> None:
    short = 0
    with kernels_in_use(kernel):
        for seed in range(random_cases(200, 20_000)):
            rng = np.random.default_rng(seed)
            if seed % 50 == 0:  # no more than 128 requests are known
                short_evaluation._known.clear()
            metrics = rng.choice(NAMES, rng.integers(1, 6), replace=False).tolist()
            metrics = EIGHT if seed % 4 == 0 else metrics
            outcome(short_way, *plain(rng), metrics)  # now it is known, for some types
            if rng.random() < 0.6:
                args: tuple[Any, Any] = plain(rng)
            else:
                rows, forms = int(rng.choice([1, 2, 3, 40])), [*USUAL, "list", "gaps"]
                with np.errstate(invalid="ignore"):
                    args = tuple(
                        FORMS[str(rng.choice(forms))](make(rng, rows))
                        for make in (labels_of, scores_of)
                    )
            short += short_evaluation.short_result(*args, {"metrics": metrics}) is not None
            found = outcome(short_way, *args, metrics)
            assert found == outcome(long_way, *args, metrics), (seed, metrics)
    assert short > 20


@pytest.mark.parametrize("kernel", list(kernels.available()))
@pytest.mark.parametrize("score", [[-0.0, 0.5, 0.75, 0.25], [-0.0, -0.0, -0.0, -0.0]])
def test_no_zero_has_a_sign(kernel: str, score: list[float]) -> None:
    label, metrics = np.array([0, 1, 1, 0]), ["roc"]
    with kernels_in_use(kernel):
        for kind in (np.float32, np.float64):
            scores = np.array(score, kind)
            short_way(label, scores, metrics)  # now it is known
            assert short_evaluation.short_result(label, scores, {"metrics": metrics}) is not None
            assert short_way(label, scores, metrics) == long_way(label, scores, metrics)


def pictures(found: sy.Result) -> dict[str, str]:
    """The shapes that pictures draw, which are made of the rows when they are asked for."""
    made = {name: found.picture_shape(name) for name in found.picture_names}
    assert made
    return {name: repr(shape) for name, shape in made.items()}


def test_a_result_keeps_the_rows_of_its_call() -> None:
    rng = np.random.default_rng(0)
    label, score = rng.random(100) < 0.5, rng.random(100)
    wanted = pictures(sy.evaluate(label=label.tolist(), score=score.tolist(), metrics=EIGHT))
    for _ in range(3):
        mine, own = label.copy(), score.copy()
        found = sy.evaluate(label=mine, score=own, metrics=EIGHT)
        mine[:], own[:] = ~label, rng.random(100)
        assert pictures(found) == wanted
    assert short_evaluation.short_result(label, score, {"metrics": EIGHT}) is not None


def test_what_the_short_way_declines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(short_evaluation, "_known", {})
    label, score = np.array([0, 1, 1, 0]), np.array([0.25, 0.5, 0.75, 0.125])
    asked = {"metrics": ["auc", "logloss"]}
    sy.evaluate(label=label, score=score, metrics=asked["metrics"])
    assert short_evaluation.short_result(label, score, asked) is not None
    for other in (
        (label, score, {**asked, "nan": "drop"}),
        (label, score, {}),
        (label, score, {"metrics": ["auc"]}),
        (label, score.tolist(), asked),
        (label, score + 1, asked),
        (np.ones(4, np.int64), score, asked),
        (label + 1, score, asked),
        (label[:3], score, asked),
    ):
        assert short_evaluation.short_result(*other) is None
