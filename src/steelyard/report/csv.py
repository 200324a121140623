"""CSV by RFC 4180, with a line feed at the end of lines as most writers have it.

A missing value is an empty field, an empty string `""`. Floats have all their digits.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.model import Conventions, Row
from steelyard.report.columns import Column, columns

SPECIAL = set(',"\r\n')


def render(rows: Sequence[Row], conventions: Conventions) -> str:
    """A header and one line a row."""
    return write(columns(rows, conventions))


def write(laid: Mapping[str, Column]) -> str:
    """A header and one line for each place in the columns."""
    lines = zip(*(column.values for column in laid.values()), strict=True)
    return "\n".join(",".join(map(field, line)) for line in (laid, *lines))


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
