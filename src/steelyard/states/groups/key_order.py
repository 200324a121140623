"""The order of groups by key."""

from collections.abc import Iterable, Sequence

import numpy as np

from steelyard.model import Array

KeyColumn = tuple[Array, Sequence[str] | None]  # keys; of text keys their codes, and the strings


def key_order(columns: Iterable[KeyColumn]) -> Array:
    """The order of groups by key: numbers by value, text by its UTF-8 bytes."""
    ordered = [keys if texts is None else text_ranks(texts)[keys] for keys, texts in columns]
    return np.lexsort(ordered[::-1])


def text_ranks(texts: Sequence[str]) -> Array:
    """The place of each string in the order of their UTF-8 bytes."""
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    ranks = np.empty(len(encoded), np.int64)
    ranks[sorted(range(len(encoded)), key=encoded.__getitem__)] = np.arange(len(encoded))
    return ranks
