"""Random labels, probabilities and weights for tables too large to list."""

from typing import Any

import numpy as np


def sample(seed: int, rows: int, rate: float, digits: int, weights: str) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    q = np.round(random.beta(4 * rate, 4 - 4 * rate, rows), digits)
    q = np.clip(q, 10.0**-digits, 1 - 10.0**-digits)
    y = (random.random(rows) < q ** random.choice([0.8, 1.0, 1.3])).astype(int)
    made = {
        "none": None,
        "whole": random.integers(1, 5, rows),
        "floats": random.random(rows) + 0.01,
        "wide": np.exp2(random.integers(-60, 60, rows)) * random.random(rows),
    }
    return y, q, made[weights]
