"""The view of sums: whole numbers in one unit, line by line."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import ExactSums
from steelyard.kernels.ragged import running_sums, spread
from steelyard.model import Array, Label
from steelyard.reading.key_order import KeyTuple
from steelyard.states import exact_sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.sums import Sums
from steelyard.states.sums.table import SumTable
from steelyard.views.classes import ClassCells
from steelyard.views.digit_column import DigitColumn

FEW = 16  # numbers that are computed one by one
EXACT = 2**53  # float64 holds the whole numbers below it


class SumLine:
    """The sums of one line by term, in multiples of 2**power, which quotients do not depend on.

    columns: the sums of this line and of others; place: its place among them
    """

    __slots__ = ("columns", "key", "place", "power")

    def __init__(self, columns: "SumColumns", place: int, key: KeyTuple = ()) -> None:
        self.columns, self.place = columns, place
        self.power = columns.power
        self.key = key

    def __getitem__(self, name: str) -> int:
        return self.columns[name][self.place]

    def difference(self, name: str, other: str) -> int:
        """One sum minus another."""
        return self[name] - self[other]

    def exact(self, name: str) -> Fraction:
        """A sum, with its unit."""
        return exact(self[name], self.power)


class SumColumns:
    """For each term, the sums of some lines in multiples of 2**power; made when first read."""

    def __init__(self, table: SumTable, lines: Array) -> None:
        self._table, self._lines = table, lines
        self._found: dict[str, list[int]] = {}
        self._arrays: dict[str, Array] = {}
        powers = [power for column in table.columns.values() for power in column]
        self.power = min(powers, default=0)

    def __getitem__(self, name: str) -> list[int]:
        if name not in self._found:
            column = self._table.columns[name]
            self._found[name] = exact_sums.integers(column, self.power, self._lines)
        return self._found[name]

    def array(self, name: str) -> Array:
        """The same as Python integers in an array: columns are computed with them exactly."""
        if name not in self._arrays:
            self._arrays[name] = np.array(self[name], object)
        return self._arrays[name]

    def counts(self, name: str) -> list[int]:
        """The sums of a term of whole numbers, in units of 1."""
        return exact_sums.integers(self._table.columns[name], 0, self._lines)

    def rounded(self, column: Sequence[int]) -> list[float]:
        """Sums in multiples of 2**power as float64, rounded once; infinite beyond float64."""
        listed: list[float]
        if max(map(abs, column), default=0) < EXACT and abs(self.power) < 1000:
            if len(column) <= FEW:
                return [number * 2.0**self.power for number in column]
            listed = (np.array(column, np.float64) * 2.0**self.power).tolist()
            return listed  # whole numbers that float64 holds, times a power of two: exact
        whole, power = np.array(column, object), self.power
        try:
            found = whole / (1 << -power) if power < 0 else whole << power
            listed = found.astype(np.float64).tolist()
        except OverflowError:  # some are beyond float64
            listed = [quotient(amount, -power) for amount in column]
        return listed


class KnownSums(SumColumns):
    """The sums of one line that are known, in multiples of 2**power."""

    def __init__(self, sums: Mapping[str, int], power: int) -> None:
        self._found = {name: [number] for name, number in sums.items()}
        self._arrays = {}
        self.power = power

    def counts(self, name: str) -> list[int]:
        """The sum of a term of whole numbers, in units of 1."""
        up, down = max(self.power, 0), max(-self.power, 0)
        return [number << up >> down for number in self[name]]


def line_of(sums: dict[str, ExactSums]) -> SumLine:
    """The line of the sums of one slice, without a state that others could be added to."""
    table = SumTable((), keyed=False)
    table.columns = sums
    return SumLine(SumColumns(table, TOTAL_SLICE), 0)


class TermArrays:
    """The sums of all slices by term, as arrays of Python integers."""

    def __init__(self, columns: SumColumns) -> None:
        self._columns = columns
        self.power = columns.power

    def __getitem__(self, name: str) -> Array:
        return self._columns.array(name)


class SumsView:
    """The sums of some slices of one table.

    slices: the slice numbers of the view, in the order of the result
    """

    def __init__(self, state: Sums, number: int, slices: Array) -> None:
        self._state = state
        self._table = state.table(number)
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    @cached_property
    def columns(self) -> SumColumns:
        """The sums of each slice, where there is no second key."""
        return SumColumns(self._table, self.slices)

    def each(self) -> Iterator[Any]:
        """One line for each slice."""
        columns = self.columns
        return (SumLine(columns, place) for place in range(len(self.slices)))


class KnownSumsView(SumsView):
    """The sums of the total that are known, without a state."""

    def __init__(self, columns: KnownSums) -> None:
        self.slices = TOTAL_SLICE
        self.__dict__["columns"] = columns


class KeyedSumsView(SumsView):
    """Sums by a second key: for each slice, a line for each key that it has."""

    def each(self) -> Iterator[Any]:
        of_slice, of_key = self._table.line_keys()
        columns = SumColumns(self._table, np.arange(self._table.size))
        names: Sequence[KeyTuple] = self._state.key_names.keys
        numbers = of_key.tolist()
        firsts = of_slice.searchsorted(self.slices).tolist()
        lasts = of_slice.searchsorted(self.slices, side="right").tolist()
        for first, last in zip(firsts, lasts, strict=True):
            yield [
                SumLine(columns, line, names[numbers[line]] if names else (numbers[line],))
                for line in range(first, last)
            ]

    def lines(self, terms: Sequence[str]) -> tuple[Array, Array, list[DigitColumn]]:
        """The lines of all slices: the first of each slice, the keys, and the sums of terms.

        Keys are whole numbers.
        """
        of_slice, of_key = self._table.line_keys()
        firsts, lasts = (of_slice.searchsorted(self.slices, side) for side in ("left", "right"))
        rows, _ = spread(firsts, lasts - firsts)
        sums = [exact_sums.lines(self._table.columns[term], rows) for term in terms]
        columns = [DigitColumn(column, len(rows)) for column in sums]
        return running_sums(lasts - firsts), of_key[rows], columns


class CellsView(KeyedSumsView):
    """The cells of classes of each slice."""

    def each(self) -> Iterator[ClassCells]:
        return iter(self.cells)

    @cached_property
    def cells(self) -> list[ClassCells]:
        reading = self._state.reading
        chosen = () if reading is None else reading.classes
        positive = None if reading is None else reading.positive
        which = 1 if positive is None else positive, chosen
        return [_class_cells(lines, *which) for lines in super().each()]


def view_of_sums(state: Sums, number: int, slices: Array) -> SumsView:
    """The view of one table, by the state's second key."""
    if state.key is None:
        return SumsView(state, number, slices)
    return (CellsView if state.key == "class_pair" else KeyedSumsView)(state, number, slices)


def _class_cells(
    lines: Sequence[SumLine], positive: Label, chosen: tuple[Label, ...]
) -> ClassCells:
    weights = {(line.key[0], line.key[1]): line["weight"] for line in lines}
    return ClassCells(weights, lines[0].power if lines else 0, positive, chosen)


def fractions(column: ExactSums, count: int) -> list[Fraction]:
    """The first `count` lines of a column of exact sums."""
    return exact_column(column, count).fractions()


class ExactColumn(NamedTuple):
    """Exact numbers: whole amounts as Python integers, in multiples of 2**powers."""

    amounts: Array
    powers: Array

    def __add__(self, other: "ExactColumn") -> "ExactColumn":  # type: ignore[override]
        powers = np.minimum(self.powers, other.powers)
        mine, more = (
            each.amounts << (each.powers - powers).astype(object) for each in (self, other)
        )
        return ExactColumn(mine + more, powers)

    def fractions(self) -> list[Fraction]:
        return list(map(exact, self.amounts.tolist(), self.powers.tolist()))

    def over(self, whole: Array) -> tuple[Array, Array]:
        """Numerators and denominators of the quotients by whole numbers."""
        up, down = (np.maximum(each, 0).astype(object) for each in (self.powers, -self.powers))
        return self.amounts << up, whole.astype(object) << down


def exact_column(column: ExactSums, count: int) -> ExactColumn:
    """The first `count` lines of a column of exact sums."""
    power = min(column, default=0)
    amounts = np.array(exact_sums.integers(column, power, np.arange(count)), object)
    return ExactColumn(amounts, np.full(count, power))


def quotient(amount: int, power: int) -> float:
    """amount / 2**power, rounded once; infinite beyond float64."""
    try:
        return amount / (1 << power) if power > 0 else float(amount << -power)
    except OverflowError:
        return float("inf") if amount > 0 else float("-inf")


def exact(amount: int, power: int) -> Fraction:
    """amount · 2**power"""
    return Fraction(amount, 1 << -power) if power < 0 else Fraction(amount << power)
