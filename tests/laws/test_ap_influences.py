"""Influences of AP against their formula in fractions: ties, slices, weights of any size."""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest

from steelyard.model import Array
from tests.laws.influences import Case, influences


def by_formula(label: Array, score: Array, weight: Array, cluster: Array) -> list[float]:
    """Σ (w/W⁺)·[y(π − AP) + yB − C] of the rows of each cluster."""
    weights = map(Fraction, weight.tolist())
    rows = [*zip(label.tolist(), score.tolist(), weights, strict=True)]
    at_or_above = {
        s: (_sum(w for y, t, w in rows if y and t >= s), _sum(w for _, t, w in rows if t >= s))
        for s in set(score.tolist())
    }
    every = _sum(w for y, _, w in rows if y)
    precision = {s: tp / pp for s, (tp, pp) in at_or_above.items()}
    ap = _sum(w * precision[s] for y, s, w in rows if y) / every
    found = [Fraction()] * (int(cluster.max()) + 1)
    for (y, s, w), own in zip(rows, cluster.tolist(), strict=True):
        below = [(v, t) for z, t, v in rows if z and t <= s]
        b = _sum(v / at_or_above[t][1] for v, t in below)
        c = _sum(v * precision[t] / at_or_above[t][1] for v, t in below)
        found[own] += w / every * (y * (precision[s] - ap + b) - c)
    return [float(each) for each in found]


def _sum(terms: Iterable[Fraction]) -> Fraction:
    return sum(terms, Fraction())


# π and AP are up to 1, and cancel. The terms of C are multiples of 2**-52: beside one negative of
# 2**60 or 2**1200 times the weight of others, they are so small that a part of them is lost.
@pytest.mark.parametrize(("spread", "tolerance"), [(0, 1e-15), (30, 1e-13), (600, 1e-9)])
def test_influences_are_those_of_the_formula(spread: int, tolerance: float) -> None:
    random = np.random.default_rng(spread)
    size = 80
    columns = {
        "y": random.integers(0, 2, size),
        "s": np.round(random.random(size), 1),
        "w": random.random(size) * 2.0 ** random.integers(-spread, spread + 1, size),
        "c": np.append(np.arange(9), random.integers(0, 9, size - 9)),
        "g": random.integers(0, 3, size),
    }
    case = Case(columns, ["ap"], label="y", score="s")
    found = influences(case)
    assert len(found) == 4
    for (_, slice_), column in found.items():
        rows = np.full(size, True) if slice_ is None else columns["g"] == slice_
        expected = by_formula(*(columns[name][rows] for name in "yswc"))
        expected += [0.0] * (9 - len(expected))
        np.testing.assert_allclose(column, expected, rtol=0, atol=tolerance)
