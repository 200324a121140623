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
    """About `most` rows of the longer log, by the hash of their cluster: the same of both logs."""
    size = max(map(len, two.logs))
    if size <= most:
        return two
    limit = np.uint64(HASHES * (most / size))
    if two.by_row:
        return two.take([row_hashes(log) < limit for log in two.logs])
    chosen = cluster_hashes(two.clusters) < limit
    return two.take([chosen[log.clusters] for log in two.logs])
