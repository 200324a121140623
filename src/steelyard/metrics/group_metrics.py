"""Metrics that are means over groups, and those of them that read ranked lists."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from steelyard.kernels.quotients import largest
from steelyard.metrics.fold import Pass, RangeMetric, SliceParts
from steelyard.metrics.group_means import (
    NONE_RELEVANT,
    MeasuredGroups,
    join,
    means,
    no_groups,
    parts,
)
from steelyard.metrics.influence import LOGIT, Influences, SliceValues, of_lines, of_quotient
from steelyard.metrics.parameter import (
    REQUIRED,
    Parameter,
    choice,
    column_or,
    count,
    number,
    one_of,
)
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.metrics.values import ValueColumn, at_places
from steelyard.model import Array, Floats, RequiredColumns
from steelyard.states import Groups
from steelyard.views.clusters import LineSums, finite, lines_of
from steelyard.views.group_rows import GroupRows, add_by_slice
from steelyard.views.groups import GroupsView
from steelyard.views.lists import Lists
from steelyard.views.varying_weights import VaryingWeights

WEIGHTS = ("rows", "positives", "pairs", "equal")

GROUP_WEIGHT = (
    "the weight of a group: its rows, its positives, its pairs of a positive and a negative, the "
    "same for all (equal), or a column that is constant within each group"
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
    means="the value of a group without a relevant row: skip leaves it out and counts it",
)
LONGEST = 2**31 - 1  # ranks of a list: k times the rows of a block fits int64
CUT_AT = "the number of ranks of each list that count"
K = count("k", None, most=LONGEST, means=f"{CUT_AT}; without it all do")
NEEDED_K = count("k", REQUIRED, most=LONGEST, means=CUT_AT)
GROUP_SIZES = "group_sizes"
GROUP_KEYWORDS = {"group": None, GROUP_SIZES: None}
COMMON = (REL, TIES, EMPTY, column_or("group_weight", "equal", *WEIGHTS, means=GROUP_WEIGHT))


@metric_class
class GroupMetric(RangeMetric):
    """A mean over groups.

    ranks: whether it reads ranks and grades; if not, it reads two classes
    """

    ranks: bool = False
    join: Callable[[Any, Any], Any] = join
    scale: str = LOGIT
    pass_order = 1

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().reading_keywords
        if not self.ranks:
            return {**GROUP_KEYWORDS, **before}, after
        # Rankings ignore row weights; without groups, all rows are one list.
        return dict(GROUP_KEYWORDS), {"document": None, **after, "unscored": "error"}

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(Groups)

    @staticmethod
    def ranges(view: GroupsView) -> Iterator[GroupRows]:
        return view.ranges()

    def make(self, range_: GroupRows, params: dict[str, Any], pending: Pass) -> SliceParts:
        return parts(range_, self.measure(range_, params))

    def finish(
        self,
        view: GroupsView,
        parts: SliceParts | None,
        params: dict[str, Any],
        pending: Pass,
    ) -> ValueColumn:
        if parts is None:
            return no_groups(len(pending))
        known, columns = parts.of(view.slices)
        found: list[tuple[Array, ValueColumn]] = [(np.flatnonzero(known), means(columns))]
        if not known.all():
            there = np.flatnonzero(~known)
            found.append((there, no_groups(len(there))))
        return at_places(found, len(known))

    def line_sums(self, view: GroupsView, params: dict[str, Any], values: SliceValues) -> LineSums:
        """Numerators and denominators of the mean, by the cluster of each group."""
        rows = view.rows
        found = self.measure(rows, params)
        chosen, numerators, denominators = found.quotients()
        numerators = finite(numerators)
        slices = np.zeros(len(rows), np.int64) if rows.slices is None else rows.slices
        lines, codes = lines_of(slices[chosen], rows.clusters[chosen], rows.count)
        weights = found.weights[chosen]
        columns = [
            add_by_slice(codes, len(lines), weights, each) for each in (numerators, denominators)
        ]
        return LineSums(lines, tuple(columns))

    def influences_of(
        self, sums: LineSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        """A group's weight · (value − mean) / weight of all, added up by cluster."""
        lines, value = sums.lines, sums.lines.spread(values.numbers)
        (above, below), (_, total) = sums.rounded(1)
        with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
            column, share = of_quotient((above, below), (None, total), value), below / total
        return of_lines(lines, column, share, value == value)

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        weight = params["group_weight"]
        return RequiredColumns(
            binary=not self.ranks,
            graded=self.ranks,
            group=True,
            document=params.get("ties") == "trec",
            position=params.get("ties") == "stable",
            group_weights=() if weight in WEIGHTS else (weight,),
        )

    @abstractmethod
    def measure(self, rows: GroupRows, params: dict[str, Any]) -> MeasuredGroups:
        """The value and the weight of each group, in every slice."""


def group_weights(
    rows: GroupRows, name: str, weight: Array, classes: Callable[[], tuple[Array, Array]]
) -> tuple[Array, VaryingWeights | None]:
    """The weight of each group, and the groups in which the weight's column is not constant.

    name: one of WEIGHTS, or a column; classes: the positives and the negatives of each group
    """
    if name == "rows":
        return weight, None
    if name == "positives":
        return classes()[0], None
    if name == "pairs":
        return product(*classes()), None
    return (np.ones(len(rows), np.int64), None) if name == "equal" else rows.weight_of(name)


def _classes(rows: GroupRows, relevant: Array) -> tuple[Array, Array]:
    return relevant, rows.rows - relevant


def product(left: Array, right: Array) -> Array:
    """Products of whole numbers, as Python integers where int64 may not hold them."""
    if int(largest(left)) * int(largest(right)) >= 2**63:
        left = left.astype(object)
    result: Array = left * right
    return result


@metric_class
class RankingMetric(GroupMetric):
    """A metric of ranked lists.

    value: a function of the lists, of the number of relevant rows of each, and of the parameters;
        it gives the value of each list
    pooled: for `average=micro`, a function of the same that gives what each list adds to the
        pooled numerator, as numerators and denominators, and to the pooled denominator
    no_value: why a list with a relevant row may have no value, NaN; its slices then have none
    """

    value: Callable[..., Floats]
    pooled: Callable[..., tuple[Array, Array, Array]] | None = None
    no_value: str = ""
    ranks: bool = True
    pass_order = 0  # lists are sorted for it, and areas read them sorted
    shared: tuple[Parameter, ...] = COMMON

    def measure(self, rows: GroupRows, params: dict[str, Any]) -> MeasuredGroups:
        own = dict(params)
        ties, empty, weight = (own.pop(name) for name in ("ties", "empty", "group_weight"))
        micro = own.pop("average", "macro") == "micro"
        lists = rows.lists(ties)
        relevant = lists.term("relevant", rel=own["rel"])
        values = self._values(lists, relevant, own)
        used = relevant > 0
        if empty != "skip":
            values = np.where(used, values, empty)
            used = np.ones(len(rows), bool)
        classes = partial(_classes, rows, relevant)
        weights, varies = group_weights(rows, weight, rows.rows, classes)
        pooled = self.pooled(lists, relevant, **own) if micro and self.pooled else None
        unused = {"weights": "unused"} if rows.weighted else {}
        why = (NONE_RELEVANT, self.no_value)
        return MeasuredGroups(values, used, weights, *why, pooled, unused, varies)

    def _values(self, lists: Lists, relevant: Array, own: dict[str, Any]) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):  # groups without a relevant row
            return self.value(lists, relevant, **own)


def ranking_parameters(*own: Parameter, cut: Parameter | None = K) -> tuple[Parameter, ...]:
    """A metric's own parameters, those of all ranking metrics, and the cut."""
    return (*own, *COMMON, *(() if cut is None else (cut,)))
