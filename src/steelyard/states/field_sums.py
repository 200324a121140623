"""Sums by field: for each value of a column, what its rows weigh and what was expected of them.

Memory: three numbers for each value that occurs. Exactness: exact, like all sums.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, Self

from steelyard import kernels
from steelyard.kernels.interface import CodedSums
from steelyard.model import Array, Key
from steelyard.reading.batch import Batch, given
from steelyard.reading.key_order import in_order, spelled
from steelyard.states.base import State
from steelyard.states.sums import LOWEST_POWER, from_text, to_text, whole


class Sum(NamedTuple):
    """What the rows of one value weigh, those of them that are positive, and Σ w·q."""

    weight: Fraction
    positives: Fraction
    expected: Fraction


Amounts = tuple[int, int, int]  # the same in whole multiples of 2**-2148


class FieldSums(State):
    """A row of sums for each value of a column; a missing value is one too."""

    kind = "field_sums"
    small = True

    def __init__(self, column: str) -> None:
        super().__init__()
        self.column = str(column)
        # With each key as it is spelled: 1, 1.0 and true are one key.
        self._table: dict[Key, tuple[Key, Amounts]] = {}

    def config(self) -> dict[str, Any]:
        return {"column": self.column}

    @property
    def sums(self) -> list[Sum]:
        """The sums of every value that occurs."""
        return [_sum(amounts) for _, amounts in self._table.values()]

    def _add_rows(self, batch: Batch) -> None:
        codes, keys = batch.columns.fields[self.column]
        by_code, count, weight = kernels.active().sums_by_code, len(keys), batch.weight
        chosen = given(batch.positive)
        positives = None if weight is None else weight[chosen]
        columns = (
            by_code(codes, count, None, weight),
            by_code(codes[chosen], count, None, positives),
            by_code(codes, count, batch.probability, weight),
        )
        for key, *amounts in zip(keys, *map(_amounts, columns), strict=True):
            if amounts[0]:  # a key may have no row here
                self._add(key, (amounts[0], amounts[1], amounts[2]))

    def _add_state(self, other: Self) -> None:
        for key, amounts in other._table.values():
            self._add(key, amounts)

    def _add(self, key: Key, amounts: Amounts) -> None:
        if key in self._table:
            mine, (a, b, c) = self._table[key]
            (key,) = spelled((mine,), (key,))
            amounts = (a + amounts[0], b + amounts[1], c + amounts[2])
        self._table[key] = (key, amounts)

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        rows = sorted(self._table.values(), key=lambda row: in_order((row[0],)))
        sums = [[to_text(amount) for amount in _sum(amounts)] for _, amounts in rows]
        return {"keys": [key for key, _ in rows], "sums": sums}, {}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        keys, stored = header["keys"], header["sums"]
        for key, texts in zip(keys, stored, strict=True):
            if key is not None and not isinstance(key, str | int | float | bool):
                raise ValueError(f"a key of type {type(key).__name__}")
            sum_ = Sum(*map(from_text, texts))
            if min(sum_) < 0 or max(sum_) > sum_.weight or not sum_.weight:
                raise ValueError("sums that no rows have")
            self._table[key] = (key, (whole(sum_[0]), whole(sum_[1]), whole(sum_[2])))
        if self.reading is None and self._table:
            raise ValueError("rows that nobody read")


def _amounts(sums: CodedSums) -> list[int]:
    """Sums of codes in whole multiples of 2**-2148."""
    return [amount << (sums.power + LOWEST_POWER) for amount in sums.amounts]


def _sum(amounts: Amounts) -> Sum:
    return Sum(*(Fraction(amount, 1 << LOWEST_POWER) for amount in amounts))
