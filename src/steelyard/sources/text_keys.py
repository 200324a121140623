"""Texts as columns of bytes: Python's strings are made when they are looked at."""

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from steelyard.kernels.interface import Texts
from steelyard.kernels.ragged import spread
from steelyard.model import Array


class TextKeys(Sequence[str]):
    """Texts in the order of their numbers; distinct: it is known that no two are the same.

    >>> TextKeys.of(["b", "é"])[1]
    'é'
    """

    def __init__(self, texts: Texts, *, distinct: bool = False) -> None:
        self.texts = texts
        self.distinct = distinct

    @classmethod
    def of(cls, strings: Sequence[str]) -> "TextKeys":
        """The texts of Python's strings."""
        if isinstance(strings, cls):
            return strings
        texts = _joined(strings)
        if texts is None:
            encoded = [_encoded(text) for text in strings]
            lengths = np.array([len(each) for each in encoded], np.int64)
            starts = np.cumsum(lengths) - lengths
            texts = Texts(starts, lengths, np.frombuffer(b"".join(encoded), np.uint8))
        return cls(texts)

    @classmethod
    def joined(cls, parts: "Sequence[TextKeys]") -> "TextKeys":
        """The texts of several columns, one after the other."""
        if len(parts) == 1:
            return parts[0]
        ends = np.cumsum([len(part.texts.data) for part in parts])
        moved = zip(parts, ends.tolist(), strict=True)
        starts = [part.texts.starts + (end - len(part.texts.data)) for part, end in moved]
        lengths, data = ([part.texts[place] for part in parts] for place in (1, 2))
        return cls(Texts(*map(np.concatenate, (starts, lengths, data))))

    def take(self, places: Array) -> "TextKeys":
        """Some of the texts, with no bytes but theirs; if all, no copy where they own these."""
        all_ = len(places) == len(self) and np.array_equal(places, np.arange(len(places)))
        if all_ and self.texts.data.flags.owndata and _are_adjacent(self.texts):
            return self
        starts, lengths = self.texts.starts[places], self.texts.lengths[places]
        data = self.texts.data[spread(starts, lengths)[0]]
        return TextKeys(Texts(np.cumsum(lengths) - lengths, lengths, data))

    def bytes(self) -> list[bytes]:
        """The UTF-8 bytes of each text."""
        data, (starts, lengths, _) = self.texts.data.tobytes(), self.texts
        ends = (starts + lengths).tolist()
        return [data[start:end] for start, end in zip(starts.tolist(), ends, strict=True)]

    def __len__(self) -> int:
        return len(self.texts.starts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return list(self)[place]
        start, length = self.texts.starts[place], self.texts.lengths[place]
        return self.texts.data[start : start + length].tobytes().decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        return (each.decode("utf-8", "surrogateescape") for each in self.bytes())


def _joined(strings: Sequence[str]) -> Texts | None:
    """The texts, once joined with zeros between them: a tenth of the time of encoding each.

    None where some have a zero, or a code point that is no character.
    """
    try:
        data = np.frombuffer("\0".join(strings).encode(), np.uint8)
    except UnicodeEncodeError:
        return None
    ends = np.append(np.flatnonzero(data == 0), len(data))
    if len(ends) != len(strings):
        return None
    ends -= np.arange(len(ends))
    starts = np.append(0, ends[:-1])
    return Texts(starts, ends - starts, data[data != 0])


def _are_adjacent(texts: Texts) -> bool:
    """Whether the texts are one after another from the first byte to the last."""
    ends = np.append(0, texts.starts + texts.lengths)
    return int(ends[-1]) == len(texts.data) and np.array_equal(ends[:-1], texts.starts)


def _encoded(text: str) -> bytes:
    """The bytes of a text; "surrogatepass" where it has a code point that no bytes stand for."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
