"""Means over groups by parts: any cut of the groups into ranges gives the same bits."""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import plan
from steelyard.engines import run
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.metrics import catalogue
from steelyard.metrics.fold import SliceParts, join
from steelyard.metrics.group_means import parts
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.views.groups import GroupsView
from steelyard.views.sums import ExactColumn

SPECS = [
    *("gauc", "gauc(pairs, single_class=0.5)", "gauc(positives, min_rows=3)", "uauc"),
    *("ndcg@3", "map", "mrr", "hit_rate@2", "precision@3", "recall@2", "f1@2", "err", "rbp(p=0.5)"),
    *("recall(average=micro)@2", "dcg(gain=exp2)", "cg", "r_precision", "ndcg(group_weight=w)@2"),
]
COLUMNS: dict[str, Any] = {
    "y": np.random.default_rng(1).integers(0, 2, 200),
    "s": np.random.default_rng(2).random(200).round(1),
    "u": np.random.default_rng(3).integers(0, 40, 200),
    "by": np.random.default_rng(4).integers(0, 3, 200),
}
COLUMNS["w"] = COLUMNS["u"] % 5 + 0.25


def tables() -> list[Table]:
    """The total and three slices, of a state whose weights are fractions."""
    weight = np.random.default_rng(5).random(200)
    state = sy.state(
        {**COLUMNS, "row": weight},
        label="y",
        score="s",
        group="u",
        weight="row",
        by="by",
        metrics=SPECS,
    )
    return [table for _, _, _, table in state._tables()]


@pytest.mark.parametrize("spec", SPECS)
def test_ranges_of_any_size_give_the_same_bits(spec: str) -> None:
    bound = catalogue.resolve(spec)
    for table in tables():
        whole = repr(list(*run.values([bound], table, IN_MEMORY)))
        for rows in (1, 7, 50):
            assert repr(list(*run.values([bound], table._replace(rows=rows), IN_MEMORY))) == whole


@pytest.mark.parametrize("spec", SPECS)
def test_joins_are_associative(spec: str) -> None:
    """Left to right, right to left, and as a tree: parts of groups have no order."""
    bound, table = catalogue.resolve(spec), tables()[1]._replace(rows=9)
    view = table.view(plan.GROUPS)
    assert isinstance(view, GroupsView)
    assert isinstance(bound.metric, GroupMetric)
    found = [parts(rows, bound.metric.measure(rows, dict(bound.params))) for rows in view.ranges()]
    assert len(found) > 5
    joined = partial(join, bound.metric)
    left = plain(reduce(joined, found))
    right = reduce(lambda later, part: joined(part, later), reversed(found))
    assert left == plain(right) == plain(tree(joined, found))


def plain(part: Any) -> Any:
    """SliceParts that compare: exact numbers as fractions, arrays as lists."""
    if isinstance(part, ExactColumn):
        return part.fractions()
    if isinstance(part, np.ndarray):
        return part.tolist()
    return [plain(each) for each in part] if isinstance(part, tuple) else part


def tree(
    join: Callable[[SliceParts, SliceParts], SliceParts], some: list[SliceParts]
) -> SliceParts:
    if len(some) == 1:
        return some[0]
    middle = len(some) // 2
    return join(tree(join, some[:middle]), tree(join, some[middle:]))


def test_a_weight_that_varies_is_counted_over_all_ranges() -> None:
    """The error names the first group by key, and counts the groups of every range."""
    columns = {**COLUMNS, "w": np.where(COLUMNS["u"] % 4 == 1, COLUMNS["s"], 1.0)}
    state = sy.state(columns, label="y", score="s", group="u", metrics="ndcg(group_weight=w)")
    (table,) = (table for _, _, _, table in state._tables())
    bound = catalogue.resolve("ndcg(group_weight=w)")
    messages = set()
    for rows in (None, 1, 20):
        with pytest.raises(sy.InputError) as caught:
            run.values([bound], table._replace(rows=rows), IN_MEMORY)
        messages.add(str(caught.value))
    assert len(messages) == 1
    varying = {
        user
        for user in set(COLUMNS["u"].tolist())
        if len(set(columns["w"][COLUMNS["u"] == user].tolist())) > 1
    }
    (message,) = messages
    assert f"varies within {len(varying)} groups, the first of which is {min(varying)} " in message


def test_a_pool_of_groups_without_weight() -> None:
    spec = "recall(average=micro, empty=0, group_weight=pairs)@2"
    row = sy.evaluate(label=[0], score=[0.5], group=[1], metrics=spec).rows[0]
    assert row.why == "the groups that count have no weight"
