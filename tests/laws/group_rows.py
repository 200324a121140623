"""Rows of groups of all kinds, drawn at random from a seed."""

from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import Array, Digits, GroupedRows
from tests.laws.kernel_rows import SCORES, WEIGHTS, unit_of

SIZES = (0, 1, 2, 9, 60, 900, 3000)
LARGE = (40_000, 150_000)


class Drawn(NamedTuple):
    rows: GroupedRows
    weights: Array | Digits | None
    unit: int
    counts: Array | None
    unscored: Array | None
    keys: Array


def draw_groups(seed: int, large: bool) -> Drawn:
    """Rows of few or many groups, in order or not, even or uneven, with zero to two `by`."""
    rng = np.random.default_rng(seed)
    rows = int(rng.choice(LARGE if large else SIZES))
    drawn = (rng.random(rows) ** rng.integers(1, 6) * rng.choice([1, 3, 40, 2000])).astype(int)
    groups, codes = np.unique(drawn, return_inverse=True)
    codes = codes.astype(rng.choice(["u1", "u2", "u4", "u8"] if len(groups) < 256 else ["u4"]))
    order = rng.choice(["random", "sorted", "nearly"])
    if order != "random":
        codes.sort()
    if order == "nearly" and rows > 2:
        codes[[0, -1]] = codes[[-1, 0]]
    with np.errstate(over="ignore", under="ignore"):
        scores = SCORES[rng.integers(len(SCORES))](rng, rows).astype(rng.choice(["f4", "f8"]))
    scores[~np.isfinite(scores)] = 1
    hit = rng.random(rows) < rng.choice([0.0, 0.05, 0.5, 1.0])
    grades = (hit * rng.integers(1, 5, rows)).astype(np.uint8)
    if rng.random() < 0.3:
        grades = hit * rng.choice([0.25, 1.0, 2.5, 3.0, 4.0], rows)
    weight = int(rng.integers(-len(WEIGHTS), len(WEIGHTS)))  # half of the rows have none
    weights = WEIGHTS[weight](rng, rows) if weight >= 0 else None
    return Drawn(
        GroupedRows(codes, len(groups), scores, grades, _slices(rng, rows, codes)),
        weights,
        unit_of([weights]),
        rng.integers(1, 2 ** int(rng.integers(1, 40)), rows) if rng.random() < 0.3 else None,
        rng.random(rows) < 0.1 if rng.random() < 0.3 else None,
        rng.integers(-3, 9, rows) if rng.random() < 0.5 else rng.permutation(rows),
    )


def _slices(rng: np.random.Generator, rows: int, codes: Array) -> tuple[Array, ...]:
    """Columns of slices: of rows, or of whole groups."""
    kinds = rng.integers(0, 3, rng.integers(3))
    each = []
    for kind in kinds:
        wide = rng.choice(["u1", "u2", "u4", "i8"])
        slices = codes % 5 if kind == 2 else rng.integers(0, [3, 200][kind], rows)
        each.append(np.asarray(slices).astype(wide))
    return tuple(each)
