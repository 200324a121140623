"""Evaluations by slices, and with intervals."""

from functools import partial

import numpy as np

import steelyard as sy
from bench.operations.operation import Columns, Operation, values_of

OF_SLICES = ["auc", "copc", "logloss", "ece"]
OF_CLUSTERS = ["auc", "copc", "logloss"]


def rows(rng: np.random.Generator, count: int, *, slices: int) -> Columns:
    score = rng.beta(1, 19, count).astype(np.float32)
    user = rng.integers(0, 200_000, count)
    label = rng.random(count, np.float32) < score
    return {"label": label, "score": score, "user": user, "slice": rng.integers(0, slices, count)}


def by_slices(columns: Columns) -> tuple[float, ...]:
    found = sy.evaluate(dict(columns), "label", "score", by="slice", metrics=OF_SLICES)
    return values_of(found, 4)


def values(columns: Columns) -> tuple[float, ...]:
    found = sy.evaluate(dict(columns), "label", "score", metrics=OF_CLUSTERS)
    return values_of(found)


def intervals(columns: Columns) -> tuple[float, ...]:
    found = sy.evaluate(dict(columns), "label", "score", cluster="user", metrics=OF_CLUSTERS)
    return tuple(float(row.low or 0) for row in found.rows)


OPERATIONS = [
    Operation(
        f"auc, copc, logloss, ece by {count:,} slices", partial(rows, slices=count), by_slices
    )
    for count in (50, 20_000)
]
OPERATIONS += [
    Operation("auc, copc, logloss", partial(rows, slices=50), values),
    Operation("auc, copc, logloss with intervals by user", partial(rows, slices=50), intervals),
]
