"""Weight by pair: what the rows of each pair of keys weigh.

Memory: one number for each pair that occurs. Exactness: exact; weights are whole multiples of
2**unit. A pair that no row has is not there.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np

from steelyard.kernels.interface import DIGIT, MASK, CodedSums, Digits
from steelyard.model import Array
from steelyard.states import runs, wire
from steelyard.states.base import State

Pair = tuple[Any, Any]
SECTIONS = ("first", "second")


class PairWeights(State):
    """A kind says what its pairs are, and how they are written as whole numbers."""

    small = True

    def __init__(self) -> None:
        super().__init__()
        self.unit = 0
        self.weights: dict[Pair, int] = {}

    @property
    def scale(self) -> Fraction:
        """What a weight of 1 stands for."""
        return Fraction(2) ** self.unit

    @abstractmethod
    def _written(self) -> tuple[Mapping[str, Any], Sequence[Pair], Array]:
        """What the header says, the pairs in an order of their own, and two numbers for each."""

    @abstractmethod
    def _read(self, header: Mapping[str, Any], numbers: Array) -> list[Pair]:
        """The pairs that the numbers stand for; a ValueError or its kin where there are none."""

    def _take(self, pairs: Collection[Pair], amounts: Collection[int], unit: int) -> None:
        """Add what each pair weighs, in multiples of 2**unit."""
        self._lower_unit(unit)
        if not self.weights and all(amounts):  # a first batch: three times as fast
            self.weights = dict(zip(pairs, amounts, strict=True))
            if len(self.weights) == len(pairs):
                return
            self.weights = {}
        shift, mine = unit - self.unit, self.weights
        for pair, amount in zip(pairs, amounts, strict=True):
            if amount:
                mine[pair] = mine.get(pair, 0) + (amount << shift)

    def _take_sums(self, pairs: Collection[Pair], sums: CodedSums) -> None:
        self._take(pairs, sums.amounts, sums.power)

    def _lower_unit(self, unit: int) -> None:
        """Count in a unit that divides the old weights and the new."""
        if not self.weights:
            self.unit = unit
        elif unit < self.unit:
            shift = self.unit - unit
            self.weights = {pair: amount << shift for pair, amount in self.weights.items()}
            self.unit = unit

    def _add_state(self, other: Self) -> None:
        if other.weights:
            self._take(other.weights.keys(), other.weights.values(), other.unit)

    def _content(self) -> wire.Content:
        fields, pairs, numbers = self._written()
        digits = _digits([self.weights[pair] for pair in pairs])
        unit, columns = runs.canonical_weights(digits, self.unit)
        sections = dict(zip(SECTIONS, numbers, strict=True))
        sections |= {f"weight.{place}": digit for place, digit in enumerate(columns or ())}
        return {"unit": unit, **fields}, sections

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        numbers = np.array([sections[name] for name in SECTIONS])
        pairs = self._read(header, numbers)
        digits = tuple(sections[f"weight.{place}"] for place in range(len(sections) - 2))
        if any(digit.dtype.kind != "u" or (digit > MASK).any() for digit in digits):
            raise ValueError("weights that are not whole numbers")
        self.unit = wire.unit(header["unit"])
        self.weights = dict(zip(pairs, _whole(digits, len(pairs)), strict=True))
        if self.reading is None and pairs:
            raise ValueError("rows that nobody read")
        if len(self.weights) != len(pairs) or 0 in self.weights.values():
            raise ValueError("a pair twice, or one without weight")


def _digits(amounts: Sequence[int]) -> Digits:
    """Whole numbers in digits of 31 bits."""
    places = max(1, -(-max(amounts, default=0).bit_length() // DIGIT))
    if places == 1:
        return (np.array(amounts, np.uint32),)
    return tuple(
        np.array([amount >> DIGIT * place & MASK for amount in amounts], np.uint32)
        for place in range(places)
    )


def _whole(digits: Digits, count: int) -> list[int]:
    """Digits as whole numbers again; none where each is 1."""
    amounts = [0 if digits else 1] * count
    for place, digit in enumerate(digits):
        shifted = [part << DIGIT * place for part in digit.tolist()]
        amounts = [amount + part for amount, part in zip(amounts, shifted, strict=True)]
    return amounts
