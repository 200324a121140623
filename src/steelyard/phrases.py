"""Texts with facts filled in: what users wrote or what their data hold, safe to show.

Messages, tables and the command line write them; the messages themselves are in `errors`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from types import MappingProxyType
from typing import Any

LISTED = 30  # columns or tables that a message names
UNQUOTED = re.compile(r"[^\s,'\"]+")  # names that are clear in a list without quotes
LONGEST = 600  # characters of a fact in a message: a value may be a megabyte
# What moves the cursor, sets colours or reverses the text of a terminal; not what joins letters.
CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
MARKED = re.compile("\ue000(\\d+)\ue001")  # the place of a fact, while options are renamed
Rewrite = Callable[[str], str]


class Phrase(str):
    """Our own words with facts filled in: a message, or a fact that is a part of one.

    Facts are what users wrote or what their data hold: they are shown as they are, cut where they
    are long, and without what a terminal would obey.
    """

    text: str = ""
    facts: Mapping[str, Any] = MappingProxyType({})

    def rewritten(self, rewrite: Rewrite) -> str:
        """The phrase with its own words rewritten, and the facts unchanged."""
        shown: list[str] = []
        words = rewrite(self._marked(shown))
        return MARKED.sub(lambda mark: shown[int(mark[1])], words)

    def _marked(self, shown: list[str]) -> str:
        return _Filling(shown).vformat(self.text, (), self.facts)


def phrase(text: str, /, **facts: Any) -> Phrase:
    r"""Our own words with facts, which the command line may word differently.

    >>> phrase("{count:row|rows} of {name}", count=3, name="a\x1b[31m")
    '3 rows of a\\x1b[31m'
    """
    made = Phrase(_Filling().vformat(text, (), facts))
    made.text, made.facts = text, facts
    return made


class _Filling(Formatter):
    """Fills facts in, and writes `{count:row|rows}` as "1 row" or "3 rows".

    shown: collects the facts if only their places are to be filled in
    """

    def __init__(self, shown: list[str] | None = None) -> None:
        self.shown = shown

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Phrase):
            return str(value) if self.shown is None else value._marked(self.shown)
        one, bar, more = format_spec.partition("|")
        if bar:
            return f"{value} {one if value == 1 else more}"
        try:
            written = str(super().format_field(value, format_spec))
        except Exception:
            written = unwritten(value)
        text = shortened(printable(written))
        if self.shown is None:
            return text
        self.shown.append(text)
        return f"\ue000{len(self.shown) - 1}\ue001"

    def convert_field(self, value: Any, conversion: Any) -> Any:
        try:
            return super().convert_field(value, conversion)
        except Exception:
            return unwritten(value)


def unwritten(value: Any) -> str:
    """What is said of a value whose text cannot be had, such as an integer of 5,000 digits."""
    return f"a value of type {type(value).__name__} that cannot be written"


def printable(text: str) -> str:
    r"""A text without control characters: they are shown as in Python.

    >>> printable("red \x1b[31m, \u202egnp.exe")
    'red \\x1b[31m, \\u202egnp.exe'
    """
    if text.isprintable():
        return text
    return CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def shortened(text: str, most: int = LONGEST) -> str:
    """A text of at most so many characters, and an ellipsis."""
    return text if len(text) <= most else f"{text[:most]}…"


def listing(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> listing(["click", "", "my score"]), listing([f"c{i}" for i in range(1000)])[-21:]
    ("click, '', 'my score'", 'c28, c29 and 970 more')
    """
    more = len(names) - LISTED
    first = (shortened(name, 60) for name in names[:LISTED])
    shown = ", ".join(name if UNQUOTED.fullmatch(name) else repr(name) for name in first)
    return f"{shown} and {more:,} more" if more > 0 else shown or "none"
