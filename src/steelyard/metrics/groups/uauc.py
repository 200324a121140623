"""UAUC: the mean of each group's own AUC, every group counting the same.

GAUC with `group_weight="equal"`

>>> import steelyard as sy
>>> sy.uauc([1, 0, 0, 1, 0], [0.9, 0.1, 0.4, 0.3, 0.2], group=["ann", "ann", "bob", "bob", "bob"])
0.75
"""

from steelyard.metrics.groups.gauc import MIN_ROWS, SINGLE_CLASS, GroupAuc
from steelyard.metrics.over_groups import WEIGHTS
from steelyard.metrics.parameter import column_or

METRIC = GroupAuc(
    name="uauc",
    doc=__doc__,
    parameters=(column_or("group_weight", "equal", *WEIGHTS), SINGLE_CLASS, MIN_ROWS),
)
