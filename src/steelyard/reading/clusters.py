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
        """The table of the keys in a range; keys: rising."""
        start, end = keys.searchsorted(low), keys.searchsorted(high, "right")
        found = np.full(high - low + 1, UNKNOWN)
        found[keys[start:end] - keys.dtype.type(low)] = numbers[start:end]
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
    others are searched among the known keys, which are kept sorted.

    >>> clusters = ClusterNumbers()
    >>> clusters.number(RowKeys(np.array([7, 5, 7]))).codes.tolist()
    [1, 0, 1]
    >>> clusters.number(RowKeys(np.array([9, 5]))).codes.tolist(), clusters.key(2)
    ([2, 0], 9)
    """

    def __init__(self) -> None:
        self._texts: TextNumbers | None = None  # where keys are text
        self._keys: Array = np.zeros(0, np.int64)  # where they are whole numbers: by number
        self._sorted: Array = self._keys  # rising
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
        places = self._sorted.searchsorted(found)
        known = np.zeros(len(found), bool)
        if len(self._sorted):
            known = self._sorted.take(places, mode="clip") == found
        if not known.all():
            self._add_whole(np.sort(found[~known]))
            places = self._sorted.searchsorted(found)
        if high - low < NARROW:
            self._table = KeyTable.of(self._sorted, self._numbers, low, high)
        return self._numbers[places][codes]

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
