"""The files that an SQL text names: those that SQL may read where it is the source itself."""

import json
from collections.abc import Iterator
from glob import has_magic
from typing import Any

from steelyard.sources.duck.query import Queries
from steelyard.sources.duck.sql_text import quoted

LITERALS = ("text", "value")  # the fields of a literal in DuckDB 2 and in DuckDB 1


def named_files(queries: Queries, sql: str) -> list[str]:
    """The tables and the texts in calls such as read_csv('a.csv'): as written, before expansion.

    Names that no file has do no harm: they only allow a file that does not exist.
    """
    ((tree,),) = queries.rows(f"SELECT json_serialize_sql({quoted(sql)})")
    return sorted(set(_names(json.loads(tree))))


def expanded(queries: Queries, names: list[str]) -> list[str]:
    """The names, and the files that match those that are patterns."""
    patterns = [name for name in names if has_magic(name)]
    found = [queries.rows(f"SELECT file FROM glob({quoted(pattern)})") for pattern in patterns]
    return names + [str(file) for rows in found for (file,) in rows]


def _names(tree: Any) -> Iterator[str]:
    if isinstance(tree, list):
        for each in tree:
            yield from _names(each)
    elif isinstance(tree, dict) and tree.get("type") == "BASE_TABLE":
        parts = (tree.get(f"{part}_name") for part in ("catalog", "schema", "table"))
        yield ".".join(filter(None, parts))  # `FROM log.csv` names a schema and a table
    elif isinstance(tree, dict) and tree.get("type") == "TABLE_FUNCTION":
        yield from _texts(tree)
    elif isinstance(tree, dict):
        yield from _names(list(tree.values()))


def _texts(tree: Any) -> Iterator[str]:
    """The texts among the arguments of a function, and the names in subqueries of it."""
    if isinstance(tree, list):
        for each in tree:
            yield from _texts(each)
    elif isinstance(tree, dict):
        yield from _names([each for key, each in tree.items() if key == "subquery"])
        for key, each in tree.items():
            if key in LITERALS and isinstance(each, str):
                yield each
            else:
                yield from _texts(each)
