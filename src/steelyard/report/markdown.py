"""A table in GitHub's Markdown."""

import re
from collections.abc import Iterable, Sequence

from steelyard.model import Conventions, Row
from steelyard.report.layout import lay_out

# Characters with a meaning in Markdown; an underscore only at the start or end of a word.
SPECIAL = re.compile(r"[\\|`*<&\[\]$]|(?<!\w)_|_(?!\w)")


def render(rows: Sequence[Row], conventions: Conventions, *, limit: int | None = None) -> str:
    """The table and a paragraph for each note."""
    table = lay_out(rows, conventions, limit)
    ends = [":--" if place in table.left else "--:" for place in range(len(table.header))]
    lines = [_line(map(escaped, table.header)), _line(ends)]
    lines += [
        _line(escaped(cell.text) for cell in line) for block in table.blocks for line in block
    ]
    more = [f"… and {table.hidden:,} more lines"] if table.hidden else []
    return "\n\n".join(["\n".join(lines), *map(escaped, [*more, *table.notes])])


def escaped(text: str) -> str:
    r"""A text in which Markdown changes nothing.

    >>> print(escaped("a|b *c* precision_at_recall(0.9)"))
    a\|b \*c\* precision_at_recall(0.9)
    """
    return SPECIAL.sub(lambda found: "\\" + found[0], text)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
