"""Cohen's kappa: the agreement of truth and prediction beyond what chance would give.

Weighted forms use the order of classes: numeric, or alphabetical for text.
"""

from itertools import accumulate, pairwise

import numpy as np

from steelyard.metrics.class_metrics import CellsMetric
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats, Undefined, Value
from steelyard.views.classes import ClassCells, ClassTotals
from steelyard.views.cluster_cells import ClusterClasses

COST = (
    "the cost of a wrong class: the same for all (none), or the distance in the order of classes "
    "(linear), or its square (quadratic)"
)
NO_CHANCE = "every row is of one class and called so"


def kappa(cells: ClassCells, weights: str) -> Value:
    cells = cells.among_chosen
    table = cells.table
    if table.all == 0:
        return Undefined(NO_ROWS)
    expected = EXPECTED[weights](table)
    found = table.all * _disagreement(cells, table, weights)
    return ratio(expected - found, expected, NO_CHANCE)


def _disagreement(cells: ClassCells, table: ClassTotals, weights: str) -> int:
    """The weight of the wrong rows, each times its cost."""
    if weights == "none":
        return table.all - sum(table.hits)
    numbers = {label: number for number, label in enumerate(table.labels)}
    power = 1 if weights == "linear" else 2
    return sum(
        amount * abs(numbers[true] - numbers[called]) ** power
        for (true, called), amount in cells.weights.items()
    )


def _any(table: ClassTotals) -> int:
    """Σ t_i·p_j over i ≠ j: N times the weight that chance would get wrong."""
    return table.all**2 - sum(t * p for t, p in zip(table.truth, table.predicted, strict=True))


def _linear(table: ClassTotals) -> int:
    """Σ |i − j|·t_i·p_j: for every cut between two neighbouring classes, the pairs across it."""
    below = zip(accumulate(table.truth), accumulate(table.predicted), strict=True)
    all_ = table.all
    return sum(true * (all_ - called) + called * (all_ - true) for true, called in below)


def _quadratic(table: ClassTotals) -> int:
    """Σ (i − j)²·t_i·p_j, from the first two moments of each side."""
    (true, true2), (called, called2) = (
        (sum(i * w for i, w in enumerate(side)), sum(i * i * w for i, w in enumerate(side)))
        for side in (table.truth, table.predicted)
    )
    return table.all * (true2 + called2) - 2 * true * called


EXPECTED = {"none": _any, "linear": _linear, "quadratic": _quadratic}


def slopes(view: ClusterClasses, value: Floats, weights: str) -> Floats:
    """The derivatives of 1 − o/e: [(1 − value)·(r_i + c_j − e) − d_ij]/e.

    r_i: the expected cost of a row of class i; c_j: that of a row predicted as class j
    e: the expected cost of all rows, Σ t_i·r_i; all: the share of the rows that count
    """
    cells, own = view.among_chosen, view.slices
    all_ = view.over_classes(cells.truth)
    true, called = (each / all_[view.of_slice] for each in (cells.truth, cells.predicted))
    of_true, of_called = (_costs(each, view.starts, weights) for each in (called, true))
    expected = view.over_classes(true * of_true)[own]
    more = of_true[view.true] + of_called[view.called] - expected
    steps = np.abs(view.true - view.called).astype(np.float64)
    cost = np.where(steps > 0, steps ** ("none", "linear", "quadratic").index(weights), 0.0)
    column: Floats = ((1.0 - value[own]) * more - cost) / (expected * all_[own])
    return np.where(view.is_among_chosen, column, 0.0)


def _costs(shares: Floats, starts: Array, weights: str) -> Floats:
    """For each class, the mean cost against a class that is drawn with these shares.

    starts: the first class of each slice, and the end
    """
    costs = np.zeros(len(shares))
    for first, last in pairwise(starts.tolist()):
        up = shares[first:last]
        costs[first:last] = _from_below(up, weights) + _from_below(up[::-1], weights)[::-1]
    return costs


def _from_below(shares: Floats, weights: str) -> Floats:
    """For each class, Σ cost·share over the classes below it.

    Of a class d steps below, running sums have the share once (none), d times (linear), or
    d(d − 1)/2 times, twice of which with the linear part is d².
    """
    once = _before(shares)
    if weights == "none":
        return once
    linear = np.cumsum(once)
    return linear if weights == "linear" else linear + 2.0 * _before(linear)


def _before(column: Floats) -> Floats:
    """The sum of the entries before each."""
    return np.append(0.0, np.cumsum(column))[:-1]


METRIC = CellsMetric(
    formula=(
        "1 − N·Σ d_ij·n_ij / Σ d_ij·t_i·p_j, where d_ij is 1 for i ≠ j (none), |i − j| (linear) or "
        "(i − j)² (quadratic)"
    ),
    tex=r"1 - \frac{N \sum_{ij} d_{ij} n_{ij}}{\sum_{ij} d_{ij} t_i p_j}",
    reading=(
        "0 is the agreement of two raters who know only how common each class is, 1 is full "
        "agreement. With linear or quadratic weights a near miss costs less than a far one, as is "
        "right for grades."
    ),
    range="-1 to 1, at most; 0 by chance",
    better="higher",
    pitfalls=(
        (
            "It depends on how common the classes are: the same error rates give another kappa on "
            "other data."
        ),
        (
            "Weighted forms count steps between classes that occur: if a grade never occurs, its "
            "neighbours are one step closer."
        ),
    ),
    reference=(
        "Cohen (1960), Educational and Psychological Measurement 20(1):37; Cohen (1968), "
        "Psychological Bulletin 70(4):213"
    ),
    chinese="Kappa 系数",
    example="sy.kappa([1, 2, 3, 3], y_pred=[1, 2, 2, 3], weights='quadratic')",
    aliases=("cohen_kappa", "cohen_kappa_score"),
    parameters=(choice("weights", "none", "linear", "quadratic", means=COST),),
    value=kappa,
    slopes=slopes,
    of_some=True,
)
