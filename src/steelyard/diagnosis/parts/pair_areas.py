"""The exact areas of all pairs of slices: positives of one against negatives of another."""

from steelyard import kernels
from steelyard.diagnosis.models.areas import PlacedLog
from steelyard.diagnosis.parts.attribution import PairSums
from steelyard.model import Array


def pair_sums(log: PlacedLog, codes: Array, count: int) -> PairSums:
    """Weights and doubled areas of each pair of slices."""
    rows = log.log
    found = kernels.active().pair_areas(log.edges, rows.positive, codes, count, rows.weights)
    return PairSums(*(column.tolist() for column in found))
