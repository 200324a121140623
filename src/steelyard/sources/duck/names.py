"""The names of columns as the source has them: DuckDB changes a name that repeats another.

To DuckDB `y` and `Y` are equal; the second of two equal names becomes `y_1`. Files and frames are
asked for their own names, but only where a name may have been changed.
"""

import re
from collections.abc import Callable, Sequence

from steelyard.sources.duck.query import Queries
from steelyard.sources.duck.schema import SqlColumn
from steelyard.sources.duck.sql_text import identifier

CHANGED = re.compile(r"(.*)_[0-9]+", re.DOTALL)


def described_columns(
    queries: Queries, select: str, known: Callable[[Sequence[str]], Sequence[str]]
) -> list[SqlColumn]:
    """The columns of a SELECT, with the names that the source has for them."""
    found = queries.describe(select)
    names = true_names([name for name, _ in found], known)
    return [
        SqlColumn(name, identifier(described), type_)
        for name, (described, type_) in zip(names, found, strict=True)
    ]


def true_names(
    described: Sequence[str], known: Callable[[Sequence[str]], Sequence[str]]
) -> Sequence[str]:
    """The names in the source of the columns that DuckDB described.

    known: from the names described to the source's own, in the same order

    >>> true_names(["y", "s", "y_1"], lambda described: ["y", "s", "y"])
    ['y', 's', 'y']
    """
    if not any(_may_be_changed(described)):
        return described
    names = known(described)
    return names if len(names) == len(described) else described


def _may_be_changed(described: Sequence[str]) -> list[bool]:
    lower = {name.lower() for name in described}
    found = map(CHANGED.fullmatch, described)
    return [match is not None and match[1].lower() in lower for match in found]


def parquet_names(queries: Queries, path: str) -> list[str]:
    """The names of a Parquet file's columns, those inside nested columns left out."""
    query = f"SELECT name, num_children FROM parquet_schema({path})"
    (_, count), *found = queries.rows(query)
    names: list[str] = []
    inside = 0  # how many of the next ones are inside a nested column
    for name, children in found:
        if not inside and len(names) < int(count):
            names.append(str(name))
        inside += int(children or 0) - bool(inside)
    return names


def json_names(queries: Queries, read: str, described: Sequence[str]) -> list[str]:
    """The names of the columns of JSON: a changed name begins with the key it was made from.

    read: the SQL that reads whole objects, one in a row, as `json`
    """
    found = queries.rows(f"SELECT DISTINCT unnest(json_keys(json)) FROM {read}")
    keys = {str(key) for (key,) in found}
    matches = [(name, CHANGED.fullmatch(name)) for name in described]
    return [
        match[1] if match and name not in keys and match[1] in keys else name
        for name, match in matches
    ]


def header_names(queries: Queries, address: str) -> list[str]:
    """The names in the first line of a remote CSV file."""
    read = f"read_csv({address}, header = false, all_varchar = true)"
    return [str(name or "") for row in queries.rows(f"FROM {read} LIMIT 1") for name in row]
