"""The output of commands that compare: formats, the largest losses, and a file of groups."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from steelyard.cli import output, terminal
from steelyard.cli.option import Option
from steelyard.request.options import COMPARING, OUTPUT

if TYPE_CHECKING:
    from steelyard.comparison.page import Comparison  # imports NumPy, which the help does not need

HTML = "html"
FOR_PEOPLE = ("table", "markdown")
FORMATS = ("table", "json", "csv", "markdown", HTML)
ENDINGS = {ending: name for ending, name in output.ENDINGS.items() if name in FORMATS} | {
    ".html": HTML
}
WORST = click.IntRange(min=0)  # how many groups a table may list
GROUPS = Option(
    "--groups",
    section=OUTPUT,
    metavar="FILE",
    type=click.Path(),
    help="Write a CSV file with a line per group: its key, both values and the difference.",
)


def worst_option(help: str) -> Option:
    """`--worst` of a command."""
    return Option("--worst", section=COMPARING, metavar="COUNT", type=WORST, help=help)


def groups_sink(typed: Mapping[str, Any], read: Sequence[str]) -> output.Sink | None:
    """The destination of the groups, if one is named."""
    return output.sink(typed["groups"], "csv", read=read) if typed["groups"] else None


def prepared(
    found: "Comparison", sink: output.Sink, groups: output.Sink | None, worst: int | None
) -> Callable[[], None]:
    """Make what is written of a comparison and its groups; the function returned writes it.

    worst: how many groups tables list, None: all
    """
    lines = None if groups is None else found.groups_csv()
    if sink.format == "table":
        width = terminal.width(sys.stdout) if sink.path is None else None
        text = found.to_text(width, worst=worst)
    elif sink.format == "markdown":
        text = found.to_markdown(worst=worst)
    else:
        text = getattr(found, f"to_{sink.format}")()

    def write() -> None:
        if groups is not None and lines is not None:
            groups.write_text(lines)
        sink.write_text(text)

    return write
