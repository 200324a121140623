"""What a stream can show: colour, and how wide a line may be."""

import os
import shutil
import sys
from contextlib import suppress
from typing import TextIO

BOLD, RED, PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"
RULE = set("─ ")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at the stream; a stream that is closed has no one."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def colourful(stream: TextIO | None) -> bool:
    """Whether colour is welcome: on a terminal that has it, unless NO_COLOR says no."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and is_terminal(stream)


def width(stream: TextIO | None) -> int | None:
    """How many characters fit a line; None where no one looks and any number does."""
    return shutil.get_terminal_size().columns if is_terminal(stream) else None


def bold_headers(text: str) -> str:
    """A table with its headers bold: the lines above a rule."""
    lines = text.split("\n")
    for place, below in enumerate(lines[1:]):
        if below and set(below) <= RULE:
            lines[place] = f"{BOLD}{lines[place]}{PLAIN}"
    return "\n".join(lines)


def print_error(sentence: str) -> None:
    """One sentence on stderr, under the command's name; nothing where stderr is gone too."""
    stream = sys.stderr
    name = f"{RED}steelyard:{PLAIN}" if colourful(stream) else "steelyard:"
    print_message(f"{name} {sentence}")


def print_message(line: str) -> None:
    """A line of talk on stderr, and no trouble where that is closed."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
