"""`steelyard eval`: the metrics of one or more scores, in files or in what SQL selects."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from steelyard.cli import complete, gates, output, recognise, terminal, words
from steelyard.cli.option import Command, Option, debug
from steelyard.cli.progress import Progress

PRESETS = ("sklearn", "trec_eval", "lightgbm", "xgboost")  # without NumPy: a tab would wait

COLUMNS, ROWS, NUMBERS = "Columns", "Rows", "Numbers"
OUTPUT, GATES, MACHINE = "Output", "Gates", "Machine"


def _column(name: str, help: str, **settings: Any) -> Option:
    """An option that takes a column or an expression."""
    usual: dict[str, Any] = {
        "section": COLUMNS,
        "metavar": "COLUMN",
        "shell_complete": complete.columns,
    }
    return Option(name, help=help, **usual | settings)


FILES = click.Argument(["files"], nargs=-1, metavar="[FILES]...", type=click.Path())
OPTIONS = (
    _column("--label", "What happened: 0 and 1, or words and --positive."),
    _column(
        "--score",
        "What the model said; repeatable, with a name as in new=pctr_new.",
        metavar="[NAME=]COLUMN",
        multiple=True,
    ),
    _column(
        "--prediction",
        "What the model said where that is a class or a number; repeatable like --score.",
        metavar="[NAME=]COLUMN",
        multiple=True,
    ),
    Option(
        "--classes",
        section=COLUMNS,
        metavar="CLASS,...",
        help="Each --score is of a class: which, in order, as in cat,dog.",
    ),
    _column("--weight", "How much a row counts."),
    Option("--no-weight", section=COLUMNS, is_flag=True, help="Count every row once."),
    _column("--trials", "Rows are aggregated: the label counts clicks out of so many trials."),
    _column(
        "--group",
        "Whose rows are ranked together, such as user_id; user_id,day takes both.",
    ),
    _column("--document", "What a row is about, where ties are broken by it."),
    _column("--cluster", "Whose rows are not independent, for intervals."),
    Option(
        "--where",
        section=ROWS,
        metavar="CONDITION",
        help="Take only the rows for which this SQL condition holds.",
    ),
    Option(
        "--sql",
        section=ROWS,
        metavar="SELECT",
        help="Weigh what this SELECT gives; it calls the files source.",
    ),
    Option(
        "--table",
        section=ROWS,
        metavar="NAME",
        help="The table to read, where the file is a database.",
    ),
    Option("--positive", section=ROWS, metavar="VALUE", help="The label that counts as positive."),
    Option(
        "--nan",
        section=ROWS,
        type=click.Choice(["error", "drop"]),
        default="error",
        help="Rows with a missing value: a mistake (error), or left out (drop).",
    ),
    Option(
        "--unscored",
        section=ROWS,
        type=click.Choice(["error", "not_retrieved"]),
        default="error",
        help="Rows without a score: a mistake (error), or judged but in no ranking.",
    ),
    Option(
        "--downsampled",
        section=ROWS,
        metavar="SHARE",
        type=float,
        help="The share of negatives the model was trained on; calibration allows for it.",
    ),
    Option(
        "--clip",
        section=ROWS,
        metavar="NUMBER",
        type=float,
        help="Logarithms see probabilities cut to [NUMBER, 1 - NUMBER].",
    ),
    Option(
        "-m",
        "--metric",
        section=NUMBERS,
        metavar="METRIC",
        multiple=True,
        shell_complete=complete.metrics,
        help='auc, "precision(0.3)", or several as in auc,ks; repeatable. '
        "steelyard list shows them.",
    ),
    _column(
        "--by",
        "A line for each value too; repeatable. country,device crosses the two.",
        section=NUMBERS,
        multiple=True,
    ),
    Option(
        "--preset",
        section=NUMBERS,
        metavar="TOOL",
        shell_complete=complete.of(PRESETS),
        help=f"Another tool's conventions: {', '.join(PRESETS)}.",
    ),
    Option(
        "--format",
        section=OUTPUT,
        metavar="FORMAT",
        type=click.Choice(output.FORMATS),
        help=f"{', '.join(output.FORMATS)}; table where not given.",
    ),
    Option(
        "-o",
        "--output",
        section=OUTPUT,
        metavar="FILE",
        type=click.Path(),
        help=f"Write to a file; {', '.join(output.ENDINGS)} say the format.",
    ),
    Option(
        "--groups",
        section=OUTPUT,
        metavar="FILE",
        type=click.Path(),
        help="Write a line for each group to a CSV file: its key, rows and values.",
    ),
    Option("-q", "--quiet", section=OUTPUT, is_flag=True, help="Say nothing but mistakes."),
    Option(
        "--fail-under",
        section=GATES,
        metavar="METRIC=NUMBER",
        multiple=True,
        help="Exit with 1 where the total of a score is smaller, or has no value.",
    ),
    Option(
        "--fail-over",
        section=GATES,
        metavar="METRIC=NUMBER",
        multiple=True,
        help="Exit with 1 where it is larger, or has no value.",
    ),
    Option(
        "--threads",
        section=MACHINE,
        metavar="COUNT",
        type=click.IntRange(min=1),
        help="At most so many threads; all processors where not given.",
    ),
    Option("--memory", section=MACHINE, metavar="SIZE", help="At most about so much, such as 4GB."),
    debug(),
)

# What evaluate takes as it was typed; what is not given keeps evaluate's own default.
NEEDED = ("label", "score")
ROLES = ("weight", "trials", "group", "cluster", "document")
MEANS = ("threads", "memory")
AS_TYPED = ("where", "preset", "positive", "nan", "unscored", "downsampled", "clip", *MEANS)


@click.pass_context
def evaluate_files(ctx: click.Context, /, files: tuple[str, ...], **typed: Any) -> None:
    """Print a table of metrics of FILES: CSV, TSV, JSON lines, Parquet or a database.

    A COLUMN is a column's name, or else an SQL expression. Where the label or the score is not
    named, columns with the usual names are taken, and stderr says which.
    """
    from steelyard import api

    reads = "prediction" if typed["prediction"] or typed["classes"] else "score"
    asked = gates.read(typed["fail_under"], typed["fail_over"], typed["preset"], reads)
    sink = output.sink(typed["output"], typed["format"], read=files)
    groups = typed["groups"] and output.sink(typed["groups"], "csv", read=files)
    with _opened(files, typed) as source, _progress(typed["quiet"]) as progress:
        arguments = _arguments(source.columns, typed, asked)
        result = api.evaluate(source, **arguments, progress=progress)
    if groups:
        groups.write_text(result.groups_csv())
    sink.write(result)
    gates.close(ctx, asked, result)


@contextmanager
def _opened(files: tuple[str, ...], typed: dict[str, Any]) -> Iterator[Any]:
    """The source: what is open knows its columns."""
    from steelyard import errors
    from steelyard.sources.opening import open_source

    if not files and typed["sql"] is None:
        raise errors.NO_SOURCE()
    named = {name: typed[name] for name in ("table", "sql", *MEANS)}
    source = open_source(None if not files else files[0] if len(files) == 1 else files, **named)
    try:
        yield source
    finally:
        source.close()


def _arguments(columns: Any, typed: dict[str, Any], asked: list[gates.Gate]) -> dict[str, Any]:
    """What evaluate is told: the words typed, and the columns recognised for those left out."""
    typed = typed | ({"weight": ""} if _unweighted(typed) else {})
    given = {role: typed[role] or None for role in NEEDED} | {role: typed[role] for role in ROLES}
    if typed["prediction"]:  # then there is no score, and a group would say nothing
        given |= {"score": given["score"] or "", "group": given["group"] or ""}
    taken = recognise.recognise(list(columns), given)
    typed = typed | taken
    typed["score"] = [taken["score"]] if "score" in taken else typed["score"]
    arguments = {"label": typed["label"]}
    arguments |= {
        role: words.scores(typed[role], columns) for role in ("score", "prediction") if typed[role]
    }
    if typed["classes"]:
        arguments["classes"] = words.split(typed["classes"])
    arguments |= {role: typed[role] for role in ROLES if typed[role]}  # "" is no such column
    arguments |= {name: typed[name] for name in AS_TYPED if typed[name] is not None}
    if typed["group"]:
        arguments["group"] = words.columns(typed["group"], columns)
    if typed["by"]:
        arguments["by"] = words.slices(typed["by"], columns)
    if taken and not typed["quiet"]:
        terminal.say(recognise.said(taken))
    return arguments | _metrics(words.metrics(typed["metric"]), asked, arguments)


def _unweighted(typed: dict[str, Any]) -> bool:
    if typed["no_weight"] and typed["weight"]:
        raise click.UsageError("--weight and --no-weight exclude each other")
    return bool(typed["no_weight"])


def _metrics(
    named: list[str], asked: list[gates.Gate], arguments: dict[str, Any]
) -> dict[str, list[str]]:
    """The metrics named, and those that a gate looks at."""
    from steelyard import api

    if not named and not asked:
        return {}
    classes = "classes" in arguments
    reads = "prediction" if classes or "prediction" in arguments else "score"
    usual = api.default_metrics(reads, group="group" in arguments, classes=classes)
    return {"metrics": [*(named or usual), *(gate.metric for gate in asked)]}


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    """The line that says how far the read is, where a person looks at stderr."""
    if quiet or not terminal.is_terminal(sys.stderr):
        yield None
        return
    progress = Progress(sys.stderr)
    try:
        yield progress
    finally:
        progress.close()


command = Command(
    "eval",
    callback=evaluate_files,
    help=evaluate_files.__doc__,
    short_help="Print a table of metrics of files.",
    params=[FILES, *OPTIONS],
    examples=(
        "steelyard eval log.parquet",
        "steelyard eval 'day=*/*.parquet' --label click --score pctr --by country",
        "steelyard eval log.csv --score old=pctr --score new=pctr_v2 -m auc,ap",
        "steelyard eval log.parquet --group user_id -m gauc,ndcg@10",
        'steelyard eval log.csv -m "precision(0.3)" -o now.json --fail-under auc=0.75',
    ),
)
