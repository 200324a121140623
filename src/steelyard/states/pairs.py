"""Pairs: truth, prediction and weight of every row, for statistics of ranks and medians.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
The bytes hold each pair of values once, with all its weight, by truth and then by prediction, so
they depend on the rows alone.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import MASK, Digits, Run
from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.states import runs, wire
from steelyard.states.base import State
from steelyard.states.pair_rows import PairRows, join, starts_of

COLUMNS = ("truth", "prediction")


class Pairs(State):
    """Rows as they came, joined when someone looks."""

    kind = "pairs"

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[PairRows] = []

    @property
    def has_rows(self) -> bool:
        return bool(self._parts)

    def rows(self) -> PairRows:
        """All rows in one piece."""
        if len(self._parts) > 1:
            self._parts = [join(self._parts)]
        return self._parts[0] if self._parts else join([])

    def _add_rows(self, batch: Batch) -> None:
        assert batch.numbers is not None
        if len(batch):
            unit, digits = _counted(batch)
            self._parts.append(PairRows(*batch.numbers, digits, unit))

    def _add_state(self, other: Self) -> None:
        self._parts += other._parts

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        table = _collapsed(self.rows())
        unit, digits = runs.canonical_weights(table.digits, table.unit)
        sections = {"truth": table.truth, "prediction": table.prediction}
        for place, digit in enumerate(digits or ()):
            sections[f"weight.{place}"] = digit
        return {"unit": unit}, sections

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        unit, rest = wire.unit(header["unit"]), dict(sections)
        truth, prediction = (_values(rest.pop(name)) for name in COLUMNS)
        digits = tuple(rest.pop(f"weight.{place}") for place in range(len(rest)))
        rows = PairRows(truth, prediction, digits or None, unit)
        _check(rows)
        if len(rows):
            if self.reading is None:
                raise ValueError("rows that nobody read")
            self._parts.append(rows)


def _counted(batch: Batch) -> tuple[int, Digits | None]:
    """The weights as whole multiples of 2**unit, made once however many states ask."""
    if batch.weight is None:
        return 0, None
    kernel = kernels.active()
    unit = kernel.lowest_bit(batch.weight)
    return unit, kernel.to_digits(batch.weight, unit)


def _collapsed(rows: PairRows) -> PairRows:
    """Each pair of values once, by truth and prediction; -0.0 + 0.0 is 0.0."""
    kernel, order = kernels.active(), rows.order
    truth, prediction = rows.truth[order] + 0.0, rows.prediction[order] + 0.0
    first = np.union1d(starts_of(truth), starts_of(prediction)).astype(np.intp)
    digits = None if rows.digits is None else tuple(digit[order] for digit in rows.digits)
    if digits is not None or len(first) < len(truth):
        sums = kernel.cumulative(Run(truth, digits))
        digits = kernel.weight_between(sums, np.append(first, len(truth)))
    return PairRows(truth[first], prediction[first], digits, rows.unit)


def _values(column: Array) -> Array:
    if column.dtype != np.float64 or not np.isfinite(column).all():
        raise ValueError("numbers that are none")
    return column


def _check(rows: PairRows) -> None:
    """What a checksum cannot see: a table that no rows could have made."""
    truth, prediction, digits = rows.truth, rows.prediction, rows.digits
    if len(truth) != len(prediction):
        raise ValueError("truths without a prediction")
    if digits is None:
        return
    if any(digit.dtype not in runs.WIDTHS or len(digit) != len(truth) for digit in digits):
        raise ValueError("weights that do not fit the pairs")
    if any((digit > MASK).any() for digit in digits):
        raise ValueError("weights that are not whole numbers")
    if not np.any([digit != 0 for digit in digits], axis=0).all():
        raise ValueError("a pair without weight")
