"""`steelyard plot`: a picture of files, such as a ROC curve, as PNG, SVG or PDF."""

import os
from typing import Any

import click

from steelyard import errors, phases
from steelyard.cli import complete, evaluating, output, request_options
from steelyard.cli.option import Command, Option, debug
from steelyard.report.charts.kinds import EVERY
from steelyard.request.options import NUMBERS, OUTPUT

ENDINGS = {".png": "png", ".svg": "svg", ".pdf": "pdf"}
NOT_TYPED = ("metrics", "shapes")  # options of eval: the kind decides what is evaluated
KIND = click.Argument(["kind"], metavar="KIND", shell_complete=complete.choices(EVERY))
COMMAND_OPTIONS = (
    evaluating.NO_WEIGHT,
    Option(
        "-m",
        "--metric",
        section=NUMBERS,
        metavar="METRIC",
        shell_complete=complete.metrics,
        help='What to show: of slices "ap", of groups "ndcg@10", or "confusion(0.3)".',
    ),
    output.file_option(
        f"The file to write; its ending sets the format: {', '.join(ENDINGS)}.", required=True
    ),
    Option("--title", section=OUTPUT, metavar="TEXT", help="A title above the picture."),
    evaluating.QUIET,
    debug(),
)
REQUEST_OPTIONS = [each for each in request_options.options() if each.name not in NOT_TYPED]
OPTIONS = evaluating.in_sections([*REQUEST_OPTIONS, *COMMAND_OPTIONS])


def plot_files(kind: str, files: tuple[str, ...], **typed: Any) -> None:
    """Draw a picture of FILES: KIND is roc, pr, calibration, scores, lift, gain, confusion, groups,
    threshold, slices, residuals or predicted_vs_true.

    All scores are in one picture; with --by the total and the largest slices are, too. Files,
    columns and rows are those of steelyard eval.
    """
    from steelyard.report.charts import draw_matplotlib
    from steelyard.report.charts.of_result import chart_of, metrics_of

    reads = evaluating.reads(typed)
    one_score_per_class = bool(typed["classes"]) and not typed["prediction"]
    metrics = metrics_of(kind, typed["metric"], reads, classes=one_score_per_class)
    sink = output.sink(typed["output"], _format(typed["output"]), read=files)
    if len(typed["by"]) + typed["by_file"] > 1:
        raise click.UsageError("a picture shows the slices of one --by or of --by-file")
    draw_matplotlib.library("matplotlib.figure")  # refuses before the rows are read
    with evaluating.progress(typed["quiet"]):
        result = evaluating.evaluated(files, typed | {"metrics": tuple(metrics), "shapes": False})
        by = next(iter(result.conventions.by), None)
        chart = chart_of(result, kind, by=by, metric=typed["metric"])
        phases.begin("drawing")
        picture = draw_matplotlib.file_of(chart, sink.format, typed["title"] or "")
    sink.write_bytes(picture)


def _format(path: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS:
        raise errors.NO_PICTURE_ENDING(path=path, endings=", ".join(ENDINGS))
    return ENDINGS[ending]


command = Command(
    "plot",
    plot_files,
    short_help="Draw a picture of files, such as a ROC curve.",
    params=[KIND, evaluating.FILES, *OPTIONS],
    examples=(
        "steelyard plot roc log.parquet --label click --score pctr -o roc.png",
        "steelyard plot pr log.csv --score old=pctr --score new=pctr_v2 -o pr.svg",
        "steelyard plot calibration 'day=*/*.parquet' --by country -o calibration.pdf",
        "steelyard plot groups log.parquet --group user_id -m ndcg@10 -o groups.png",
        "steelyard plot residuals homes.csv --label price --prediction guess -o r.svg",
    ),
)
