"""GAUC: the mean of each group's own AUC, a user's or a query's, weighted by its rows.

Σ over groups of w·AUC / Σ w, over the groups that have both classes

>>> import steelyard as sy
>>> sy.gauc([1, 0, 0, 1], [0.9, 0.1, 0.4, 0.3], group=["ann", "ann", "bob", "bob"])
0.5

A group of one class has no AUC: it is left out and counted. So is one of fewer rows (not weight)
than `min_rows`. Zhou et al. (2018), KDD, 1059 (DIN).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard.metrics.over_groups import (
    WEIGHTS,
    GroupMetric,
    group_weights,
    mean,
    product,
    quotients,
)
from steelyard.metrics.parameter import column_or, count, one_of
from steelyard.model import OverGroups
from steelyard.states import GroupRows

NO_PAIRS = "no group has both classes"
TOO_FEW = "no group has both classes and so many rows"
ALL_SMALL = "no group has so many rows"
SINGLE_CLASS = one_of("single_class", "skip", 0.5, 0)
MIN_ROWS = count("min_rows", 1)


@dataclass(frozen=True, kw_only=True)
class GroupAuc(GroupMetric):
    """A mean of AUCs; only the default weight of a group may differ."""

    def measure(self, rows: GroupRows, params: dict[str, Any]) -> OverGroups:
        single, least = params["single_class"], params["min_rows"]
        area = rows.areas
        both = np.asarray((area.positives > 0) & (area.negatives > 0), bool)
        values = np.full(len(rows), np.nan if single == "skip" else single)
        pairs = product(area.positives[both], 2 * area.negatives[both])
        values[both] = quotients(area.doubled[both], pairs)
        used = rows.rows >= least
        if single == "skip":
            used &= both
        weights = group_weights(
            rows, params["group_weight"], rows.weights, area.positives, area.negatives
        )
        why = ALL_SMALL if single != "skip" else NO_PAIRS if least == 1 else TOO_FEW
        return mean(rows, values, used, weights, why)


METRIC = GroupAuc(
    name="gauc",
    doc=__doc__,
    aliases=("wuauc",),
    parameters=(column_or("group_weight", *WEIGHTS), SINGLE_CLASS, MIN_ROWS),
)
