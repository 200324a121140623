"""Plain rows: both sets of kernels say the same of them, and what the other kernels say."""

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels.interface import ScoreChunk
from steelyard.model import Array
from tests.effort import random_cases

TYPES = (bool, np.uint8, np.int64, np.float32, np.float64)


def plain(rng: np.random.Generator, rows: int) -> tuple[Array, Array]:
    """Labels and scores, few of which are not plain."""
    labels = rng.integers(0, 2, rows).astype(TYPES[rng.integers(5)])
    scores = rng.normal(0, 10.0 ** rng.integers(-30, 30), rows)
    if rng.random() < 0.5:
        scores = rng.choice([0.0, -0.0, 5e-324, -5e-324, 0.5, 1.0], rows)
    scores = scores.astype((np.float32, np.float64)[rng.integers(2)])
    if rows and rng.random() < 0.1:
        labels[rng.integers(rows)] = 2
    if rows and rng.random() < 0.1:
        scores[rng.integers(rows)] = rng.choice([np.nan, np.inf, -np.inf])
    return labels, scores[: rows - (rng.random() < 0.05)]


def test_they_agree() -> None:
    every = kernels.available()
    for seed in range(random_cases(300, 100_000)):
        rng = np.random.default_rng(seed)
        labels, scores = plain(rng, int(rng.integers(0, 60)))
        [facts, *others] = [each.plain_rows(labels, scores) for each in every.values()]
        assert all(other == facts for other in others), seed
        [area, *more] = [each.plain_area(labels, scores) for each in every.values()]
        assert all(other == area for other in more), seed
        assert (area is None) == (facts is None)
        if area is not None and facts is not None:
            assert facts.positives == np.count_nonzero(labels)
            assert [facts.least, facts.largest] == [scores.min().item(), scores.max().item()]
            chunk = ScoreChunk(None, scores, labels.astype(bool))
            totals, _ = every["numpy"].curve_points([chunk], 1, 0, points=False)
            wanted = (totals.positives, totals.negatives, totals.doubled_area, totals.tied_pairs)
            assert [*area] == [column.item() for column in wanted], seed


@pytest.mark.parametrize("kernel", list(kernels.available()))
@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        ([], []),
        ([0, 1], [0.5]),
        ([0, 2], [0.5, 0.5]),
        ([0, -1], [0.5, 0.5]),
        ([0.0, float("nan")], [0.5, 0.5]),
        ([0.0, 0.5], [0.5, 0.5]),
        ([0, 1], [0.5, float("inf")]),
        ([0, 1], [0.5, float("nan")]),
    ],
)
def test_what_is_declined(kernel: str, labels: list[float], scores: list[float]) -> None:
    found = kernels.available()[kernel]
    columns = np.array(labels), np.array(scores, np.float64)
    assert found.plain_rows(*columns) is None
    assert found.plain_area(*columns) is None
