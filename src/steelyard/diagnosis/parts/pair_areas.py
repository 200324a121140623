"""The exact areas of all pairs of slices: positives of one against negatives of another."""

from itertools import product

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.models.areas import tied_blocks
from steelyard.diagnosis.parts.attribution import PairSums
from steelyard.diagnosis.two_logs.two_logs import LogRows
from steelyard.kernels.interface import DIGIT
from steelyard.model import Array

FEW = 1 << 22  # rows whose digits of 31 bits have a sum below 2**53
HALF = 16  # bits of the lower half of a digit


def pair_sums(log: LogRows, codes: Array, count: int) -> PairSums:
    """Weights and doubled areas of each pair of slices, in the unit of the weights.

    An area is Σ weight of a positive · weight of a negative: where weights have several digits, it
    is the sum of those of all pairs of digits.
    """
    kernel, edges = kernels.active(), tied_blocks(log.score)
    digits = {0: log.weights} if log.exact_weight is None else _digits(log.exact_weight)
    ups, downs = np.zeros((2, count), object)
    areas = np.zeros((count, count), object)
    for (power, up), (other, down) in product(digits.items(), repeat=2):
        weights = np.where(log.positive, up, down)
        found = kernel.pair_areas(edges, log.positive, codes, count, weights)
        areas += found.areas << (power + other)
        if power == other:
            ups += found.positives << power
            downs += found.negatives << power
    return PairSums(ups.tolist(), downs.tolist(), areas.tolist())


def _digits(weight: Array) -> dict[int, Array]:
    """Weights as digits of so few bits that float64 holds their sums, by their power of two."""
    kernel, found = kernels.active(), {}
    for place, digit in enumerate(kernel.to_digits(weight, kernel.lowest_bit(weight))):
        whole = digit.astype(np.int64)
        if len(weight) < FEW:
            found[DIGIT * place] = whole
        else:
            found[DIGIT * place] = whole & ((1 << HALF) - 1)
            found[DIGIT * place + HALF] = whole >> HALF
    return found
