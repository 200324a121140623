"""DuckDB, the only module that imports it, and imported only where it is needed.

DuckDB reads, filters and converts; it never adds. Rows come in the order of the source, so that row
numbers in errors are right. What a user writes as SQL always stands inside a SELECT of ours, where
DuckDB lets nothing write.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any
from weakref import WeakSet

import duckdb

from steelyard import errors
from steelyard.atomic_write import temporary_path
from steelyard.model import Array
from steelyard.sources.duck.arrow import batches
from steelyard.sources.duck.opening import open_duck_table
from steelyard.sources.duck.query import Batches
from steelyard.sources.duck.read_ahead import PATIENCE, Item, ReadAhead
from steelyard.sources.duck.sql_text import QueryError, quoted, reason
from steelyard.sources.duck.table import DuckTable

# A connection of its own, that fetches no extension, writes no file behind our back and does not
# take the name of a table for that of a Python variable.
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    # Python objects are all looked at: of a sample of whole numbers, 2.5 further down would be 2.
    "pandas_analyze_sample": 1 << 62,
    "preserve_insertion_order": True,
    "python_enable_replacements": False,
    "temp_directory": "",
}


def open_table(
    source: Any,
    *,
    table: str | None = None,
    sql: str | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
) -> DuckTable:
    """A table to read in blocks: of files, SQL, a database, a frame or a mapping of arrays.

    `sql` is run on the source, which it calls `source`; `table` names one of a database.
    """
    config = dict(CONFIG)
    if threads is not None:
        config["threads"] = threads
    if memory is not None:
        config["memory_limit"] = f"{memory}B" if isinstance(memory, int) else memory
    duck = Duck(config)
    try:
        return open_duck_table(duck, source, table=table, sql=sql)
    except BaseException:
        duck.close()
        raise


class Duck:
    """A DuckDB in memory. Each reader has a cursor of its own, set up like all the others."""

    def __init__(self, config: dict[str, Any]) -> None:
        try:
            self._connection = duckdb.connect(":memory:", config=config)
        except duckdb.Error as error:  # a setting that is none
            if "emory" in str(error):
                raise errors.BAD_MEMORY(value=config.get("memory_limit")) from error
            raise errors.BAD_SQL(reason=reason(str(error))) from error
        # hour(ts) of a time with a zone is the same on every machine; for all cursors to come.
        self._connection.execute("SET GLOBAL TimeZone = 'UTC'")
        self._setup: list[Callable[[duckdb.DuckDBPyConnection], Any]] = []
        self._readers: WeakSet[ReadAhead[Any]] = WeakSet()

    def register(self, name: str, table: Any) -> None:
        self._for_all(lambda cursor: cursor.register(name, table))

    def use(self, database: str) -> None:
        self._for_all(lambda cursor: cursor.execute(f"USE {database}"))

    def spill(self) -> None:
        """Room on disk for what does not fit memory; DuckDB makes the folder and removes it."""
        folder = os.path.join(tempfile.gettempdir(), f"steelyard-{os.getpid()}-{id(self)}")
        self.rows(f"SET temp_directory = {quoted(folder)}")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of an answer, fetched in a thread: DuckDB hears no Ctrl-C until it is done."""
        cursor = self._cursor()
        with query_errors(), cursor, ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(lambda: cursor.execute(sql).fetchall())
            try:
                return waiting.result()
            except KeyboardInterrupt:
                while not waiting.done():  # one that comes before the query starts is lost
                    cursor.interrupt()
                    wait([waiting], PATIENCE)
                raise

    def describe(self, sql: str) -> list[tuple[str, str]]:
        return [(str(row[0]), str(row[1])) for row in self.rows(f"DESCRIBE {sql}")]

    def stream(self, sql: str, make: Callable[[Batches], Iterator[Item]]) -> ReadAhead[Item]:
        cursor = self._cursor()

        def read() -> Iterator[Item]:
            with query_errors():
                try:
                    yield from make(batches(cursor.sql(sql)))
                finally:
                    cursor.close()

        def interrupt() -> None:
            with suppress(duckdb.Error):
                cursor.interrupt()

        reader = ReadAhead(read, interrupt)
        self._readers.add(reader)
        return reader

    def check_expression(self, text: str) -> None:
        with query_errors():
            duckdb.SQLExpression(text)

    def statements(self, sql: str) -> list[str]:
        with query_errors():
            return [found.type.name for found in duckdb.extract_statements(sql)]

    def close(self) -> None:
        for reader in list(self._readers):
            reader.stop()
        self._connection.close()

    def _for_all(self, setup: Callable[[duckdb.DuckDBPyConnection], Any]) -> None:
        with query_errors():
            setup(self._connection)
        self._setup.append(setup)

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with query_errors():
            cursor = self._connection.cursor()
            for setup in self._setup:
                setup(cursor)
        return cursor


@contextmanager
def query_errors() -> Iterator[None]:
    """DuckDB's errors as one that others know."""
    try:
        yield
    except duckdb.Error as error:
        raise QueryError(str(error)) from error


def write_parquet(path: str | os.PathLike[str], columns: Mapping[str, Array]) -> None:
    """A Parquet file: written aside and renamed, so that a run cut short leaves nothing half-done.

    The columns' names are ours, not a user's.
    """
    words = {name: c.astype(object) if c.dtype.kind == "U" else c for name, c in columns.items()}
    duck = Duck(CONFIG)
    try:
        with temporary_path(path) as part:
            duck.register("columns", words)
            duck.rows(f"COPY (SELECT * FROM columns) TO {quoted(part)} (FORMAT parquet)")
    except QueryError as error:
        raise errors.UNWRITABLE(path=os.fspath(path), reason=reason(str(error))) from error
    finally:
        duck.close()
