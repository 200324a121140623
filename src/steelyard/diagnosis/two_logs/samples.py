"""Hashes of rows, and a sample of whole clusters, which depends on no order of rows."""

import numpy as np

from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.model import Array
from steelyard.stats.poisson_weights import cluster_hashes, whole_hashes

HASHES = 2.0**64


def row_hashes(log: LogRows, *numbers: Array | None) -> Array:
    """A hash of the values of each row; equal rows have equal hashes.

    numbers: of the rows' clusters and groups, which depend on the order of rows
    """
    floats = (log.score, log.control, log.grade)
    columns = [_bits(column) for column in floats if column is not None]
    columns += [log.positive, *log.codes]
    columns += [column for column in (log.weight, *numbers) if column is not None]
    found = np.zeros(len(log), np.uint64)
    for column in columns:
        found = whole_hashes(found ^ whole_hashes(column))
    return found


def _bits(column: Array) -> Array:
    """The bits of numbers as float64, of which −0 is 0."""
    return (column.astype(np.float64) + 0.0).view(np.uint64)


def sample(two: TwoLogs, most: int) -> TwoLogs:
    """About `most` rows of each log that has more.

    They are those of some clusters, by the hash of their key. Where each row is a cluster, rows are
    taken at equal steps in the order of their hashes: of equal rows a share, not all or none.
    """
    if max(map(len, two.logs)) <= most:
        return two
    if two.by_row:
        return two.take([_at_equal_steps(log, most) for log in two.logs])
    hashes = cluster_hashes(two.clusters)
    return two.take([_of_some_clusters(log, hashes, most) for log in two.logs])


def _at_equal_steps(log: LogRows, most: int) -> Array:
    """The numbers of some rows, by rising score."""
    if len(log) <= most:
        return np.arange(len(log))
    order = np.argsort(row_hashes(log), kind="stable")
    return np.sort(order[np.arange(most) * len(log) // most])


def _of_some_clusters(log: LogRows, hashes: Array, most: int) -> Array:
    """The numbers of the rows of clusters with a low hash."""
    if len(log) <= most:
        return np.arange(len(log))
    chosen = hashes < np.uint64(HASHES * (most / len(log)))
    return np.flatnonzero(chosen[log.clusters])
