"""`steelyard compare`: is a score better than another, or a log than the one before?"""

import sys
from typing import Any

import click

from steelyard.cli import comparison_gates, evaluating, output, request_options, terminal
from steelyard.cli.gates import refuse_unused_each_slice
from steelyard.cli.option import Command, debug
from steelyard.request import CompareRequest

FORMATS = ("table", "json", "csv", "markdown", "html")
ENDINGS = {ending: name for ending, name in output.ENDINGS.items() if name in FORMATS} | {
    ".html": "html"
}
METRICS = ("auc", "logloss", "copc")  # if none are named, of probabilities
RANKING = ("auc", "ap")  # of other scores
NOT_COMPARED = ("shapes", "rows")  # numbers, common rows


@click.pass_context
def compare_files(ctx: click.Context, /, files: tuple[str, ...], **typed: Any) -> None:
    """Compare two or more scores of FILES, or one score of two logs: BEFORE and AFTER.

    With two or more --score, all FILES are one log, and every score is compared with the baseline
    on the same rows. With one --score, the first file is compared with the second. A positive
    difference is an improvement. --cluster is needed: intervals of single rows are too short where
    a user has many.
    """
    reads = evaluating.reads(typed)
    gates = comparison_gates.read(
        typed["fail_if_worse"],
        typed["require_not_worse"],
        typed["each_slice"],
        typed["preset"],
        reads,
    )
    refuse_unused_each_slice(typed, comparison_gates.OPTIONS)
    sink = output.sink(typed["output"], typed["format"], read=files, endings=ENDINGS)
    width = terminal.width(sys.stdout) if sink.path is None else None
    with evaluating.progress(typed["quiet"]):
        found = evaluating.compared(files, typed, gates, METRICS, RANKING)
        text = _rendered(found, sink.format, width)
    sink.write_text(text)
    if sink.format == "html" and sink.path is not None and not typed["quiet"]:
        terminal.print_message(f"wrote {sink.path}")
    gates.enforce(ctx, found, typed["min_rows"] or 1)


def _rendered(found: Any, format: str, width: int | None) -> str:
    if format == "table":
        return str(found.to_text(width))
    return str(getattr(found, f"to_{format}")())


COMMAND_OPTIONS = (
    evaluating.NO_WEIGHT,
    *output.options(FORMATS, ENDINGS),
    evaluating.QUIET,
    *comparison_gates.OPTIONS,
    debug(),
)
REQUEST_OPTIONS = [
    each for each in request_options.options(CompareRequest) if each.name not in NOT_COMPARED
]

command = Command(
    "compare",
    compare_files,
    short_help="Compare scores, or two logs: is it better, and for whom?",
    params=[evaluating.FILES, *evaluating.in_sections([*REQUEST_OPTIONS, *COMMAND_OPTIONS])],
    examples=(
        "steelyard compare log.csv --score old=pctr --score new --cluster user_id",
        "steelyard compare log.csv --score old --score new --cluster u --by country",
        "steelyard compare monday.csv tuesday.csv --score pctr --cluster user_id",
        "steelyard compare log.csv --score old --score new --cluster user_id \\",
        "    --require-not-worse auc=0.001 --fail-if-worse logloss=0",
    ),
)
