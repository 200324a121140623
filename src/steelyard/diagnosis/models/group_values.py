"""The values of groups, such as users or lists, and means over them."""

from fractions import Fraction

import numpy as np

from steelyard.diagnosis.models.measured import table_of
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.metrics import group_means
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.model import Array
from steelyard.views.group_rows import GroupRows
from steelyard.views.groups import GroupsView


class GroupsAsRows:
    """The groups of a log that count.

    A log of groups has one row for each of them: its score is the group's value, its weight the
    group's weight. The mean over groups is then a mean over rows, with all that follows from it.

    rows: one row for each of them; firsts: the number of a row of each, among the rows of the log
    """

    def __init__(self, two: TwoLogs, log: LogRows) -> None:
        assert log.groups is not None
        rows, found = measured_groups(two, log)
        used = np.flatnonzero(found.used)
        numbers = rows.key_columns[0][0][used]
        order = np.argsort(numbers)
        used, numbers = used[order], numbers[order]
        of_group = np.zeros(two.group_count, np.intp)
        of_group[log.groups] = np.arange(len(log))
        self.firsts = of_group[numbers]
        self.rows = LogRows(
            found.values[used],
            np.ones(len(used), bool),
            (),
            log.clusters[self.firsts],
            found.weights[used].astype(np.int64),
        )


def measured_groups(
    two: TwoLogs, log: LogRows, codes: Array | None = None, count: int = 1
) -> tuple[GroupRows, group_means.MeasuredGroups]:
    """The groups of a log and their values; codes: of slices."""
    bound = two.bound
    assert bound is not None
    assert isinstance(bound.metric, GroupMetric)
    table = table_of(two, log, [bound.state_spec], codes, count)
    view = two.engine.exchange(table, bound.state_spec).whole
    assert isinstance(view, GroupsView)
    return view.rows, bound.metric.measure(view.rows, bound.params)


def slice_sums(
    two: TwoLogs, log: LogRows, codes: Array, count: int
) -> tuple[list[Fraction], list[Fraction]]:
    """Σ weight·value and Σ weight over the groups of each slice, exactly.

    Groups of two slices are different groups.
    """
    parts = group_means.parts(*measured_groups(two, log, codes, count))
    above, below = [Fraction(0)] * count, [Fraction(0)] * count
    if len(parts.numbers):
        for sums, column in ((above, parts.columns.above), (below, parts.columns.below)):
            for number, found in zip(parts.numbers.tolist(), column.fractions(), strict=True):
                sums[number] = found
    return above, below
