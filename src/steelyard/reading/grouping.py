"""Columns of group metrics: group keys, documents, row positions and group weights."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.model import Array, Key, Mask
from steelyard.reading.row_numbers import KeptRows
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.keys import renumbered
from steelyard.sources.text_keys import TextKeys


class Dictionary:
    """The texts of all batches of a reader: each is added as it comes, and has a place.

    Equal texts of two batches have two places, and one number. All places are numbered at once,
    by a kernel, when numbers are asked for: there are no Python strings.

    >>> words = Dictionary()
    >>> words.add(["a", "b"]).tolist(), words.add(["c", "a"]).tolist()
    ([0, 1], [2, 3])
    >>> [words.strings[number] for number in words.numbers.tolist()]
    ['a', 'b', 'c', 'a']
    """

    def __init__(self) -> None:
        self._parts: list[TextKeys] = []
        self._size = 0
        self._numbered: tuple[Array, TextKeys] | None = None

    def add(self, texts: Sequence[str]) -> Array:
        """The places of some texts."""
        if not len(texts):
            return np.zeros(0, np.int64)
        self._parts.append(TextKeys.of(texts))
        self._size += len(texts)
        self._numbered = None
        return np.arange(self._size - len(texts), self._size)

    @property
    def numbers(self) -> Array:
        """The number of the text at each place."""
        return self._all[0]

    @property
    def strings(self) -> TextKeys:
        """The text of each number."""
        return self._all[1]

    @property
    def added(self) -> TextKeys:
        """The text at each place."""
        return TextKeys.joined(self._parts) if self._parts else TextKeys.of([])

    @property
    def _all(self) -> tuple[Array, TextKeys]:
        if self._numbered is None:
            texts = self.added
            if texts.distinct:
                self._numbered = np.arange(len(texts), dtype=np.uint32), texts
                return self._numbered
            numbers, firsts = kernels.active().code_keys((texts.texts,))
            self._numbered = numbers, texts.take(firsts)
        return self._numbered


class RowKeys(NamedTuple):
    """The key of each row in one column: whole numbers, or places of texts in a dictionary."""

    values: Array
    dictionary: Dictionary | None = None

    def take(self, rows: Array | slice) -> "RowKeys":
        return self._replace(values=self.values[rows])


class GroupColumns(NamedTuple):
    """Columns that only group metrics read; None where no metric needs it.

    group: the columns of the group key; document: the document of each row
    position: the row's number in its source; group_weight: weights of groups, by column name
    unscored: the rows that were judged but not retrieved; their score has no meaning
    """

    group: tuple[RowKeys, ...]
    document: RowKeys | None = None
    position: Array | None = None
    group_weight: Mapping[str, Array] = {}
    unscored: Mask | None = None

    def take(self, rows: Array | slice) -> "GroupColumns":
        """The columns of the given rows, in the given order."""
        return GroupColumns(
            tuple(keys.take(rows) for keys in self.group),
            None if self.document is None else self.document.take(rows),
            None if self.position is None else self.position[rows],
            {name: column[rows] for name, column in self.group_weight.items()},
            None if self.unscored is None else self.unscored[rows],
        )


def group_keys(name: str, column: SourceColumn, rows: KeptRows, dictionary: Dictionary) -> RowKeys:
    """The group key of each row: a 64-bit whole number, or the number of a string."""
    if column.keys is None:
        return RowKeys(as_whole(name, column.values, rows))
    if rows.kept is not None:  # the keys of other rows may be of another type
        column = column.with_used_keys()
    assert column.keys is not None
    if isinstance(column.keys, TextKeys) and len(column.keys):
        return document_keys(column, dictionary)
    text = np.array([isinstance(key, str) for key in column.keys], bool)
    if text.any() and not text.all():
        first = rows.where(text[column.values])["position"]
        raise errors.BAD_TYPE(name=name, type="str", position=first, wanted="keys of one type")
    whole = None if text.any() else _as_integers(name, column, rows)
    return document_keys(column, dictionary) if whole is None else RowKeys(whole)


def _as_integers(name: str, column: SourceColumn, rows: KeptRows) -> Array | None:
    """Python numbers as int64 or uint64; None where neither type holds them all."""
    assert column.keys is not None
    inexact = np.array([_is_inexact(key) for key in column.keys], bool)
    if inexact.any():
        bad = inexact[column.values]
        value = repr(column.keys[int(column.values[bad.argmax()])])
        raise errors.BAD_GROUP(name=name, **rows.where(bad), value=value)
    whole = [int(key or 0) for key in column.keys]
    low, high = min(whole, default=0), max(whole, default=0)
    for type_ in (np.int64, np.uint64):
        if np.iinfo(type_).min <= low and high <= np.iinfo(type_).max:
            return np.array([*whole, 0], type_)[column.values]
    return None


def _is_inexact(key: Key) -> bool:
    """Whether a float is not whole, or so large that several whole numbers round to it."""
    return isinstance(key, float) and (not key.is_integer() or abs(key) >= 2**63)


def document_keys(column: SourceColumn, dictionary: Dictionary) -> RowKeys:
    """The document of each row, identified by its text."""
    assert column.keys is not None
    texts = column.keys
    places = dictionary.add(texts if isinstance(texts, TextKeys) else [str(key) for key in texts])
    return RowKeys(renumbered(places, column.values), dictionary)


def as_whole(name: str, values: Array, rows: KeptRows) -> Array:
    """Keys as int64, or uint64 where some are larger; floats must be whole numbers."""
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
    """The number of each row in its source."""
    kept = np.arange(count) if rows.kept is None else np.flatnonzero(rows.kept)
    return kept + rows.start
