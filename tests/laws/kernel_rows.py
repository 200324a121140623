"""Rows of all kinds that kernels treat differently, drawn at random from a seed."""

from typing import Any

import numpy as np

from steelyard.kernels.interface import DIGIT, Array, Digits, ScoreChunk

SCORES: tuple[Any, ...] = (
    lambda rng, n: rng.random(n),
    lambda rng, n: rng.integers(-2, 3, n) / 2,  # ties of both signs
    lambda rng, n: rng.normal(size=n),
    lambda rng, n: 0.5 + rng.integers(0, 999, n) * 2.0**-52,  # one value in float32
    lambda rng, n: np.ldexp(rng.choice([-1.0, 1.0], n), rng.integers(-1074, 1020, n)),
    lambda rng, n: rng.integers(-40, 40, n) * 5e-324,  # subnormal
    lambda rng, n: np.where(rng.random(n) < 0.01, rng.choice([-3e38, 3e38], n), rng.random(n)),
    lambda rng, n: rng.choice([0.0, -0.0, 1.0], n),
    lambda rng, n: np.round(rng.random(n), 3),
)
WEIGHTS = (
    lambda rng, n: rng.random(n, np.float32) + np.float32(0.001),
    lambda rng, n: rng.lognormal(size=n),
    lambda rng, n: rng.lognormal(size=n).astype(np.float32),
    lambda rng, n: np.ldexp(1.0, rng.integers(-30, 30, n)),
    lambda rng, n: rng.choice([2.0**-1074, 2.0**1000, 1.0], n),
    lambda rng, n: rng.integers(1, 9, n),
    lambda rng, n: rng.integers(1, 2**62, n),
    lambda rng, n: rng.integers(1, 200, n).astype(np.uint64),
    lambda rng, n: tuple(rng.integers(1, 2**DIGIT, n).astype(np.uint32) for _ in range(2)),
    lambda rng, n: tuple(rng.integers(1, 2**DIGIT, n).astype(np.uint32) for _ in range(3)),
)
SIZES = (0, 1, 2, 9, 60, 900, 5000)
LARGE = (40_000, 150_000)


def draw_rows(seed: int, large: bool) -> tuple[list[ScoreChunk], int]:
    """Chunks of one score type, and how many slices there are."""
    rng = np.random.default_rng(seed)
    rows = int(rng.choice(LARGE if large else SIZES))
    slices = int(rng.choice([1, 1, 2, 50, 3000]))
    score, type_ = rng.integers(len(SCORES)), rng.choice(["f4", "f8"])
    weight = int(rng.integers(-len(WEIGHTS), len(WEIGHTS)))  # half of the rows have none
    share = rng.choice([0.0, 0.05, 0.5, 0.95, 1.0])
    chunks = []
    for part in np.diff([0, *sorted(rng.integers(0, rows + 1, rng.integers(3))), rows]):
        with np.errstate(over="ignore", under="ignore"):
            scores = SCORES[score](rng, part).astype(type_)
        scores[~np.isfinite(scores)] = 1
        codes = (rng.random(part) ** 3 * slices).astype(rng.choice(["u2", "u4", "i8"]))
        weights = WEIGHTS[weight](rng, part) if weight >= 0 else None
        positive = rng.random(part) < share
        chunks.append(ScoreChunk(codes if slices > 1 else None, scores, positive, weights))
    return chunks, slices


def unit_of(weights: list[Array | Digits | None]) -> int:
    """The largest power of two that divides all weights, where each is a number; 0 for digits."""
    powers = [0]
    for column in weights:
        if isinstance(column, np.ndarray) and column.dtype.kind == "f":
            fraction, exponent = np.frexp(column.astype(np.float64))
            whole = np.ldexp(fraction, 53).astype(np.int64)
            powers.append(int((exponent - 53 + _trailing_zeros(whole)).min(initial=0)))
    return min(powers)


def _trailing_zeros(whole: Array) -> Array:
    return np.log2((whole & -whole).astype(np.float64)).astype(np.int64)
