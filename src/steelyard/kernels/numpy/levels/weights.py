"""Cumulative weights of one class in each slice: exact, or nearly, in float64."""

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.digits import carry, integers
from steelyard.kernels.interface import DIGIT, Array, KeyedRun
from steelyard.kernels.ragged import running_sums


class SliceWeights:
    """The weight of a slice's rows before some of them; digits are not carried."""

    def __init__(self, side: KeyedRun) -> None:
        self._bounds = side.starts
        self._sums = [running_sums(digit) for digit in side.digits or ()]
        self._starts = [digit.take(side.starts[:-1]) for digit in self._sums]

    def digits(self, slices: Array, rows: Array) -> list[Array]:
        """The weight before each of these rows, in its slice."""
        if not self._sums:  # each weight is 1
            return [rows - self._bounds.take(slices)]
        both = zip(self._sums, self._starts, strict=True)
        return [digit.take(rows) - start.take(slices) for digit, start in both]

    def whole(self, slices: Array, rows: Array) -> Array:
        """The same as whole numbers."""
        return integers(carry(self.digits(slices, rows)))

    @cached_property
    def totals(self) -> Array:
        """The weight of each slice."""
        return self.whole(np.arange(len(self._bounds) - 1), self._bounds[1:])

    def shares(self, slices: Array, rows: Array) -> Array:
        """The same over a power of two, that above the weight of the slice; in float64."""
        digits, found = self.digits(slices, rows), np.zeros(len(rows))
        for digit, factor in zip(digits, self._factors, strict=True):
            found += digit * factor.take(slices)
        return found

    @cached_property
    def _factors(self) -> list[Array]:
        """What 1 of each digit is in each slice; 0 where it is too little to count.

        Digits above the weight of the slice are 0 there, and any finite number will do.
        """
        sizes = np.array([total.bit_length() for total in self.totals.tolist()])
        places = range(max(len(self._sums), 1))
        return [np.ldexp(1.0, np.minimum(DIGIT * place - sizes, DIGIT)) for place in places]
