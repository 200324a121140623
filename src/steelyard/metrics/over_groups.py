"""Metrics that are means over groups: what each group has, what it weighs, which are left out.

Each group's value is rounded once; their mean is exact, and rounded once.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from steelyard.metrics.parameter import (
    REQUIRED,
    Parameter,
    choice,
    column_or,
    count,
    number,
    one_of,
)
from steelyard.metrics.record import Metric, Need
from steelyard.metrics.value import NO_ROWS, ratio, ratios
from steelyard.model import Array, Floats, Mask, OverGroups, Undefined, Wants
from steelyard.states import GroupRows, Groups, Lists, exact_dot, exact_sum

WEIGHTS = ("rows", "positives", "pairs", "equal")
EXACT = 2**53  # whole numbers below are float64
NO_WEIGHT = "the groups that count weigh nothing"
NONE_RELEVANT = "no group has a relevant row"

GROUP_WEIGHT = (
    "what a group weighs: its rows, its positives, its pairs of a positive and a negative, the "
    "same as any other (equal), or a column that is constant within it"
)
REL = number("rel", 1.0, above=0, means="the smallest grade that counts as relevant")
TIES = choice(
    *("ties", "expected", "stable", "pessimistic", "optimistic", "trec"),
    means=(
        "how rows of equal score are ranked: expected takes the mean over all orders, stable the "
        "order of the rows, pessimistic the worst and optimistic the best, trec the document ids "
        "from last to first"
    ),
)
EMPTY = one_of(
    *("empty", "skip", 0, 1),
    means="what a group without a relevant row has: skip leaves it out and counts it",
)
LONGEST = 2**31 - 1  # ranks of a list: k times the rows of a block fits int64
CUT_AT = "how many ranks of each list count"
K = count("k", None, most=LONGEST, means=f"{CUT_AT}; without it all do")
NEEDED_K = count("k", REQUIRED, most=LONGEST, means=CUT_AT)
COMMON = (REL, TIES, EMPTY, column_or("group_weight", "equal", *WEIGHTS, means=GROUP_WEIGHT))


@dataclass(frozen=True, kw_only=True)
class GroupMetric(Metric):
    """A mean over groups; `ranks`: whether it reads ranks and grades, not two classes."""

    ranks: bool = False

    @property
    def roles_of_function(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().roles_of_function
        if not self.ranks:
            return {"group": REQUIRED, **before}, after
        # Row weights do not enter rankings; rows without a group are one list.
        return {"group": None}, {"document": None, **after, "unscored": "error"}

    def need(self, params: dict[str, Any]) -> Need:
        return Need(Groups)

    def compute(self, state: Groups, params: dict[str, Any]) -> OverGroups:
        return self.measure(state.view(), params)

    def wants(self, params: dict[str, Any]) -> Wants:
        weight = params["group_weight"]
        return Wants(
            binary=not self.ranks,
            graded=self.ranks,
            group=True,
            document=params.get("ties") == "trec",
            position=params.get("ties") == "stable",
            group_weights=() if weight in WEIGHTS else (weight,),
        )

    @abstractmethod
    def measure(self, rows: GroupRows, params: dict[str, Any]) -> OverGroups:
        """What each group has, and the mean."""


def mean(rows: GroupRows, values: Floats, used: Mask, weights: Array, why: str) -> OverGroups:
    """The exact mean of the groups used; the others have no value."""
    details = {
        "groups": len(rows),
        "groups_used": int(np.count_nonzero(used)),
        "rows_used": int(rows.rows[used].sum()),
    }
    shown = np.where(used, values, np.nan)
    if not used.any():
        return OverGroups(Undefined(why if len(rows) else NO_ROWS), shown, details)
    total = exact_sum(weights[used])
    value = ratio(exact_dot(values[used], weights[used]), total, NO_WEIGHT)
    return OverGroups(value, shown, details)


def group_weights(
    rows: GroupRows, name: str, weight: Array, positives: Array, negatives: Array
) -> Array:
    """What each group counts for: of its rows, of a class, of its pairs, the same, or a column."""
    if name == "rows":
        return weight
    if name == "positives":
        return positives
    if name == "pairs":
        return product(positives, negatives)
    return np.ones(len(rows), np.int64) if name == "equal" else rows.weight_of(name)


def product(left: Array, right: Array) -> Array:
    """Products of whole numbers, as Python's integers where int64 may not hold them."""
    if len(left) and int(left.max()) * int(right.max()) >= 2**63:
        left = left.astype(object)
    result: Array = left * right
    return result


def quotients(numerators: Array, denominators: Array | int) -> Floats:
    """Quotients of whole numbers, each rounded once."""
    largest = max(int(np.max(part, initial=0)) for part in (numerators, denominators))
    if largest < EXACT:
        return ratios(numerators, denominators)
    return ratios(numerators.astype(object), np.maximum(denominators, 1))  # no group divides by 0


def pool(numerators: Array, denominators: Array, weights: Array) -> Fraction:
    """Σ weight · numerator/denominator, exactly: a sum for each denominator, of which n rows have
    at most √(2n)."""
    order = np.argsort(denominators, kind="stable")
    different, starts = np.unique(denominators[order], return_index=True)
    of_each = np.split(order, starts[1:])
    return sum(
        (
            exact_dot(numerators[rows].astype(np.float64), weights[rows]) / below
            for below, rows in zip(different.tolist(), of_each, strict=True)
        ),
        Fraction(0),
    )


@dataclass(frozen=True, kw_only=True)
class RankingMetric(GroupMetric):
    """A metric of ranked lists.

    value: of each list, given the lists, how many rows of each group are relevant, and parameters
    pooled: where `average` is micro, what a list adds above the line, as numerators and
        denominators, and below
    """

    value: Callable[..., Floats]
    pooled: Callable[..., tuple[Array, Array, Array]] | None = None
    ranks: bool = True
    shared: tuple[Parameter, ...] = COMMON

    def measure(self, rows: GroupRows, params: dict[str, Any]) -> OverGroups:
        own = dict(params)
        ties, empty, weight = (own.pop(name) for name in ("ties", "empty", "group_weight"))
        micro = own.pop("average", "macro") == "micro"
        lists = rows.lists(ties)
        relevant = lists.relevant(own["rel"])
        values = self._values(lists, relevant, own)
        used = relevant > 0
        if empty != "skip":
            values = np.where(used, values, empty)
            used = np.ones(len(rows), bool)
        weights = group_weights(rows, weight, rows.rows, relevant, rows.rows - relevant)
        found = mean(rows, values, used, weights, NONE_RELEVANT)
        if rows.joined.digits is not None:
            found = found._replace(details={**found.details, "weights": "unused"})
        if not micro or self.pooled is None or isinstance(found.value, Undefined):
            return found
        hits, parts, divisor = self.pooled(lists, relevant, **own)
        below = exact_dot(divisor.astype(np.float64), weights)
        why = NO_WEIGHT if relevant.any() else NONE_RELEVANT
        return found._replace(value=ratio(pool(hits, parts, weights), below, why))

    def _values(self, lists: Lists, relevant: Array, own: dict[str, Any]) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):  # of groups without a relevant row
            return self.value(lists, relevant, **own)


def ranking_parameters(*own: Parameter, cut: Parameter | None = K) -> tuple[Parameter, ...]:
    """A metric's own parameters, those that all ranking metrics have, and the cut."""
    return (*own, *COMMON, *(() if cut is None else (cut,)))
