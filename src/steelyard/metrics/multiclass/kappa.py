"""Cohen's kappa: the agreement of truth and prediction beyond what chance would give.

Weighted forms use the order of classes: numeric, or alphabetical for text.
"""

from itertools import accumulate

from steelyard.metrics.class_metrics import CellsMetric
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.parameter import choice
from steelyard.model import Undefined, Value
from steelyard.views.classes import ClassCells, ClassTotals

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
    of_some=True,
)
