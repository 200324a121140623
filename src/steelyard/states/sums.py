"""Sums: exact, order-free sums over rows.

Memory: a few numbers, whatever the number of rows. Exactness: exact; every sum is a Fraction whose
denominator is a power of two, rounded by nobody until a metric divides.
"""

from abc import abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.model import Array
from steelyard.reading.batch import Batch, Side, given
from steelyard.states.base import State
from steelyard.states.once import once_a_batch
from steelyard.states.runs import sides

LOWEST_POWER = 2 * 1074  # a product of two float64 is a whole multiple of 2**-2148


class Sums(State):
    """Named sums. A kind of sums says what it adds for a batch, and nothing else."""

    small = True
    names: tuple[str, ...]
    signed: tuple[str, ...] = ()  # those that may be negative
    counts: tuple[str, ...] = ()  # those that are whole
    power: int = LOWEST_POWER  # each is a whole multiple of 2**-power

    def __init__(self) -> None:
        super().__init__()
        # Whole multiples of 2**-power: a long integer is added in a twentieth of a Fraction's time.
        self._amounts = dict.fromkeys(self.names, 0)

    @property
    def sums(self) -> dict[str, Fraction]:
        return {name: self[name] for name in self.names}

    @abstractmethod
    def measure(self, batch: Any) -> dict[str, Fraction]:
        """What the rows of a batch add to each sum."""

    def __getitem__(self, name: str) -> Fraction:
        return Fraction(self._amounts[name], 1 << self.power)

    def _add_rows(self, batch: Any) -> None:
        for name, amount in self.measure(batch).items():
            self._amounts[name] += whole(amount, self.power)

    def _add_state(self, other: Self) -> None:
        for name, amount in other._amounts.items():
            self._amounts[name] += amount

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        return {"sums": {name: to_text(amount) for name, amount in self.sums.items()}}, {}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        stored = header["sums"]
        if set(stored) != set(self.names) or sections:
            raise ValueError("other sums than these")
        sums = {name: from_text(stored[name], self.power) for name in self.names}
        if any(amount < 0 and name not in self.signed for name, amount in sums.items()):
            raise ValueError("a weight below zero")
        if any(sums[name].denominator != 1 for name in self.counts):
            raise ValueError("a part of a row")
        if self.reading is None and any(sums.values()):
            raise ValueError("rows that nobody read")
        self._amounts = {name: whole(amount, self.power) for name, amount in sums.items()}


class Cells(Sums):
    """The weight in each cell of the confusion matrix at one threshold: score >= threshold."""

    kind = "cells"
    names = ("tp", "fp", "fn", "tn")

    def __init__(self, threshold: float) -> None:
        super().__init__()
        self.threshold = float(threshold) + 0.0  # -0.0 is 0.0
        if not isfinite(self.threshold):
            raise ValueError(f"a threshold of {threshold}")

    def config(self) -> dict[str, Any]:
        return {"threshold": self.threshold}

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        # Rounded to the score's type, so that 0.3 is the 0.3 that a float32 score can be.
        with np.errstate(over="ignore"):  # beyond every float32 is infinite, which no score reaches
            threshold = given(batch.score).dtype.type(self.threshold)
        cells: dict[str, Fraction] = {}
        for side, weight, names in zip(
            sides(batch), class_weights(batch), (("tp", "fn"), ("fp", "tn")), strict=True
        ):
            called = weight_of(side, side.scores >= threshold)
            cells |= {names[0]: called, names[1]: weight - called}
        return cells


class Sample(Sums):
    """The sample statistics beside every number: rows, weights and predictions."""

    kind = "sample"
    names = (
        "positives",
        "negatives",
        "dropped",
        "weighted_positives",
        "weighted_negatives",
        "prediction_sum",
        "weighted_prediction_sum",
    )
    signed = ("prediction_sum", "weighted_prediction_sum")
    counts = ("positives", "negatives", "dropped")

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        positives, negatives = _counts(batch)
        weighted = weighted_scores(batch)
        alike = batch.weight is batch.count
        return {
            "positives": Fraction(positives),
            "negatives": Fraction(negatives),
            "dropped": Fraction(batch.dropped),
            "weighted_positives": class_weights(batch)[0],
            "weighted_negatives": class_weights(batch)[1],
            "prediction_sum": weighted if alike else dot(given(batch.score), batch.count),
            "weighted_prediction_sum": weighted,
        }


class PredictionSample(Sums):
    """The same of rows that have a prediction, which has a sum where it is a number."""

    kind = "prediction_sample"
    names = ("rows", "dropped", "weight", "prediction_sum", "weighted_prediction_sum")
    signed = ("prediction_sum", "weighted_prediction_sum")
    counts = ("rows", "dropped")

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        sums = {"rows": Fraction(len(batch)), "dropped": Fraction(batch.dropped)}
        sums["weight"] = sums["rows"] if batch.weight is None else dot(batch.weight, None)
        if batch.numbers is not None:
            predicted = batch.numbers.prediction
            sums["prediction_sum"] = dot(predicted, None)
            sums["weighted_prediction_sum"] = (
                sums["prediction_sum"] if batch.weight is None else dot(predicted, batch.weight)
            )
        return sums


def _counts(batch: Batch) -> tuple[int, int]:
    """How many rows are positive and how many are not."""
    if batch.count is None:
        positives = int(np.count_nonzero(given(batch.positive)))
        return positives, len(batch) - positives
    sum_ = kernels.active().exact_sum  # counts that fit int64 may add up to more
    positives = int(sum_(batch.count[given(batch.positive)]))
    return positives, int(sum_(batch.count)) - positives


@once_a_batch
def weighted_scores(batch: Batch) -> Fraction:
    """The sum of scores, each as often as its weight says."""
    return dot(given(batch.score), batch.weight)


def dot(values: Array, weights: Array | None) -> Fraction:
    """The sum of values, each as often as its weight says."""
    if weights is None:
        return kernels.active().exact_sum(values)
    return kernels.active().exact_dot(values, weights)


@once_a_batch
def class_weights(batch: Batch) -> tuple[Fraction, Fraction]:
    """The exact weight of the positives and of the negatives."""
    if batch.weight is None:
        positives = int(
            np.count_nonzero(given(batch.positive))
        )  # rows need not be parted to count them
        return Fraction(positives), Fraction(len(batch) - positives)
    positive, negative = (weight_of(side) for side in sides(batch))
    return positive, negative


def weight_of(side: Side, chosen: Array | None = None) -> Fraction:
    """The exact weight of the rows of a class, or of those chosen."""
    if side.weights is None:
        return Fraction(len(side.scores) if chosen is None else int(np.count_nonzero(chosen)))
    weights = side.weights if chosen is None else side.weights[chosen]
    return kernels.active().exact_sum(weights)


def whole(amount: Fraction, power: int = LOWEST_POWER) -> int:
    """A sum in whole multiples of 2**-power; its denominator is a power of two."""
    return amount.numerator << (power + 1 - amount.denominator.bit_length())


def to_text(amount: Fraction) -> str:
    """Hexadecimal numerator and the power of two below it: short, exact, without a digit limit."""
    return f"{amount.numerator:x}p-{amount.denominator.bit_length() - 1}"


def from_text(text: str, power: int = LOWEST_POWER) -> Fraction:
    numerator, _, exponent = str(text).partition("p-")
    if int(exponent) > power:
        raise ValueError(f"no sum is counted in 2**-{exponent}")
    return Fraction(int(numerator, 16), 1 << int(exponent))
