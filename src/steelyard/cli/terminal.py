"""What a stream can show, and messages on stderr."""

import os
import shutil
import sys
from contextlib import suppress
from typing import TextIO

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


def print_error(sentence: str) -> None:
    """An error on stderr, after the command's name."""
    stream = sys.stderr
    name = f"{RED}steelyard:{PLAIN}" if has_colour(stream) else "steelyard:"
    print_message(f"{name} {sentence}")


def print_message(line: str) -> None:
    """A line on stderr; nothing happens if that is closed."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
