"""A diagnosis has the values and intervals of `evaluate` and `compare`, to the last bit."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from tests.effort import random_cases

METRICS = {
    **dict.fromkeys(("ctr", "auc", "copc", "logloss", "ne"), ()),
    "gauc": ("group",),
    "ndcg@3": ("group",),
}
WEIGHTS = {
    "uniform": lambda random, size: random.random(size) + 2**-60,
    "uneven": lambda random, size: np.exp(8 * random.normal(size=size)),
    "thirds": lambda random, size: random.choice([1 / 3, 1.0, 2.5], size),
    "float32": lambda random, size: random.random(size).astype(np.float32) + np.float32(0.01),
}


def make_log(random: np.random.Generator, weights: str) -> dict[str, Any]:
    size = int(random.integers(150, 400))
    user = random.integers(0, 40, size)
    return {
        "click": (random.random(size) < 0.4).astype(int),
        "pctr": np.round(random.uniform(0.06, 0.94, size), int(random.integers(1, 9))),
        "user": user,
        "slot": random.choice(["top", "side"], size),
        "country": np.array(["DE", "FR", "US", "IN"])[user % 4],
        "w": WEIGHTS[weights](random, size),
    }


@pytest.mark.parametrize("seed", range(random_cases(12, 400)))
def test_values_and_intervals(seed: int) -> None:
    random = np.random.default_rng(seed)
    metric = [*METRICS][seed % len(METRICS)]
    weights = [*WEIGHTS][seed // len(METRICS) % len(WEIGHTS)]
    logs = [make_log(random, weights) for _ in range(2)]
    roles: dict[str, Any] = {"label": "click", "score": "pctr", "weight": "w", "cluster": "user"}
    roles |= dict.fromkeys(METRICS[metric], "user")
    over = ["country"] if metric.startswith("ndcg") else ["country", "slot"]
    found = sy.diagnose(*logs, metric=metric, over=over, **roles)

    name = "prevalence" if metric == "ctr" else metric
    results = [sy.evaluate(log, metrics=name, by=over, **roles) for log in logs]
    assert [found.before, found.after] == [result[name] for result in results]
    for table in found.parts:
        if metric == "ne" or table.dimension not in over:
            continue  # the parts of NE are of losses
        for each in table.slices:
            own = {table.dimension: each.key}
            values = [
                None if value is None else float(value) for value in (each.before, each.after)
            ]
            assert values == [result.row(name, slice=own).value for result in results]
    for table in found.parts:
        assert sum(each.part.total for each in table.slices) + table.base == table.change
        ends = [float(table.before), float(table.after)]
        if metric == "gauc":  # weights and groups are rounded
            assert ends == pytest.approx([found.before, found.after], rel=1e-9)
        else:
            assert ends == [found.before, found.after]

    (line,) = (line for line in found.lines if line.question == "real?")
    change, low, high = (line.evidence[end] for end in ("change", "low", "high"))
    row = sy.compare(*logs, metrics=name, **roles).row(name)
    if metric != "copc":  # a comparison has it by logarithms
        worse = metric in ("logloss", "ne")
        told = (-change, -high, -low) if worse else (change, low, high)
        assert told == (row.difference, row.low, row.high)


def test_great_weights_leave_the_pairs_of_a_group() -> None:
    """The parts of GAUC round weights, but not to 0 in groups that have a far greater one."""
    log = {
        "click": [1, 0] * 3,
        "pctr": [0.9, 0.1, 0.9, 0.1, 0.1, 0.9],
        "slot": ["top", "side"] * 3,
        "user": [1, 1, 2, 2, 3, 3],
        "w": [1, 1e30, 1e30, 1, 1e30, 1e30],
    }
    roles: dict[str, Any] = {"label": "click", "score": "pctr", "group": "user", "weight": "w"}
    found = sy.diagnose(log, log | {"w": [1e30] * 6}, metric="gauc", over=["slot"], **roles)
    assert (found.before, found.after) == (0.5, 2 / 3)
    assert float(found.parts[0].before) == pytest.approx(0.5)
    assert float(found.parts[0].after) == pytest.approx(2 / 3)
