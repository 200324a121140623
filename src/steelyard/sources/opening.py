"""A stand-in, until sources are streams of blocks (0008): one file, and its columns' names."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from steelyard import errors


@dataclass(frozen=True)
class Source(os.PathLike[str]):
    """A file that evaluate takes for its path."""

    name: str
    columns: tuple[str, ...]
    rows: int | None = None

    def __fspath__(self) -> str:
        return self.name

    def close(self) -> None:
        pass


def open_source(
    source: str | os.PathLike[str] | Iterable[str] | None,
    *,
    table: str | None = None,
    sql: str | None = None,
    threads: int | None = None,
    memory: Any = None,
) -> Source:
    """One file, opened as far as its columns are known."""
    from steelyard.sources import duckdb

    if not isinstance(source, str | os.PathLike) or table or sql:
        raise errors.NOT_A_FILE(type=type(source).__name__)
    path = os.fspath(source)
    return Source(path, duckdb.columns(path))
