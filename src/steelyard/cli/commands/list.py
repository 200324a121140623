"""`steelyard list`: the catalogue of metrics, family by family."""

import json
import sys
from fnmatch import fnmatchcase
from itertools import groupby
from typing import TYPE_CHECKING

import click

from steelyard.cli import output, terminal
from steelyard.cli.option import Command, debug, formats

if TYPE_CHECKING:
    from steelyard.report.page import Page

UNLIMITED = 10_000  # characters; in a pipe each metric is one line, for grep
WIDEST = 30


def list_metrics(pattern: str | None, format: str) -> None:
    """List every metric by family: its name, other names and a short definition.

    PATTERN selects metrics whose name or family contains it, or matches it if it has a * or ?; a
    name may be in any case, or in Chinese.
    """
    from steelyard.metrics.catalogue import find
    from steelyard.report.page import pages

    found = [page for page in pages() if pattern is None or _matches(page, pattern)]
    if pattern is not None and not found:
        find(pattern)  # raises an error with a suggestion
    if format == "json":
        text = json.dumps([page.fields() for page in found], ensure_ascii=False, indent=2)
    else:
        text = table(found, terminal.width(sys.stdout))
    output.write_stdout(text, headers=format != "json", data=format == "json")


def _matches(page: "Page", pattern: str) -> bool:
    from steelyard.metrics.catalogue import spelled

    wanted = pattern.lower()
    if not set("*?[") & set(wanted):
        wanted = f"*{wanted}*"
    names = (page.family, page.name, *page.metric.aliases, *page.metric.chinese_names)
    meant = spelled(pattern)  # "ROC-AUC" is roc_auc
    return meant in names or any(fnmatchcase(name.lower(), wanted) for name in names)


def table(found: list["Page"], width: int | None) -> str:
    """A block per family; on a terminal, long names and titles are wrapped."""
    lines = click.HelpFormatter(width=width or UNLIMITED)
    for family, members in groupby(found, lambda page: page.family):
        lines.write(f"\n{family}\n{'─' * len(family)}\n")
        records = [(_names(page, width), page.title) for page in members]
        lines.write_dl(records, col_max=UNLIMITED if width is None else WIDEST)
    return lines.getvalue().strip("\n")


def _names(page: "Page", width: int | None) -> str:
    """The call and the other names, on lines that fit."""
    names = ", ".join([page.call, *page.metric.aliases])
    return names if width is None else click.wrap_text(names, width, subsequent_indent="    ")


command = Command(
    "list",
    list_metrics,
    short_help="List every metric.",
    params=[click.Argument(["pattern"], required=False), formats(("table", "json")), debug()],
    examples=("steelyard list", "steelyard list recall", "steelyard list '*_at_*'"),
)
