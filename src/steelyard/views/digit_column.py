"""Exact numbers as columns of digits: arithmetic of whole columns, without Python's integers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, MASK, Digits, ExactSums
from steelyard.model import Array, Floats, Mask
from steelyard.states import exact_sums
from steelyard.states.exact_sums import CarriedSums


@dataclass(frozen=True, eq=False)
class DigitColumn:
    """Exact numbers; digits: an array of `size` signed digits for each power of two."""

    digits: ExactSums
    size: int

    def __len__(self) -> int:
        return self.size

    @staticmethod
    def concatenated(columns: Sequence["DigitColumn"]) -> "DigitColumn":
        """The numbers of several columns, one after the other."""
        powers = sorted({power for each in columns for power in each.digits})
        parts = [(each.digits, np.zeros(each.size, np.int64)) for each in columns]
        joined = {
            power: np.concatenate([digits.get(power, none) for digits, none in parts])
            for power in powers
        }
        return DigitColumn(joined, sum(each.size for each in columns))

    def take(self, places: Array) -> "DigitColumn":
        """The numbers at some places."""
        taken = {power: digit[places] for power, digit in self.digits.items()}
        return DigitColumn(taken, len(places))

    def __add__(self, other: "DigitColumn") -> "DigitColumn":
        digits = dict(self.digits)
        for power, digit in other.digits.items():
            digits[power] = digits[power] + digit if power in digits else digit
        return DigitColumn(digits, self.size)

    def __neg__(self) -> "DigitColumn":
        return DigitColumn({power: -digit for power, digit in self.digits.items()}, self.size)

    def __sub__(self, other: "DigitColumn") -> "DigitColumn":
        return self + -other

    def __abs__(self) -> "DigitColumn":
        if self.size <= exact_sums.FEW:
            sign = np.array([-1 if each < 0 else 1 for each in self._listed(self.power)])
        else:
            sign = np.where(self.carried.negative, -1, 1)
        digits = {power: digit * sign for power, digit in self.digits.items()}
        return DigitColumn(digits, self.size)

    def by_list(self, starts: Array) -> "DigitColumn":
        """The sums of lists of adjacent numbers; starts: of each list, and the end."""
        return DigitColumn(exact_sums.by_slice(self.digits, starts), len(starts) - 1)

    @cached_property
    def carried(self) -> CarriedSums:
        """The numbers in canonical form."""
        return exact_sums.carried(self.digits, np.arange(self.size))

    def canonical(self) -> "DigitColumn":
        """The same numbers in digits that depend on nothing else."""
        power, digits, negative = self.carried
        found = {power + DIGIT * place: digit for place, digit in enumerate(digits)}
        found[power + DIGIT * len(digits)] = -negative.astype(np.int64)
        return DigitColumn({p: digit for p, digit in found.items() if digit.any()}, self.size)

    @property
    def is_zero(self) -> Mask:
        """Where the number is 0."""
        zero = ~self.carried.negative
        for digit in self.carried.digits:
            zero &= digit == 0
        return zero

    @property
    def power(self) -> int:
        """A power of two that divides all numbers."""
        return min(self.digits, default=0)

    def integers(self, power: int) -> Array:
        """The numbers as Python integers, in multiples of 2**power, which divides them all."""
        return np.array(self._listed(power), object)

    def _listed(self, power: int) -> list[int]:
        return exact_sums.integers(self.digits, power, np.arange(self.size))

    def floats(self) -> Floats:
        """The nearest float64 of each; infinite beyond the largest."""
        return exact_sums.floats(self.digits, np.arange(self.size))

    def times(self, factor: int, power: int) -> "DigitColumn":
        """The numbers times factor · 2**power; the factor is above 0."""
        place, bits = divmod(power, DIGIT)
        factor <<= bits
        mine, found = self.carried, DigitColumn({}, self.size)
        digits = [*mine.digits, -mine.negative.astype(np.int64)]
        for high in range(-(-factor.bit_length() // DIGIT)):
            own = (factor >> (DIGIT * high)) & MASK
            for low, digit in enumerate(digits):
                # A product of two digits takes 62 bits: its halves are added separately.
                product, at = digit * own, mine.power + DIGIT * (low + place + high)
                found += DigitColumn({at: product & MASK, at + DIGIT: product >> DIGIT}, self.size)
        return found


def lower(one: DigitColumn, other: DigitColumn) -> DigitColumn:
    """The lower of each two numbers."""
    places = np.arange(len(one)) + np.where((one - other).carried.negative, 0, len(one))
    return DigitColumn.concatenated([one, other]).take(places)


def whole_numbers(digits: Digits, unit: int) -> DigitColumn:
    """Exact integers times 2**unit."""
    column = DigitColumn(
        {DIGIT * place: digit for place, digit in enumerate(digits)}, len(digits[0])
    )
    return column if unit == 0 else column.times(1, unit)
