"""Slicings: the names that each `by` crosses, and the column or SQL expression behind a name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from steelyard import errors
from steelyard.sources.blocks import ColumnRequest

FILE = "file"  # the name of the slices by file, and the kind of their column
Crossed = list[tuple[str, Any]]  # the names that one slicing crosses, each with its column


class Slicings(NamedTuple):
    """The names of each slicing, and the columns of names that are not names of columns."""

    names: tuple[tuple[str, ...], ...]
    columns: Mapping[str, ColumnRequest]

    def requests(self, names: Iterable[str]) -> list[ColumnRequest]:
        """The columns to read for one slicing."""
        return [self.columns.get(name, ColumnRequest(name, "key")) for name in names]

    def text(self) -> str:
        """The names that have an expression, as a user writes them; files have none."""
        named = [f"{name}={c.text}" for name, c in self.columns.items() if c.kind != FILE]
        return ", ".join(named)


NO_SLICINGS = Slicings((), {})


def read_slicings(by: Any, *, by_file: bool = False) -> Slicings:
    """The slicings of `by`; equal ones once.

    >>> read_slicings(["country", ("country", "device"), {"band": "hour // 6"}]).names
    (('country',), ('country', 'device'), ('band',))
    """
    names: list[tuple[str, ...]] = []
    texts: dict[str, str] = {}
    for crossed in _slicings(by):
        for name, text in crossed:
            if not isinstance(text, str):
                raise errors.NOT_A_NAME(role="by", type=type(text).__name__)
            if texts.setdefault(name, text) != text:
                raise errors.SLICE_TWICE(name=name)
        names.append(tuple(name for name, _ in crossed))
    columns = {name: ColumnRequest(text, "key") for name, text in texts.items() if name != text}
    if by_file:
        if FILE in texts:
            raise errors.SLICE_TWICE(name=FILE)
        names.append((FILE,))
        columns[FILE] = ColumnRequest(FILE, FILE)
    return Slicings(tuple(dict.fromkeys(each for each in names if each)), columns)


def _slicings(by: Any) -> Iterator[Crossed]:
    """Each slicing of a `by`: a text, a mapping of names to texts, or several that cross."""
    if isinstance(by, Mapping):
        yield from ([pair] for pair in _pairs(by))
    elif isinstance(by, str | tuple):
        yield _crossed(by)
    elif isinstance(by, Iterable):
        for one in by:
            yield from _slicings(one) if isinstance(one, Mapping) else [_crossed(one)]
    elif by is not None:
        raise errors.NOT_A_NAME(role="by", type=type(by).__name__)


def _crossed(one: Any) -> Crossed:
    if isinstance(one, str) or not isinstance(one, Iterable):
        return _pairs(one)
    return [pair for each in one for pair in _pairs(each)]


def _pairs(one: Any) -> Crossed:
    if isinstance(one, Mapping):
        return [(str(name), text) for name, text in one.items()]
    return [(one, one)]
