"""Numbers for keys of one or more columns: equal keys get one number.

A second column is added by numbering the pairs of the numbers so far and its own.
"""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels.interface import Array, CodedKeys, Columns, Texts, UnsignedWords
from steelyard.kernels.numpy.texts import code_texts
from steelyard.kernels.numpy.words import BLOCK, code_words, pair_words
from steelyard.kernels.row_blocks import blocks

NARROW = 2  # keys whose range is below so many times the rows are numbered without hashing
DENSE = 16  # times as many words as there are: a table of all of them, 5 bytes each


def code_keys(columns: Sequence[Array | Texts]) -> CodedKeys:
    """The number of each row's key, and a row with each number."""
    first, *others = (part for column in columns for part in _parts(column))
    found = _code(first)
    for column in others:
        found = _code(pair_words(found.codes, _code(column)))
    return found


def _parts(column: Array | Texts) -> Sequence[Array | Texts]:
    """The column; of NumPy's strings, columns of words with a few letters each."""
    if isinstance(column, Texts) or column.dtype.kind != "U":
        return (column,)
    letters = np.ascontiguousarray(column).view(np.uint32)
    letters = letters.reshape(len(column), column.dtype.itemsize // 4)
    if letters.max(initial=0) < 256:
        letters = letters.astype(np.uint8)  # 8 letters in a 64-bit word instead of 2
    gap = -letters.shape[1] % (8 // letters.itemsize)
    packed = np.pad(letters, ((0, 0), (0, gap))).view(np.uint64)
    return tuple(np.ascontiguousarray(part) for part in packed.T)


def _code(column: Array | Texts) -> CodedKeys:
    if isinstance(column, Texts):
        return code_texts(column)
    if not len(column):
        return CodedKeys(np.zeros(0, np.uint32), np.zeros(0, np.intp))
    words = _as_words(column)
    return _adjacent(words) or _in_range(column, words) or code_words(words)


def _adjacent(words: UnsignedWords) -> CodedKeys | None:
    """Rising numbers, if the rows of each key are adjacent and keys have several rows."""
    changes = words[1:] != words[:-1]
    if 2 * np.count_nonzero(changes) > len(words):
        return None
    firsts = np.append(0, np.flatnonzero(changes) + 1)
    some = words[firsts]
    if not (some[1:] > some[:-1]).all() and len(code_words(some).firsts) < len(some):
        return None
    codes = np.zeros(len(words), np.uint32)
    np.cumsum(changes, out=codes[1:])
    return CodedKeys(codes, firsts)


def _in_range(keys: Array, words: UnsignedWords) -> CodedKeys | None:
    """Numbers in the order of the keys, if these are close together."""
    low, high = int(keys.min()), int(keys.max())
    if high - low >= NARROW * len(keys):
        return None
    least = np.uint64(low & (2**64 - 1))  # words are the keys modulo 2**64
    places = np.full(high - low + 1, -1, np.int64)
    codes = np.empty(len(keys), np.uint32)
    for block in blocks(len(keys), BLOCK):
        near = (words[block] - least).view(np.int64)
        codes[block] = near
        places[near] = np.arange(block.start, block.stop)
    used = np.flatnonzero(places >= 0)
    if len(used) < len(places):
        numbers = np.cumsum(places >= 0, dtype=np.uint32) - np.uint32(1)
        for block in blocks(len(keys), BLOCK):
            codes[block] = numbers.take(codes[block])
    return CodedKeys(codes, places[used])


def _as_words(keys: Array) -> UnsignedWords:
    """Whole numbers as 64-bit words: equal ones for equal numbers."""
    wide = keys if keys.dtype.itemsize == 8 else keys.astype(np.int64)
    return np.ascontiguousarray(wide).view(np.uint64)


def rank_keys(columns: Columns) -> tuple[Array, Columns]:
    """The rank of each row's key among the distinct keys, and these in rising order.

    Columns of all rows are made as few and as narrow as can be: new memory costs time.
    """
    widths = [int(column.max(initial=0)) + 1 for column in columns]
    bound = widths[0] * (widths[1] if len(widths) > 1 else 1)
    ids: Array = columns[0].astype(np.uint32 if bound < 1 << 32 else np.uint64)
    if len(columns) > 1:
        np.multiply(ids, widths[1], out=ids, casting="unsafe")
        # uint64 and int64 would meet in float64.
        second = columns[1].astype(np.uint64, copy=False) if ids.itemsize == 8 else columns[1]
        np.add(ids, second, out=ids, casting="unsafe")
    ranks, found = _ranked(ids, bound)
    return ranks, (found,) if len(columns) == 1 else (found // widths[1], found % widths[1])


def _ranked(words: Array, bound: int) -> tuple[Array, Array]:
    """The rank of each word, and the words in rising order; all are below `bound`."""
    if bound <= DENSE * max(len(words), 1):
        present = np.zeros(bound, bool)
        for block in blocks(len(words)):  # an index is made a 64-bit number: no column of those
            present[words[block]] = True
        found = np.flatnonzero(present)
        ranks = np.zeros(bound, np.int32 if len(found) < 1 << 31 else np.int64)
        ranks[found] = np.arange(len(found))
        of_words = np.empty(len(words), ranks.dtype)
        for block in blocks(len(words)):
            of_words[block] = ranks[words[block]]
        return of_words, found
    words = words.astype(np.uint64, copy=False)
    numbers, places = code_words(words)
    order = np.argsort(words[places])
    rank = np.empty(len(order), np.int32 if len(order) < 1 << 31 else np.int64)
    rank[order] = np.arange(len(order))
    return rank[numbers], words[places][order].astype(np.int64)
