"""GAUC: the mean over groups (users, queries) of each group's own AUC, weighted by its rows.

A group of one class has no AUC: it is left out and counted, as is a group with fewer rows than
`min_rows`, whatever their weight.
"""

from typing import Any

import numpy as np

from steelyard.metrics.division import quotients
from steelyard.metrics.group_means import MeasuredGroups
from steelyard.metrics.group_metrics import (
    GROUP_WEIGHT,
    WEIGHTS,
    GroupMetric,
    group_weights,
    product,
)
from steelyard.metrics.parameter import column_or, count, one_of
from steelyard.metrics.record import metric_class
from steelyard.views.group_rows import GroupRows, wide

NO_PAIRS = "no group has both classes"
TOO_FEW = "no group has both classes and so many rows"
ALL_SMALL = "no group has so many rows"
SINGLE_CLASS = one_of(
    "single_class",
    "skip",
    0.5,
    0,
    means="the value of a group of one class: skip leaves it out and counts it",
)
MIN_ROWS = count("min_rows", 1, means="groups of fewer rows are left out and counted")


@metric_class
class GroupAuc(GroupMetric):
    """A mean of the AUCs of groups; GAUC and UAUC differ in the default group weight."""

    def measure(self, rows: GroupRows, params: dict[str, Any]) -> MeasuredGroups:
        single, least = params["single_class"], params["min_rows"]
        area = rows.narrow_areas
        both = np.asarray((area.positives > 0) & (area.negatives > 0), bool)
        chosen = np.flatnonzero(both)
        values = np.full(len(rows), np.nan if single == "skip" else single)
        positives, negatives, doubled = (
            wide(column[chosen]) for column in (area.positives, area.negatives, area.doubled)
        )
        values[chosen] = quotients(doubled, product(positives, 2 * negatives))
        used = np.ones(len(rows), bool) if least == 1 else rows.rows >= least
        if single == "skip":
            used &= both
        weights, varies = group_weights(
            rows,
            params["group_weight"],
            rows.weights,
            lambda: (rows.areas.positives, rows.areas.negatives),
        )
        why = ALL_SMALL if single != "skip" else NO_PAIRS if least == 1 else TOO_FEW
        return MeasuredGroups(values, used, weights, why, varies=varies)


METRIC = GroupAuc(
    formula="Σ over groups of w·AUC / Σ w, over the groups that have both classes",
    tex=(
        r"\frac{\sum_g w_g \cdot \mathrm{AUC}_g}{\sum_g w_g} \quad \text{over groups with both "
        r"classes}"
    ),
    reading=(
        "How well each user's own list is ordered, which is what a user sees. A model that only "
        "knows which users click a lot has a high AUC and a GAUC of 0.5."
    ),
    range="0 to 1; 0.5 is chance",
    better="higher",
    pitfalls=(
        (
            "Users of one class are skipped and counted. Tools that give them 0.5 or 0 report "
            "0.586 or 0.289 where skipping gives 0.712, on the same log."
        ),
        (
            "Report the weight of a group: rows (as in DIN), clicks, pairs or equal weights give "
            "different values."
        ),
        (
            "On a log where most users have no click, it is about the few who do: check how many "
            "groups are used."
        ),
        (
            "If it is computed batch by batch, a user in two batches counts twice. Merged states "
            "do not have this error."
        ),
        "Users with few rows have AUCs of 0, 0.5 or 1: `min_rows` leaves them out.",
    ),
    reference="Zhou et al. (2018), KDD, 1059 (DIN).",
    seed="000",
    chinese="分组 AUC",
    example=(
        'sy.gauc([1, 0, 1, 0, 0], [0.9, 0.1, 0.3, 0.4, 0.2], group=["ann", "ann", "bob", "bob", '
        '"bob"])'
    ),
    aliases=("wuauc",),
    parameters=(column_or("group_weight", *WEIGHTS, means=GROUP_WEIGHT), SINGLE_CLASS, MIN_ROWS),
)
