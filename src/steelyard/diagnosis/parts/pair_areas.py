"""The exact areas of all pairs of slices: positives of one against negatives of another."""

from steelyard import kernels
from steelyard.diagnosis.models.areas import tied_blocks
from steelyard.diagnosis.parts.attribution import PairSums
from steelyard.diagnosis.two_logs.two_logs import LogRows
from steelyard.model import Array


def pair_sums(log: LogRows, codes: Array, count: int) -> PairSums:
    """Weights and doubled areas of each pair of slices, in the unit of the weights."""
    kernel, weight, unit = kernels.active(), log.weight, 0
    if log.exact_weight is not None:
        weight, unit = log.exact_weight, kernel.lowest_bit(log.exact_weight)
    digits = None if weight is None else kernel.to_digits(weight, unit)
    found = kernel.pair_areas(tied_blocks(log.score), log.positive, codes, count, digits)
    return PairSums(*(column.tolist() for column in found))
