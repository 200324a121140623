"""`steelyard letor`: the metrics of a LETOR or SVMlight file."""

from typing import Any

import click

from steelyard.cli import complete, gates, output, parsing, request_options
from steelyard.cli.option import Command, Option, debug
from steelyard.phrases import listing

METRICS = ("ndcg@5", "ndcg@10", "map", "mrr")  # if none is named
COLUMNS = ("label", "qid", "score")  # of the rows, beside the features

PARAMETERS = (
    click.Argument(["data"], type=click.Path()),
    Option(
        "--scores",
        section="Rows",
        metavar="FILE",
        type=click.Path(),
        help="The scores of a model, one number per line.",
    ),
    Option(
        "--score",
        section="Rows",
        metavar="FEATURE",
        help="The number of a feature to use as the score instead.",
    ),
    Option(
        "--group-sizes",
        section="Rows",
        metavar="FILE",
        type=click.Path(),
        help="How many lines each query has, one number per line, if DATA has no qid.",
    ),
    Option(
        "-m",
        "--metric",
        section="Numbers",
        metavar="METRIC",
        multiple=True,
        shell_complete=complete.metrics,
        help=f"ndcg@10, or several as in ndcg@10,map; {','.join(METRICS)} if not given.",
    ),
    *(option for option in request_options.options() if option.name == "preset"),
    output.FORMAT,
    output.FILE,
    *gates.OPTIONS,
    debug(),
)


@click.pass_context
def letor(ctx: click.Context, /, data: str, **typed: Any) -> None:
    """Print a table of metrics of DATA: lines such as 2 qid:7 1:0.5 3:0.25.

    Scores are in a separate file, or are one of the features. Files may be compressed by gzip.
    """
    from steelyard import api, errors
    from steelyard.sources.letor import read_letor

    if (typed["scores"] is None) == (typed["score"] is None):
        raise click.UsageError("name either a file with --scores or a feature with --score")
    limits = gates.read(typed["fail_under"], typed["fail_over"], typed["preset"])
    read = [path for path in (data, typed["scores"], typed["group_sizes"]) if path]
    sink = output.sink(typed["output"], typed["format"], read=read)
    metrics = parsing.metrics(typed["metric"]) or list(METRICS)
    score = typed["score"] or "score"
    rows = read_letor(data, typed["scores"], typed["group_sizes"])
    if typed["score"] and score not in (features := [n for n in rows if n not in COLUMNS]):
        raise errors.NO_FEATURE(name=score, path=data, listed=listing(features))
    result = api.evaluate(
        rows,
        label="label",
        score=score,
        group="qid",
        metrics=[*metrics, *(gate.metric for gate in limits)],
        preset=typed["preset"],
    )
    sink.write(result)
    gates.enforce(ctx, limits, result)


command = Command(
    "letor",
    letor,
    short_help="Print a table of metrics of a LETOR or SVMlight file.",
    params=list(PARAMETERS),
    examples=(
        "steelyard letor test.txt --scores model.txt -m ndcg@10,map",
        "steelyard letor rank.test --group-sizes rank.test.query --score 8",
    ),
)
