"""`steelyard eval`: the metrics of one or more scores, in files or in the rows of a SELECT."""

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, closing, nullcontext
from typing import Any

import click

from steelyard.cli import gates, output, request_options, shown_slices, terminal
from steelyard.cli.option import Command, Option, debug
from steelyard.cli.progress import ProgressLine
from steelyard.reading import recognise
from steelyard.reading.recognise import REQUIRED_ROLES, ROLES
from steelyard.request import COLUMNS, OUTPUT, SECTIONS

FILES = click.Argument(["files"], nargs=-1, metavar="[FILES]...", type=click.Path())
# Options of the command line alone; the others are those of a request.
COMMAND_OPTIONS = (
    Option(
        "--no-weight",
        section=COLUMNS,
        is_flag=True,
        help="Count every row once, even where a column is called weight.",
    ),
    output.FORMAT,
    output.FILE,
    Option(
        "--sort",
        section=OUTPUT,
        metavar="METRIC",
        help='Slices by a metric or by rows, the largest first; "auc asc": the smallest first.',
    ),
    Option(
        "--top",
        section=OUTPUT,
        metavar="COUNT",
        type=click.IntRange(min=1),
        help="Show only the first slices of each --by.",
    ),
    Option(
        "--min-rows",
        section=OUTPUT,
        metavar="COUNT",
        type=click.IntRange(min=1),
        help="Show only slices of at least so many rows.",
    ),
    Option(
        "--groups",
        section=OUTPUT,
        metavar="FILE",
        type=click.Path(),
        help="Write a CSV file with a line per group: its key, rows and values.",
    ),
    Option("-q", "--quiet", section=OUTPUT, is_flag=True, help="Print no messages except errors."),
    *gates.OPTIONS,
    debug(),
)


def _in_sections(options: Iterable[Option]) -> list[Option]:
    """The options in the order of the help: by section, then those without one."""
    places = {section: place for place, section in enumerate(SECTIONS)}
    return sorted(options, key=lambda option: places.get(option.section, len(places)))


OPTIONS = _in_sections([*request_options.options(), *COMMAND_OPTIONS])
OPTION = "--{role}"  # the option that names the column of a role
OPENING = ("table", "sql", "threads", "memory", "allow_files")  # options that open_source takes too


@click.pass_context
def evaluate_files(ctx: click.Context, /, files: tuple[str, ...], **typed: Any) -> None:
    """Print a table of metrics of FILES: CSV, TSV, JSON lines, Parquet or a database.

    A COLUMN is the name of a column, or an SQL expression. If the label or the score is not given,
    columns with the usual names are used, and a message on stderr names them.
    """
    from steelyard import api

    reads = _reads(typed)
    limits = gates.read(typed["fail_under"], typed["fail_over"], typed["preset"], reads)
    chosen = shown_slices.read(typed, reads)
    needed = [*(gate.metric for gate in limits), *chosen.metrics]
    sink = output.sink(typed["output"], typed["format"], read=files)
    groups = typed["groups"] and output.sink(typed["groups"], "csv", read=files)
    with _opened(files, typed) as source, _progress(typed["quiet"]) as progress:
        arguments = _arguments(source.columns, typed, needed)
        if sink.format == "csv":
            _check_one_table(arguments, reads)
        result = api.evaluate(source, **arguments, progress=progress)
    if groups:
        groups.write_text(result.groups_csv())
    sink.write(chosen.of(result, sink.format))
    gates.enforce(ctx, limits, result)


def _reads(typed: dict[str, Any]) -> str:
    """What the metrics read: scores or predictions."""
    return "prediction" if typed["prediction"] or typed["classes"] else "score"


def _check_one_table(arguments: dict[str, Any], reads: str) -> None:
    """Refuse metrics that are several tables, before the rows are read: CSV holds one."""
    from steelyard import errors, plan

    metrics = plan.make(arguments.get("metrics", ()), arguments.get("preset"), reads).metrics
    if len({bound.metric.shape for bound in metrics}) > 1:
        raise errors.ONE_TABLE(tables=", ".join(bound.name for bound in metrics))


def _opened(files: tuple[str, ...], typed: dict[str, Any]) -> AbstractContextManager[Any]:
    """The source, opened so that its columns are known."""
    from steelyard import errors
    from steelyard.sources.opening import open_source

    if not files and typed["sql"] is None:
        raise errors.NO_SOURCE()
    named = {name: typed[name] for name in OPENING}
    source = None if not files else files[0] if len(files) == 1 else files
    return closing(open_source(source, **named))


def _arguments(columns: Any, typed: dict[str, Any], needed: list[str]) -> dict[str, Any]:
    """The arguments of evaluate: the options typed, and columns recognised for roles left out.

    needed: metrics that other options name
    """
    typed = typed | ({"weight": ""} if _unweighted(typed) else {})
    given = {role: typed[role] or None if role in REQUIRED_ROLES else typed[role] for role in ROLES}
    given["prediction"] = typed["prediction"]
    taken = recognise.recognise(list(columns), given, OPTION)
    scores = {"score": (taken["score"],)} if "score" in taken else {}
    arguments = request_options.arguments(typed | taken | scores, columns)
    if taken and not typed["quiet"]:
        options = ", ".join(OPTION.format(role=role) for role in taken)
        other = "another" if len(taken) == 1 else "others"
        terminal.print_message(f"using {recognise.text(taken)}; name {other} with {options}")
    return arguments | _metrics(arguments, needed, _reads(typed))


def _unweighted(typed: dict[str, Any]) -> bool:
    if typed["no_weight"] and typed["weight"]:
        raise click.UsageError("--weight and --no-weight exclude each other")
    return bool(typed["no_weight"])


def _metrics(arguments: dict[str, Any], needed: list[str], reads: str) -> dict[str, list[str]]:
    """The metrics named, and those that other options name."""
    from steelyard import plan

    named = arguments.get("metrics")
    if not named and not needed:
        return {}
    classes = "classes" in arguments and "prediction" not in arguments
    usual = plan.default_metrics(reads, group="group" in arguments, classes=classes)
    return {"metrics": [*(named or usual), *needed]}


def _progress(quiet: bool) -> AbstractContextManager[ProgressLine | None]:
    """The progress line, if stderr is a terminal."""
    shown = not quiet and terminal.is_terminal(sys.stderr)
    return closing(ProgressLine(sys.stderr)) if shown else nullcontext()


command = Command(
    "eval",
    evaluate_files,
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
