"""The order of groups by key."""

from collections.abc import Iterable

import numpy as np

from steelyard.model import Array
from steelyard.sources.text_keys import TextKeys

KeyColumn = tuple[Array, TextKeys | None]  # keys; of text keys their codes, and the texts


def key_order(columns: Iterable[KeyColumn]) -> Array:
    """The order of groups by key: numbers by value, text by its UTF-8 bytes."""
    ordered = [keys if texts is None else text_ranks(texts)[keys] for keys, texts in columns]
    return np.lexsort(ordered[::-1])


def text_ranks(texts: TextKeys) -> Array:
    """The place of each text in the order of their UTF-8 bytes."""
    encoded = texts.bytes()
    ranks = np.empty(len(encoded), np.int64)
    ranks[sorted(range(len(encoded)), key=encoded.__getitem__)] = np.arange(len(encoded))
    return ranks
