"""Columns that start at an odd byte, as in a file that is mapped into memory after a header."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import kernels
from steelyard.model import Array
from tests.tables.harness import kernels_in_use

ROWS = 300
RNG = np.random.default_rng(5)
LABELS, SCORES = RNG.integers(0, 2, ROWS), RNG.random(ROWS)
GROUPS, WEIGHTS = RNG.integers(0, 9, ROWS), RNG.random(ROWS)
NAMES = GROUPS.astype("<U3")
CALLS: dict[str, dict[str, Array]] = {
    "auc": {"sample_weight": WEIGHTS},
    "ap": {},
    "logloss": {"sample_weight": WEIGHTS},
    "ece": {},
    "brier": {},
    "gauc": {"group": GROUPS},
    "uauc": {"group": NAMES},
    "ndcg": {"group": GROUPS},
    "mae": {},
    "spearman": {},
}


def shifted(column: Array) -> Array:
    """The same numbers, from an odd address on."""
    made = np.frombuffer(b"x" + column.tobytes(), column.dtype, offset=1)
    assert not made.flags.aligned
    return made


@pytest.mark.parametrize("kernel", kernels.available())
@pytest.mark.parametrize("name", CALLS)
def test_unaligned_columns_have_the_same_values(name: str, kernel: str) -> None:
    function: Any = getattr(sy, name)
    columns, more = (LABELS, SCORES), CALLS[name]
    with kernels_in_use(kernel):
        known = function(*columns, **more)
        moved = {key: shifted(column) for key, column in more.items()}
        assert function(*map(shifted, columns), **moved) == known
