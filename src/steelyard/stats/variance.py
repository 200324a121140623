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
    count = len(found.lines.starts) - 1
    scale = _largest(found, count)
    columns = [_scaled(column, found, scale) for column in found.columns]
    clusters = [_counts(found, mask) for mask in found.present]
    together, every = sum(columns, np.zeros(len(found.lines))), _counts(found, _any(found.present))
    squares, fourths = (_sums(found, together**power) for power in (2, 4))
    with np.errstate(divide="ignore", invalid="ignore"):  # slices of fewer than two clusters
        variance = _variance(found, columns, [*clusters, every])
        error = scale * np.sqrt(np.maximum(variance, 0.0))
        kurtosis = every * fourths / (squares * squares)
        fewer = 2.0 * every / np.maximum(kurtosis - 1.0, 0.0)
        largest = _most(found, together * together, count) / squares
    freedom = np.fmin(every - 1.0, fewer)  # NaN where every influence is 0
    required = [_counts(found, mask) for mask in found.required]
    enough = np.min(np.stack([*clusters, *required, every]), axis=0) > 1
    return Spread(
        np.where(enough, error, np.nan),
        np.where(enough, freedom, np.nan),
        every.astype(np.int64),
        np.where(squares > 0, largest, 0.0),
    )


def _variance(found: Influences, columns: Sequence[Floats], clusters: Sequence[Floats]) -> Floats:
    """The variance of each slice; clusters: how many each column has, and how many there are."""
    every = clusters[-1]
    if len(columns) == 1:
        return _factor(every) * _sums(found, columns[0] * columns[0])
    up, down = columns
    variance = _factor(clusters[0]) * _sums(found, up * up)
    variance += _factor(clusters[1]) * _sums(found, down * down)
    return variance + 2.0 * _factor(every) * _sums(found, up * down)


def _largest(found: Influences, count: int) -> Floats:
    """The largest influence of each slice: sums are of shares of it, so that none underflows."""
    sizes = np.abs(np.concatenate(found.columns))
    slices = np.tile(found.lines.slices, len(found.columns))
    largest = np.zeros(count)
    np.maximum.at(largest, slices[sizes == sizes], sizes[sizes == sizes])
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


def _most(found: Influences, column: Floats, count: int) -> Floats:
    most = np.zeros(count)
    np.maximum.at(most, found.lines.slices, column)
    return most


def _factor(clusters: Floats) -> Floats:
    """I/(I − 1); NaN for fewer than two clusters."""
    return clusters / np.where(clusters > 1.0, clusters - 1.0, np.nan)
