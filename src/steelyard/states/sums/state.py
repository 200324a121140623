"""Sums: exact, order-free sums of named row terms by key.

Memory: a few numbers for each key that occurs, whatever the number of rows. Exactness: exact; each
row's term is rounded as its formula says, sums are rounded by nobody until a metric divides.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import kernels
from steelyard.distinct import distinct
from steelyard.kernels.interface import DIGIT, ExactSums
from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.reading.key_order import sort_key
from steelyard.reading.slices import KeyNumbers
from steelyard.row_blocks import blocks
from steelyard.states import exact_sums, wire
from steelyard.states.base import SliceCodes, State
from steelyard.states.codes import count_of, ranks
from steelyard.states.sums import keys, terms
from steelyard.states.sums.table import KEY_BITS, SumTable
from steelyard.states.sums.term_rows import TermRows
from steelyard.states.sums.terms import DROPPED

FEW, MANY = 1 << 16, 1 << 20  # rows of a block where lines are few, and where they are many
FEW_LINES = 1 << 13
DENSE = 1 << 16  # pairs of slice and key that are counted in a table, however few rows there are


class LineCodes(NamedTuple):
    """The line of each row for one table: a code below `size`.

    ids: the numbers of lines, None where a line is a slice; used: the codes that have rows, where
    not all have some
    """

    codes: Array | None
    size: int
    ids: Array | None
    used: Array | None = None

    def taken(self, levels: ExactSums) -> ExactSums:
        """A column of the lines that have rows."""
        if self.used is None:
            return levels
        return {power: digit[self.used] for power, digit in levels.items()}


class Sums(State):
    """Sums of some terms, by slice and perhaps by a further key.

    key: the rule of that key, such as "field country"; None: there is none
    terms: names of terms, sorted
    """

    kind = "sums"

    def __init__(self, terms: Sequence[str], key: str | None = None, tables: int = 1) -> None:
        super().__init__(tables)
        self.terms = tuple(sorted(set(terms)))
        self.key = key
        self._terms = {name: find(name) for name in self.terms}
        self._rule = None if key is None else keys.find(key)
        self.key_names = KeyNumbers()
        self._tables = [SumTable(self.terms, keyed=key is not None) for _ in range(tables)]

    def config(self) -> dict[str, Any]:
        return {"key": self.key, "terms": list(self.terms)}

    def __getstate__(self) -> dict[str, Any]:
        """Its terms go to another process by name: functions of a term cannot."""
        return {name: value for name, value in vars(self).items() if name != "_terms"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._terms = {name: find(name) for name in self.terms}

    def table(self, number: int) -> SumTable:
        """The sums of one table. Each row is in one slice of every `by`: those of the total are
        those of the first `by`, added up."""
        if number or self.tables == 1:
            return self._tables[number]
        first = self._tables[1]
        size = first.size if first.ids is None else count_of(first.parts()[0])
        return first.recoded(np.zeros(size, np.int64), None)

    # --- rows ------------------------------------------------------------------------------------
    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        coding = self._coding(batch)
        chosen = range(1, self.tables) if self.tables > 1 else range(1)
        lines = {number: _lines(slices[number], coding) for number in chosen}
        sums = self._measure(batch, lines)
        for number, found in sums.items():
            if DROPPED in self._terms:
                found[DROPPED] = {0: slices[number].dropped.astype(np.int64)}
            line = lines[number]
            taken = {name: line.taken(levels) for name, levels in found.items()}
            self._tables[number].add(taken, line.ids, line.size, len(batch))

    def _coding(self, batch: Batch) -> keys.Coding | None:
        """The further key of each row, under the numbers that this state has for keys."""
        if self._rule is None:
            return None
        coding = self._rule.of(batch)
        if coding.keys is None:
            return coding
        numbers = self.key_names.number(coding.keys)
        codes = numbers.take(coding.codes) if len(numbers) else coding.codes
        return keys.Coding(codes, len(self.key_names), None)

    def _measure(
        self, batch: Batch, lines: Mapping[int, LineCodes]
    ) -> dict[int, dict[str, ExactSums]]:
        """What the rows add to each sum of each table: a term's values are made once."""
        found: dict[int, dict[str, ExactSums]] = {number: {} for number in lines}
        several = max((line.size for line in lines.values()), default=1) > FEW_LINES
        formulas = list(self._distinct(batch))
        for rows in blocks(0, len(batch), MANY if several else FEW):
            block = TermRows(batch, rows)
            for names, parts, weights in formulas:
                for values, chosen in parts(block):
                    here = _weights(weights, rows, chosen)
                    for number, line in lines.items():
                        levels = _add_up(line, rows, values, here, chosen)
                        for name in names:
                            exact_sums.add(
                                found[number].setdefault(name, {}), levels, None, line.size
                            )
        return found

    def _distinct(
        self, batch: Batch
    ) -> Iterator[tuple[list[str], terms.TermFunction, Array | None]]:
        """Each formula once with the weights it is multiplied by, and the sums it belongs to."""
        grouped: dict[
            tuple[terms.TermFunction, int], tuple[list[str], terms.TermFunction, Array | None]
        ] = {}
        for name, term in self._terms.items():
            if name == DROPPED:
                continue
            of = term.of
            if of is terms.probability and batch.reading.downsampled is None:
                of = terms.score  # the same number
            weights = batch.weight if term.weighted else batch.count
            grouped.setdefault((of, id(weights)), ([], of, weights))[0].append(name)
        yield from grouped.values()

    # --- other states ----------------------------------------------------------------------------
    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        mine = None
        if other.key_names.keys:
            mine = self.key_names.number(other.key_names.keys)
        for table, theirs, slices in zip(self._tables, other._tables, numbers, strict=True):
            if theirs.size:
                moved = theirs.recoded(slices, mine)
                table.add(moved.columns, moved.ids, moved.size, max(theirs.rows, 1))

    # --- bytes -----------------------------------------------------------------------------------
    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        of_key, named = self._key_order()
        sections: dict[str, Array] = {}
        powers = []
        for number in range(self.tables):
            table, lines = self._in_order(number, order[number], of_key)
            found = {}
            if table.ids is not None:
                of_slice, key = table.parts()
                sections[f"{number}.slice"] = of_slice.astype(np.uint32)
                sections[f"{number}.key"] = key.astype(np.uint32)
            for name, levels in table.columns.items():
                column = exact_sums.carried(levels, lines)
                found[name] = column.power
                sections |= exact_sums.sections(f"{number}.{name}", column)
            powers.append(found)
        return {"keys": named, "powers": powers}, sections

    def _in_order(self, number: int, order: Array, of_key: Array | None) -> tuple[SumTable, Array]:
        """A table with slices and keys in the order of bytes, and the lines that are written."""
        table = self.table(number)
        if table.ids is None:
            return table, order
        size = count_of(table.parts()[0])
        moved = table.recoded(ranks(order, size), of_key)
        return moved, np.arange(moved.size)

    def _key_order(self) -> tuple[Array | None, list[list[Any]]]:
        """The place of each key among those that have rows, and these in order."""
        names = self.key_names.keys
        if not names:
            return None, []
        used = np.unique(np.concatenate([self.table(n).parts()[1] for n in range(self.tables)]))
        ordered = sorted(used.tolist(), key=lambda number: sort_key(names[number]))
        places = ranks(np.array(ordered, np.int64), len(names))
        return places, [list(names[number]) for number in ordered]

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        if header["keys"]:
            if self._rule is None:
                raise ValueError("keys where there is no rule for them")
            self.key_names.number(keys.plain_keys(header["keys"], self._rule))
        stored = zip(header["powers"], slices, strict=True)
        for number, (powers, count) in enumerate(stored):
            self._restore_table(number, powers, sections, count)
            self._refuse_unfit(self._tables[number])
        self._refuse_unread(any(any(t.columns[n] for n in t.columns) for t in self._tables))
        if self.tables > 1:  # what a `by` adds up to; that the bytes say so is checked by all
            self._tables[0] = SumTable(self.terms, keyed=self.key is not None)

    def _restore_table(
        self, number: int, powers: Mapping[str, Any], sections: dict[str, Array], slices: int
    ) -> None:
        table, size = self._tables[number], slices
        if table.ids is not None:
            of_slice, of_key = (sections.pop(f"{number}.{name}") for name in ("slice", "key"))
            table.ids = _line_ids(of_slice, of_key, slices, self._key_count())
            size = len(table.ids)
        table.size = size
        for name in self.terms:
            power = wire.whole(powers[name])
            table.columns[name] = exact_sums.restored(f"{number}.{name}", power, sections, size)
            self._check(name, power, table.columns[name])

    def _key_count(self) -> int:
        return self._rule.bins if isinstance(self._rule, keys.BinKey) else len(self.key_names)

    def _check(self, name: str, power: int, levels: ExactSums) -> None:
        """What a checksum cannot see: sums that no rows have."""
        if abs(power) > LARGEST_POWER or power % DIGIT:
            raise ValueError(f"sums counted in 2**{power}")
        if levels and terms.is_count(name) and power < 0:
            raise ValueError("a part of a row")
        signed = name != DROPPED and self._terms[name].signed
        if not signed and any((digit < 0).any() for digit in levels.values()):
            raise ValueError("a weight below zero")

    def _refuse_unfit(self, table: SumTable) -> None:
        """Refuse sums of some rows that are larger than those of all of them."""
        for more, less in terms.never_below_zero(self.terms):
            rest: ExactSums = {}
            for name in more:
                exact_sums.add(rest, table.columns[name], None, table.size)
            for name in less:
                opposite = {power: -digit for power, digit in table.columns[name].items()}
                exact_sums.add(rest, opposite, None, table.size)
            if exact_sums.carried(rest, np.arange(table.size)).negative.any():
                raise ValueError(f"{' and '.join(less)} of more than all rows")
        self._refuse_weightless(table)

    def _refuse_weightless(self, table: SumTable) -> None:
        """Refuse sums of rows that weigh nothing; a slice may have lost all its rows, a key not."""
        if "weight" not in table.columns:
            return
        empty = ~_any(table.columns["weight"], table.size)
        others = [name for name in self.terms if name not in ("weight", DROPPED)]
        if table.ids is not None and empty.any():
            raise ValueError("a key without weight")
        if any((_any(table.columns[name], table.size) & empty).any() for name in others):
            raise ValueError("sums of no rows")


def _any(levels: ExactSums, size: int) -> Array:
    """Which lines of a column, as it is in bytes, are not zero."""
    found = np.zeros(size, bool)
    for digit in levels.values():
        found |= digit != 0
    return found


LARGEST_POWER = 4 * 1085  # a product of two float64 and its digits stay within


def find(name: str) -> terms.Term:
    """The term of a name; rows that were left out are counted by batches."""
    return terms.Term(terms.one, weighted=False) if name == DROPPED else terms.find(name)


def _lines(slices: SliceCodes, coding: keys.Coding | None) -> LineCodes:
    """The line of each row: its slice, or its slice and key."""
    if coding is None:
        return LineCodes(slices.codes, slices.size, None)
    width, rows = max(coding.size, 1), len(coding.codes)
    if slices.size * width <= max(DENSE, rows):
        codes = coding.codes
        if slices.codes is not None:
            codes = codes + slices.codes.astype(np.int64) * width
        return _dense(codes, slices.size * width, width)
    ids = coding.codes.astype(np.uint64)
    if slices.codes is not None:
        ids |= slices.codes.astype(np.uint64) << KEY_BITS
    return _hashed(ids)


def _dense(codes: Array, size: int, width: int) -> LineCodes:
    """Lines of codes that are few: those that occur are taken when sums are there."""
    counts = kernels.active().sums_by_code(codes, size).get(0, np.zeros(size, np.int64))
    used = np.flatnonzero(counts)
    ids = (used // width).astype(np.uint64) << KEY_BITS
    ids |= (used % width).astype(np.uint64)
    return LineCodes(codes, size, ids, used)


def _hashed(ids: Array) -> LineCodes:
    """Lines of numbers that may be many."""
    numbers, places = distinct(ids)
    found = ids[places]
    order = np.argsort(found)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return LineCodes(place.take(numbers), len(found), found[order])


def _line_ids(of_slice: Array, of_key: Array, slices: int, key_count: int) -> Array:
    """The numbers of lines, from bytes."""
    if of_slice.dtype != np.uint32 or of_key.dtype != np.uint32 or len(of_slice) != len(of_key):
        raise ValueError("lines that are none")
    if (of_slice >= slices).any() or (of_key >= key_count).any():
        raise ValueError("a line of no slice or key")
    ids: Array = (of_slice.astype(np.uint64) << KEY_BITS) | of_key.astype(np.uint64)
    if not (ids[1:] > ids[:-1]).all():
        raise ValueError("lines out of order")
    return ids


def _weights(weights: Array | None, rows: slice, chosen: Array | None) -> Array | None:
    if weights is None:
        return None
    return weights[rows] if chosen is None else weights[rows][chosen]


def _add_up(
    line: LineCodes, rows: slice, values: Array | None, weights: Array | None, chosen: Array | None
) -> ExactSums:
    """The sums of some terms by line."""
    kernel = kernels.active()
    if line.codes is None:
        if values is None and weights is None:
            count = rows.stop - rows.start if chosen is None else int(np.count_nonzero(chosen))
            return kernel.exact_sums_of(count, 0)
        return kernel.sums_by_code(None, 1, values, weights)
    codes = line.codes[rows]
    if values is None and weights is None and chosen is not None:  # half the time of a selection
        return kernel.sums_by_code(codes, line.size, chosen)
    return kernel.sums_by_code(
        codes if chosen is None else codes[chosen], line.size, values, weights
    )
