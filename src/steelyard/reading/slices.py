"""The slice of each row, by one column or by several crossed: the number of a tuple of keys."""

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, Key, Mask
from steelyard.reading.key_order import KeyTuple, canonical_key
from steelyard.sources.blocks import SourceColumn

NUMERIC_TYPES = {int, float, bool}  # values of different types may be equal


class KeyNumbers:
    """Keys and their numbers, the same in all batches of a reader: of one `by` or of a field.

    Equal keys (1, 1.0, true) have one number; `keys` has their `canonical_key`.
    """

    def __init__(self) -> None:
        self.keys: list[KeyTuple] = []
        self._numbers: dict[KeyTuple, int] = {}
        self._types: set[type] = set()  # the numeric types among the keys

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
        self._types |= NUMERIC_TYPES & set(map(type, chain.from_iterable(tuples)))
        if len(self._types) > 1:  # equal keys may be of several types
            found = np.fromiter(map(self._number, tuples), np.intp, len(tuples))
        else:
            found = self._known(tuples)
        return found.astype(np.min_scalar_type(max(len(self.keys) - 1, 0)))

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


class Slices(NamedTuple):
    """The slice of each row for one `by`: its number in `keys`, in the smallest unsigned type.

    dropped: the number of rows of each slice that were left out
    """

    keys: KeyNumbers
    codes: Array
    dropped: Array


def slice_codes(columns: Sequence[SourceColumn], keys: KeyNumbers) -> Array:
    """The number of each row's slice, for one block and one `by`."""
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
