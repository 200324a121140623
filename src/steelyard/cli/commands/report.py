"""`steelyard report`: one HTML page on a score: how good, for whom, at which threshold."""

import os
from typing import Any

import click

from steelyard.cli import evaluating, output, request_options, terminal
from steelyard.cli.option import Command, debug

NAME = "report.html"
ENDINGS = (".html", ".htm", "")  # - and /dev/null have none
SHAPES = "shapes"  # a report always has them
RANKING = ("auc", "gauc", "ap", "best_f1")
METRICS = (*RANKING, "logloss", "ne", "copc", "ece")  # of probabilities; others have RANKING


def report_files(files: tuple[str, ...], **typed: Any) -> None:
    """Write a report on FILES: one HTML page that loads nothing and opens in any browser.

    It has the numbers of -m, score histograms with a threshold to move, curves, calibration,
    and the slices of --by to sort and search. Columns are found as steelyard eval finds them.
    Without -m, scores have auc, ap and best_f1, with --group gauc, and as probabilities logloss,
    ne, copc and ece. --cluster gives numbers intervals, and compares further scores with the first.
    """
    sink = output.sink(typed["output"], "html", read=files)
    if os.path.splitext(typed["output"])[1].lower() not in ENDINGS:
        raise click.UsageError(f"a report is a page of HTML: end {typed['output']!r} in .html")
    with evaluating.progress(typed["quiet"]):
        found = evaluating.evaluated_or_compared(
            files, typed | {SHAPES: True}, _compares, usual=METRICS, without_probabilities=RANKING
        )
        page = found.to_html()
    sink.write_text(page)
    if sink.path is not None and not typed["quiet"]:
        terminal.print_message(f"wrote {sink.path}")


def _compares(arguments: dict[str, Any]) -> bool:
    """Whether there are several scores of the same rows, and clusters for their differences."""
    several = len(evaluating.score_names(arguments)) > 1
    per_class = "classes" in arguments and "prediction" not in arguments
    common = arguments.get("rows", "common") == "common"
    return "cluster" in arguments and several and common and not per_class


COMMAND_OPTIONS = (
    evaluating.NO_WEIGHT,
    output.file_option(f"Where to write the page; {NAME} if not given, - is stdout.", default=NAME),
    evaluating.QUIET,
    debug(),
)
REQUEST_OPTIONS = [each for each in request_options.options() if each.name != SHAPES]

command = Command(
    "report",
    report_files,
    short_help="Write a report of files as one HTML page.",
    params=[evaluating.FILES, *evaluating.in_sections([*REQUEST_OPTIONS, *COMMAND_OPTIONS])],
    examples=(
        "steelyard report log.parquet",
        "steelyard report log.parquet --label click --score pctr --by country",
        "steelyard report log.csv --score old=pctr --score new=pctr_v2 -o new.html",
        "steelyard report log.parquet --group user_id -m auc,gauc,ndcg@10",
        "steelyard report log.csv --score old --score new --cluster user_id",
        "steelyard report homes.csv --label price --prediction guess -m rmse,r2",
    ),
)
