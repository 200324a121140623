"""Two halves of the clusters: one to search a cause in, one to confirm it in.

The half of a cluster is a bit of a hash of its key, so that it does not depend on the order of the
rows, nor on the other clusters. Where each row is a cluster, rows are sorted by a hash of their
values and taken in turn: equal rows are shared between the halves.
"""

import numpy as np

from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.model import Array, Mask
from steelyard.stats.poisson_weights import cluster_hashes, whole_hashes


def row_hashes(log: LogRows, *, clusters: bool) -> Array:
    """A hash of the values of each row; equal rows have equal hashes."""
    columns = [(log.score.astype(np.float64) + 0.0).view(np.uint64), log.positive, *log.codes]
    columns += [] if log.weight is None else [log.weight]
    columns += [log.clusters] if clusters else []
    found = np.zeros(len(log), np.uint64)
    for column in columns:
        found = whole_hashes(found ^ whole_hashes(column))
    return found


def search_half(two: TwoLogs) -> tuple[Mask, Mask]:
    """The rows of each log that the search reads; the others confirm what it finds."""
    if not two.by_row:
        half = (cluster_hashes(two.clusters) & np.uint64(1)).astype(bool)
        first, second = (half[log.clusters] for log in two.logs)
        return first, second
    first, second = map(_alternate, two.logs)
    return first, second


def fewer(two: TwoLogs, half: tuple[Mask, Mask], most: int) -> tuple[Mask, Mask]:
    """The half with at most about `most` rows of each log: whole clusters, by their hash."""
    size = max(int(rows.sum()) for rows in half)
    if size <= most:
        return half
    limit = np.uint64(int(2.0**63 * (most / size)))
    if two.by_row:
        kept = [row_hashes(log, clusters=False) >> np.uint64(1) < limit for log in two.logs]
    else:
        small = cluster_hashes(two.clusters) >> np.uint64(1) < limit
        kept = [small[log.clusters] for log in two.logs]
    return half[0] & kept[0], half[1] & kept[1]


def _alternate(log: LogRows) -> Mask:
    """Every other row, in the order of the hashes of their values."""
    order = np.argsort(row_hashes(log, clusters=False), kind="stable")
    half = np.zeros(len(log), bool)
    half[order[::2]] = True
    return half
