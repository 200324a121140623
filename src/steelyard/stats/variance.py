"""Standard errors from influence values, clustered.

Var = (I−1)/I·ΣA² with A = U/(1−h): U is the influence of a cluster, and h its share of the weight
that the metric divides by. A is how far a ratio moves without the cluster, so that this is the
jackknife's variance: a large cluster pulls the value to its own, and U alone shows too little of
it. Clusters of the same size have h = 1/I, and I/(I−1)·ΣU², the delta method (Deng, Knoblich & Lu,
KDD 2018).

AUC has two columns, of positives and of negatives, and Obuchowski's three sums, each with its own
number of clusters (Biometrics 53:567, 1997) and the shares of its own class; with rows as clusters
that is DeLong's variance. The degrees of freedom are fewer where few clusters carry most of the
sum: min(I − 1, 2I/(κ − 1)), κ = I·ΣA⁴/(ΣA²)².
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Mask
from steelyard.states import exact_sums
from steelyard.views.clusters import finite


class Spread(NamedTuple):
    """How far a value may be from the truth, by slice number.

    error: the standard error, NaN where there is none; freedom: degrees of freedom
    clusters: how many contribute; largest: the share of ΣA² that the largest of them has
    leaves: whether a class may leave the mean over classes, which then has no standard error
    """

    error: Floats
    freedom: Floats
    clusters: Array
    largest: Floats
    leaves: Array

    def take(self, slices: Array) -> "Spread":
        return Spread(*(column[slices] for column in self))


def without_each(found: Influences) -> Influences:
    """How far the value moves without each cluster: A = U/(1 − h) in each column.

    0 in slices without a value, and of a cluster that has all of the weight.
    """
    pairs = zip(found.columns, found.shares, strict=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        columns = tuple(finite(column / (1.0 - share)) for column, share in pairs)
    return found._replace(columns=columns)


def spread_of(found: Influences, of_freedom: float = 1.0) -> Spread:
    """The spread of every slice; of_freedom: the share of the degrees of freedom that it has."""
    found = without_each(found)
    scale = _largest(found)
    columns = [_scaled(column, found, scale) for column in found.columns]
    clusters = [_counts(found, mask) for mask in found.present]
    together, every = sum(columns, np.zeros(len(found.lines))), _counts(found, _any(found.present))
    square = together * together
    squares, fourths = _sums(found, square), _sums(found, square * square)
    with np.errstate(divide="ignore", invalid="ignore"):  # slices of fewer than two clusters
        variance = factor(every) * squares
        if len(columns) == 2:
            variance = _obuchowski(found, columns, [*clusters, every])
        error = scale * np.sqrt(np.maximum(variance, 0.0))
        kurtosis = every * fourths / (squares * squares)
        fewer = 2.0 * every / np.maximum(kurtosis - 1.0, 0.0)
        largest = _most(found, square) / squares
    freedom = of_freedom * np.fmin(every - 1.0, fewer)  # NaN where every influence is 0
    required = [_counts(found, mask) for mask in found.required]
    leaves = np.zeros(len(every), bool) if found.leaves is None else found.leaves
    enough = (np.min(np.stack([*clusters, *required, every]), axis=0) > 1) & ~leaves
    return Spread(
        np.where(enough, error, np.nan),
        np.where(enough, freedom, np.nan),
        every.astype(np.int64),
        np.where(squares > 0, largest, 0.0),
        leaves,
    )


def _obuchowski(found: Influences, columns: Sequence[Floats], clusters: Sequence[Floats]) -> Floats:
    """The variance of two columns; clusters: how many each has, and how many there are."""
    up, down = columns
    variance = factor(clusters[0]) * _sums(found, up * up)
    variance += factor(clusters[1]) * _sums(found, down * down)
    variance += 2.0 * factor(clusters[2]) * _sums(found, up * down)
    return variance


def _largest(found: Influences) -> Floats:
    """The largest influence of each slice: sums are of shares of it, so that none underflows."""
    largest: Floats = np.max([_most(found, np.abs(column)) for column in found.columns], axis=0)
    return largest


def _scaled(column: Floats, found: Influences, scale: Floats) -> Floats:
    """A column as shares of the largest; 0 where all are."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return finite(column / found.lines.spread(scale))


def _sums(found: Influences, column: Floats) -> Floats:
    """The exact sums over the clusters of each slice."""
    count = len(found.lines.starts) - 1
    sums = kernels.active().sums_by_code(found.lines.slices, count, column)
    return exact_sums.floats(sums, np.arange(count))


def _counts(found: Influences, mask: Mask) -> Floats:
    """How many clusters of each slice are chosen; lines are in the order of slices."""
    starts = found.lines.starts
    counts = np.zeros(len(starts) - 1)
    some = np.flatnonzero(np.diff(starts))
    if len(some) == 1:
        counts[some] = np.count_nonzero(mask)
    elif len(some):
        counts[some] = np.add.reduceat(mask.view(np.uint8), starts[some], dtype=np.int64)
    return counts


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


def factor(clusters: Floats) -> Floats:
    """(I − 1)/I; NaN for fewer than two clusters."""
    return (clusters - 1.0) / np.where(clusters > 1.0, clusters, np.nan)
