"""Many slices compared with few; many states merged, written and read in linear time."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import steelyard as sy
from bench.measure import Line, best_times

FEW = 50


def lines() -> Iterator[Line]:
    rng = np.random.default_rng(20261101)
    yield _by(rng, 1_000_000, 20_000, ["auc", "copc"], 3)
    yield _by(rng, 10_000_000, 200_000, ["auc", "copc", "logloss"], 6)
    yield from _states(rng)


def _by(rng: np.random.Generator, rows: int, slices: int, metrics: list[str], limit: float) -> Line:
    score = rng.random(rows, dtype=np.float32)
    columns = {"y": rng.random(rows) < 0.1 * score, "s": score}
    tasks = [
        partial(
            sy.evaluate,
            columns | {"by": rng.integers(0, count, rows)},
            label="y",
            score="s",
            by="by",
            metrics=metrics,
        )
        for count in (slices, FEW)
    ]
    many, few = best_times(*tasks, runs=2 if rows > 1_000_000 else 5)
    what = f"{', '.join(metrics)} of {rows:,} rows by {slices:,} slices, in the time by {FEW}"
    return Line(what, many / few, limit, at_least=False)


def _states(rng: np.random.Generator) -> Iterator[Line]:
    """Ten times as many states take about ten times as long."""
    days = [_day(rng, 2_000, 500) for _ in range(400)]
    raw = [day.dumps() for day in days]
    yield _tenfold("merge of 400 states", lambda n: sy.merge(*days[: n * 40]))
    yield _tenfold("dumps of 400 states", lambda n: [day.dumps() for day in days[: n * 40]])
    yield _tenfold("loads of 400 states", lambda n: [sy.State.loads(r) for r in raw[: n * 40]])


def _tenfold(what: str, task: Callable[[int], Any]) -> Line:
    ten, one = best_times(partial(task, 10), partial(task, 1), runs=3)
    return Line(f"{what} by 500 slices, in the time of 40", ten / one, 15, at_least=False)


def _day(rng: np.random.Generator, rows: int, slices: int) -> sy.State:
    columns = {
        "y": rng.random(rows) < 0.3,
        "s": rng.random(rows),
        "by": rng.integers(0, slices, rows),
    }
    return sy.state(columns, label="y", score="s", by="by", metrics=["auc", "copc"])
