"""The values of groups: the users of GAUC, the lists of NDCG, and means over them.

A log of groups has one row for each group that counts: its score is the group's value, its weight
the group's weight. The mean over groups is then a mean over rows, with all that follows from it.
"""

from fractions import Fraction

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.models.means import RatioModel
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.metrics import group_means
from steelyard.metrics.fold import SliceParts
from steelyard.metrics.group_means import means, no_groups
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.model import Array, Detailed, Value
from steelyard.states.groups.group_chunks import JoinedGroups
from steelyard.views.group_rows import GroupRows


class MeasuredLog:
    """The groups of a log that count.

    rows: one row for each of them; firsts: the number of a row of each, among the rows of the log
    numbers: of the groups, the same in both logs
    """

    def __init__(self, two: TwoLogs, log: LogRows) -> None:
        assert log.groups is not None
        rows, metric, params = group_rows(two, log)
        found = metric.measure(rows, params)
        used = np.flatnonzero(found.used)
        numbers = rows.key_columns[0][0][used]
        order = np.argsort(numbers)
        used, self.numbers = used[order], numbers[order]
        of_group = np.zeros(two.group_count, np.intp)
        of_group[log.groups] = np.arange(len(log))
        self.firsts = of_group[self.numbers]
        self.rows = LogRows(
            found.values[used],
            np.ones(len(used), bool),
            (),
            log.clusters[self.firsts],
            found.weights[used].astype(np.int64),
        )


def group_rows(
    two: TwoLogs, log: LogRows, codes: Array | None = None, count: int = 1
) -> tuple[GroupRows, GroupMetric, dict[str, object]]:
    """The rows by group, as metrics read them, the metric and its parameters; codes: of slices."""
    assert two.bound is not None
    assert log.groups is not None
    metric = two.bound.metric
    assert isinstance(metric, GroupMetric)
    digits = None
    if log.weight is not None and not metric.ranks:
        digits = kernels.active().to_digits(log.weight.astype(np.float64), 0)
    grade = log.positive.astype(np.uint8) if log.grade is None else log.grade
    joined = JoinedGroups(
        (log.groups.astype(np.int64),),
        (None,),
        grade,
        log.score,
        digits,
        0,
        None,
        None,
        None,
        {},
        None,
        () if codes is None else (codes,),
    )
    return GroupRows(joined, 0 if codes is None else 1, count), metric, two.bound.params


def exact_values(two: TwoLogs) -> list[Value]:
    """The value of each log, with the bits of `evaluate`."""
    found = (_parts(two, log) for log in two.logs)
    values = [no_groups(1)[0] if parts is None else means(parts.columns)[0] for parts in found]
    return [each.value if isinstance(each, Detailed) else each for each in values]


def slice_sums(
    two: TwoLogs, log: LogRows, codes: Array, count: int
) -> tuple[list[Fraction], list[Fraction]]:
    """Σ weight·value and Σ weight over the groups of each slice, exactly.

    Groups of two slices are different groups.
    """
    parts = _parts(two, log, codes, count)
    above, below = [Fraction(0)] * count, [Fraction(0)] * count
    if parts is not None:
        for sums, column in ((above, parts.columns.above), (below, parts.columns.below)):
            for number, found in zip(parts.numbers.tolist(), column.fractions(), strict=True):
                sums[number] = found
    return above, below


def _parts(
    two: TwoLogs, log: LogRows, codes: Array | None = None, count: int = 1
) -> SliceParts | None:
    rows, metric, params = group_rows(two, log, codes, count)
    found = group_means.parts(rows, metric.measure(rows, params))
    return found if len(found.numbers) else None


def mean_model(two: TwoLogs, groups: tuple[MeasuredLog, MeasuredLog]) -> RatioModel:
    """The mean over the groups of both logs."""
    return RatioModel(two.of([each.rows for each in groups]), "mean")
