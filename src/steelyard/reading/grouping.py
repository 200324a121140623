"""Columns of group metrics: the keys of groups, documents, positions, weights of groups."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steelyard import errors
from steelyard.model import Array, Key, Mask
from steelyard.reading.rows import KeptRows
from steelyard.sources.blocks import SourceColumn


class Dictionary:
    """Words and their numbers, the same for all batches of a reader."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, words: Sequence[str]) -> Array:
        """The number of each word; a new word gets the next."""
        known = self._numbers
        if not known:  # the first batch, which is often the only one
            known.update(zip(words, range(len(words)), strict=True))
            if len(known) < len(words):  # a word that comes twice would leave a gap
                known.clear()
        numbers = [known.setdefault(word, len(known)) for word in words]
        self.strings += list(known)[len(self.strings) :] if len(known) > len(self.strings) else []
        return np.array(numbers, np.int64)


class RowKeys(NamedTuple):
    """The group key of each row in one column: whole numbers, or numbers of words."""

    values: Array
    dictionary: Dictionary | None = None

    def take(self, rows: Array | slice) -> "RowKeys":
        return self._replace(values=self.values[rows])


class GroupColumns(NamedTuple):
    """Columns that only group metrics read; None where no metric asks for it.

    group: the keys that make a group; document: what each row is about
    position: the row's number in its source; group_weight: a weight of the group, by column name
    unscored: the rows that were judged but not retrieved; their score says nothing
    """

    group: tuple[RowKeys, ...]
    document: RowKeys | None = None
    position: Array | None = None
    group_weight: Mapping[str, Array] = {}
    unscored: Mask | None = None

    def take(self, rows: Array | slice) -> "GroupColumns":
        """The same of some rows, or of rows in another order."""
        return GroupColumns(
            tuple(keys.take(rows) for keys in self.group),
            None if self.document is None else self.document.take(rows),
            None if self.position is None else self.position[rows],
            {name: column[rows] for name, column in self.group_weight.items()},
            None if self.unscored is None else self.unscored[rows],
        )


def group_keys(name: str, column: SourceColumn, rows: KeptRows, dictionary: Dictionary) -> RowKeys:
    """The keys of groups: 64-bit whole numbers, or the numbers of words."""
    if column.keys is None:
        return RowKeys(_whole(name, column.values, rows))
    spelled = np.array([isinstance(word, str) for word in column.keys], bool)
    if spelled.any() and not spelled.all():
        first = rows.where(spelled[column.values])["position"]
        raise errors.BAD_TYPE(name=name, type="str", position=first, wanted="keys of one type")
    whole = None if spelled.any() else _exact(name, column, rows)
    return documents(column, dictionary) if whole is None else RowKeys(whole)


def _exact(name: str, column: SourceColumn, rows: KeptRows) -> Array | None:
    """Python's numbers as 64-bit whole numbers; None where neither type holds them all."""
    assert column.keys is not None
    broken = np.array([_is_broken(word) for word in column.keys], bool)
    if broken.any():
        bad = broken[column.values]
        value = repr(column.keys[int(column.values[bad.argmax()])])
        raise errors.BAD_GROUP(name=name, **rows.where(bad), value=value)
    whole = [int(word or 0) for word in column.keys]
    low, high = min(whole, default=0), max(whole, default=0)
    for type_ in (np.int64, np.uint64):
        if np.iinfo(type_).min <= low and high <= np.iinfo(type_).max:
            return np.array([*whole, 0], type_)[column.values]
    return None


def _is_broken(word: Key) -> bool:
    """Whether it is no whole number, or a float so large that it stands for many."""
    return isinstance(word, float) and (not word.is_integer() or abs(word) >= 2**63)


def documents(column: SourceColumn, dictionary: Dictionary) -> RowKeys:
    """What rows are about, by its text."""
    assert column.keys is not None
    numbers = dictionary.number([str(word) for word in column.keys])
    return RowKeys(
        numbers[column.values] if len(numbers) else column.values.astype(np.int64), dictionary
    )


def _whole(name: str, values: Array, rows: KeptRows) -> Array:
    """Keys as int64, or uint64 where they are larger; floats that are whole are whole numbers."""
    if values.dtype == np.uint64:
        return values if values.max(initial=0) >= 2**63 else values.astype(np.int64)
    if values.dtype.kind != "f":
        return values.astype(np.int64, copy=False)
    with np.errstate(invalid="ignore"):
        whole = values.astype(np.int64)
        bad = (whole != values) | (np.abs(values) >= 2**63)
    if bad.any():
        value = repr(values[bad.argmax()].item())
        raise errors.BAD_GROUP(name=name, **rows.where(bad), value=value)
    return whole


def positions(rows: KeptRows, count: int) -> Array:
    """The numbers that rows have in their source."""
    kept = np.arange(count) if rows.kept is None else np.flatnonzero(rows.kept)
    return kept + rows.start
