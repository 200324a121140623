"""`steelyard eval`: the metrics of one or more scores, in files or in the rows of a SELECT."""

from typing import Any

import click

from steelyard import phases
from steelyard.cli import evaluating, gates, output, request_options, shown_slices
from steelyard.cli.option import Command, Option, debug
from steelyard.request.options import OUTPUT

# Options of the command line alone; the others are those of a request.
COMMAND_OPTIONS = (
    evaluating.NO_WEIGHT,
    output.FORMAT,
    output.FILE,
    Option(
        "--sort",
        section=OUTPUT,
        metavar="METRIC",
        help='Slices by a metric or by rows, the largest first; "auc asc", "copc worst".',
    ),
    Option(
        "--top",
        section=OUTPUT,
        metavar="COUNT",
        type=click.IntRange(min=1),
        help="Show only the first slices of each --by; without --sort, the largest.",
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
    evaluating.QUIET,
    *gates.OPTIONS,
    gates.EACH_SLICE,
    debug(),
)


OPTIONS = evaluating.in_sections([*request_options.options(), *COMMAND_OPTIONS])


@click.pass_context
def evaluate_files(ctx: click.Context, /, files: tuple[str, ...], **typed: Any) -> None:
    """Print a table of metrics of FILES: CSV, TSV, JSON lines, Parquet or a database.

    A COLUMN is the name of a column, or an SQL expression. If the label or the score is not given,
    columns with the usual names are used, and a message on stderr names them.
    """
    reads = evaluating.reads(typed)
    limits = gates.read(typed["fail_under"], typed["fail_over"], typed["preset"], reads)
    gates.refuse_unused_each_slice(typed, gates.OPTIONS)
    chosen = shown_slices.read(typed, reads)
    needed = [*(gate.metric for gate in limits), *chosen.metrics]
    sink = output.sink(typed["output"], typed["format"], read=files)
    groups = typed["groups"] and output.sink(typed["groups"], "csv", read=files)

    def check(arguments: dict[str, Any]) -> None:
        if not typed["classes"]:  # whose scores are columns of one model
            gates.check_scores(limits, evaluating.score_names(arguments))
        if sink.format == "csv":
            _check_one_table(reads, arguments)

    with evaluating.progress(typed["quiet"]):
        result = evaluating.evaluated(files, typed, needed, check)
        if groups:
            phases.begin("writing", typed["groups"])
            groups.write_text(result.groups_csv())
    sink.write(chosen.of(result, sink.format))
    gates.enforce(ctx, limits, result, (typed["min_rows"] or 1) if typed["each_slice"] else None)


def _check_one_table(reads: str, arguments: dict[str, Any]) -> None:
    """Refuse metrics that are several tables, before the rows are read: CSV holds one."""
    from steelyard import errors, plan

    metrics = plan.make(arguments.get("metrics", ()), arguments.get("preset"), reads).metrics
    if len({bound.metric.shape for bound in metrics}) > 1:
        raise errors.ONE_TABLE(tables=", ".join(bound.name for bound in metrics))


command = Command(
    "eval",
    evaluate_files,
    short_help="Print a table of metrics of files.",
    params=[evaluating.FILES, *OPTIONS],
    examples=(
        "steelyard eval log.parquet",
        "steelyard eval 'day=*/*.parquet' --label click --score pctr --by country",
        "steelyard eval log.csv --score old=pctr --score new=pctr_v2 -m auc,ap",
        "steelyard eval log.parquet --group user_id -m gauc,ndcg@10",
        'steelyard eval log.csv -m "precision(0.3)" -o now.json --fail-under auc=0.75',
    ),
)
