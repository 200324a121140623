"""The order of groups by key."""

from collections.abc import Iterable, Sequence

import numpy as np

from steelyard.model import Array

KeyColumn = tuple[Array, Sequence[str] | None]  # keys, and the words they stand for


def key_order(columns: Iterable[KeyColumn]) -> Array:
    """The order of groups by key: numbers by size, words by their bytes."""
    ordered = [keys if words is None else word_ranks(words)[keys] for keys, words in columns]
    return np.lexsort(ordered[::-1])


def word_ranks(words: Sequence[str]) -> Array:
    """The place of each word in the order of their bytes."""
    encoded = [word.encode("utf-8", "surrogateescape") for word in words]
    ranks = np.empty(len(encoded), np.int64)
    ranks[sorted(range(len(encoded)), key=encoded.__getitem__)] = np.arange(len(encoded))
    return ranks
