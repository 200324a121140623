"""Class cells: what the rows of each true and each predicted class weigh.

Memory: one number for each pair of classes that occurs. Exactness: exact. The confusion matrix, and
all that is read off it.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.distinct import distinct
from steelyard.model import Array, Key
from steelyard.reading.batch import Batch
from steelyard.reading.key_order import in_order
from steelyard.reading.labels import plain_label
from steelyard.reading.predictions import Coded
from steelyard.states.pair_weights import Pair, PairWeights

SMALL = 1 << 16  # pairs of classes that are counted in a table, however few rows there are


class ClassTable(NamedTuple):
    """What each class weighs, in the order of the classes: whole numbers in the state's unit.

    truth: of the rows that are of the class; predicted: of those called so; hits: of both
    """

    labels: tuple[Key, ...]
    truth: list[int]
    predicted: list[int]
    hits: list[int]

    @property
    def all(self) -> int:
        return sum(self.truth)


class ClassCells(PairWeights):
    """Weight by true and predicted class; equal classes (1, 1.0, True) are one."""

    kind = "class_cells"

    def __init__(self) -> None:
        super().__init__()
        self._table: ClassTable | None = None

    def table(self) -> ClassTable:
        """What each class weighs: worked out once, however many metrics ask."""
        if self._table is None:
            self._table = self._margins()
        return self._table

    def _margins(self) -> ClassTable:
        numbers = self.numbers()
        truth, predicted, hits = ([0] * len(numbers) for _ in range(3))
        for (true, called), amount in self.weights.items():
            truth[numbers[true]] += amount
            predicted[numbers[called]] += amount
            if true == called:
                hits[numbers[true]] += amount
        return ClassTable(tuple(numbers), truth, predicted, hits)

    def numbers(self) -> dict[Key, int]:
        """The classes that occur, true or predicted, in order, and the number of each."""
        there = set(chain.from_iterable(self.weights))
        ordered = sorted(there, key=lambda label: in_order((label,)))
        return {label: number for number, label in enumerate(ordered)}

    def _take(self, pairs: Collection[Pair], amounts: Collection[int], unit: int) -> None:
        self._table = None
        super()._take(pairs, amounts, unit)

    def _add_rows(self, batch: Batch) -> None:
        if batch.classes is None:
            raise TypeError("rows without classes")
        truth, predicted = batch.classes
        codes, cells = _pairs(truth, predicted)
        sums = kernels.active().sums_by_code(codes, len(cells), None, batch.weight)
        width = max(len(predicted.words), 1)
        true, called = ([plain_label(word) for word in side.words] for side in batch.classes)
        self._take_sums([(true[cell // width], called[cell % width]) for cell in cells], sums)

    def _written(self) -> tuple[Mapping[str, Any], Sequence[Pair], Array]:
        numbers = self.numbers()
        ordered = sorted((numbers[true], numbers[called]) for true, called in self.weights)
        labels = list(numbers)
        pairs = [(labels[true], labels[called]) for true, called in ordered]
        return {"classes": labels}, pairs, np.array(ordered, np.uint32).reshape(-1, 2).T

    def _read(self, header: Mapping[str, Any], numbers: Array) -> list[Pair]:
        labels = classes(header["classes"])
        if numbers.size and not (numbers < len(labels)).all():
            raise ValueError("rows of no class")
        both = zip(*numbers.tolist(), strict=True)
        return [(labels[true], labels[called]) for true, called in both]


def classes(stored: Any) -> list[Key]:
    """A list of classes of the header, each spelled as we spell it."""
    if not isinstance(stored, list):
        raise TypeError(f"{stored!r} where classes are meant")
    for label in stored:
        if not isinstance(label, str | int | float) or label != label:
            raise TypeError(f"a class that is called {label!r}")
        if type(plain_label(label)) is not type(label):
            raise ValueError(f"a class that is spelled {label!r}")
    return stored


def _pairs(truth: Coded, predicted: Coded) -> tuple[Array, Sequence[int]]:
    """One code for each row's pair of classes, and the pair of each code: true · width + called."""
    width = max(len(predicted.words), 1)
    count = len(truth.words) * width
    if count <= max(SMALL, len(truth.codes)):
        type_ = np.min_scalar_type(max(count, 1))
        return _combined(truth, predicted, type_), range(count)
    pairs = _combined(truth, predicted, np.dtype(np.uint64))
    codes, places = distinct(pairs)
    return codes, pairs[places].tolist()


def _combined(truth: Coded, predicted: Coded, type_: np.dtype[Any]) -> Array:
    pairs: Array = truth.codes.astype(type_)
    pairs *= type_.type(max(len(predicted.words), 1))
    pairs += predicted.codes.astype(type_)
    return pairs
