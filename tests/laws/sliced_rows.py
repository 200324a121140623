"""One table of many slices: the data sets of the tables, each a slice."""

from fractions import Fraction
from typing import Any

import numpy as np

from tests.tables.binary_data import DATA

# Data sets that can be slices of one table: labels 0 and 1, float64 scores, float weights.
ALIKE = [
    name
    for name, data in DATA.items()
    if "positive" not in data.roles
    and data.columns["score"].dtype == "float64"
    and all(Fraction(float(weight)) == weight for weight in data.weights)
    and set(data.columns["label"].tolist()) <= {0, 1}
    and any(data.weights)
]


def together() -> dict[str, Any]:
    """One table whose slices are data sets, rows shuffled."""
    label: list[int] = []
    score: list[float] = []
    weight: list[float] = []
    name: list[str] = []
    for each in ALIKE:
        data = DATA[each]
        label += map(int, data.columns["label"].tolist())
        score += data.columns["score"].tolist()
        weight += map(float, data.weights)
        name += [each] * len(data)
    rows = np.random.default_rng(5).permutation(len(label))
    columns = {"y": label, "s": score, "w": weight, "set": name}
    return {key: np.array(values)[rows] for key, values in columns.items()}
