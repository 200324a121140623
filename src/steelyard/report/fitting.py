"""A table that fits the width of a terminal: one table if possible, else parts with the same keys.

What is lost is tried in this order: nothing, the ends of long keys, decimals, the groups of slices.
Only a table that is still too wide is cut into parts, which lose none of these numbers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from unicodedata import combining, east_asian_width

from steelyard.report import display
from steelyard.report.text_table import Cell, Column, TextTable

GAP = "  "
NARROW = 16  # characters that a key keeps in the narrowest terminal
LEAST = 20  # characters that a remark keeps on a line
FEWER = (5, 4)  # decimals instead of six: 4 show a difference of 0.01 percent points
CUT_DIGITS, CUT_GROUPS = "with {digits} decimals", "without the groups of slices"


def fitted(table: TextTable, width: int) -> list[TextTable]:
    """The tables to draw below each other: one if it fits, possibly with less in it."""
    if _width(table) <= width:
        return [table]
    if table.key_count == len(table.columns):
        return [_wrapped(table, width)]
    for smaller in _smaller(table, width):
        if _width(smaller) <= width:
            return [_noted(smaller)]
    table = _narrowed(table, width)
    return [table.take(places) for places in _parts(table, width)]


def width_of(text: str) -> int:
    """The width of a text on a terminal: two for a Chinese character, none for an accent.

    >>> width_of("DE"), width_of("中国"), width_of("e\u0301")
    (2, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The text on lines of that width on a terminal, or of a longer word.

    indent: before every line but the first

    >>> wrapped("scores: 点击率, 转化率, ctr", 12, "  ")
    ['scores:', '  点击率,', '  转化率,', '  ctr']
    """
    first, *words = re.split(r"\s", text, flags=re.ASCII)
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(indent + word)
    return [line.rstrip() for line in lines]


def _widths(table: TextTable) -> list[int]:
    """The width of each column."""
    return [
        max(width_of(text) for text in (head, *(line[place].text for line in table.lines)))
        for place, head in enumerate(table.header)
    ]


def _width(table: TextTable) -> int:
    widths = _widths(table)
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _smaller(table: TextTable, width: int) -> Iterator[TextTable]:
    """The table with less and less in it."""
    if table.lines_are_scores:
        yield _transposed(table)
    table = _narrowed(table, width)
    yield table
    for digits in FEWER:
        yield _rounded(table, digits)
    others = [place for place, column in enumerate(table.columns) if not column.is_attached]
    if len(others) < len(table.columns):
        table = replace(table.take(others), reduced=[CUT_GROUPS])
        yield table
        for digits in FEWER:
            yield _rounded(table, digits)


def _noted(table: TextTable) -> TextTable:
    """The table with a note on what it lacks."""
    if not table.reduced:
        return table
    note = f"shown {' and '.join(table.reduced)} to fit; JSON has all"
    return replace(table, notes=[*table.notes, note])


def _transposed(table: TextTable) -> TextTable:
    """A line per column and a column per score."""
    turned = [
        [Cell(column.title), *(line[place] for line in table.lines)]
        for place, column in enumerate(table.columns)
        if not column.is_key
    ]
    scores = Column.numbers(*(line[0].text for line in table.lines))
    return replace(table, columns=[table.columns[0], *scores], blocks=[turned])


def _narrowed(table: TextTable, width: int) -> TextTable:
    """The table with long keys cut, to have space for numbers."""
    most = max(NARROW, width // 4)
    return table.change(lambda cell, column: _cut(cell, most) if column.is_text else cell)


def _cut(cell: Cell, most: int) -> Cell:
    if width_of(cell.text) <= most:
        return cell
    text = cell.text[:most]
    while width_of(text) >= most:
        text = text[:-1]
    return Cell(text + "…")


def _rounded(table: TextTable, digits: int) -> TextTable:
    """The table with fewer decimals."""

    def rounded(cell: Cell, column: Column) -> Cell:
        if cell.number is None:
            return cell
        return cell._replace(text=display.number(cell.number, digits))

    how = [CUT_DIGITS.format(digits=digits), *table.reduced]
    return replace(table.change(rounded), reduced=how)


def _parts(table: TextTable, width: int) -> list[list[int]]:
    """The columns of each part: the keys and some others, in the fewest parts, of similar width."""
    widths = [len(GAP) + each for each in _widths(table)]
    keys, units = list(range(table.key_count)), _units(table)
    space = width + len(GAP) - sum(widths[: table.key_count])
    needed = [sum(widths[place] for place in unit) for unit in units]
    parts = _filled(needed, space)
    while space > 0 and len(_filled(needed, space - 1)) == len(parts):
        space -= 1  # so that no part is left with a single column
    return [
        [*keys, *(place for unit in part for place in units[unit])]
        for part in _filled(needed, space)
    ]


def _units(table: TextTable) -> list[list[int]]:
    """The columns after the keys; one that is attached stays with the column before it."""
    units: list[list[int]] = []
    for place, column in enumerate(table.columns):
        if column.is_attached and units:
            units[-1].append(place)
        elif not column.is_key:
            units.append([place])
    return units


def _filled(needed: Sequence[int], space: int) -> list[list[int]]:
    """The units of each part, each filled up to the space; at least one unit."""
    parts: list[list[int]] = [[]]
    used = 0
    for unit, width in enumerate(needed):
        if parts[-1] and used + width > space:
            parts.append([])
            used = 0
        parts[-1].append(unit)
        used += width
    return parts


def _wrapped(table: TextTable, width: int) -> TextTable:
    """A line per metric whose remarks, the last column, continue on further lines."""
    *others, _ = _widths(table)
    space = max(width - sum(others) - len(GAP) * len(others), LEAST)
    blocks = [[found for line in block for found in _lines(line, space)] for block in table.blocks]
    return replace(table, blocks=blocks)


def _lines(line: Sequence[Cell], space: int) -> Iterator[Sequence[Cell]]:
    *others, remark = line
    first, *more = wrapped(remark.text, space)
    yield [*others, Cell(first)]
    yield from ([*map(Cell, [""] * len(others)), Cell(text)] for text in more)
