"""A plain text table, for a terminal or a pipe."""

import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from unicodedata import combining, east_asian_width

from steelyard.model import Conventions, Row
from steelyard.report.layout import Cell, Layout, lay_out

GAP = "  "
NARROW = 16  # characters that a key keeps in the narrowest terminal
# Replacements of characters that cannot be printed.
SIGNS = str.maketrans({"─": "-", "–": "-", "·": "|", "…": "~"})


def render(
    rows: Sequence[Row],
    conventions: Conventions,
    *,
    width: int | None = None,
    limit: int | None = None,
) -> str:
    """The table with its notes; a missing value is a dash with the reason.

    width: characters per line; metrics that do not fit are in a second table below
    limit: the largest number of lines of slices
    """
    if not rows:
        return "no metrics"
    table = lay_out(rows, conventions, limit)
    parts: Iterable[Sequence[int]] = [range(len(table.header))]
    if width is not None and table.fixed < len(table.header):
        table = _narrowed(table, max(NARROW, width // 4))
        parts = _parts(table, width)
    drawn = [_drawn(table, part) for part in parts]
    if table.hidden:
        drawn[-1] += f"\n… and {table.hidden:,} more lines; print(result) shows all"
    return "\n\n".join([*drawn, "\n".join(table.notes)]).rstrip()


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


def printable(text: str) -> str:
    """The text in characters that standard output can encode, so that printing does not fail."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(SIGNS).encode(encoding, "backslashreplace").decode(encoding)
    return text


def width_of(text: str) -> int:
    """The width of a text on a terminal: two for a Chinese character, none for an accent.

    >>> width_of("DE"), width_of("中国"), width_of("e\u0301")
    (2, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _narrowed(table: Layout, most: int) -> Layout:
    """The table with long keys cut, to have space for numbers."""
    blocks = [
        [
            [_cut(cell, most) if place in table.left else cell for place, cell in enumerate(line)]
            for line in block
        ]
        for block in table.blocks
    ]
    return replace(table, blocks=blocks)


def _cut(cell: Cell, most: int) -> Cell:
    return cell if len(cell.text) <= most else Cell(cell.text[: most - 1] + "…")


def _parts(table: Layout, width: int) -> Iterator[Sequence[int]]:
    """Groups of columns that fit the width: the fixed columns and at least one metric."""
    lines = [line for block in table.blocks for line in block]
    needed = [
        len(GAP) + max(width_of(text) for text in (head, *(line[place].text for line in lines)))
        for place, head in enumerate(table.header)
    ]
    fixed, part = [*range(table.fixed)], [table.fixed]
    for place in range(table.fixed + 1, len(needed)):
        if sum(needed[column] for column in (*fixed, *part, place)) - len(GAP) > width:
            yield [*fixed, *part]
            part = []
        part.append(place)
    yield [*fixed, *part]


def _drawn(table: Layout, part: Sequence[int]) -> str:
    """The text of some columns, with a blank line between blocks."""
    cells = [[table.header[place] for place in part]]
    cells += [[line[place].text for place in part] for block in table.blocks for line in block]
    left = [place for place, column in enumerate(part) if column in table.left]
    lines = iter(_ruled(_aligned(cells, left)))
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
