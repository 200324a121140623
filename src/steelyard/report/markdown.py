"""A table in GitHub's Markdown."""

import re
from collections.abc import Iterable, Sequence

from steelyard.model import Conventions, Row
from steelyard.report.shape_layout import layouts
from steelyard.report.text_table import TextTable

# Characters with a meaning in Markdown; an underscore only at the start or end of a word.
SPECIAL = re.compile(r"[\\|`*<&\[\]$]|(?<!\w)_|_(?!\w)")


def render(
    rows: Sequence[Row],
    conventions: Conventions,
    shapes: Sequence[Row] = (),
    *,
    limit: int | None = None,
) -> str:
    """The tables and a paragraph for each note."""
    return draw(layouts(rows, conventions, shapes, limit))


def draw(found: Sequence[TextTable]) -> str:
    """The tables, and a paragraph for each of their notes."""
    tables = [_table(table) for table in found if table.columns]
    return "\n\n".join([*tables, *(escaped(note) for table in found for note in table.notes)])


def _table(table: TextTable) -> str:
    """A table, below its title if it has one."""
    ends = [":--" if column.is_text else "--:" for column in table.columns]
    lines = [[escaped(cell.text) for cell in line] for line in table.lines]
    title = [f"**{escaped(table.title)}**"] if table.title else []
    more = [f"… and {table.hidden:,} more lines"] if table.hidden else []
    return "\n\n".join([*title, rows([map(escaped, table.header), ends, *lines]), *more])


def rows(lines: Iterable[Iterable[str]]) -> str:
    """The rows of a table, whose cells are Markdown; the second row is that below the header."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def escaped(text: str) -> str:
    r"""A text in which Markdown changes nothing.

    >>> print(escaped("a|b *c* precision_at_recall(0.9)"))
    a\|b \*c\* precision_at_recall(0.9)
    """
    return SPECIAL.sub(lambda found: "\\" + found[0], text)
