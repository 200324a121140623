"""Sums: exact, order-free sums over rows.

Memory: a few numbers, whatever the number of rows. Exactness: exact; every sum is a Fraction whose
denominator is a power of two, rounded by nobody until a metric divides.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from steelyard import kernels
from steelyard.batch import Batch
from steelyard.model import Array
from steelyard.states.base import State


class Sums(State):
    """Named sums. A kind of sums says what it adds for a batch, and nothing else."""

    names: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        super().__init__()
        self.sums = dict.fromkeys(self.names, Fraction(0))

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        """What the rows of a batch add to each sum."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Fraction:
        return self.sums[name]

    def _add_rows(self, batch: Batch) -> None:
        for name, amount in self.measure(batch).items():
            self.sums[name] += amount

    def _add_state(self, other: Self) -> None:
        for name, amount in other.sums.items():
            self.sums[name] += amount

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        return {"sums": {name: _to_text(amount) for name, amount in self.sums.items()}}, {}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        stored = header["sums"]
        if set(stored) != set(self.names) or sections:
            raise ValueError("other sums than these")
        self.sums = {name: _from_text(stored[name]) for name in self.names}


class Cells(Sums):
    """The weight in each cell of the confusion matrix at one threshold: score >= threshold."""

    kind = "cells"
    names = ("tp", "fp", "fn", "tn")

    def __init__(self, threshold: float) -> None:
        super().__init__()
        self.threshold = float(threshold)

    def config(self) -> dict[str, Any]:
        return {"threshold": self.threshold}

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        # Rounded to the score's type, so that 0.3 is the 0.3 that a float32 score can be.
        with np.errstate(over="ignore"):  # beyond float32 it is infinite: no score reaches it
            called = batch.score >= batch.score.dtype.type(self.threshold)
        positive = batch.positive
        return {
            "tp": weight_of(batch, called & positive),
            "fp": weight_of(batch, called & ~positive),
            "fn": weight_of(batch, ~called & positive),
            "tn": weight_of(batch, ~(called | positive)),
        }


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

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        kernel = kernels.active()
        positives = int(np.count_nonzero(batch.positive))
        predictions = kernel.exact_sum(batch.score)
        weighted = predictions
        if batch.weight is not None:
            weighted = kernel.exact_dot(batch.score, batch.weight)
        return {
            "positives": Fraction(positives),
            "negatives": Fraction(len(batch) - positives),
            "dropped": Fraction(batch.dropped),
            "weighted_positives": weight_of(batch, batch.positive),
            "weighted_negatives": weight_of(batch, ~batch.positive),
            "prediction_sum": predictions,
            "weighted_prediction_sum": weighted,
        }


def weight_of(batch: Batch, chosen: Array) -> Fraction:
    """The exact weight of the chosen rows."""
    if batch.weight is None:
        return Fraction(int(np.count_nonzero(chosen)))
    return kernels.active().exact_sum(batch.weight[chosen])


def _to_text(amount: Fraction) -> str:
    """Hexadecimal numerator and the power of two below it: short, exact, without a digit limit."""
    return f"{amount.numerator:x}p-{amount.denominator.bit_length() - 1}"


def _from_text(text: str) -> Fraction:
    numerator, _, exponent = text.partition("p-")
    return Fraction(int(numerator, 16), 1 << min(int(exponent), 1 << 14))
