"""Group values: how the values of a mean over groups are distributed, and how many have one.

Bins of equal width go from 0 to 1, or from the lowest to the highest value if one is outside. A
group counts once, whatever its weight. Groups that the mean leaves out are counted apart.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.metrics.catalogue import resolve
from steelyard.metrics.division import NO_ROWS, TOO_LARGE
from steelyard.metrics.each_slice import EachSlice, objects
from steelyard.metrics.fold import Pass, SliceParts
from steelyard.metrics.group_metrics import GROUP_KEYWORDS, GroupMetric
from steelyard.metrics.histograms import bin_numbers, bins_parameter, equal_edges
from steelyard.metrics.parameter import text
from steelyard.metrics.record import SCORE, StateSpec, metric_class
from steelyard.metrics.values import ValueColumn
from steelyard.model import AnyValue, Floats, GroupValues, RequiredColumns, Undefined
from steelyard.presets import Preset
from steelyard.views.group_rows import GroupRows
from steelyard.views.groups import GroupsView

INNER = "metric"
UNUSED = "group_weight"  # of the inner metric: a group counts once


class ValuesPart(NamedTuple):
    """The values of some groups of a slice.

    values: those of the groups that have one, range by range; why: the reason if none has
    groups, rows: how many groups there are, and their rows; used: the rows of those with a value
    """

    values: tuple[Floats, ...]
    groups: int
    rows: int
    used: int
    why: str


def join(left: ValuesPart, right: ValuesPart) -> ValuesPart:
    """The part of the groups of two ranges; no group is in both."""
    return ValuesPart(
        left.values + right.values,
        left.groups + right.groups,
        left.rows + right.rows,
        left.used + right.used,
        left.why,
    )


def histogram(part: ValuesPart, bins: int) -> GroupValues | Undefined:
    """The groups of each bin."""
    values = np.concatenate(part.values)
    if not len(values):
        return Undefined(part.why)
    low, high = float(values.min()), float(values.max())
    if np.isinf(high):
        return Undefined(TOO_LARGE)
    edges = equal_edges(*((0.0, 1.0) if low >= 0 and high <= 1 else (low, high)), bins)
    counts = np.bincount(bin_numbers(values, edges), minlength=bins)
    return GroupValues(edges, counts, len(values), part.groups, part.used, part.rows)


@metric_class
class GroupHistogram(EachSlice):
    """The histogram of the values of a mean over groups, which is its first parameter."""

    join: Callable[[Any, Any], Any] = join
    ranges = staticmethod(GroupMetric.ranges)  # the same function, so that they share a pass

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().reading_keywords
        return {**GROUP_KEYWORDS, **before}, {"document": None, **after, "unscored": "error"}

    def completed(self, params: dict[str, Any], preset: Preset | None) -> dict[str, Any]:
        """With the parameters of the mean over groups, as the preset has them."""
        inner = resolve(params[INNER], preset, SCORE)
        if not isinstance(inner.metric, GroupMetric):
            raise errors.NOT_OVER_GROUPS(outer=self.name, metric=inner.name)
        own = {name: value for name, value in inner.params.items() if name != UNUSED}
        return {**params, INNER: inner.name, **own}

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return _inner(params)[0].state_spec(params)

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        metric, own = _inner(params)
        return metric.required_columns(own)

    def make(self, range_: GroupRows, params: dict[str, Any], pending: Pass) -> SliceParts:
        metric, own = _inner(params)
        found = metric.measure(range_, own)
        values, rows = found.shown, range_.rows
        starts = np.array([0, len(rows)])
        if range_.slices is not None:
            order, starts = kernels.active().bring_together(range_.slices, range_.count)
            values, rows = values[order], rows[order]
        made = []
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            mine, sizes = values[start:end], rows[start:end]
            used = ~np.isnan(mine)
            counts = (end - start, int(sizes.sum()), int(sizes[used].sum()))
            made.append(ValuesPart((mine[used],), *counts, found.why))
        return SliceParts(np.arange(range_.count), objects(made)).among(np.diff(starts) > 0)

    def finish(
        self,
        view: GroupsView,
        parts: SliceParts | None,
        params: dict[str, Any],
        pending: Pass,
    ) -> ValueColumn:
        found: list[AnyValue] = [Undefined(NO_ROWS)] * len(pending)
        if parts is not None:
            known, columns = parts.of(view.slices)
            for place, part in zip(np.flatnonzero(known).tolist(), columns, strict=True):
                found[place] = histogram(part, params["bins"])
        return found


def _inner(params: dict[str, Any]) -> tuple[GroupMetric, dict[str, Any]]:
    """The mean over groups and its parameters."""
    metric = resolve(params[INNER], reads=SCORE).metric
    assert isinstance(metric, GroupMetric)
    given = {UNUSED: "equal", **params}
    return metric, {each.name: given[each.name] for each in metric.parameters}


METRIC = GroupHistogram(
    shape=GroupValues,
    formula="for each bin b: how many groups have a value in b, of those that the mean uses",
    tex=r"\bigl(\lvert\lbrace g : v_g \in b \rbrace\rvert\bigr)_b",
    reading=(
        "What a mean over groups hides: whether all users are served alike, or some very well and "
        "some badly. The counts of groups and rows say how much of the data the mean is about."
    ),
    range="a number of groups for each bin",
    better="depends",
    pitfalls=(
        "Small groups have few possible values: of two rows, an AUC is 0, 0.5 or 1.",
        (
            "The centre of the histogram is not the mean where groups have weights: a group counts "
            "once here."
        ),
        "Groups without a value are in no bin: read `groups_used` and `groups_total` first.",
    ),
    reference="Pearson (1895), Philosophical Transactions A 186:343, on the histogram.",
    chinese="分组指标分布",
    example=(
        'sy.group_values([1, 0, 1, 0, 0], [0.9, 0.1, 0.3, 0.4, 0.2], group=["ann", "ann", "bob", '
        '"bob", "bob"], bins=4)'
    ),
    parameters=(
        text(
            INNER,
            "gauc",
            wanted='the name of a mean over groups, such as gauc or "ndcg@10"',
            means='the mean over groups whose values are shown, such as gauc or "ndcg@10"',
        ),
        bins_parameter(20),
    ),
)
