"""Opening of sources: arrays in memory are read directly, everything else by DuckDB."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from steelyard import errors
from steelyard.sources.arrays import Arrays, is_pandas
from steelyard.sources.blocks import Block, ColumnRequest
from steelyard.sources.lazy import LazyRows, is_lazy


class Source(Protocol):
    """Rows that can be read, once or more often."""

    @property
    def name(self) -> str:
        """The name that messages and results show."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of its columns."""

    @property
    def rows(self) -> int | None:
        """About how many rows there are; None if that is not known before reading."""

    def blocks(self, wanted: Sequence[ColumnRequest], where: str | None) -> Iterator[Block]:
        """The rows that satisfy `where`, in order."""

    def close(self) -> None:
        """Closes files and ends threads."""


def open_source(
    source: Any,
    *,
    table: str | None = None,
    sql: str | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    allow_files: bool = False,
) -> Source:
    """A source to read from; a source that is already open is returned."""
    if hasattr(type(source), "blocks"):  # of the type: `rows` of the object would count them
        opened: Source = source
        return opened
    limits: dict[str, Any] = {
        "threads": threads,
        "memory": memory,
        "allow_files": allow_files,
    }
    if is_lazy(source):
        if sql is None and table is None:
            return LazyRows(source, **limits)
        source = source.collect()
    if table is None and sql is None:
        if isinstance(source, Mapping):
            return Arrays(source, **limits)
        if is_pandas(source):
            return Arrays({str(name): source[name] for name in source}, like=source, **limits)
    if not _is_readable(source) and sql is None:
        raise _unreadable(source)
    from steelyard.sources.duck.connection import open_table

    return open_table(source, table=table, sql=sql, **limits)


def _is_readable(source: Any) -> bool:
    if isinstance(source, list | tuple):
        return all(isinstance(path, str | os.PathLike) for path in source)
    return isinstance(source, str | os.PathLike | Mapping) or hasattr(source, "__arrow_c_stream__")


def _unreadable(source: Any) -> errors.SteelyardError:
    """The error for an object that cannot be read, or only after a conversion."""
    kind = type(source).__name__
    for method in ("collect", "to_table"):  # of a lazy frame, of PyArrow's Dataset
        if callable(getattr(source, method, None)):
            return errors.NOT_COLLECTED(type=kind, method=method)
    if isinstance(source, list | tuple):
        invalid = next(each for each in source if not isinstance(each, str | os.PathLike))
        kind += f" of {type(invalid).__name__}"
    return errors.NOT_A_SOURCE(type=kind)
