"""`steelyard diagnose`: why a metric changed from one log to another."""

import sys
from typing import Any

import click

from steelyard.cli import complete, evaluating, output, parsing, terminal
from steelyard.cli.option import Command, Option, debug
from steelyard.request import COLUMNS, MACHINE, NAN_CHOICES, NUMBERS, ROWS
from steelyard.spec import split_at_commas

FORMATS = ("table", "json", "markdown")
ENDINGS = {ending: name for ending, name in output.ENDINGS.items() if name in FORMATS}
METRICS = ("auc", "copc", "ctr", "logloss", "ne")
TYPED = ("label", "score", "cluster", "metric", "control_score", "weight", "confidence")
READ = ("positive", "nan", "downsampled", "clip", "threads", "memory")


def diagnose_files(files: tuple[str, ...], **typed: Any) -> None:
    """Say why a metric changed from the log BEFORE to the log AFTER, on one page.

    Is the change real, is it one model or all, scores or labels, ranking or level, mix or the
    slices themselves, which slice, since when, what did it cost? Name the user with --cluster:
    without it nothing can be tested. One file and two --where compare two parts of it.
    """
    from steelyard import api

    if not 1 <= len(files) <= 2:
        raise click.UsageError("name two logs, BEFORE and AFTER, or one and two --where")
    if len(typed["where"]) > 2:
        raise click.UsageError("--where is given once for both logs, or twice, for each of them")
    sink = output.sink(typed["output"], typed["format"], read=files, endings=ENDINGS)
    found = api.diagnose(
        files[0],
        files[1] if len(files) > 1 else None,
        over=over(typed["over"]),
        where=where(typed["where"]),
        **{name: typed[name] for name in (*TYPED, *READ) if typed[name] is not None},
    )
    if not typed["quiet"]:
        for note in found.notes[1:]:
            terminal.print_message(note)
    render = {"json": found.to_json, "markdown": found.to_markdown}
    width = terminal.width(sys.stdout) if sink.path is None else None
    sink.write_text(render.get(sink.format, lambda: found.to_text(width or WIDTH))())


def over(typed: tuple[str, ...]) -> list[Any] | None:
    """The dimensions: `--over country,device --over night=hour<6`."""
    texts = [text for each in typed for text in split_at_commas(each)]
    return parsing.slices(texts, ()) if texts else None


def where(typed: tuple[str, ...]) -> Any:
    return typed if len(typed) == 2 else typed[0] if typed else None


WIDTH = 100
COLUMN: dict[str, Any] = {
    "section": COLUMNS,
    "metavar": "COLUMN",
    "shell_complete": complete.columns,
}
OPTIONS = (
    Option("--label", help="The true outcome: 0 and 1, or text and --positive.", **COLUMN),
    Option("--score", help="The model's score.", **COLUMN),
    Option("--control-score", help="The score of another model: did both move?", **COLUMN),
    Option("--weight", help="How much a row counts.", **COLUMN),
    Option(
        "--cluster",
        help="The key of rows that depend on each other, such as user_id; row if none do.",
        **COLUMN,
    ),
    Option(
        "--over",
        help="Where to look for a cause, as in country,device,hour; repeatable. Without it, all "
        "columns with few values.",
        multiple=True,
        **COLUMN | {"metavar": "COLUMN,..."},
    ),
    Option(
        "--where",
        section=ROWS,
        metavar="CONDITION",
        multiple=True,
        help="Use only these rows: one condition for both logs, or one for each.",
    ),
    Option("--positive", section=ROWS, metavar="VALUE", help="The label that counts as positive."),
    Option(
        "--nan",
        section=ROWS,
        type=click.Choice(NAN_CHOICES),
        default=NAN_CHOICES[0],
        help="Rows with a missing value: refused (error) or left out (drop).",
    ),
    Option(
        "--downsampled",
        section=ROWS,
        metavar="SHARE",
        type=float,
        help="The share of negatives the model was trained on.",
    ),
    Option(
        "--clip",
        section=ROWS,
        metavar="NUMBER",
        type=float,
        help="Logarithms read probabilities limited to [NUMBER, 1 - NUMBER].",
    ),
    Option(
        "-m",
        "--metric",
        section=NUMBERS,
        type=click.Choice(METRICS),
        default=METRICS[0],
        show_default=True,
        help="The metric that changed.",
    ),
    Option(
        "--confidence",
        section=NUMBERS,
        metavar="SHARE",
        type=float,
        help="How often intervals cover the true change: 0.95 if not given.",
    ),
    *output.options(FORMATS, ENDINGS),
    evaluating.QUIET,
    Option(
        "--threads",
        section=MACHINE,
        metavar="COUNT",
        type=click.IntRange(min=1),
        help="The largest number of threads; all processors if not given.",
    ),
    Option("--memory", section=MACHINE, metavar="SIZE", help="The memory of DuckDB, such as 4GB."),
    debug(),
)
FILES = click.Argument(["files"], nargs=-1, metavar="BEFORE [AFTER]", type=click.Path())

command = Command(
    "diagnose",
    diagnose_files,
    short_help="Say why a metric changed from one log to another.",
    params=[FILES, *evaluating.in_sections(OPTIONS)],
    examples=(
        "steelyard diagnose mon.parquet tue.parquet --over country,hour --cluster user",
        "steelyard diagnose mon.parquet tue.parquet --cluster user -m copc",
        "steelyard diagnose log.parquet --where day=1 --where day=2 --cluster user",
    ),
)
