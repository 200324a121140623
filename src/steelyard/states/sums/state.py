"""Sums: exact, order-free sums of named row terms by key.

Memory: a few numbers for each key that occurs, for any number of rows. Exactness: each row's term
is rounded as its formula says; sums are exact, and rounded only where a metric divides.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, ExactSums, RowCodes, RowTerm
from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.reading.key_order import KeyTuple, sort_key
from steelyard.reading.slices import KeyNumbers
from steelyard.states import exact_sums, wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import count_of, ranks
from steelyard.states.sums import keys, terms
from steelyard.states.sums.table import KEY_BITS, SumTable
from steelyard.states.sums.terms import DROPPED, find
from steelyard.states.term_columns import term_columns

DENSE = 1 << 16  # so many pairs of slice and key may be codes, however few rows there are
MOST_CHOICES = 256  # of terms that are kept: those of a state are the same for every batch
SPARE = 16  # rows per pair, from which pairs are codes: a column of pairs is made for each block


class LineCodes(NamedTuple):
    """The line of each row in one table, as a code below `size`.

    codes: None: all rows have the code 0
    ids: the ids of the lines; None where the key is a slice
    used: the codes that have rows; None: all of them
    """

    codes: Array | None
    size: int
    ids: Array | None
    used: Array | None = None

    def taken(self, column: ExactSums) -> ExactSums:
        """The lines of a column that have rows."""
        if self.used is None or len(self.used) == self.size:
            return column
        return {power: digit[self.used] for power, digit in column.items()}


OUTSIDE = "outside"  # in the header, if a score is


class Sums(KeyedState):
    """Sums of some terms, by slice and, optionally, by a second key.

    key: the rule of the second key, such as "field country"; None: there is none
    terms: names of terms, sorted
    outside: without a second key, whether a score is outside 0 to 1, so that it is no probability
    """

    kind = "sums"

    def __init__(
        self,
        terms: Sequence[str],
        key: str | None = None,
        tables: int = 1,
        clustered: bool = False,
    ) -> None:
        super().__init__(tables, clustered)
        self.terms = tuple(sorted(set(terms)))
        self.key = key
        for name in self.terms:
            find(name)  # refuses an unknown name
        self._rule = None if key is None else keys.find(key)
        self.outside = False
        self.key_names = KeyNumbers()
        self._tables = [SumTable(self.terms, keyed=key is not None) for _ in range(tables)]

    def config(self) -> dict[str, Any]:
        return {"key": self.key, "terms": list(self.terms)}

    def key_columns(self) -> tuple[str, ...]:
        return () if self._rule is None else self._rule.columns

    def key_tuples(self) -> Sequence[KeyTuple]:
        return self.key_names.keys

    def table(self, number: int) -> SumTable:
        """The sums of one table.

        Each row is in one slice of every `by`, so the total is the sum over the first `by`.
        """
        if number or self.tables == 1:
            return self._tables[number]
        first = self._tables[1]
        size = first.size if first.ids is None else count_of(first.line_keys()[0])
        return first.recoded(np.zeros(size, np.int64), None)

    # --- rows ------------------------------------------------------------------------------------
    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        self.outside |= self.key is None and batch.outside
        coding = self._coding(batch)
        chosen = range(1, self.tables) if self.tables > 1 else range(1)
        lines = [self._lines(batch, number, slices, coding) for number in chosen]
        sums = self._sums_of(batch, lines)
        for number, line, found in zip(chosen, lines, sums, strict=True):
            if DROPPED in self.terms:
                found[DROPPED] = {0: slices[number].dropped.astype(np.int64)}
            taken = {name: line.taken(column) for name, column in found.items()}
            self._tables[number].add(taken, line.ids, line.size, len(batch))

    def _lines(
        self, batch: Batch, number: int, slices: Sequence[SliceCodes], coding: keys.Coding | None
    ) -> LineCodes:
        """The line of each row; those of clusters are the same for all scores on the same rows."""
        if not isinstance(self._rule, keys.ClusterKey):
            return _lines(slices[number], coding)
        known: dict[int, LineCodes] = batch.shared.setdefault(keys.CLUSTER, {})
        if number not in known:
            known[number] = _lines(slices[number], coding)
        return known[number]

    def _coding(self, batch: Batch) -> keys.Coding | None:
        """The second key of each row, under this state's key numbers."""
        if self._rule is None:
            return None
        coding = self._rule.code(batch)
        if coding.keys is None:
            return coding
        numbers = self.key_names.number(coding.keys)
        codes = numbers.take(coding.codes) if len(numbers) else coding.codes
        return keys.Coding(codes, len(self.key_names), None)

    def _sums_of(self, batch: Batch, lines: Sequence[LineCodes]) -> Iterator[dict[str, ExactSums]]:
        """The sums of the rows by table and name."""
        return sums_of(self.terms, batch, [RowCodes(line.codes, line.size) for line in lines])

    # --- other states ----------------------------------------------------------------------------
    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        self.outside |= other.outside
        mine = None
        if isinstance(self._rule, keys.ClusterKey):
            mine = numbers[-1]
        elif other.key_names.keys:
            mine = self.key_names.number(self._of_clusters(other.key_names.keys, numbers[-1]))
        tables = zip(self._tables, other._tables, numbers[: self.tables], strict=True)
        for table, theirs, slices in tables:
            if theirs.size:
                moved = theirs.recoded(slices, mine)
                table.add(moved.columns, moved.ids, moved.size, max(theirs.rows, 1))

    # --- bytes -----------------------------------------------------------------------------------
    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        of_key, named = self._key_order(order[-1])
        sections: dict[str, Array] = {}
        powers = []
        for number in range(self.tables):
            table, lines = self._in_order(number, order[number], of_key)
            found = {}
            if table.ids is not None:
                of_slice, key = table.line_keys()
                sections[f"{number}.slice"] = of_slice.astype(np.uint32)
                sections[f"{number}.key"] = key.astype(np.uint32)
            for name, column in table.columns.items():
                carried = exact_sums.carried(column, lines)
                found[name] = carried.power
                sections |= exact_sums.sections(f"{number}.{name}", carried)
            powers.append(found)
        outside = {OUTSIDE: True} if self.outside else {}
        return {"keys": named, "powers": powers, **outside}, sections

    def _in_order(self, number: int, order: Array, of_key: Array | None) -> tuple[SumTable, Array]:
        """A table with slices and keys in the order of the bytes, and the lines to write."""
        table = self.table(number)
        if table.ids is None:
            return table, order
        size = count_of(table.line_keys()[0])
        moved = table.recoded(ranks(order, size), of_key)
        return moved, np.arange(moved.size)

    def _of_clusters(self, names: Sequence[KeyTuple], clusters: Array) -> Sequence[KeyTuple]:
        """Keys with other numbers of clusters, where they have a cluster."""
        if not isinstance(self._rule, keys.WithinCluster):
            return names
        numbers = clusters.tolist()
        return [(numbers[cluster], *rest) for cluster, *rest in names]

    def _key_order(self, clusters: Array) -> tuple[Array | None, list[list[Any]]]:
        """The place of each key in the order of those that have rows, and these keys in order.

        clusters: the numbers of clusters in their order
        """
        if isinstance(self._rule, keys.ClusterKey):
            return ranks(clusters, 0), []
        if not self.key_names.keys:
            return None, []
        names = self._of_clusters(self.key_names.keys, ranks(clusters, 0))
        used = np.unique(np.concatenate([self.table(n).line_keys()[1] for n in range(self.tables)]))
        ordered = sorted(used.tolist(), key=lambda number: sort_key(names[number]))
        places = ranks(np.array(ordered, np.int64), len(names))
        return places, [list(names[number]) for number in ordered]

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        self.outside = self.key is None and header.get(OUTSIDE) is True
        if header["keys"]:
            if self._rule is None:
                raise ValueError("keys of a state without a key")
            names = keys.plain_keys(header["keys"], self._rule)
            self.key_names.number(names)
            if isinstance(self._rule, keys.WithinCluster):
                clusters = [key[0] for key in names if isinstance(key[0], int)]
                if max(clusters, default=-1) >= slices[-1]:
                    raise ValueError("a key of no cluster")
        stored = zip(header["powers"], slices[: self.tables], strict=True)
        key_count = self._key_count(slices[-1])
        for number, (powers, count) in enumerate(stored):
            self._restore_table(number, powers, sections, (count, key_count))
            self._refuse_too_large(self._tables[number])
        self._require_reading(any(any(t.columns[n] for n in t.columns) for t in self._tables))
        if self.tables > 1:  # the total is the sum over a `by`; `loads` compares the bytes
            self._tables[0] = SumTable(self.terms, keyed=self.key is not None)

    def _restore_table(
        self,
        number: int,
        powers: Mapping[str, Any],
        sections: dict[str, Array],
        counts: tuple[int, int],
    ) -> None:
        """The sums of one table; counts: of slices and keys."""
        table, size = self._tables[number], counts[0]
        if table.ids is not None:
            of_slice, of_key = (sections.pop(f"{number}.{name}") for name in ("slice", "key"))
            table.ids = _line_ids(of_slice, of_key, *counts)
            size = len(table.ids)
        table.size = size
        for name in self.terms:
            power = wire.whole(powers[name])
            table.columns[name] = exact_sums.restored(f"{number}.{name}", power, sections, size)
            self._check(name, power, table.columns[name])

    def _key_count(self, clusters: int) -> int:
        if isinstance(self._rule, keys.ClusterKey):
            return clusters
        return self._rule.bins if isinstance(self._rule, keys.BinKey) else len(self.key_names)

    def _check(self, name: str, power: int, column: ExactSums) -> None:
        """Refuse sums that no rows can have."""
        if abs(power) > LARGEST_POWER or power % DIGIT:
            raise ValueError(f"sums in multiples of 2**{power}")
        if column and terms.is_count(name) and power < 0:
            raise ValueError("a fraction of a row")
        if name not in terms.SIGNED and any((digit < 0).any() for digit in column.values()):
            raise ValueError("a negative sum")

    def _refuse_too_large(self, table: SumTable) -> None:
        """Refuse sums of some rows that exceed the sums of all rows."""
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
        """Refuse sums of no weight; a slice may have only dropped rows, a second key may not."""
        if "weight" not in table.columns:
            return
        empty = ~_any(table.columns["weight"], table.size)
        others = [name for name in self.terms if name not in ("weight", DROPPED)]
        if table.ids is not None and empty.any():
            raise ValueError("a key without weight")
        if any((_any(table.columns[name], table.size) & empty).any() for name in others):
            raise ValueError("sums of no rows")


def sums_of(
    terms: tuple[str, ...], batch: Batch, codes: Sequence[RowCodes]
) -> Iterator[dict[str, ExactSums]]:
    """The sums of a batch by name, for each coding of its rows."""
    weighted = batch.weight is not batch.count
    names = _distinct_terms(terms, batch.scores_are_read_as_they_are, weighted)
    for columns in kernels.active().add_terms(codes, term_columns(batch), list(names)):
        pairs = zip(names.values(), columns, strict=True)
        yield {name: column for equal, column in pairs for name in equal}


@lru_cache(MOST_CHOICES)
def _distinct_terms(
    terms: tuple[str, ...], as_they_are: bool, weighted: bool
) -> Mapping[RowTerm, list[str]]:
    """Each distinct formula and weights once, and the names of the terms that are both.

    as_they_are: whether a score, as it is, is the probability; weighted: whether rows have weights
    """
    found: dict[RowTerm, list[str]] = {}
    for name in terms:
        formula, by_weight = find(name)
        if formula == "probability" and as_they_are:
            formula = "score"  # the same number
        if name != DROPPED:
            found.setdefault(RowTerm(formula, by_weight and weighted), []).append(name)
    return found


def _any(column: ExactSums, size: int) -> Array:
    """Which lines of a column are not 0; its digits are carried, as in bytes."""
    found = np.zeros(size, bool)
    for digit in column.values():
        found |= digit != 0
    return found


LARGEST_POWER = 4 * 1085  # digits of products of two float64 have smaller powers


def _lines(slices: SliceCodes, coding: keys.Coding | None) -> LineCodes:
    """The line of each row: its slice, or its slice and second key."""
    if coding is None:
        return LineCodes(slices.codes, slices.size, None)
    width, rows = max(coding.size, 1), len(coding.codes)
    if slices.size * width <= max(DENSE, rows // SPARE):
        codes = coding.codes
        if slices.codes is not None:
            codes = codes + slices.codes.astype(np.int64) * width
        return _dense(codes, slices.size * width, width)
    columns = (coding.codes,) if slices.codes is None else (slices.codes, coding.codes)
    codes, found = kernels.active().rank_keys(columns)
    ids = found[-1].astype(np.uint64)
    if slices.codes is not None:
        ids |= found[0].astype(np.uint64) << KEY_BITS
    return LineCodes(codes, len(ids), ids)


def _dense(codes: Array, size: int, width: int) -> LineCodes:
    """Lines by code, where codes are few; lines without rows are left out after adding."""
    used = np.flatnonzero(kernels.active().sums_by_code(codes, size)[0])
    ids = (used // width).astype(np.uint64) << KEY_BITS
    ids |= (used % width).astype(np.uint64)
    return LineCodes(codes, size, ids, used)


def _line_ids(of_slice: Array, of_key: Array, slices: int, key_count: int) -> Array:
    """The ids of lines, from bytes."""
    if of_slice.dtype != np.uint32 or of_key.dtype != np.uint32 or len(of_slice) != len(of_key):
        raise ValueError("invalid lines")
    if (of_slice >= slices).any() or (of_key >= key_count).any():
        raise ValueError("a line of no slice or key")
    ids: Array = (of_slice.astype(np.uint64) << KEY_BITS) | of_key.astype(np.uint64)
    if not (ids[1:] > ids[:-1]).all():
        raise ValueError("lines out of order")
    return ids
