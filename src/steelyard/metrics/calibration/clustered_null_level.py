"""The null level of ECE where rows of one cluster are not independent.

By chance alone, the difference of a bin Σ w(y − q) has the variance V = Σ_c (Σ w(y − q))², the
inner sum over the rows of cluster c in the bin; the expected size of a normal number is √(2V/π).
"""

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Floats
from steelyard.reading.batch import required
from steelyard.states import exact_sums
from steelyard.states.sums.keys import equal_width
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineAdder, LineSums, lines_of

TWO_OVER_PI = 0.6366197723675814


def by_line(rows: ClusteredScores, bins: int, kind: str) -> LineSums:
    """Σ w(y − q) and Σ w of each cluster in each bin of a slice, as cluster · bins + bin."""
    slices = np.concatenate(rows.of_slices(np.arange(len(rows.scale))))
    clusters = np.concatenate(required(rows.table.clusters)).astype(np.int64) * bins
    lines, codes = lines_of(
        slices, clusters + np.concatenate(_bins(rows, bins, kind)), len(rows.scale)
    )
    up, down = rows.probabilities
    sides = zip((codes[: len(up)], codes[len(up) :]), rows.table[:2], strict=True)
    first, second = (LineAdder(lines, own, side.digits) for own, side in sides)
    gaps, weights, count = first.exact(1.0 - up), first.exact(), len(lines)
    below = {power: -digit for power, digit in second.exact(down).items()}
    exact_sums.add(gaps, below, None, count)
    exact_sums.add(weights, second.exact(), None, count)
    return LineSums(lines, (gaps, weights))


def of_lines(sums: LineSums, bins: int, kind: str) -> dict[str, Floats]:
    """The null level of each slice; NaN where it has fewer than two clusters."""
    (gaps, _), (_, weights) = sums.rounded(1)
    lines, count = sums.lines, len(sums.lines.starts) - 1
    ids, of_id = np.unique(lines.slices * bins + lines.clusters % bins, return_inverse=True)
    roots = np.sqrt(_sums(gaps * gaps, of_id, len(ids)) * TWO_OVER_PI)
    totals = np.full(count, np.nan)
    totals[lines.slices] = weights
    new = np.ones(len(lines), bool)  # lines are by slice and cluster
    own = lines.clusters // bins
    new[1:] = (own[1:] != own[:-1]) | (lines.slices[1:] != lines.slices[:-1])
    clusters = np.bincount(lines.slices[new], minlength=count)
    level = _sums(roots, ids // bins, count) / totals
    return {"null_level": np.where(clusters > 1, level, np.nan)}


def _bins(rows: ClusteredScores, bins: int, kind: str) -> tuple[Array, Array]:
    """The bin of each positive and of each negative."""
    if kind == "mass":
        return rows.mass_bins(bins)
    up, down = (equal_width(each, bins) for each in rows.probabilities)
    return up, down


def _sums(column: Floats, codes: Array, count: int) -> Floats:
    """The sums by code, exact before they are rounded."""
    return exact_sums.floats(kernels.active().sums_by_code(codes, count, column), np.arange(count))
