"""Class cells: the weight of the rows of each true and each predicted class, in one slice."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from steelyard.model import Key
from steelyard.reading.key_order import sort_key


class ClassTotals(NamedTuple):
    """The weights of each class, in the order of the classes, in multiples of the cells' 2**power.

    truth: of the rows of the class; predicted: of the rows predicted as it; hits: of both
    """

    labels: tuple[Key, ...]
    truth: list[int]
    predicted: list[int]
    hits: list[int]

    @property
    def all(self) -> int:
        """The weight of all rows."""
        return sum(self.truth)


@dataclass(frozen=True)
class ClassCells:
    """Weight by true and predicted class, in multiples of 2**power, of the pairs with rows.

    positive: the class whose value a binary average is
    """

    weights: Mapping[tuple[Key, Key], int]
    power: int
    positive: Key = 1

    @cached_property
    def numbers(self) -> dict[Key, int]:
        """The number of each class that occurs, true or predicted, in the order of classes."""
        labels = set(chain.from_iterable(self.weights))
        ordered = sorted(labels, key=lambda label: sort_key((label,)))
        return {label: number for number, label in enumerate(ordered)}

    @cached_property
    def table(self) -> ClassTotals:
        """The weights of each class: computed once for all metrics."""
        numbers = self.numbers
        truth, predicted, hits = ([0] * len(numbers) for _ in range(3))
        for (true, called), amount in self.weights.items():
            truth[numbers[true]] += amount
            predicted[numbers[called]] += amount
            if true == called:
                hits[numbers[true]] += amount
        return ClassTotals(tuple(numbers), truth, predicted, hits)
