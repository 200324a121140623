"""`steelyard compare`: is a score better than another, or a log than the one before?"""

from typing import Any

import click

from steelyard.cli import (
    comparison_gates,
    comparison_output,
    evaluating,
    output,
    request_options,
    terminal,
)
from steelyard.cli.comparison_output import ENDINGS, FORMATS, HTML
from steelyard.cli.gates import refuse_unused_each_slice
from steelyard.cli.option import Command, debug
from steelyard.request.options import CompareRequest

METRICS = ("auc", "logloss", "copc")  # if none are named, of probabilities
RANKING = ("auc", "ap")  # of other scores
NOT_COMPARED = ("shapes", "rows")  # numbers, common rows


@click.pass_context
def compare_files(ctx: click.Context, /, files: tuple[str, ...], **typed: Any) -> None:
    """Compare two or more scores of FILES, or one score of two logs: BEFORE and AFTER.

    With two or more --score, all FILES are one log, and every score is compared with the baseline
    on the same rows. With one --score, the first file is compared with the second. A positive
    difference is an improvement. --cluster is needed: intervals of single rows are too short where
    a user has many; ranking metrics take the --group. TREC and LETOR files are compared by
    steelyard trec and steelyard letor, with --compare.
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
    groups = comparison_output.groups_sink(typed, files)
    with evaluating.progress(typed["quiet"]):
        found = evaluating.compared(files, typed, gates, METRICS, RANKING)
        write = comparison_output.prepared(found, sink, groups, typed["worst"] or 0)
    write()
    if sink.format == HTML and sink.path is not None and not typed["quiet"]:
        terminal.print_message(f"wrote {sink.path}")
    gates.enforce(ctx, found, typed["min_rows"] or 1)


COMMAND_OPTIONS = (
    evaluating.NO_WEIGHT,
    comparison_output.worst_option("List so many groups with the largest losses; needs --group."),
    *output.options(FORMATS, ENDINGS),
    comparison_output.GROUPS,
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
