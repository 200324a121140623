"""Numbers for words of 64 bits.

Words are hashed into a table, and each is compared with the word in its slot. Words that match get
the number of the slot; the few others go through another round with another hash. So the answer is
exact. Of 10 million words, 1,000 distinct ones take 0.06 s and 200,000 take 0.2 s; where there are
so many that most lose their slot, words are sorted by their hash, in 1.2 s.
"""

import numpy as np

from steelyard.kernels.interface import Array, CodedKeys, UnsignedWords
from steelyard.kernels.ragged import spread
from steelyard.kernels.row_blocks import blocks

# Multipliers (fractions of the golden ratio, √2 and √3) that mix the high bits well.
HASHES = (0x9E3779B97F4A7C15, 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B)
TABLES = (15, 20, 22)  # bits of a slot: tables that fit the caches; one for millions of words
LONG, FIRST = 1 << 20, 1 << 15  # of more than LONG words, the first ones choose the table's size
BLOCK = 1 << 14  # words: 128 kB
FEW = 1 << 12  # words are sorted: a table takes longer to make
CROWDED = 0.25  # with a larger share of collisions, a larger table or sorting is faster


def code_words(words: UnsignedWords) -> CodedKeys:
    """The number of each word, and the index of a word with each number."""
    if len(words) < FEW:
        return _sorted(words)
    size = 0
    if len(words) > LONG and len(code_words(words[:FIRST]).firsts) > CROWDED * (1 << TABLES[0]):
        size = 1
    return _hashed(words, size, 0)


def _hashed(words: UnsignedWords, size: int, turn: int) -> CodedKeys:
    if turn == len(HASHES) or size == len(TABLES):
        return _sorted(words)
    shift = np.uint64(64 - TABLES[size])
    number = np.dtype(np.int32 if len(words) < 1 << 31 else np.int64)  # narrow, for the cache
    slots = np.empty(len(words), np.uint32)
    places: Array = np.full(1 << TABLES[size], -1, number)
    for block in blocks(len(words), BLOCK):  # a slot keeps the last of its words
        hashed = words[block] * np.uint64(HASHES[turn])
        hashed >>= shift
        slots[block] = hashed
        places[hashed.view(np.int64)] = np.arange(block.start, block.stop, dtype=number)
    taken = np.flatnonzero(places >= 0)
    firsts = places[taken].astype(np.intp, copy=False)
    holder = np.zeros(len(places), np.uint64)
    holder[taken] = words[firsts]
    some = slice(0, FIRST)
    if _crowded(int(np.count_nonzero(holder.take(slots[some]) != words[some])), words[some]):
        return _hashed(words, size + 1, turn)
    numbers = np.zeros(len(places), np.uint32)
    numbers[taken] = np.arange(len(taken))
    lost = [taken[:0]]
    for block in blocks(len(words), BLOCK):
        slot = slots[block].astype(np.intp)
        lost.append(np.flatnonzero(holder.take(slot) != words[block]) + block.start)
        slots[block] = numbers.take(slot)
    collisions = np.concatenate(lost)
    if _crowded(len(collisions), words):
        return _hashed(words, size + 1, turn)
    if len(collisions):
        more = _hashed(words[collisions], size, turn + 1)
        slots[collisions] = more.codes + np.uint32(len(taken))
        firsts = np.concatenate([firsts, collisions[more.firsts]])
    return CodedKeys(slots, firsts)


def _crowded(collisions: int, words: UnsignedWords) -> bool:
    return collisions > CROWDED * len(words)


def _sorted(words: UnsignedWords) -> CodedKeys:
    """The numbers by sorting hashes, with the row number in their last bits."""
    width = np.uint64(max(len(words) - 1, 1).bit_length())
    low = (np.uint64(1) << width) - np.uint64(1)
    keys = words * np.uint64(HASHES[0])
    keys &= ~low
    keys |= np.arange(len(words), dtype=np.uint64)
    keys.sort()
    order = (keys & low).astype(np.intp)
    keys >>= width
    ordered = words.take(order)
    new = ordered[1:] != ordered[:-1]
    mixed = np.flatnonzero(new & (keys[1:] == keys[:-1]))
    if len(mixed):  # two words whose hashes have the same first bits: a few in 10 million
        some = np.unique(keys[mixed])
        start = keys.searchsorted(some)
        places, runs = spread(start, keys.searchsorted(some, side="right") - start)
        order[places] = order[places[np.lexsort((ordered[places], runs))]]
        ordered = words.take(order)
        new = ordered[1:] != ordered[:-1]
    numbers = np.zeros(len(words), np.uint32)
    np.cumsum(new, out=numbers[1:])
    codes = np.empty(len(words), np.uint32)
    codes[order] = numbers
    return CodedKeys(codes, order[np.append(True, new)[: len(order)]])


def pair_words(numbers: Array, more: CodedKeys) -> UnsignedWords:
    """A word for each pair of numbers, which fits: both are below the number of rows."""
    pairs = numbers.astype(np.uint64)
    pairs *= np.uint64(len(more.firsts))
    pairs += more.codes
    return pairs
