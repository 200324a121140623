"""Amounts: sums of a column of bids or revenue, of all rows or as far as they were earned."""

from fractions import Fraction
from typing import Any

from steelyard.reading.batch import Batch, given
from steelyard.states.sums import Sums, class_weights, dot

OF = ("rows", "positives", "expected")


class Amounts(Sums):
    """The weight of all rows, and Σ w·amount of the rows, of the positives, or w·(q·amount).

    Exact, save that q·amount is rounded once a row.
    """

    kind = "amounts"
    names = ("weight", "amount")

    def __init__(self, column: str, of: str) -> None:
        super().__init__()
        if of not in OF:
            raise ValueError(f"amounts of {of!r}")
        self.column, self.of = str(column), of

    def config(self) -> dict[str, Any]:
        return {"column": self.column, "of": self.of}

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        return {"weight": sum(class_weights(batch), Fraction(0)), "amount": self._amount(batch)}

    def _amount(self, batch: Batch) -> Fraction:
        amounts, weights = batch.columns.amounts[self.column], batch.weight
        if self.of == "rows":
            return dot(amounts, weights)
        if self.of == "expected":
            return dot(batch.probability * amounts, weights)
        earned = given(batch.positive)
        return dot(amounts[earned], None if weights is None else weights[earned])
