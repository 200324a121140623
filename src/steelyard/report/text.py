"""A plain text table, for a terminal or a pipe."""

import shutil
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from steelyard.model import Conventions, Row
from steelyard.report.fitting import GAP, NARROW, fitted, width_of, wrapped
from steelyard.report.layout import Layout
from steelyard.report.shape_layout import layouts

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


def draw(found: Sequence[Layout], width: int | None = None) -> str:
    """The tables of some layouts, and then all their notes."""
    drawn: list[str] = []
    notes: list[str] = []
    for whole in found:
        tables = [whole] if width is None else fitted(whole, width)
        drawn += [_titled(table) for table in tables if table.header]
        if whole.hidden:
            drawn[-1] += f"\n… and {whole.hidden:,} more lines; print(result) shows all"
        notes += _wrapped(tables[0].notes, width)
    return "\n\n".join([*drawn, "\n".join(notes)]).rstrip()


def grid(cells: Sequence[Sequence[str]], *, left: Collection[int] = (0,)) -> str:
    """Aligned columns under a header, the first row of `cells`; those in `left` on the left.

    >>> print(grid([("country", "rows"), ("DE", "1,024"), ("US", "7")]))
    country   rows
    ──────────────
    DE       1,024
    US           7
    """
    return "\n".join(_ruled(_aligned(cells, left)))


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


def _titled(table: Layout) -> str:
    return f"{table.title}\n{_drawn(table)}" if table.title else _drawn(table)


def _drawn(table: Layout) -> str:
    """The text of a table, with a blank line between blocks."""
    cells = [table.header, *([cell.text for cell in line] for b in table.blocks for line in b)]
    lines = iter(_ruled(_aligned(cells, table.left)))
    drawn = [next(lines), next(lines)]
    for place, block in enumerate(table.blocks):
        drawn += [""] if place else []
        drawn += islice(lines, len(block))
    return "\n".join(drawn)


def _aligned(cells: Sequence[Sequence[str]], left: Collection[int]) -> list[str]:
    widths = [max(map(width_of, column)) for column in zip(*cells, strict=True)]
    return [
        GAP.join(
            _padded(text, width, left=place in left)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _padded(text: str, width: int, *, left: bool) -> str:
    blank = " " * (width - width_of(text))
    return text + blank if left else blank + text


def _ruled(lines: list[str]) -> list[str]:
    return [lines[0], "─" * width_of(lines[0]), *lines[1:]]
