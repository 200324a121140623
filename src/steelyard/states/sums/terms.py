"""Row terms: what each row adds to a named sum.

A term is a formula (`kernels/interface/terms.py`) times the row's weight, or times the rows that it
stands for; the sum over all rows is exact. A name may have an argument after a space: "called 0.5"
is the weight of the rows with a score of 0.5 or more.
"""

from collections.abc import Collection, Iterator
from functools import cache
from math import isfinite

from steelyard.kernels.interface.terms import CONDITIONS, ERROR_FORMULAS, RowTerm
from steelyard.model import Floats

DROPPED = "dropped"  # the dropped rows, which a batch counts
COUNTS = {
    DROPPED: "one",
    "rows": "one",
    "positives": "positive",
    "infinite": "infinite",
    "infinite_of_class": "infinite_of_class",
    **{name: name for name in CONDITIONS},
}
UNWEIGHTED = {"prediction_sum": "score", "number_sum": "prediction"}
WEIGHTED = {
    "weight": "one",
    "weighted_positives": "positive",
    "weighted_prediction_sum": "score",
    "weighted_number_sum": "prediction",
    "expected": "probability",
    "squares": "square",
    **{name: name for name in ("log", "surplus", "surplus_variance", "variance")},
    **{name: name for name in ("log_of_class", "squares_of_classes")},
    **{f"weight_of_{name}": name for name in CONDITIONS},
    **{name: name for name in ERROR_FORMULAS},
}
WITH_ARGUMENT = ("called", "hit", "amount", "earned_amount", "expected_amount", "beyond")
SIGNED = {
    *("prediction_sum", "weighted_prediction_sum", "number_sum", "weighted_number_sum"),
    *("log", "surplus", "log_of_class", "truth", "prediction", "truth_squared_rest"),
}

SUBSETS = (  # terms of some of the rows, and of some of their weight
    ("rows", ("positives", "infinite", "infinite_of_class")),
    ("weight", ("weighted_positives",)),
)
Difference = tuple[tuple[str, ...], tuple[str, ...]]


def never_below_zero(terms: Collection[str]) -> Iterator[Difference]:
    """Differences of sums that cannot be negative, as they are sums of some rows themselves."""
    found: list[Difference] = [((whole,), (part,)) for whole, parts in SUBSETS for part in parts]
    for name in terms:
        kind, _, threshold = name.partition(" ")
        if kind == "hit":
            called = f"called {threshold}"
            found += [((called,), (name,)), (("weighted_positives",), (name,))]
            found.append((("weight", name), ("weighted_positives", called)))
    return (pair for pair in found if {*pair[0], *pair[1]} <= set(terms))


@cache
def find(name: str) -> RowTerm:
    """The term of a name; a ValueError where there is none."""
    kind, blank, argument = name.partition(" ")
    if blank and kind in WITH_ARGUMENT and _is_argument(kind, argument):
        return RowTerm(name, weighted=kind != "beyond")
    for names, weighted in ((COUNTS, False), (UNWEIGHTED, False), (WEIGHTED, True)):
        if name in names:
            return RowTerm(names[name], weighted)
    raise ValueError(f"no term is called {name!r}")


def _is_argument(kind: str, argument: str) -> bool:
    """Whether a formula has such an argument; a threshold that is not canonical is refused."""
    if kind == "beyond":
        return {*argument.split(",")} <= ERROR_FORMULAS.keys()
    if kind in ("called", "hit"):
        limit = float(argument)
        if not isfinite(limit) or repr(limit + 0.0) != argument:  # -0.0 + 0.0 is 0.0
            raise ValueError(f"a threshold of {argument}")
    return True


def is_count(name: str) -> bool:
    """Whether the term counts rows, so that its sums are whole numbers."""
    return name in COUNTS or name.startswith("beyond ")


def variance_of(q: Floats) -> Floats:
    """The variance of labels of these probabilities."""
    return q * (1.0 - q)
