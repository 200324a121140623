"""The bytes of keys that may be as many as rows: whole numbers as they are, text as UTF-8."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Array

WHOLE = (np.dtype(np.int64), np.dtype(np.uint64))


def key_sections(name: str, keys: Array, texts: Sequence[str] | None) -> dict[str, Array]:
    """The arrays of a key column; keys: of text keys their codes."""
    if texts is not None:
        return text_sections(name, [texts[code] for code in keys.tolist()])
    large = keys.max(initial=0) >= 2**63
    return {name: keys.astype(np.uint64 if large else np.int64)}


def text_sections(name: str, texts: Sequence[str]) -> dict[str, Array]:
    """The arrays of strings: all their UTF-8 bytes, and the length of each."""
    encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
    return {
        f"{name}.text": np.frombuffer(b"".join(encoded), np.uint8),
        f"{name}.lengths": np.array([len(text) for text in encoded], np.uint32),
    }


def restored_texts(name: str, rest: dict[str, Array]) -> list[str]:
    """The strings of `text_sections`, taken out of `rest`."""
    text, lengths = rest.pop(f"{name}.text").tobytes(), rest.pop(f"{name}.lengths")
    ends = np.cumsum(lengths, dtype=np.int64)
    if (ends[-1] if len(ends) else 0) != len(text):
        raise ValueError("text that does not fit its lengths")
    starts = (ends - lengths).tolist()
    return [
        text[start:end].decode("utf-8", "surrogateescape")
        for start, end in zip(starts, ends.tolist(), strict=True)
    ]


def restored_whole(name: str, rest: dict[str, Array]) -> Array:
    """Whole-number keys, taken out of `rest`."""
    keys = rest.pop(name)
    if keys.dtype not in WHOLE:
        raise ValueError(f"keys of type {keys.dtype}")
    return keys
