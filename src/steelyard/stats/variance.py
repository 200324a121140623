"""Standard errors from influence values, clustered.

Var = I/(I−1)·ΣU² over the influences U of I clusters; for ratios that is the delta method (Deng,
Knoblich & Lu, KDD 2018). AUC has two columns, of positives and of negatives, and Obuchowski's three
sums, each with its own number of clusters (Biometrics 53:567, 1997); with rows as clusters that is
DeLong's variance. The degrees of freedom are fewer where few clusters carry most of the sum:
min(I − 1, 2I/(κ − 1)), κ = I·ΣU⁴/(ΣU²)².
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Mask
from steelyard.states import exact_sums


class Spread(NamedTuple):
    """How far a value may be from the truth, by slice number.

    error: the standard error, NaN where there is none; freedom: degrees of freedom
    clusters: how many contribute; largest: the share of ΣU² that the largest of them has
    """

    error: Floats
    freedom: Floats
    clusters: Array
    largest: Floats

    def take(self, slices: Array) -> "Spread":
        return Spread(*(column[slices] for column in self))


def spread_of(found: Influences) -> Spread:
    """The spread of every slice."""
    scale = _largest(found)
    columns = [_scaled(column, found, scale) for column in found.columns]
    clusters = [_counts(found, mask) for mask in found.present]
    together, every = sum(columns, np.zeros(len(found.lines))), _counts(found, _any(found.present))
    square = together * together
    squares, fourths = _sums(found, square), _sums(found, square * square)
    with np.errstate(divide="ignore", invalid="ignore"):  # slices of fewer than two clusters
        variance = _factor(every) * squares
        if len(columns) == 2:
            variance = _obuchowski(found, columns, [*clusters, every])
        error = scale * np.sqrt(np.maximum(variance, 0.0))
        kurtosis = every * fourths / (squares * squares)
        fewer = 2.0 * every / np.maximum(kurtosis - 1.0, 0.0)
        largest = _most(found, square) / squares
    freedom = np.fmin(every - 1.0, fewer)  # NaN where every influence is 0
    required = [_counts(found, mask) for mask in found.required]
    enough = np.min(np.stack([*clusters, *required, every]), axis=0) > 1
    return Spread(
        np.where(enough, error, np.nan),
        np.where(enough, freedom, np.nan),
        every.astype(np.int64),
        np.where(squares > 0, largest, 0.0),
    )


def _obuchowski(found: Influences, columns: Sequence[Floats], clusters: Sequence[Floats]) -> Floats:
    """The variance of two columns; clusters: how many each has, and how many there are."""
    up, down = columns
    variance = _factor(clusters[0]) * _sums(found, up * up)
    variance += _factor(clusters[1]) * _sums(found, down * down)
    variance += 2.0 * _factor(clusters[2]) * _sums(found, up * down)
    return variance


def _largest(found: Influences) -> Floats:
    """The largest influence of each slice: sums are of shares of it, so that none underflows."""
    sizes = [np.abs(column) for column in found.columns]
    found_sizes = [_most(found, np.where(size == size, size, 0.0)) for size in sizes]
    largest: Floats = np.max(found_sizes, axis=0)
    return largest


def _scaled(column: Floats, found: Influences, scale: Floats) -> Floats:
    """A column as shares of the largest; 0 where a slice has no value."""
    sizes = found.lines.spread(scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = column / sizes
    return np.where(np.isfinite(shares), shares, 0.0)


def _sums(found: Influences, column: Floats) -> Floats:
    """The exact sums over the clusters of each slice."""
    count = len(found.lines.starts) - 1
    sums = kernels.active().sums_by_code(found.lines.slices, count, column)
    return exact_sums.floats(sums, np.arange(count))


def _counts(found: Influences, mask: Mask) -> Floats:
    count = len(found.lines.starts) - 1
    return np.bincount(found.lines.slices[mask], minlength=count).astype(np.float64)


def _any(masks: tuple[Mask, ...]) -> Mask:
    return masks[0] if len(masks) == 1 else masks[0] | masks[1]


def _most(found: Influences, column: Floats) -> Floats:
    """The largest entry of each slice, none below 0; lines are in the order of slices."""
    starts = found.lines.starts
    most = np.zeros(len(starts) - 1)
    some = np.flatnonzero(np.diff(starts))
    if len(some):
        most[some] = np.maximum.reduceat(column, starts[some])
    return most


def _factor(clusters: Floats) -> Floats:
    """I/(I − 1); NaN for fewer than two clusters."""
    return clusters / np.where(clusters > 1.0, clusters - 1.0, np.nan)
