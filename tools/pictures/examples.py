"""The rows that the pictures show: those of the articles' examples, as docs/seeds.md has them.

Labels and scores where nothing else is said; counts are weights.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from steelyard.model import Array


class Rows(NamedTuple):
    label: Array
    score: Array
    weight: Array


def rows(label: list[int], score: list[float], weight: list[int] | None = None) -> Rows:
    return Rows(np.array(label), np.array(score), np.array(weight or [1] * len(label)))


# 003: the ROC step by step.
TEN = rows(
    [1, 1, 0, 1, 1, 0, 1, 0, 0, 0],
    [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505],
)

# 000: the first and the third example; 004 draws the rectangles.
FOUR = rows([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
SEVEN = rows([0, 1, 1, 0, 0, 1, 1], [0.3, 0.5, 0.5, 0.5, 0.5, 0.7, 0.8])


def hills(higher: int, lower: int, steps: int = 20) -> Rows:
    """About 1,000 positives and 1,000 negatives, each class with a binomial distribution of scores.

    higher, lower: the mean score of the positives and of the negatives, in steps
    steps: the scores are 0, 1/steps, ... 1
    """
    places = range(steps + 1)
    counts = [
        round(1000 * comb(steps, k) * mean**k * (steps - mean) ** (steps - k) / steps**steps)
        for mean in (higher, lower)
        for k in places
    ]
    label = [y for y in (1, 0) for _ in places]
    return rows(label, [k / steps for k in places] * 2, counts)


def more_negatives(given: Rows, times: int) -> Rows:
    return given._replace(weight=np.where(given.label == 1, given.weight, times * given.weight))


def ranked(labels: str) -> Rows:
    """Rows in falling order of the score, without ties."""
    return rows([int(each) for each in labels], [float(n) for n in range(len(labels), 0, -1)])


# 001: two curves of the same area that cross, and one that lies below the second everywhere.
CROSSING = {
    "A": ranked("11111110000010010100"),
    "B": ranked("11010110111110000000"),
    "C": ranked("10100110110101100100"),
}

# 001: the points of ROC space, of 10 positives and 10 negatives: those called positive.
SPACE = {"A": (8, 2), "B": (5, 5), "C": (3, 7)}

# 004: three classes, their probabilities, and the article's own table (rows are true classes).
CLASSES = ("a", "b", "c")
TRUTH = [*"aaaaabbbbbccccc"]
MATRIX = np.array([
    [0.80, 0.15, 0.05], [0.70, 0.10, 0.20], [0.55, 0.25, 0.20], [0.30, 0.60, 0.10],
    [0.62, 0.08, 0.30], [0.20, 0.70, 0.10], [0.25, 0.45, 0.30], [0.60, 0.30, 0.10],
    [0.15, 0.50, 0.35], [0.10, 0.28, 0.62], [0.05, 0.20, 0.75], [0.20, 0.40, 0.40],
    [0.12, 0.48, 0.40], [0.45, 0.33, 0.22], [0.22, 0.18, 0.60],
])  # fmt: skip
CELLS = np.array([[500, 10, 10], [20, 480, 50], [100, 200, 370]])

# 002: a model that was trained on one negative in ten; each prediction with its clicks and rows.
SHARE = 0.1
TRAINED = (0.1, 0.2, 0.35, 0.5, 0.65, 0.8)
SHOWN = 10_000  # of each
CLICKS = (112, 230, 540, 880, 1_600, 2_800)  # about p / (p + (1 - p) / SHARE) of them
