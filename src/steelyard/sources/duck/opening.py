"""A source as the user gave it → a table that DuckDB can read."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from steelyard import errors
from steelyard.phrases import LISTED, listing
from steelyard.sources.duck import databases, files, frames, spool, text_files, text_scan
from steelyard.sources.duck.databases import Database
from steelyard.sources.duck.files import Files
from steelyard.sources.duck.named_files import expanded, named_files
from steelyard.sources.duck.names import (
    described_columns,
    header_names,
    json_names,
    parquet_names,
)
from steelyard.sources.duck.query import Queries
from steelyard.sources.duck.schema import Relation, UniformFiles, union
from steelyard.sources.duck.sql_text import (
    QueryError,
    fetch_reason,
    identifier,
    is_sql,
    listed,
    literal,
    quoted,
    read_error,
    reason,
    unknown_column,
)
from steelyard.sources.duck.table import DuckTable
from steelyard.sources.duck.uniform_files import json_as_text, read_error_for, uniform_files
from steelyard.sources.encoding import not_utf8
from steelyard.sources.text_values import type_of
from steelyard.sources.unchanged import watched

ReadError = Callable[[str], errors.SteelyardError]
Names = Callable[[Sequence[str]], Sequence[str]]  # from those that DuckDB describes to the source's

KEPT = "memory.main.steelyard_kept"  # a copy of rows that can be read only once
FRAME = "steelyard_frame"  # the name of a frame in SQL


def open_duck_table(duck: Queries, source: Any, *, table: str | None, sql: str | None) -> DuckTable:
    """The table of a source, or the result of `sql` on it.

    Each kind of source restricts DuckDB to its own files before it reads the first of them, so
    that SQL of the user, and views of a database, read nothing else.
    """
    if sql is not None or (isinstance(source, str) and is_sql(source)):
        duck.spill()
    database = _database_of(source)
    if source is None and table is None and sql is not None:
        return _sql_source(duck, sql)
    if sql is not None and duck.allows_files:
        _load_all(duck, databases.remote_extensions_in(sql))
    if database is not None:
        base = _from_database(duck, database, table, needed=sql is None)
    elif table is not None:
        raise errors.NO_DATABASE(table=table)
    else:
        base = None if source is None else _base(duck, source)
    if sql is not None:
        return _selected(duck, base, sql)
    if base is None:
        raise errors.NOT_A_SOURCE(type="NoneType")
    return base


def _database_of(source: Any) -> Database | None:
    """The database that a source is, by its address or its first bytes; None if it is not one."""
    if isinstance(source, str) and databases.server(source):
        return databases.server(source)
    if not isinstance(source, str | os.PathLike) or not os.path.isfile(source):
        return None
    path = os.fspath(source)
    if not path.lower().endswith(files.ENDINGS[files.DUCKDB] + files.ENDINGS[files.SQLITE]):
        return None
    extension = "sqlite" if files.format_of(path) == files.SQLITE else None
    return Database(os.path.abspath(path), extension, path)


def _base(duck: Queries, source: Any) -> DuckTable:
    if isinstance(source, str) and is_sql(source):
        return _sql_source(duck, source)
    if isinstance(source, str) and source == "-":
        return _stdin(duck)
    if isinstance(source, str) and databases.remote_extension(source):
        return _remote_files(duck, source)
    if isinstance(source, str | os.PathLike | list | tuple):
        named = list(source) if isinstance(source, list | tuple) else [source]
        shown = ", ".join(os.fspath(path) for path in named[:LISTED])
        if len(named) > LISTED:
            shown += f" and {len(named) - LISTED:,} more"
        return _files(duck, shown, files.find(source))
    return _frame(duck, source)


def _frame(duck: Queries, source: Any) -> DuckTable:
    name, sql = type(source).__name__, FRAME
    table = frames.registrable(source)
    duck.restrict([])
    try:
        duck.register(FRAME, table)
        if frames.is_read_once(source):
            sql = KEPT
            duck.rows(f"CREATE TABLE {KEPT} AS FROM {FRAME}")
        relation = _described(duck, sql, lambda _: frames.names(source))
    except QueryError as error:
        raise _unreadable(name)(str(error)) from error
    return DuckTable(name, duck, relation, _unreadable(name), lambda: frames.length(source))


def _files(duck: Queries, name: str, found: Files) -> DuckTable:
    check_unchanged = watched(found.paths)
    if found.format != files.TEXT:
        text_scan.check_gzip(found.paths)
    read_error = read_error_for(duck, name, found)
    duck.restrict([os.path.abspath(path) for path in found.paths])
    try:
        relation = union(uniform_files(duck, found))
    except QueryError as error:
        check_unchanged()
        raise read_error(str(error)) from error
    values = found.partitions()
    types = {c.sql: type_of(values[c.name]) for c in relation.columns if c.name in values}
    table = DuckTable(name, duck, relation, read_error, lambda: _row_count(duck, found), types)
    table.paths = {os.path.abspath(path): path for path in found.paths}
    table.check_unchanged = check_unchanged
    if found.format == files.TEXT:
        table.scan = lambda: _with_empty_text(duck, found, relation)
    return table


def _with_empty_text(duck: Queries, found: Files, relation: Relation) -> Relation:
    """The relation of CSV files in which `""` is text, if they have such a value."""
    if not text_scan.has_empty_text(found.paths):
        return relation
    return union(uniform_files(duck, found, empty_text=True))


def _row_count(duck: Queries, found: Files) -> int | None:
    """About how many rows the files have, from Parquet's footers or the size of text files."""
    if found.format == files.PARQUET:
        paths = listed(map(literal, found.paths))
        ((rows,),) = duck.rows(f"SELECT sum(num_rows) FROM parquet_file_metadata({paths})")
        return int(rows)
    counts = [text_files.about_rows(path) for path in found.paths]
    return sum(count or 0 for count in counts) if all(c is not None for c in counts) else None


def _stdin(duck: Queries) -> DuckTable:
    path = spool.spool_stdin()
    try:
        table = _files(duck, "-", files.find(path))
    except BaseException as error:
        os.remove(path)
        if isinstance(error, errors.SteelyardError) and error.template is errors.UNREADABLE:
            raise errors.UNREADABLE(path="-", reason=error.facts["reason"]) from error
        if isinstance(error, errors.SteelyardError) and error.template is errors.NOT_UTF8:
            raise not_utf8("-") from error
        raise
    table.read_error = _unreadable("-")
    table.on_close = lambda: os.remove(path)
    table.paths = {}  # the copy is not a file of the user
    return table


def _remote_files(duck: Queries, address: str) -> DuckTable:
    """The table of remote files: DuckDB finds them and their columns."""
    _load(duck, str(databases.remote_extension(address)), address)
    _load_secrets(duck)
    format_ = files.ending(address.partition("?")[0])
    reader = {
        files.PARQUET: f"read_parquet({quoted(address)})",
        files.JSON: f"read_json({quoted(address)})",
        files.TEXT: f"read_csv({quoted(address)}, header = true, all_varchar = true, "
        "allow_quoted_nulls = false)",
    }
    if format_ not in reader:
        raise errors.UNREADABLE(path=address, reason="a remote database must be copied first")
    read_error = _unreadable(address)
    try:
        duck.restrict(expanded(duck, [address]))
        columns = described_columns(
            duck, f"SELECT * FROM {reader[format_]}", _remote_names(duck, format_, address)
        )
    except QueryError as error:
        raise read_error(str(error)) from error
    if format_ == files.TEXT:
        columns = [replace(column, text=True) for column in columns]
    part = UniformFiles((address,), reader[format_], tuple(columns))
    if format_ == files.JSON:
        part = replace(part, as_text=lambda names: json_as_text(quoted(address), names))
    relation = union([part])
    return DuckTable(address, duck, relation, read_error, lambda: None)


def _remote_names(duck: Queries, format_: str, address: str) -> Names:
    quoted_ = quoted(address)
    return {
        files.PARQUET: lambda _: parquet_names(duck, quoted_),
        files.JSON: lambda names: json_names(duck, f"read_json_objects({quoted_})", names),
        files.TEXT: lambda _: header_names(duck, quoted_),
    }[format_]


def _from_database(
    duck: Queries, database: Database, table: str | None, *, needed: bool
) -> DuckTable | None:
    """A table of a database, which is attached read-only; None if SQL will name its tables."""
    shown = database.shown
    if database.extension:
        asked = database.path is None or files.is_named(database.path, files.SQLITE)
        _load(duck, database.extension, shown, download=asked)
    # A reader of SQLite sees one state of the file, whoever writes to it.
    check_unchanged = watched([database.path] if database.path and not database.extension else [])
    try:
        duck.rows(database.attach(quoted(database.address)))
        duck.restrict([])
        duck.use("data")
        known = _tables(duck)
    except QueryError as error:
        raise _unreadable(shown)(str(error)) from error
    listed_ = listing(list(known))
    if table is None and len(known) != 1:
        if needed:
            raise errors.WHICH_TABLE(path=shown, count=len(known), listed=listed_)
        return None
    name = next(iter(known)) if table is None else table
    if name not in known:
        raise errors.NO_TABLE(name=name, path=shown, listed=listed_)
    sql, rows = known[name]
    try:
        relation = _described(duck, sql)
    except QueryError as error:  # of a view
        raise _unreadable(f"{shown}: {name}")(str(error)) from error
    found = DuckTable(f"{shown}: {name}", duck, relation, _unreadable(shown), lambda: rows)
    found.check_unchanged = check_unchanged
    return found


def _tables(duck: Queries) -> dict[str, tuple[str, int | None]]:
    """Tables and views by name: their name in SQL, and about how many rows they have."""
    found = duck.rows(
        "SELECT schema_name, table_name, estimated_size FROM duckdb_tables() "
        "WHERE database_name = 'data' UNION ALL SELECT schema_name, view_name, NULL "
        "FROM duckdb_views() WHERE database_name = 'data' AND NOT internal ORDER BY ALL"
    )
    home = {"main", "public"}  # the default schemas of DuckDB and SQLite, and of Postgres
    return {
        name if schema in home else f"{schema}.{name}": (
            f"data.{identifier(schema)}.{identifier(name)}",
            rows,
        )
        for schema, name, rows in found
    }


def _sql_source(duck: Queries, sql: str) -> DuckTable:
    """SQL that is the source itself: it reads the files that it names."""
    try:
        _check_select(duck, sql)
        names = named_files(duck, sql)
        _load_all(duck, databases.remote_extensions_in("\n".join(names)))
        names = expanded(duck, names)
        check_unchanged = watched(names)
        duck.restrict(names)
    except QueryError as error:
        raise _bad_sql(str(error)) from error
    table = _selected(duck, None, sql)
    table.check_unchanged = check_unchanged
    return table


def _check_select(duck: Queries, sql: str) -> None:
    kinds = duck.statements(sql)
    if kinds != ["SELECT"]:
        raise errors.READ_ONLY_SQL(found=" and ".join(kinds) or "nothing")


def _selected(duck: Queries, base: DuckTable | None, sql: str) -> DuckTable:
    """The result of a single SELECT, read inside a SELECT of ours, which cannot write."""
    try:
        _check_select(duck, sql)
        bare = sql.rstrip().rstrip("; \n")
        base_sql = "" if base is None else f"source AS ({base.typed(bare)})"
        source = base_sql and f"WITH {base_sql} "
        relation = _described(
            duck,
            f"({source}SELECT * FROM (\n{bare}\n))",
            lambda names: _sql_names(duck, base_sql, bare, names),
        )
    except QueryError as error:
        unknown = unknown_column(str(error))
        if base is not None and unknown in base.columns:
            raise base.relation.missing(unknown) from error
        raise _bad_sql(str(error)) from error
    table = DuckTable("SQL", duck, relation, _bad_sql, lambda: None)
    if base is not None:
        table.on_close, table.check_unchanged = base.on_close, base.check_unchanged
    return table


def _sql_names(duck: Queries, source: str, sql: str, described: Sequence[str]) -> Sequence[str]:
    """The names of the columns of a SELECT; DuckDB changes those of a SELECT inside another."""
    if source:
        start = re.match(r"\s*WITH\s+(RECURSIVE\s+)?", sql, re.IGNORECASE)
        rest = f", {sql[start.end() :]}" if start else f" {sql}"
        sql = f"WITH {start[1] or '' if start else ''}{source}{rest}"
    try:
        return [name for name, _ in duck.describe(sql)]
    except QueryError:  # a comment before WITH
        return described


def _bad_sql(message: str) -> errors.SteelyardError:
    return errors.BAD_SQL(reason=reason(message))


def _unreadable(name: str) -> ReadError:
    return lambda message: read_error(name, message)


def _described(duck: Queries, sql: str, known: Names = lambda names: names) -> Relation:
    columns = described_columns(duck, f"SELECT * FROM {sql}", known)
    return union([UniformFiles((), sql, tuple(columns))])


def _load(duck: Queries, extension: str, address: str, *, download: bool = True) -> None:
    """Loads an extension of DuckDB; fetches it if it is not on this machine and asked for."""
    try:
        duck.rows(f"LOAD {extension}")
    except QueryError as absent:
        if not download:
            raise errors.EXTENSION_NOT_ASKED(path=address, extension=extension) from absent
        try:
            duck.rows(f"INSTALL {extension}")
            duck.rows(f"LOAD {extension}")
        except QueryError as error:
            reason_ = fetch_reason(str(error))
            raise errors.NO_EXTENSION(path=address, extension=extension, reason=reason_) from error


def _load_all(duck: Queries, extensions: set[str]) -> None:
    """Loads the extensions of the addresses in an SQL text."""
    for extension in sorted(extensions):
        _load(duck, extension, "SQL")
    if extensions:
        _load_secrets(duck)


def _load_secrets(duck: Queries) -> None:
    """Reads the user's stored secrets, whose folder cannot be read once DuckDB is restricted."""
    duck.rows("SELECT name FROM duckdb_secrets()")
