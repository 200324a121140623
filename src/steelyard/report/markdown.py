"""A table in GitHub's Markdown."""

import re
from collections.abc import Iterable, Sequence

from steelyard.model import Conventions, Row
from steelyard.report.layout import Layout
from steelyard.report.shape_layout import layouts

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


def draw(found: Sequence[Layout]) -> str:
    """The tables of some layouts, and a paragraph for each of their notes."""
    tables = [_table(table) for table in found if table.header]
    return "\n\n".join([*tables, *(escaped(note) for table in found for note in table.notes)])


def _table(table: Layout) -> str:
    """A table, below its title if it has one."""
    ends = [":--" if place in table.left else "--:" for place in range(len(table.header))]
    lines = [_line(map(escaped, table.header)), _line(ends)]
    lines += [
        _line(escaped(cell.text) for cell in line) for block in table.blocks for line in block
    ]
    title = [f"**{escaped(table.title)}**"] if table.title else []
    more = [f"… and {table.hidden:,} more lines"] if table.hidden else []
    return "\n\n".join([*title, "\n".join(lines), *more])


def escaped(text: str) -> str:
    r"""A text in which Markdown changes nothing.

    >>> print(escaped("a|b *c* precision_at_recall(0.9)"))
    a\|b \*c\* precision_at_recall(0.9)
    """
    return SPECIAL.sub(lambda found: "\\" + found[0], text)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
