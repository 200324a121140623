"""The compiled kernels beside the NumPy kernels, np.sort and scikit-learn: python -m bench.kernels.

Each line is one operation on 10 million rows. *sort* is the faster np.sort of the same scores, with
and without AVX-512, which is the slower one on some processors: a second process measures it.
Times are the best of alternating runs, on the wall clock, or with --processor in processor time,
for a machine that others use too: two threads then take what one takes. All columns are of one run.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import ScoreChunk

ROWS = 10_000_000
RUNS = 5
CLOCK = time.process_time if "--processor" in sys.argv else time.perf_counter
WITHOUT_AVX512 = "AVX512_ICL X86_V4 AVX512_SPR"


def main() -> None:
    if "sort" in sys.argv:
        print(*map(sort_seconds, ("f4", "f8")))
        return
    columns = "rust 1t", "rust 2t", "numpy", "scikit-learn"
    print(f"{'in sort':30}", *(f"{name:>12}" for name in columns), f"{'sort, ms':>12}")
    sorts = fastest_sorts()
    for what, kind, chunk, unit in cases():
        *times, learn = measured(chunk, unit)
        sort = sorts[kind]
        print(f"{what:30}", *(f"{t / sort:12.2f}" for t in (*times, learn)), f"{sort * 1e3:12.0f}")


def sort_seconds(kind: str) -> float:
    """The best time of np.sort, without the copy that it sorts."""
    scores = np.random.default_rng(0).random(ROWS).astype(kind)
    least = float("inf")
    for _ in range(RUNS):
        column = scores.copy()
        start = CLOCK()
        column.sort()
        least = min(least, CLOCK() - start)
    return least


def fastest_sorts() -> dict[str, float]:
    """The faster np.sort of each type."""
    found = []
    for disabled in ("", WITHOUT_AVX512):
        variables = os.environ | {"NPY_DISABLE_CPU_FEATURES": disabled}
        words = [sys.executable, "-W", "ignore", "-m", "bench.kernels", "sort", *sys.argv[1:]]
        done = subprocess.run(words, env=variables, capture_output=True, text=True, check=True)
        found.append([float(word) for word in done.stdout.split()])
    return dict(zip(("f4", "f8"), map(min, *found), strict=True))


def cases() -> Iterator[tuple[str, str, ScoreChunk, int]]:
    rng = np.random.default_rng(1)
    weights = rng.random(ROWS) + 2.0**-53
    for share in (0.05, 0.5):
        positive = rng.random(ROWS) < share
        wide = 1 / (1 + np.exp(-rng.normal(size=ROWS) - positive))
        narrow = wide.astype(np.float32)
        named = f"{share:.0%} positive"
        yield f"float32, {named}", "f4", ScoreChunk(None, narrow, positive), 0
        yield f"float64, {named}", "f8", ScoreChunk(None, wide, positive), 0
        light = weights.astype(np.float32)
        yield f"float32 weights, {named}", "f4", ScoreChunk(None, narrow, positive, light), -77
        yield f"float64 weights, {named}", "f4", ScoreChunk(None, narrow, positive, weights), -106


def measured(chunk: ScoreChunk, unit: int) -> list[float]:
    """Seconds of rust on one thread and on two, of NumPy and of scikit-learn."""
    from sklearn.metrics import roc_auc_score

    def run(name: str, number: int) -> Any:
        with threads.limited(number):
            return kernels.available()[name].curve_points([chunk], 1, unit, points=False)

    calls = [lambda: run("rust", 1), lambda: run("rust", 2)]
    fast = best(calls)

    def learn() -> Any:
        return roc_auc_score(chunk.positive, chunk.scores, sample_weight=chunk.weights)

    return [*fast, *best([lambda: run("numpy", 1)], 2), *best([learn], 1)]


def best(calls: list[Callable[[], Any]], runs: int = RUNS) -> list[float]:
    """The least seconds of each call, run in turn."""
    least = [float("inf")] * len(calls)
    for _ in range(runs):
        for place, call in enumerate(calls):
            start = CLOCK()
            call()
            least[place] = min(least[place], CLOCK() - start)
    return least


if __name__ == "__main__":
    main()
