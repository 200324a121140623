"""What a stream can show, and messages on stderr."""

import os
import shutil
import sys
from contextlib import suppress
from typing import TextIO

from steelyard.phrases import CONTROLS, printable

BOLD, RED, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"
RULE = set("─ ")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; a closed stream is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def has_colour(stream: TextIO | None) -> bool:
    """Whether to use colour: on a terminal that has it, unless NO_COLOR is set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and is_terminal(stream)


def width(stream: TextIO | None) -> int | None:
    """How many characters fit a line of a terminal; None for other streams."""
    return shutil.get_terminal_size().columns if is_terminal(stream) else None


def bold_headers(text: str) -> str:
    """A table with bold headers: the lines above a rule."""
    lines = text.split("\n")
    for place, below in enumerate(lines[1:]):
        if below and set(below) <= RULE:
            lines[place] = f"{BOLD}{lines[place]}{PLAIN}"
    return "\n".join(lines)


def without_escapes(text: str) -> str:
    """Lines of text without anything that a terminal would obey, but for line feeds and tabs."""
    return CONTROLS.sub(lambda one: one[0] if one[0] in "\n\t" else printable(one[0]), text)


def print_error(sentence: str) -> None:
    """An error on stderr, after the command's name."""
    name = f"{RED}steelyard:{PLAIN}" if has_colour(sys.stderr) else "steelyard:"
    print_message(sentence, start=f"{name} ")


def print_message(line: str, *, start: str = "") -> None:
    """A line on stderr; nothing happens if that is closed."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write(f"{start}{without_escapes(line)}\n")
            sys.stderr.flush()
