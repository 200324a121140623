"""An HTML table for a notebook, for light and dark themes, without external files."""

from collections.abc import Sequence
from html import escape

from steelyard.model import Conventions, Row
from steelyard.report.layout import Cell, Layout, lay_out

# Colours are those of the page; lines are a grey that is visible on white and on black.
STYLE = """\
.steelyard table { border-collapse: collapse; border: 0; font-variant-numeric: tabular-nums }
.steelyard th, .steelyard td { padding: .2em .8em; text-align: right; white-space: nowrap }
.steelyard .word { text-align: left }
.steelyard thead th { border-bottom: 1px solid #888 }
.steelyard tbody + tbody tr:first-child > * { border-top: 1px solid #8886 }
.steelyard p { margin: .4em 0; font-size: .9em; opacity: .8 }"""


def render(rows: Sequence[Row], conventions: Conventions, *, limit: int | None = None) -> str:
    """A `div` with its own style, in ASCII, so that the encoding of the page does not matter."""
    table = lay_out(rows, conventions, limit)
    header = _line("th", [Cell(name) for name in table.header], table)
    more = f"… and {table.hidden:,} more lines: print(result) or result.to_polars() has all"
    notes = [*([more] if table.hidden else []), *table.notes]
    lines = [
        '<div class="steelyard">',
        f"<style>\n{STYLE}\n</style>",
        "<table>",
        f"<thead>{header}</thead>",
        *(_block(block, table) for block in table.blocks),
        "</table>",
        *(f"<p>{escape(note)}</p>" for note in notes),
        "</div>",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode()


def _block(block: Sequence[Sequence[Cell]], table: Layout) -> str:
    return "\n".join(["<tbody>", *(_line("td", line, table) for line in block), "</tbody>"])


def _line(tag: str, cells: Sequence[Cell], table: Layout) -> str:
    drawn = "".join(_cell(tag, cell, place in table.left) for place, cell in enumerate(cells))
    return f"<tr>{drawn}</tr>"


def _cell(tag: str, cell: Cell, is_word: bool) -> str:
    """A cell; its title shows all digits of a number, or the reason for a dash."""
    word = ' class="word"' if is_word else ""
    title = f' title="{escape(cell.hint)}"' if cell.hint else ""
    return f"<{tag}{word}{title}>{escape(cell.text)}</{tag}>"
