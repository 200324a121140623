"""One test whether the slices of a `by` differ in how much they changed."""

import numpy as np

from steelyard.comparison_rows import SliceTest
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Mask
from steelyard.stats.variance import Spread
from steelyard.stats.wald import wald

SHARE = 10  # clusters per slice: with fewer, the covariance of so many slices is not known
LARGEST = 20_000_000  # cells of the table of slices by clusters: 160 MB
FEW = "fewer than two slices have enough rows and clusters"
TOO_MANY = "there are more slices than a tenth of the clusters"
TOO_LARGE = "there are too many slices and clusters"


def slices_differ(
    metric: str,
    score: str,
    by: tuple[str, ...],
    amounts: Floats,
    change: Influences,
    spread: Spread,
    tried: Mask,
) -> SliceTest:
    """Wald's test on the differences of the slices that are tried.

    A cluster may have rows in several slices, so that their differences are correlated.
    """
    slices = np.flatnonzero(tried & (spread.error > 0))
    chosen = np.isin(change.lines.slices, slices)
    clusters, numbers = np.unique(change.lines.clusters[chosen], return_inverse=True)
    test = SliceTest(metric, score, by, len(slices))
    why = None
    if len(slices) < 2:
        why = FEW
    elif len(slices) * SHARE > len(clusters):
        why = TOO_MANY
    elif len(slices) * len(clusters) > LARGEST:
        why = TOO_LARGE
    if why is not None:
        return SliceTest(metric, score, by, len(slices), why=why)
    covariance = _covariance(change, slices, chosen, numbers, len(clusters))
    statistic, freedom, p = wald(amounts[slices], covariance)
    return SliceTest(metric, score, by, test.slices, statistic, freedom, p)


def _covariance(
    change: Influences, slices: Array, chosen: Mask, numbers: Array, clusters: int
) -> Floats:
    """I/(I−1)·Σ U_k·U_l over the clusters.

    Sums are taken in the order of falling influence, so that they do not depend on the order in
    which clusters were numbered.
    """
    table = np.zeros((len(slices), clusters))
    places = slices.searchsorted(change.lines.slices[chosen])
    table[places, numbers] = change.all[chosen]
    table = table[:, np.lexsort(table)]
    found = np.stack([(table * line).sum(axis=1) for line in table])
    factor: float = clusters / (clusters - 1)
    return factor * found
