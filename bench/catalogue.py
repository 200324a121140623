"""All binary metrics in one evaluation; the import."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import steelyard as sy
from bench.measure import Line, import_time, within
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import Metric

ROWS = 10_000_000
FAMILIES = ("binary", "curves", "calibration")


def lines() -> Iterator[Line]:
    rng = np.random.default_rng(20260501)
    for rate, odds in (("5 %", 19), ("50 %", 1)):
        score = rng.beta(1, odds, ROWS)
        label = (rng.random(ROWS) < score).astype(np.int64)
        table = partial(sy.evaluate, label=label, score=score)
        whole = binary_catalogue()
        yield within(
            f"all {len(whole)} binary metrics, {rate}, in auc and logloss",
            partial(table, metrics=whole),
            partial(table, metrics=["auc", "logloss"]),
            2,
            runs=3,
        )
    ratio = import_time("steelyard") / import_time("numpy")
    yield Line("import steelyard, in import numpy", ratio, 1.3, at_least=False)


def binary_catalogue() -> list[str]:
    """Every metric of counts, curves and calibration that is a number and needs no other column."""
    found = [m for m in catalogue.every() if m.family in FAMILIES and m.shape is None]
    return [_spec(m) for m in found if not any(p.column for p in m.parameters)]


def _spec(metric: Metric) -> str:
    needed = [p.name for p in metric.parameters if p.default is REQUIRED]
    return f"{metric.name}({', '.join(f'{name}=0.5' for name in needed)})"
