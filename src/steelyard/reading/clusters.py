"""Clusters: the number of each row's cluster, such as its user, the same in all batches."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.model import Array, Key
from steelyard.reading.grouping import RowKeys

NARROW = 1 << 24  # keys of a smaller range have a table: 64 MB at most
UNKNOWN = np.uint32(2**32 - 1)
ROW = "row"  # cluster="row": each row is a cluster of its own


def is_row(cluster: Any) -> bool:
    """Whether each row is a cluster of its own."""
    return isinstance(cluster, str) and cluster == ROW


class ClusterCodes(NamedTuple):
    """The cluster of each row: its number, and how many numbers there are so far."""

    codes: Array
    size: int


class TextNumbers:
    """Distinct strings and their numbers, the same in all batches."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, strings: Sequence[str]) -> Array:
        """The number of each string; a new string gets the next number."""
        known = self._numbers
        if not known:  # the first batch, which is often the only one
            known.update(zip(strings, range(len(strings)), strict=True))
            if len(known) < len(strings):  # a repeated string would leave a gap
                known.clear()
        numbers = [known.setdefault(string, len(known)) for string in strings]
        self.strings += list(known)[len(self.strings) :] if len(known) > len(self.strings) else []
        return np.array(numbers, np.uint32)


class KeyTable(NamedTuple):
    """The numbers of whole-number keys from `low` on; UNKNOWN where there is no such key."""

    low: int
    numbers: Array

    @classmethod
    def of(cls, keys: Array, numbers: Array, low: int, high: int) -> "KeyTable":
        """The table of keys in a range."""
        found = np.full(high - low + 1, UNKNOWN)
        found[keys - keys.dtype.type(low)] = numbers
        return cls(low, found)

    def covers(self, low: int, high: int) -> bool:
        return self.low <= low and high < self.low + len(self.numbers)

    def look_up(self, keys: Array) -> Array:
        numbers: Array = self.numbers[keys - keys.dtype.type(self.low)]
        return numbers


class ClusterNumbers:
    """The keys of clusters and their numbers.

    There may be as many as rows, so that whole numbers are an array and no Python objects. Keys of
    a narrow range are looked up in a table, which takes a hundredth of a second per million rows;
    others are searched among the known keys, which are sorted once there are others.

    >>> clusters = ClusterNumbers()
    >>> clusters.number(RowKeys(np.array([7, 5, 7]))).codes.tolist()
    [0, 1, 0]
    >>> clusters.number(RowKeys(np.array([9, 5]))).codes.tolist(), clusters.key(2)
    ([2, 1], 9)
    """

    def __init__(self) -> None:
        self._texts: TextNumbers | None = None  # where keys are text
        self._keys: Array = np.zeros(0, np.int64)  # where they are whole numbers: by number
        self._sorted: Array = self._keys  # rising; without those of a first block
        self._numbers: Array = np.zeros(0, np.uint32)  # of each sorted key
        self._table = KeyTable(0, np.zeros(0, np.uint32))
        self.rows = 0  # where each row is a cluster

    def __len__(self) -> int:
        if self._texts is not None:
            return len(self._texts.strings)
        return len(self._keys) or self.rows

    @property
    def texts(self) -> list[str] | None:
        """The keys by number, where they are text."""
        return None if self._texts is None else self._texts.strings

    @property
    def form(self) -> str | None:
        """Whether keys are text or whole numbers; None where there are none."""
        if not len(self):
            return None
        return "whole numbers" if self.texts is None else "text"

    @property
    def whole(self) -> Array:
        """The keys by number, where they are whole numbers."""
        return self._keys

    def key(self, number: int) -> Key:
        """The key of a number; that of a row is its position."""
        if self._texts is not None:
            return self._texts.strings[number]
        return self._keys[number].item() if len(self._keys) else number

    def number(self, keys: RowKeys) -> ClusterCodes:
        """The number of each row's cluster; a new key gets the next number."""
        if keys.dictionary is not None:
            numbers = self._known_texts().number(list(keys.dictionary.added))
            codes = numbers[keys.values] if len(numbers) else keys.values.astype(np.uint32)
        else:
            codes = self._numbers_of_whole(keys.values)
        return ClusterCodes(codes, len(self))

    def number_rows(self, positions: Array, end: int) -> ClusterCodes:
        """Each row as a cluster; end: one more than the last position of the block."""
        self.rows = max(self.rows, end)
        return ClusterCodes(positions.astype(np.uint32), self.rows)

    def add(self, other: "ClusterNumbers") -> Array:
        """The numbers of another's clusters, by the number they have there."""
        forms = [self.form, other.form]
        if None not in forms and forms[0] != forms[1]:
            raise errors.merge_differs(field="the keys of clusters", left=forms[0], right=forms[1])
        if other.texts is not None:
            return self._known_texts().number(other.texts)
        return self._numbers_of_whole(other.whole)

    def order(self) -> Array:
        """The numbers in the order of keys: whole numbers by value, text by its UTF-8 bytes."""
        if self._texts is None:
            self._sort()
            return self._numbers
        encoded = [text.encode("utf-8", "surrogateescape") for text in self._texts.strings]
        return np.array(sorted(range(len(encoded)), key=encoded.__getitem__), np.int64)

    def _known_texts(self) -> TextNumbers:
        if self._texts is None:
            self._texts = TextNumbers()
        return self._texts

    def _numbers_of_whole(self, values: Array) -> Array:
        values = self._of_one_type(values)
        if not len(values):
            return np.zeros(0, np.uint32)
        low, high = int(values.min()), int(values.max())
        if high - low < NARROW and self._table.covers(low, high):
            found = self._table.look_up(values)
            missing = found == UNKNOWN
            if not missing.any():
                return found
        return self._searched(values, low, high)

    def _searched(self, values: Array, low: int, high: int) -> Array:
        """The numbers of keys, of which some may be new; the table has them from now on."""
        codes, firsts = kernels.active().code_keys((values,))
        found = values[firsts]
        if not len(self._keys):  # the first block, which is often the only one
            self._keys, numbers = found, np.arange(len(found), dtype=np.uint32)
        else:
            numbers = self._numbers_of_found(found)
        if high - low < NARROW:  # a number is a place among the keys
            inside = np.flatnonzero((self._keys >= low) & (self._keys <= high))
            self._table = KeyTable.of(self._keys[inside], inside.astype(np.uint32), low, high)
        if len(numbers) == len(self._keys) and np.array_equal(found, self._keys):
            return codes.astype(np.uint32, copy=False)
        return numbers[codes]

    def _numbers_of_found(self, found: Array) -> Array:
        """The numbers of distinct keys; new ones get the next numbers."""
        self._sort()
        places = self._sorted.searchsorted(found)
        known = self._sorted.take(places, mode="clip") == found
        if not known.all():
            self._add_whole(np.sort(found[~known]))
            places = self._sorted.searchsorted(found)
        return self._numbers[places]

    def _sort(self) -> None:
        """Sorts the keys of a first block."""
        if len(self._sorted) < len(self._keys):
            self._numbers = np.argsort(self._keys).astype(np.uint32)
            self._sorted = self._keys[self._numbers]

    def _add_whole(self, new: Array) -> None:
        """Add keys that are not known, in rising order."""
        numbers = np.arange(len(self._keys), len(self._keys) + len(new), dtype=np.uint32)
        self._keys = np.concatenate([self._keys, new])
        places = self._sorted.searchsorted(new)
        self._sorted = np.insert(self._sorted, places, new)
        self._numbers = np.insert(self._numbers, places, numbers)

    def _of_one_type(self, values: Array) -> Array:
        """Keys as int64, or all as uint64 where some need it and none is negative."""
        if values.dtype == self._keys.dtype or not len(values):
            return values.astype(self._keys.dtype)
        low = min(int(values.min()), int(self._keys.min(initial=0)))
        if low < 0:
            raise errors.KEYS_TOO_WIDE(low=low)
        self._keys, self._sorted = (a.astype(np.uint64) for a in (self._keys, self._sorted))
        return values.astype(np.uint64)
