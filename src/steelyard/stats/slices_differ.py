"""One test whether the slices of a `by` differ in how much they changed."""

import numpy as np

from steelyard import kernels
from steelyard.comparison.comparison_rows import SliceTest
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Mask
from steelyard.states import exact_sums
from steelyard.stats.differences import Change
from steelyard.stats.variance import factor, without_each
from steelyard.stats.wald import wald

SHARE = 10  # clusters per slice: with fewer, the covariance of so many slices is not known
LARGEST = 1_000  # slices: their covariance is a matrix
FEW = "fewer than two slices have a change that can be tested, and enough rows and clusters"
UNCHANGED = "the difference of every slice is 0"
TOO_MANY = "there are more slices than a tenth of the clusters"
TOO_LARGE = "there are too many slices"


def slices_differ(
    metric: str, score: str, against: str, by: tuple[str, ...], change: Change, tried: Mask
) -> SliceTest:
    """Wald's test on the changes of the slices that are tried.

    A cluster may have rows in several slices, so that their changes are correlated. Slices that did
    not change on any resample count: of nineteen such and one that changed, one differs.
    """
    amounts, influences, spread = change
    moved = tried & (spread.error > 0)
    unchanged = tried & (spread.error == 0) & (amounts == 0)
    slices = np.flatnonzero(moved | unchanged)
    chosen = np.flatnonzero(influences.lines.spread(moved | unchanged))
    clusters = _distinct(influences.lines.clusters[chosen])
    why = None
    if len(slices) < 2:
        why = FEW
    elif not moved.any():
        why = UNCHANGED
    elif np.count_nonzero(moved) * SHARE > clusters:
        why = TOO_MANY
    elif len(slices) > LARGEST:
        why = TOO_LARGE
    if why is not None:
        return SliceTest(metric, score, against, by, len(slices), why=why)
    scale = np.sqrt(factor(spread.clusters[slices]))
    covariance = scale[:, None] * scale * _products(influences, slices, chosen)
    statistic, freedom, p = wald(amounts[slices], covariance)
    return SliceTest(metric, score, against, by, len(slices), statistic, freedom, p)


def _distinct(clusters: Array) -> int:
    """How many different numbers there are."""
    present = np.zeros(int(clusters.max(initial=-1)) + 1, bool)
    present[clusters] = True
    return int(np.count_nonzero(present))


def _products(change: Influences, slices: Array, chosen: Array) -> Floats:
    """Σ A_k·A_l over the clusters, for each two slices (`stats.variance`).

    Lines of one cluster are brought together; most clusters have rows in few slices, so that few
    steps reach all pairs of lines. Sums are exact, so that the order of clusters changes nothing.
    """
    place = slices.searchsorted(change.lines.slices[chosen])
    order = np.lexsort((place, change.lines.clusters[chosen]))
    place, influence = place[order], without_each(change).all[chosen][order]
    cluster, count = change.lines.clusters[chosen][order], len(slices)
    found = np.zeros((count, count))
    for step in range(count):
        first = np.arange(len(order) - step)
        first = first[cluster[first] == cluster[first + step]]
        if not len(first):
            break
        pairs = place[first] * count + place[first + step]
        products = influence[first] * influence[first + step]
        sums = kernels.active().sums_by_code(pairs, count * count, products)
        found += exact_sums.floats(sums, np.arange(count * count)).reshape(count, count)
    return found + np.triu(found, 1).T
