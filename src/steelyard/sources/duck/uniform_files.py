"""Files → relations to select from: neighbouring files with the same columns are read together."""

import csv
import os
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from steelyard import errors
from steelyard.sources.duck import files, sql_text, text_files
from steelyard.sources.duck.files import Files
from steelyard.sources.duck.names import described_columns, json_names, parquet_names
from steelyard.sources.duck.query import Queries
from steelyard.sources.duck.schema import SqlColumn, UniformFiles, file_name
from steelyard.sources.duck.sql_text import QueryError, identifier, listed, literal, quoted
from steelyard.sources.duck.text_files import NO_NULLS, NULLS
from steelyard.sources.encoding import not_utf8
from steelyard.sources.file_kind import unreadable

HIVE = {
    False: "hive_partitioning = false",
    True: "hive_partitioning = true, hive_types_autocast = false",
}


def uniform_files(
    queries: Queries, found: Files, *, empty_text: bool = False
) -> list[UniformFiles]:
    """The files in order; neighbours with the same columns and types are one item.

    empty_text: whether a value `""` of CSV is text, and not a missing value
    """
    keys = tuple(found.partitions())
    if found.format == files.TEXT:
        return _text(queries, found.paths, keys, empty_text)
    if found.format == files.PARQUET:
        shapes = _parquet_shapes(queries, found.paths)
        groups = groupby(found.paths, shapes.__getitem__)
        return [_parquet(queries, tuple(paths), keys) for _, paths in groups]
    described = [_json(queries, (path,), keys) for path in found.paths]
    same = groupby(described, lambda part: part.columns)
    together = [[path for part in each for path in part.paths] for _, each in same]
    if len(together) == len(described):
        return described
    return [_json(queries, tuple(paths), keys) for paths in together]


def read_error_for(
    queries: Queries, name: str, found: Files
) -> Callable[[str], errors.SteelyardError]:
    """A function from DuckDB's message to an error that names the file at fault."""

    def read_error(message: str) -> errors.SteelyardError:
        path = _culprit(queries, message, found) or name
        return sql_text.read_error(path, message)

    return read_error


def _culprit(queries: Queries, message: str, found: Files) -> str | None:
    if len(found.paths) == 1:
        return found.paths[0]
    for path in found.paths:  # a name may be the start of another: check what follows
        if re.search(re.escape(os.path.abspath(path)) + r"(['\"\n]|$)", message):
            return path
    if found.format == files.PARQUET:
        for path in found.paths:  # DuckDB does not always name the file: read them one by one
            try:
                queries.rows(f"SELECT max(hash(t)) FROM read_parquet({literal(path)}) AS t")
            except QueryError:
                return path
    return None


def _text(
    queries: Queries, paths: Sequence[str], keys: tuple[str, ...], empty_text: bool
) -> list[UniformFiles]:
    headers = {path: _header(path, queries) for path in paths}
    made = []
    for header, group in groupby(paths, headers.__getitem__):
        own = [f"column{i}" for i in range(len(header.names))]
        columns = [
            SqlColumn(name, sql if empty_text else f"nullif({sql}, '')", "VARCHAR", True)
            for name, sql in zip(header.names, own, strict=True)
        ]
        near, file = tuple(group), file_name((*own, *keys))
        given = (listed(map(literal, near)), own)
        sql = header.reader(*given, NO_NULLS, _options(bool(keys), file))
        if empty_text:
            queries.rows(f"SELECT count(*) FROM {sql}")  # refuses lines of another length
            sql = header.reader(*given, NULLS, _options(bool(keys), file))
        made.append(
            UniformFiles(near, sql, (*columns, *_key_columns(keys)), keys, identifier(file))
        )
    return made


def _header(path: str, queries: Queries) -> text_files.Header:
    try:
        return text_files.header(path, queries)
    except UnicodeError as error:
        raise not_utf8(path) from error
    except (OSError, EOFError, zlib.error, csv.Error) as error:
        raise unreadable(path, error) from error


def _parquet_shapes(queries: Queries, paths: Sequence[str]) -> dict[str, str]:
    """For each file a text that is equal for equal columns and types, in any order."""
    if len(paths) == 1:
        return {paths[0]: ""}
    field = "concat_ws('|', name, type, converted_type, logical_type, num_children)"
    found = queries.rows(
        f"SELECT file_name, string_agg({field}, ',' ORDER BY {field}) "
        f"FROM parquet_schema({listed(map(literal, paths))}) GROUP BY file_name"
    )
    shapes = {str(name): str(shape) for name, shape in found}
    return {path: shapes[os.path.abspath(path)] for path in paths}


def _parquet(queries: Queries, paths: tuple[str, ...], keys: tuple[str, ...]) -> UniformFiles:
    sql = f"read_parquet({listed(map(literal, paths))}, {{}})"
    return _described(
        queries, paths, sql, keys, lambda _: parquet_names(queries, literal(paths[0]))
    )


def _json(queries: Queries, paths: tuple[str, ...], keys: tuple[str, ...]) -> UniformFiles:
    bare = re.sub(r"\.(gz|zst)$", "", paths[0].lower())
    lines = not bare.endswith(".json")  # .json may be one array
    form = "newline_delimited" if lines else "auto"
    # DuckDB would read a line of more than 200 numbers as a map: it is a row of as many columns.
    shape = "sample_size = -1, union_by_name = true, map_inference_threshold = -1"
    given = f"{listed(map(literal, paths))}, format = '{form}'"
    objects = f"read_json_objects({given})"
    part = _described(
        queries,
        paths,
        f"read_json({given}, {shape}, {{}})",
        keys,
        lambda names: json_names(queries, objects, names),
    )
    part = replace(part, as_text=lambda names: json_as_text(given, names))
    unnamed = [column.name for column in part.columns if not column.text] == ["json"]
    if unnamed and not queries.rows(f"SELECT 1 FROM {part.sql} LIMIT 1"):
        raise errors.UNREADABLE(path=paths[0], reason="it holds no rows, and so no columns")
    return part


def json_as_text(given: str, names: Sequence[str]) -> str:
    """The SQL that reads some columns of JSON as text; given: the files, as SQL."""
    struct = ", ".join(f"{identifier(name)}: 'VARCHAR'" for name in names)
    return f"read_json({given}, columns = {{{struct}}})"


def _described(
    queries: Queries,
    paths: tuple[str, ...],
    reader: str,
    keys: tuple[str, ...],
    known: Callable[[Sequence[str]], Sequence[str]],
) -> UniformFiles:
    """Files with typed columns; the keys in folder names are text.

    reader: the SQL that reads the files, with a place for the option of keys
    known: the names that the files have, of those that DuckDB described
    """
    # Without keys, which would replace the files' own columns of these names.
    own = described_columns(queries, f"SELECT * FROM {_with(reader, HIVE[False])}", known)
    columns = (*own, *_key_columns(keys))
    file = file_name(column.name for column in columns)
    sql = _with(reader, _options(bool(keys), file))
    return UniformFiles(paths, sql, columns, keys, identifier(file))


def _with(reader: str, options: str) -> str:
    return reader.removesuffix("{})") + options + ")"


def _options(keys: bool, file: str) -> str:
    """The options of keys in the names of folders, and of the column of paths."""
    return f"{HIVE[keys]}, filename = {quoted(file)}"


def _key_columns(keys: Iterable[str]) -> list[SqlColumn]:
    return [SqlColumn(key, identifier(key), "VARCHAR", True) for key in keys]
