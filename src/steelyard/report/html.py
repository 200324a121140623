"""An HTML table for a notebook, for light and dark themes, without external files."""

from collections.abc import Iterator, Sequence
from html import escape

from steelyard.model import Conventions, Row
from steelyard.report.shape_layout import layouts
from steelyard.report.text_table import Cell, Column, TextTable

# Colours are those of the page; lines are a grey that is visible on white and on black.
STYLE = """\
.steelyard table { border-collapse: collapse; border: 0; font-variant-numeric: tabular-nums }
.steelyard th, .steelyard td { padding: .2em .8em; text-align: right; white-space: nowrap }
.steelyard caption { text-align: left; font-weight: bold; padding: .6em 0 .2em }
.steelyard .word { text-align: left }
.steelyard thead th { border-bottom: 1px solid #888 }
.steelyard tbody + tbody tr:first-child > * { border-top: 1px solid #8886 }
.steelyard p { margin: .4em 0; font-size: .9em; opacity: .8 }"""


def render(
    rows: Sequence[Row],
    conventions: Conventions,
    shapes: Sequence[Row] = (),
    *,
    limit: int | None = None,
) -> str:
    """A `div` with its own style, in ASCII, so that the encoding of the page does not matter."""
    return draw(layouts(rows, conventions, shapes, limit))


def draw(tables: Sequence[TextTable]) -> str:
    """The tables of some layouts with their notes."""
    lines = [
        '<div class="steelyard">',
        f"<style>\n{STYLE}\n</style>",
        *(line for table in tables if table.columns for line in _table(table)),
        *(f"<p>{escape(note)}</p>" for table in tables for note in table.notes),
        "</div>",
    ]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode()


def _table(table: TextTable) -> Iterator[str]:
    header = _line("th", list(map(Cell, table.header)), table.columns)
    yield "<table>"
    if table.title:
        yield f"<caption>{escape(table.title)}</caption>"
    yield f"<thead>{header}</thead>"
    yield from (_block(block, table.columns) for block in table.blocks)
    yield "</table>"
    if table.hidden:
        more = f"… and {table.hidden:,} more lines: print(result) or result.to_polars() has all"
        yield f"<p>{escape(more)}</p>"


def _block(block: Sequence[Sequence[Cell]], columns: Sequence[Column]) -> str:
    return "\n".join(["<tbody>", *(_line("td", line, columns) for line in block), "</tbody>"])


def _line(tag: str, cells: Sequence[Cell], columns: Sequence[Column]) -> str:
    drawn = (_cell(tag, *each) for each in zip(cells, columns, strict=True))
    return f"<tr>{''.join(drawn)}</tr>"


def _cell(tag: str, cell: Cell, column: Column) -> str:
    """A cell; its title shows all digits of a number, or the reason for a dash."""
    word = ' class="word"' if column.is_text else ""
    title = f' title="{escape(cell.hint)}"' if cell.hint else ""
    return f"<{tag}{word}{title}>{escape(cell.text)}</{tag}>"
