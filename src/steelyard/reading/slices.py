"""The slice of each row, by one column or by several crossed: the number of a tuple of keys."""

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Key, Mask
from steelyard.reading.key_order import KeyTuple, canonical_key
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.text_keys import TextKeys

ColumnOfKeys = Array | TextKeys
MANY = 1 << 10  # keys of a block, of which a kernel takes a tenth of the time of a dictionary
NUMERIC_TYPES = {int, float, bool}  # values of different types may be equal


class KeyNumbers:
    """Keys and their numbers, the same in all batches of a reader: of one `by` or of a field.

    Equal keys (1, 1.0, true) have one number; `keys` has their `canonical_key`.
    """

    def __init__(self) -> None:
        self.keys: list[KeyTuple] = []
        self._numbers: dict[KeyTuple, int] = {}  # of the first keys; of all, once it is needed
        self._types: set[type] = set()  # the numeric types among the keys
        self._column: ColumnOfKeys | None = None  # the first keys, where they have one part

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, tuples: Sequence[KeyTuple]) -> Array:
        """The number of each key; a new key gets the next number.

        >>> keys = KeyNumbers()
        >>> keys.number([("a", 1.0), ("b", 2)]).tolist(), keys.number([("c", 0), ("a", 1)]).tolist()
        ([0, 1], [2, 0])
        >>> keys.keys
        [('a', 1), ('b', 2), ('c', 0)]
        """
        if len(self._numbers) < len(self.keys):
            self._numbers.update(zip(self.keys, range(len(self.keys)), strict=True))
        self._types |= NUMERIC_TYPES & set(map(type, chain.from_iterable(tuples)))
        if len(self._types) > 1:  # equal keys may be of several types
            found = np.fromiter(map(self._number, tuples), np.intp, len(tuples))
        else:
            found = self._known(tuples)
        return self._narrow(found)

    def number_column(self, keys: Sequence[Key]) -> Array | None:
        """The number of each key of one part, by a kernel; None where a dictionary must do it.

        The keys differ. Where they are few, the dictionary is as good.

        >>> KeyNumbers().number_column(range(3000, 5000)).tolist()[:2]
        [0, 1]
        """
        new = _column_of(keys) if len(keys) >= MANY else None
        if new is None:
            return None
        if self._column is None or len(self._column) < len(self.keys):
            parts = [part for part, *_ in self.keys]
            self._column = _column_of(parts) if parts else new.take(np.zeros(0, np.intp))
        both = None if self._column is None else _joined(self._column, new)
        if both is None:
            return None
        known, column = len(self.keys), both.texts if isinstance(both, TextKeys) else both
        codes, firsts = kernels.active().code_keys((column,))
        numbers = np.full(len(firsts), -1)
        numbers[codes[:known]] = np.arange(known)
        added = np.sort(firsts[numbers < 0])
        numbers[codes[added]] = np.arange(known, known + len(added))
        if len(added):
            self._add(both.take(np.append(np.arange(known), added)), known)
        return self._narrow(numbers.take(codes[known:]))

    def _add(self, column: ColumnOfKeys, known: int) -> None:
        """Adds the keys of a column that are not known."""
        self._column = column
        more = column[known:]
        added: Sequence[Key] = more if isinstance(more, list) else more.tolist()
        self._types |= NUMERIC_TYPES & {type(added[0])}
        self.keys += [(key,) for key in added]

    def _narrow(self, numbers: Array) -> Array:
        return numbers.astype(np.min_scalar_type(max(len(self.keys) - 1, 0)))

    def _known(self, tuples: Sequence[KeyTuple]) -> Array:
        """The same if equal keys are of one type: a third of a microsecond per key."""
        known = self._numbers
        numbers = list(map(known.get, tuples))
        if None in numbers:
            numbers = [known.setdefault(key, len(known)) for key in tuples]
            self.keys += list(islice(known, len(self.keys), None))
        return np.array(numbers, np.intp)

    def _number(self, key: KeyTuple) -> int:
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        elif [*map(type, self.keys[number])] != [*map(type, key)]:
            self.keys[number] = canonical_key(self.keys[number], key)
        return number


def _column_of(keys: Sequence[Key]) -> ColumnOfKeys | None:
    """Keys as texts or as int64; None where they have other or several types."""
    if isinstance(keys, TextKeys):
        return keys
    types = set(map(type, keys))
    if types == {str}:
        return TextKeys.of([str(key) for key in keys])
    try:
        return np.array(keys, np.int64) if types == {int} else None
    except OverflowError:
        return None


def _joined(some: ColumnOfKeys, more: ColumnOfKeys) -> ColumnOfKeys | None:
    """Keys and then others; None where their types differ."""
    if isinstance(some, TextKeys) and isinstance(more, TextKeys):
        return TextKeys.joined([some, more])
    if isinstance(some, np.ndarray) and isinstance(more, np.ndarray):
        return np.concatenate([some, more])
    return None


class Slices(NamedTuple):
    """The slice of each row for one `by`: its number in `keys`, in the smallest unsigned type.

    dropped: the number of rows of each slice that were left out
    """

    keys: KeyNumbers
    codes: Array
    dropped: Array


def slice_codes(columns: Sequence[SourceColumn], keys: KeyNumbers) -> Array:
    """The number of each row's slice, for one block and one `by`."""
    numbers = None
    if len(columns) == 1 and columns[0].missing is None:
        assert columns[0].keys is not None
        codes, numbers = columns[0].values, keys.number_column(columns[0].keys)
    if numbers is None:
        codes, tuples = _crossed(columns)
        numbers = keys.number(tuples)
    if len(numbers) and np.array_equal(numbers, np.arange(len(numbers))):  # as in a first block
        return codes.astype(numbers.dtype, copy=False)
    return numbers.take(codes)


def slices(keys: KeyNumbers, codes: Array, kept: Mask | None, chosen: Array | None) -> Slices:
    """The slices of the chosen among the kept rows; rows that are not kept are counted."""
    left_out = codes[:0]
    if kept is not None:
        left_out, codes = codes[~kept], codes[kept]
    dropped = np.bincount(left_out, minlength=len(keys))
    return Slices(keys, codes if chosen is None else codes[chosen], dropped)


def coded(column: SourceColumn) -> tuple[Array, list[Key]]:
    """The codes and keys of one column; the key of rows without a value is None."""
    assert column.keys is not None
    keys = list(column.keys)
    if column.missing is None or not column.missing.any():
        return column.values, keys
    codes = column.values.astype(np.min_scalar_type(len(keys)))
    codes[column.missing] = len(keys)
    return codes, [*keys, None]


def _crossed(columns: Sequence[SourceColumn]) -> tuple[Array, list[KeyTuple]]:
    """The code of each row, numbered within the block, and the tuple of keys of each code."""
    codes, keys = coded(columns[0])
    tuples: list[KeyTuple] = [(key,) for key in keys]
    for column in columns[1:]:
        more, keys = coded(column)
        codes = codes.astype(np.int64) * len(keys) + more
        used, codes = _used(codes, len(tuples) * len(keys))
        tuples = [(*tuples[pair // len(keys)], keys[pair % len(keys)]) for pair in used]
    return codes, tuples


def _used(codes: Array, count: int) -> tuple[list[int], Array]:
    """The codes that occur, and the index of each row's code among them."""
    if count > max(len(codes), 1 << 16):
        used, places = np.unique(codes, return_inverse=True)
        return used.tolist(), places
    seen = np.bincount(codes, minlength=count) > 0
    places = np.cumsum(seen) - 1
    return np.flatnonzero(seen).tolist(), places[codes]
