"""CSV by RFC 4180, with a line feed at the end of lines as most writers have it.

A missing value is an empty field, an empty string `""`. Floats have all their digits.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from steelyard.model import Conventions, Row
from steelyard.report.columns import TEXT, TypedColumn, columns

SPECIAL = set(',"\r\n')


def render(rows: Sequence[Row], conventions: Conventions) -> str:
    """A header and one line a row."""
    return write(columns(rows, conventions))


def write(laid: Mapping[str, TypedColumn]) -> str:
    """A header and one line for each place in the columns."""
    lines = zip(*map(_fields, laid.values()), strict=True)
    return "\n".join(map(",".join, chain([map(field, laid)], lines)))


def _fields(column: TypedColumn) -> Iterator[str]:
    """The fields of a column; words come again and again, and each is looked at once."""
    if column.type == TEXT:
        return map({word: field(word) for word in set(column.values)}.__getitem__, column.values)
    return map(field, column.values)


def field(value: Any) -> str:
    """One field.

    >>> field(None), field(""), field("a,b"), field('6"'), field(0.1), field(True)
    ('', '""', '"a,b"', '"6\"\""', '0.1', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    odd = value == "" or value != value.strip() or not SPECIAL.isdisjoint(value)
    return '"' + value.replace('"', '""') + '"' if odd else value
