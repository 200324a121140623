"""A table that fits the width of a terminal: one table if possible, else parts with the same keys.

What is lost is tried in this order: nothing, the ends of long keys, decimals, the groups of slices.
Only a table that is still too wide is cut into parts, which lose none of these numbers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from unicodedata import combining, east_asian_width

from steelyard.report import display
from steelyard.report.layout import Cell, Layout

GAP = "  "
NARROW = 16  # characters that a key keeps in the narrowest terminal
LEAST = 20  # characters that a remark keeps on a line
FEWER = (5, 4)  # decimals instead of six: 4 show a difference of 0.01 percent points
CUT_DIGITS, CUT_GROUPS = "with {digits} decimals", "without the groups of slices"


def fitted(table: Layout, width: int) -> list[Layout]:
    """The tables to draw below each other: one if it fits, possibly with less in it."""
    if _width(table) <= width:
        return [table]
    if table.fixed == len(table.header):
        return [_wrapped(table, width)]
    for smaller in _smaller(table, width):
        if _width(smaller) <= width:
            return [_noted(smaller)]
    table = _narrowed(table, width)
    return [_taken(table, columns) for columns in _parts(table, width)]


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


def _widths(table: Layout) -> list[int]:
    """The width of each column."""
    lines = [line for block in table.blocks for line in block]
    return [
        max(width_of(text) for text in (head, *(line[place].text for line in lines)))
        for place, head in enumerate(table.header)
    ]


def _width(table: Layout) -> int:
    widths = _widths(table)
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _smaller(table: Layout, width: int) -> Iterator[Layout]:
    """The table with less and less in it."""
    if table.lines_are_scores:
        yield _transposed(table)
    table = _narrowed(table, width)
    yield table
    for digits in FEWER:
        yield _rounded(table, digits)
    if table.attached:
        others = [place for place in range(len(table.header)) if place not in table.attached]
        table = replace(_taken(table, others), reduced=[CUT_GROUPS])
        yield table
        for digits in FEWER:
            yield _rounded(table, digits)


def _noted(table: Layout) -> Layout:
    """The table with a note on what it lacks."""
    if not table.reduced:
        return table
    note = f"shown {' and '.join(table.reduced)} to fit; JSON has all"
    return replace(table, notes=[*table.notes, note])


def _transposed(table: Layout) -> Layout:
    """A line per column and a column per score."""
    lines = [line for block in table.blocks for line in block]
    turned = [
        [Cell(head), *(line[place] for line in lines)]
        for place, head in enumerate(table.header)
        if place >= table.fixed
    ]
    header = (table.header[0], *(line[0].text for line in lines))
    return replace(table, header=header, left=frozenset((0,)), blocks=[turned], fixed=1)


def _narrowed(table: Layout, width: int) -> Layout:
    """The table with long keys cut, to have space for numbers."""
    most = max(NARROW, width // 4)
    return _changed(table, lambda cell, place: _cut(cell, most) if place in table.left else cell)


def _cut(cell: Cell, most: int) -> Cell:
    if width_of(cell.text) <= most:
        return cell
    text = cell.text[:most]
    while width_of(text) >= most:
        text = text[:-1]
    return Cell(text + "…")


def _rounded(table: Layout, digits: int) -> Layout:
    """The table with fewer decimals."""

    def rounded(cell: Cell, place: int) -> Cell:
        if cell.number is None:
            return cell
        return cell._replace(text=display.number(cell.number, digits))

    how = [CUT_DIGITS.format(digits=digits), *table.reduced]
    return replace(_changed(table, rounded), reduced=how)


def _changed(table: Layout, change: Callable[[Cell, int], Cell]) -> Layout:
    blocks = [
        [[change(cell, place) for place, cell in enumerate(line)] for line in block]
        for block in table.blocks
    ]
    return replace(table, blocks=blocks)


def _taken(table: Layout, columns: Sequence[int]) -> Layout:
    """The table with some of its columns."""
    blocks = [[[line[place] for place in columns] for line in block] for block in table.blocks]
    return replace(
        table,
        header=tuple(table.header[place] for place in columns),
        left=frozenset(new for new, place in enumerate(columns) if place in table.left),
        attached=frozenset(new for new, place in enumerate(columns) if place in table.attached),
        blocks=blocks,
    )


def _parts(table: Layout, width: int) -> list[list[int]]:
    """The columns of each part: the keys and some others, in the fewest parts, of similar width."""
    widths = [len(GAP) + each for each in _widths(table)]
    keys, units = list(range(table.fixed)), _units(table)
    space = width + len(GAP) - sum(widths[: table.fixed])
    needed = [sum(widths[place] for place in unit) for unit in units]
    parts = _filled(needed, space)
    while space > 0 and len(_filled(needed, space - 1)) == len(parts):
        space -= 1  # so that no part is left with a single column
    return [
        [*keys, *(place for unit in part for place in units[unit])]
        for part in _filled(needed, space)
    ]


def _units(table: Layout) -> list[list[int]]:
    """The columns after the keys; one that is attached stays with the column before it."""
    units: list[list[int]] = []
    for place in range(table.fixed, len(table.header)):
        if place in table.attached and units:
            units[-1].append(place)
        else:
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


def _wrapped(table: Layout, width: int) -> Layout:
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
