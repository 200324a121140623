"""Cells of classes: what the rows of each true and each predicted class weigh, in one slice."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from steelyard.model import Key
from steelyard.reading.key_order import sort_key


class ClassTotals(NamedTuple):
    """What each class weighs, in the order of the classes: whole multiples of the cells' unit.

    truth: of the rows that are of the class; predicted: of those called so; hits: of both
    """

    labels: tuple[Key, ...]
    truth: list[int]
    predicted: list[int]
    hits: list[int]

    @property
    def all(self) -> int:
        return sum(self.truth)


@dataclass(frozen=True)
class ClassCells:
    """Weight by true and predicted class, in whole multiples of 2**power; others have no rows."""

    weights: Mapping[tuple[Key, Key], int]
    power: int

    @cached_property
    def numbers(self) -> dict[Key, int]:
        """The classes that occur, true or predicted, in order, and the number of each."""
        there = set(chain.from_iterable(self.weights))
        ordered = sorted(there, key=lambda label: sort_key((label,)))
        return {label: number for number, label in enumerate(ordered)}

    @cached_property
    def table(self) -> ClassTotals:
        """What each class weighs: worked out once, however many metrics ask."""
        numbers = self.numbers
        truth, predicted, hits = ([0] * len(numbers) for _ in range(3))
        for (true, called), amount in self.weights.items():
            truth[numbers[true]] += amount
            predicted[numbers[called]] += amount
            if true == called:
                hits[numbers[true]] += amount
        return ClassTotals(tuple(numbers), truth, predicted, hits)
