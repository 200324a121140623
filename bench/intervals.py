"""Intervals and comparisons, as multiples of the same evaluation without them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import steelyard as sy
from bench.measure import Line, best_times, memory

ROWS, USERS, COUNTRIES = 10_000_000, 200_000, 50


def lines() -> Iterator[Line]:
    log = _log(np.random.default_rng(20261117))
    roles: dict[str, Any] = {
        "label": "click",
        "group": "user",
        "by": "country",
        "metrics": ["auc", "gauc", "logloss", "copc"],
    }
    plain = partial(sy.evaluate, log, score="old", **roles)
    clustered = partial(sy.evaluate, log, score="old", cluster="user", **roles)
    compared = partial(sy.compare, log, score=["old", "new"], cluster="user", **roles)
    values, intervals, both = best_times(plain, clustered, compared, runs=2)
    what = f"of 4 metrics, {ROWS:,} rows, {USERS:,} users, {COUNTRIES} countries"
    yield Line(f"intervals {what}, in the time of values", intervals / values, 2.5, at_least=False)
    yield Line(f"comparison {what}, in the time of intervals", both / intervals, 2, at_least=False)
    size = sum(log[name].nbytes for name in ("click", "old", "user", "country"))
    without, with_ = (memory("", task, size, 1.5) for task in (plain, clustered))
    yield Line(
        f"memory of intervals {what}, in that of values",
        (size + with_.ratio * size) / (size + without.ratio * size),
        1.5,
        at_least=False,
    )


def _log(random: np.random.Generator) -> dict[str, Any]:
    user = random.integers(0, USERS, ROWS)
    old = random.beta(1, 20, ROWS).astype(np.float32)
    new = (old * random.uniform(0.8, 1.2, ROWS)).clip(0, 1).astype(np.float32)
    return {
        "click": random.random(ROWS) < old,
        "old": old,
        "new": new,
        "user": user,
        "country": random.integers(0, COUNTRIES, USERS)[user],
    }
