"""A plain text table, for a terminal or a pipe."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import islice

from steelyard.model import Conventions, Row
from steelyard.report.fitting import GAP, NARROW, fitted, width_of, wrapped
from steelyard.report.shape_layout import layouts
from steelyard.report.text_table import Column, TextTable

# Replacements of characters that cannot be printed.
SIGNS = str.maketrans({"─": "-", "–": "-", "−": "-", "·": "|", "…": "~"})


def render(
    rows: Sequence[Row],
    conventions: Conventions,
    shapes: Sequence[Row] = (),
    *,
    width: int | None = None,
    limit: int | None = None,
) -> str:
    """The table with its notes; a missing value is a dash with the reason.

    width: characters per line; `fitting` says what happens to a table that is wider
    limit: the largest number of lines of slices
    """
    found = layouts(rows, conventions, shapes, limit)
    return draw(found, width) if found else "no metrics"


def draw(found: Sequence[TextTable], width: int | None = None) -> str:
    """The tables of some layouts, and then all their notes."""
    drawn: list[str] = []
    notes: list[str] = []
    for whole in found:
        tables = [whole] if width is None else fitted(whole, width)
        drawn += [_titled(table) for table in tables if table.columns]
        if whole.hidden:
            drawn[-1] += f"\n… and {whole.hidden:,} more lines; print(result) shows all"
        notes += _wrapped(tables[0].notes, width)
    return "\n\n".join([*drawn, "\n".join(notes)]).rstrip()


def terminal_width() -> int | None:
    """The width of the terminal on stdout; None for a pipe, a file or a notebook."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if terminal else None


def encodable(text: str) -> str:
    """The text in characters that standard output can encode, so that printing does not fail."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(SIGNS).encode(encoding, "backslashreplace").decode(encoding)
    return text


def _wrapped(notes: Sequence[str], width: int | None) -> Iterator[str]:
    """The notes on lines that fit the width."""
    for note in notes:
        yield from [note] if width is None else wrapped(note, max(width, NARROW), GAP)


def _titled(table: TextTable) -> str:
    return f"{table.title}\n{_drawn(table)}" if table.title else _drawn(table)


def _drawn(table: TextTable) -> str:
    """Aligned columns under a header, with a blank line between blocks."""
    cells = [table.header, *([cell.text for cell in line] for line in table.lines)]
    widths = [max(map(width_of, column)) for column in zip(*cells, strict=True)]
    head, *lines = (GAP.join(map(_padded, row, widths, table.columns)).rstrip() for row in cells)
    rest, drawn = iter(lines), [head, "─" * width_of(head)]
    for place, block in enumerate(table.blocks):
        drawn += [""] if place else []
        drawn += islice(rest, len(block))
    return "\n".join(drawn)


def _padded(text: str, width: int, column: Column) -> str:
    blank = " " * (width - width_of(text))
    return text + blank if column.is_text else blank + text
