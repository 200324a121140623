"""The bytes of keys that may be as many as rows: whole numbers as they are, text as UTF-8."""

import numpy as np

from steelyard.kernels.interface import Texts
from steelyard.model import Array
from steelyard.sources.text_keys import TextKeys

WHOLE = (np.dtype(np.int64), np.dtype(np.uint64))


def key_sections(name: str, keys: Array, texts: TextKeys | None) -> dict[str, Array]:
    """The arrays of a key column; keys: of text keys their codes."""
    if texts is not None:
        return text_sections(name, texts.take(keys))
    large = keys.max(initial=0) >= 2**63
    return {name: keys.astype(np.uint64 if large else np.int64)}


def text_sections(name: str, texts: TextKeys) -> dict[str, Array]:
    """The arrays of texts that have no bytes but theirs: these, and the length of each."""
    _, lengths, data = texts.texts
    return {f"{name}.text": data, f"{name}.lengths": lengths.astype(np.uint32)}


def restored_texts(name: str, rest: dict[str, Array]) -> TextKeys:
    """The texts of `text_sections`, taken out of `rest`."""
    data, lengths = rest.pop(f"{name}.text"), rest.pop(f"{name}.lengths")
    if data.dtype != np.uint8 or lengths.dtype != np.uint32:
        raise ValueError("text of another type")
    ends = np.cumsum(lengths, dtype=np.int64)
    if (ends[-1] if len(ends) else 0) != len(data):
        raise ValueError("text that does not fit its lengths")
    return TextKeys(Texts(ends - lengths, lengths.astype(np.int64), data))


def restored_whole(name: str, rest: dict[str, Array]) -> Array:
    """Whole-number keys, taken out of `rest`."""
    keys = rest.pop(name)
    if keys.dtype not in WHOLE:
        raise ValueError(f"keys of type {keys.dtype}")
    return keys
