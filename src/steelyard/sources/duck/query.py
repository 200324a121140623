"""The interface to DuckDB for the other modules, which do not import it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from steelyard.sources.duck.arrow import Piece
from steelyard.sources.duck.read_ahead import Item, ReadAhead

Batches = Iterator[tuple[int, list[Piece]]]


class Queries(Protocol):
    """A connection to DuckDB."""

    allows_files: bool  # whether SQL of the user may read any file

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a small result."""

    def describe(self, sql: str) -> list[tuple[str, str]]:
        """The name and type of each column of a SELECT, which is not run."""

    def stream(self, sql: str, make: Callable[[Batches], Iterator[Item]]) -> ReadAhead[Item]:
        """The items that `make` yields for the batches of a large result, read ahead."""

    def check_expression(self, text: str) -> None:
        """Raises unless the text is one expression."""

    def statements(self, sql: str) -> list[str]:
        """The kind of each statement in the text."""

    def register(self, name: str, table: Any) -> None:
        """Gives a frame or a mapping of arrays a name in SQL."""

    def use(self, database: str) -> None:
        """Makes a database the one whose tables SQL names."""

    def spill(self) -> None:
        """Allows temporary files for queries that do not fit memory."""

    def restrict(self, paths: Iterable[str]) -> None:
        """From now on SQL reads these files alone, and no setting changes."""

    def close(self) -> None: ...
