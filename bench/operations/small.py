"""Functions of a hundred rows, a thousand times: what a call costs."""

from collections.abc import Callable
from functools import partial

import numpy as np

import steelyard as sy
from bench.operations.operation import Columns, Operation, OtherTool, values_of

TIMES = 1000
EIGHT = ["auc", "ap", "ks", "logloss", "copc", "ece", "f1", "brier"]


def rows(rng: np.random.Generator, count: int) -> Columns:
    label, group = rng.random(count) < 0.5, rng.integers(0, 10, count)
    return {"label": label, "score": rng.random(count), "group": group}


def often(columns: Columns, *, call: Callable[..., float], group: bool) -> float:
    more = {"group": columns["group"]} if group else {}
    for _ in range(TIMES):
        found = call(columns["label"], columns["score"], **more)
    return found


def evaluated(columns: Columns) -> tuple[float, ...]:
    label, score = columns["label"], columns["score"]
    for _ in range(TIMES):
        found = sy.evaluate(label=label, score=score, metrics=EIGHT)
    return values_of(found)


def _of_scikit_learn(name: str) -> OtherTool:
    def compute(columns: Columns) -> float:
        import sklearn.metrics

        call = getattr(sklearn.metrics, name)
        return often(columns, call=call, group=False)

    return OtherTool(compute)


OPERATIONS = [
    Operation(f"{name}, 100 rows, a thousand times", rows, task, others, (100,))
    for name, task, others in (
        (
            "auc",
            partial(often, call=sy.auc, group=False),
            {"scikit-learn": _of_scikit_learn("roc_auc_score")},
        ),
        (
            "logloss",
            partial(often, call=sy.logloss, group=False),
            {"scikit-learn": _of_scikit_learn("log_loss")},
        ),
        ("gauc", partial(often, call=sy.gauc, group=True), {}),
        ("ndcg", partial(often, call=sy.ndcg, group=True), {}),
        ("evaluate, eight metrics", evaluated, {}),
    )
]
