"""The connection to DuckDB: the only module that imports it, and imported only when needed.

DuckDB reads, filters and converts; it never adds. Rows come in the order of the source, so that row
numbers in errors are right. A user's SQL is always part of a SELECT of ours, in which DuckDB does
not allow writing.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from glob import escape
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
from steelyard.sources.duck.sql_text import QueryError, listed, quoted, reason
from steelyard.sources.duck.table import DuckTable

# DuckDB must not fetch extensions or write files on its own, nor read the name of a table as that
# of a Python variable.
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    # All Python objects decide on a type: if a sample has only integers, a later 2.5 becomes 2.
    "pandas_analyze_sample": 1 << 62,
    "preserve_insertion_order": True,
    "python_enable_replacements": False,
    "temp_directory": "",
}

MOST_THREADS = 256  # DuckDB starts as many as it is told, be it a billion


def open_table(
    source: Any,
    *,
    table: str | None = None,
    sql: str | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    allow_files: bool = False,
) -> DuckTable:
    """A table to read in blocks: of files, SQL, a database, a frame or a mapping of arrays.

    sql: a query on the source, which it calls `source`; table: the name of a database's table
    allow_files: whether SQL may read files that are not part of the source
    """
    config = dict(CONFIG)
    if threads is not None:
        config["threads"] = min(threads, max(MOST_THREADS, os.cpu_count() or 1))
    if memory is not None:
        valid = memory.isprintable() if isinstance(memory, str) else 0 < memory < 2**63
        if not valid:  # DuckDB answers with a RuntimeError, or takes -5 as no limit
            raise errors.BAD_MEMORY(value=memory)
        config["memory_limit"] = memory if isinstance(memory, str) else f"{memory}B"
    duck = Duck(config, allow_files)
    try:
        return open_duck_table(duck, source, table=table, sql=sql)
    except BaseException:
        duck.close()
        raise


class Duck:
    """A DuckDB in memory; see `Queries`. Each reader has its own cursor with the same setup."""

    def __init__(self, config: dict[str, Any], allows_files: bool = False) -> None:
        self.allows_files = allows_files
        self._restricted = False
        self._folder: str | None = None  # of temporary files
        try:
            self._connection = duckdb.connect(":memory:", config=config)
        except (duckdb.Error, ValueError) as error:  # an invalid setting
            if "emory" in str(error):
                raise errors.BAD_MEMORY(value=config.get("memory_limit")) from error
            raise errors.BAD_SQL(reason=reason(str(error))) from error
        # So that hour(ts) of a time with a zone is the same on every machine, for all cursors.
        self._connection.execute("SET GLOBAL TimeZone = 'UTC'")
        self._setup: list[Callable[[duckdb.DuckDBPyConnection], Any]] = []
        self._readers: WeakSet[ReadAhead[Any]] = WeakSet()

    def register(self, name: str, table: Any) -> None:
        self._for_all(lambda cursor: cursor.register(name, table))

    def use(self, database: str) -> None:
        self._for_all(lambda cursor: cursor.execute(f"USE {database}"))

    def spill(self) -> None:
        """Allows temporary files, in a folder that only this user can read."""
        self._folder = tempfile.mkdtemp(prefix="steelyard-")
        self.rows(f"SET temp_directory = {quoted(self._folder)}")

    def restrict(self, paths: Iterable[str]) -> None:
        """From now on SQL reads these files, the database attached and what it spills itself.

        DuckDB compares the text of a pattern before it expands it: both forms are allowed.
        """
        sql = "SET GLOBAL lock_configuration = true"
        if not self.allows_files:
            allowed = {form for path in paths for form in (path, escape(path))}
            sql = (
                f"SET GLOBAL allowed_paths = {listed(map(quoted, sorted(allowed)))};"
                f"SET GLOBAL enable_external_access = false; {sql}"
            )
        self.rows(sql)
        self._restricted = True

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a result, fetched in a thread: DuckDB ignores Ctrl-C during its calls."""
        cursor = self._cursor()
        with query_errors(), cursor, ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(lambda: cursor.execute(sql).fetchall())
            try:
                return waiting.result()
            except KeyboardInterrupt:
                while not waiting.done():  # an interrupt before the query starts has no effect
                    cursor.interrupt()
                    wait([waiting], PATIENCE)
                raise

    def describe(self, sql: str) -> list[tuple[str, str]]:
        self._check_restricted()
        return [(str(row[0]), str(row[1])) for row in self.rows(f"DESCRIBE {sql}")]

    def stream(self, sql: str, make: Callable[[Batches], Iterator[Item]]) -> ReadAhead[Item]:
        self._check_restricted()
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
        check_unicode(text)
        with query_errors():
            duckdb.SQLExpression(text)

    def statements(self, sql: str) -> list[str]:
        check_unicode(sql)
        with query_errors():
            return [found.type.name for found in duckdb.extract_statements(sql)]

    def close(self) -> None:
        for reader in list(self._readers):
            reader.stop()
        self._connection.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _check_restricted(self) -> None:
        """A SELECT may hold SQL of the user, or a view of a database."""
        if not self._restricted:
            raise RuntimeError("a source reads rows before DuckDB is restricted to its files")

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
    """Turns errors of DuckDB into QueryError."""
    try:
        yield
    except duckdb.Error as error:
        raise QueryError(str(error)) from error


def check_unicode(text: str) -> None:
    """Refuses half of a character, which DuckDB answers with a TypeError."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise QueryError(f"position {error.start} holds half of a character") from error


def write_parquet(path: str | os.PathLike[str], columns: Mapping[str, Array]) -> None:
    """Writes a Parquet file atomically."""
    table = {name: c.astype(object) if c.dtype.kind == "U" else c for name, c in columns.items()}
    duck = Duck(CONFIG)
    try:
        with temporary_path(path) as part:
            duck.register("columns", table)
            duck.rows(f"COPY (SELECT * FROM columns) TO {quoted(part)} (FORMAT parquet)")
    except QueryError as error:
        raise errors.UNWRITABLE(path=os.fspath(path), reason=reason(str(error))) from error
    finally:
        duck.close()
