"""CSV by RFC 4180, with a line feed at the end of lines.

A missing value is an empty field; an empty string is `""`. Floats have all their digits.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from steelyard import errors
from steelyard.model import Conventions, Row
from steelyard.report.columns import TEXT, TypedColumn, typed_columns
from steelyard.report.shape_columns import printed, typed_shapes

SPECIAL = set(',"\r\n')


def render(rows: Sequence[Row], conventions: Conventions, shapes: Sequence[Row] = ()) -> str:
    """A header and one line per row, or the lines of shapes; one table, not two."""
    shapes = printed(shapes, conventions)
    if not shapes:
        return write(typed_columns(rows, conventions))
    if rows:
        every = (row.metric for row in (*rows, *shapes))
        raise errors.ONE_TABLE(tables=", ".join(dict.fromkeys(every)))
    return write(typed_shapes(shapes, conventions))


def write(columns: Mapping[str, TypedColumn]) -> str:
    """A header and the lines of the columns."""
    return "\n".join(records(columns))


def records(columns: Mapping[str, TypedColumn]) -> Iterator[str]:
    """The header and the record of each line; a quoted field may hold line feeds."""
    lines = zip(*map(_fields, columns.values()), strict=True)
    return map(",".join, chain([map(field, columns)], lines))


def _fields(column: TypedColumn) -> Iterator[str]:
    """The fields of a column; texts repeat, so that each distinct one is quoted once."""
    if column.type == TEXT:
        return map({text: field(text) for text in set(column.values)}.__getitem__, column.values)
    return map(field, column.values)


def field(value: Any) -> str:
    """A value as a field.

    >>> field(None), field(""), field("a,b"), field('6"'), field(0.1), field(True)
    ('', '""', '"a,b"', '"6\"\""', '0.1', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    quoted = value == "" or value != value.strip() or not SPECIAL.isdisjoint(value)
    return '"' + value.replace('"', '""') + '"' if quoted else value
