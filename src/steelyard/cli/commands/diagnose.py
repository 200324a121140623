"""`steelyard diagnose`: why a metric changed from one log to another."""

import sys
from collections.abc import Iterable
from typing import Any

import click

from steelyard.cli import evaluating, output, request_options, terminal
from steelyard.cli.option import Command, debug
from steelyard.request.diagnose import DiagnoseRequest

FORMATS = ("table", "json", "markdown", "html")
ENDINGS = {ending: name for ending, name in output.ENDINGS.items() if name in FORMATS} | {
    ".html": "html"
}


def diagnose_files(files: tuple[str, ...], **typed: Any) -> None:
    """Say why a metric changed from the log BEFORE to the log AFTER, on one page.

    Is the change real, is it one model or all, scores or labels, ranking or level, mix or the
    slices themselves, which slice, since when, what did it cost? Name the user with --cluster:
    without it nothing can be tested. One file and two --where compare two parts of it. Several
    logs in time order, or a quoted pattern, have a trend, and the change point is diagnosed.
    """
    from steelyard import api

    if not files:
        raise click.UsageError("name two logs, BEFORE and AFTER, or several in time order")
    if len(typed["where"]) > 2 or (len(files) > 2 and len(typed["where"]) == 2):
        raise click.UsageError("--where is given once for all logs, or twice, for each of two")
    read = (*files, *typed["earlier"])
    sink = output.sink(typed["output"], typed["format"], read=read, endings=ENDINGS)
    options = request_options.arguments(typed, (), DiagnoseRequest)
    if evaluating.unweighted(typed):
        options["weight"] = ""
    with evaluating.progress(typed["quiet"]):
        found = api.diagnose(*_logs(files), **options)
    if not typed["quiet"] and (sink.path is not None or sink.format != "table"):
        for note in found.notes[1:]:  # the text ends with them
            terminal.print_message(note)
    render = {"json": found.to_json, "markdown": found.to_markdown, "html": found.to_html}
    width = terminal.width(sys.stdout) if sink.path is None else None
    sink.write_text(render.get(sink.format, lambda: found.to_text(width))())
    if sink.format == "html" and sink.path is not None and not typed["quiet"]:
        terminal.print_message(f"wrote {sink.path}")


def _logs(files: tuple[str, ...]) -> Iterable[Any]:
    """Two logs, or a list of several in time order: a shell puts day=10 before day=9."""
    from steelyard.diagnosis.trends.log_names import from_a_shell, in_time_order

    if len(files) <= 2:
        return files
    return [in_time_order(files) if from_a_shell(files) else list(files)]


OPTIONS = (
    *request_options.options(DiagnoseRequest),
    evaluating.NO_WEIGHT,
    *output.options(FORMATS, ENDINGS),
    evaluating.QUIET,
    debug(),
)
FILES = click.Argument(["files"], nargs=-1, metavar="BEFORE [AFTER] ...", type=click.Path())

command = Command(
    "diagnose",
    diagnose_files,
    short_help="Say why a metric changed from one log to another.",
    params=[FILES, *evaluating.in_sections(OPTIONS)],
    examples=(
        "steelyard diagnose mon.parquet tue.parquet --over country,hour --cluster user",
        "steelyard diagnose mon.parquet tue.parquet --cluster user -m copc",
        "steelyard diagnose log.parquet --where day=1 --where day=2 --cluster user",
        "steelyard diagnose mon.parquet tue.parquet --cluster user -o diagnosis.html",
        "steelyard diagnose 'day=*.parquet' --over country,hour --cluster user",
    ),
)
