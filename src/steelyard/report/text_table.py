"""The table model: columns, and cells that are text already.

`text`, `markdown` and `html` write any such table; pages do in `macros.html`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from steelyard.phrases import shortened

NAME = 200  # characters of a key on a page, which may have it many times


class Cell(NamedTuple):
    """A text; `hint` has all digits of a number, or the reason for a missing value.

    number: the number that the text shows, if it may be shown with fewer decimals
    """

    text: str
    hint: str = ""
    number: float | None = None


class Column(NamedTuple):
    """A column of a table.

    is_text: on the left; other columns hold numbers, on the right
    is_key: identifies a line: such columns are first, and a table drawn in parts repeats them
    is_attached: belongs to the column before it
    """

    title: str
    is_text: bool = False
    is_key: bool = False
    is_attached: bool = False

    @staticmethod
    def keys(*titles: str) -> "list[Column]":
        """Columns of text that identify a line."""
        return [Column(title, is_text=True, is_key=True) for title in titles]

    @staticmethod
    def texts(*titles: str) -> "list[Column]":
        return [Column(title, is_text=True) for title in titles]

    @staticmethod
    def numbers(*titles: str) -> "list[Column]":
        return [Column(title) for title in titles]


@dataclass(frozen=True)
class TextTable:
    """The columns and cells of a table; one without columns is notes alone.

    blocks: lines that belong together, for the total and for each `by`
    notes: sentences below the table; hidden: how many lines are beyond the limit
    title: what it is a table of, if that is more than numbers
    lines_are_scores: whether there is one line per score, and no slice
    reduced: how it was reduced to fit a width
    """

    columns: Sequence[Column] = ()
    blocks: Sequence[Sequence[Sequence[Cell]]] = ()
    notes: Sequence[str] = ()
    hidden: int = 0
    title: str = ""
    lines_are_scores: bool = False
    reduced: Sequence[str] = ()

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)

    @property
    def key_count(self) -> int:
        return sum(column.is_key for column in self.columns)

    @property
    def lines(self) -> list[Sequence[Cell]]:
        """The lines of all blocks."""
        return [line for block in self.blocks for line in block]

    def take(self, places: Sequence[int]) -> "TextTable":
        """The table with some of its columns, in this order."""
        blocks = [[[line[place] for place in places] for line in block] for block in self.blocks]
        return replace(self, columns=[self.columns[place] for place in places], blocks=blocks)

    def change(self, change: Callable[[Cell, Column], Cell]) -> "TextTable":
        """The table with each cell changed."""
        blocks = [
            [[change(*each) for each in zip(line, self.columns, strict=True)] for line in block]
            for block in self.blocks
        ]
        return replace(self, blocks=blocks)

    def for_page(self) -> "TextTable":
        """The table with keys that are not endless."""
        columns = [each._replace(title=shortened(each.title, NAME)) for each in self.columns]
        return replace(self.change(_shortened), columns=columns)


def _shortened(cell: Cell, column: Column) -> Cell:
    return cell._replace(text=shortened(cell.text, NAME)) if column.is_key else cell


def from_texts(columns: Sequence[Column], lines: Iterable[Iterable[str]]) -> TextTable:
    """A table of texts that need no hint."""
    return TextTable(columns, [[list(map(Cell, line)) for line in lines]])
