"""The null level of ECE where rows of one cluster are not independent.

By chance alone, the difference of a bin Σ w(y − q) has the variance V = Σ_c (Σ w(y − q))², the
inner sum over the rows of cluster c in the bin; the expected size of a normal number is √(2V/π).
"""

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Floats
from steelyard.states import exact_sums
from steelyard.states.sums.keys import equal_width
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineAdder, lines_of

TWO_OVER_PI = 0.6366197723675814


def of_clusters(rows: ClusteredScores, bins: int, kind: str) -> dict[str, Floats]:
    """The null level of each slice; NaN where it has fewer than two clusters."""
    count, weights = len(rows.scale), rows.positives.weights + rows.negatives.weights
    slices = np.concatenate(rows.of_slices(np.arange(count)))
    of_bins = np.concatenate(_bins(rows, bins, kind))
    ids, places = np.unique(slices * bins + of_bins, return_inverse=True)
    of_slice = ids // bins
    gaps, of_id = _gaps(rows, places, rows.scale[of_slice])
    roots = np.sqrt(_sums(gaps * gaps, of_id, len(ids)) * TWO_OVER_PI)
    clusters = np.bincount(rows.lines.slices[weights > 0], minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without weight
        level = _sums(roots, of_slice, count) / _sums(weights, rows.lines.slices, count)
    return {"null_level": np.where(clusters > 1, level, np.nan)}


def _bins(rows: ClusteredScores, bins: int, kind: str) -> tuple[Array, Array]:
    """The bin of each positive and of each negative."""
    if kind == "mass":
        return rows.mass_bins(bins)
    up, down = (equal_width(each, bins) for each in rows.probabilities)
    return up, down


def _gaps(rows: ClusteredScores, places: Array, scale: Array) -> tuple[Floats, Array]:
    """Σ w(y − q) of each cluster in each bin of a slice, and the number of that bin.

    places: the bin's number of each row; scale: the unit of weight of each number
    """
    assert rows.table.clusters is not None
    lines, codes = lines_of(places, np.concatenate(rows.table.clusters), len(scale))
    up, down = rows.probabilities
    sides = zip((codes[: len(up)], codes[len(up) :]), rows.table[:2], strict=True)
    first, second = (LineAdder(lines, own, side.digits, scale) for own, side in sides)
    return first.add(1.0 - up) - second.add(down), lines.slices


def _sums(column: Floats, codes: Array, count: int) -> Floats:
    """The sums by code, exact before they are rounded."""
    return exact_sums.floats(kernels.active().sums_by_code(codes, count, column), np.arange(count))
