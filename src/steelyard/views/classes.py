"""Class cells: the weight of the rows of each true and each predicted class, in one slice."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from steelyard.cached import cached_property
from steelyard.model import Key
from steelyard.reading.key_order import sort_key


class ClassTotals(NamedTuple):
    """The weights of each class, in the order of the classes, in multiples of the cells' 2**power.

    truth: of the rows of the class; predicted: of the rows predicted as it; hits: of both
    all: of all rows, those of classes that were not chosen included
    """

    labels: tuple[Key, ...]
    truth: list[int]
    predicted: list[int]
    hits: list[int]
    all: int


@dataclass(frozen=True)
class ClassCells:
    """Weight by true and predicted class, in multiples of 2**power, of the pairs with rows.

    positive: the class whose value a binary average is
    chosen: the classes to average over, in order; empty: all that occur
    """

    weights: Mapping[tuple[Key, Key], int]
    power: int
    positive: Key = 1
    chosen: tuple[Key, ...] = ()

    @cached_property
    def numbers(self) -> dict[Key, int]:
        """The number of each class that is chosen or, in the order of classes, occurs."""
        if self.chosen:
            return {label: number for number, label in enumerate(self.chosen)}
        labels = set(chain.from_iterable(self.weights))
        ordered = sorted(labels, key=lambda label: sort_key((label,)))
        return {label: number for number, label in enumerate(ordered)}

    @cached_property
    def table(self) -> ClassTotals:
        """The weights of each class: computed once for all metrics."""
        numbers = self.numbers
        truth, predicted, hits = ([0] * len(numbers) for _ in range(3))
        for (true, called), amount in self.weights.items():
            if true in numbers:
                truth[numbers[true]] += amount
            if called in numbers:
                predicted[numbers[called]] += amount
                if true == called:
                    hits[numbers[true]] += amount
        return ClassTotals(tuple(numbers), truth, predicted, hits, sum(self.weights.values()))

    @cached_property
    def among_chosen(self) -> "ClassCells":
        """The cells of the rows whose true and predicted class are chosen."""
        if not self.chosen:
            return self
        kept = {pair: w for pair, w in self.weights.items() if {*pair} <= {*self.chosen}}
        return replace(self, weights=kept)
