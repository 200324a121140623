"""What the rest of the sources asks of DuckDB, so that they need not import it."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from steelyard.sources.duck.arrow import Piece
from steelyard.sources.duck.read_ahead import Item, ReadAhead

Batches = Iterator[tuple[int, list[Piece]]]


class Queries(Protocol):
    """A DuckDB of our own."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a small answer."""

    def describe(self, sql: str) -> list[tuple[str, str]]:
        """The name and type of each column that a SELECT would give."""

    def stream(self, sql: str, make: Callable[[Batches], Iterator[Item]]) -> ReadAhead[Item]:
        """What is made of the batches of a large answer, in a thread that reads ahead."""

    def check_expression(self, text: str) -> None:
        """Fails unless the text is one expression."""

    def statements(self, sql: str) -> list[str]:
        """The kind of each statement in the text."""

    def register(self, name: str, table: Any) -> None:
        """A frame or a mapping of arrays under a name of ours."""

    def use(self, database: str) -> None:
        """Names of tables are those of this database."""

    def spill(self) -> None:
        """Room on disk for what does not fit memory."""

    def close(self) -> None: ...
