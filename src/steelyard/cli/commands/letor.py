"""`steelyard letor`: the metrics of a LETOR or SVMlight file."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from steelyard.cli import complete, gates, output, parsing, rankings, request_options
from steelyard.cli.comparison_output import HTML
from steelyard.cli.option import Command, Option, debug
from steelyard.phrases import listing
from steelyard.request.options import OUTPUT

if TYPE_CHECKING:
    from steelyard.sources.letor import Letor

METRICS = ("ndcg@5", "ndcg@10", "map", "mrr")  # if none is named
COLUMNS = ("label", "qid")  # of the rows, beside scores and features

PARAMETERS = (
    click.Argument(["data"], type=click.Path()),
    Option(
        "--scores",
        section="Rows",
        metavar="[NAME=]FILE",
        multiple=True,
        type=click.Path(),
        help="The scores of a model, one number per line; repeatable, with a name as in new=b.txt.",
    ),
    Option(
        "--score",
        section="Rows",
        metavar="FEATURE",
        multiple=True,
        help="The number of a feature to use as the score instead; repeatable.",
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
    Option(
        "--format",
        section=OUTPUT,
        metavar="FORMAT",
        type=click.Choice((*output.FORMATS, HTML)),
        help=f"{', '.join(output.FORMATS)}; table if not given; with --compare also {HTML}.",
    ),
    output.FILE,
    *gates.OPTIONS,
    *rankings.OPTIONS,
    debug(),
)


@click.pass_context
def letor(ctx: click.Context, /, data: str, **typed: Any) -> None:
    """Print a table of metrics of DATA: lines such as 2 qid:7 1:0.5 3:0.25.

    Scores are in separate files, or are some of the features. Files may be compressed by gzip.
    With --compare, tables say how the scores differ.
    """
    from steelyard import api

    files = _score_files(typed["scores"])
    names = [*files, *typed["score"]]
    if not names:
        raise click.UsageError("name files with --scores or features with --score")
    rankings.check(typed, len(names))
    read = [path for path in (data, *files.values(), typed["group_sizes"]) if path]
    metrics = parsing.metrics(typed["metric"]) or list(METRICS)
    roles = {"label": "label", "group": "qid", "score": names, "preset": typed["preset"]}
    if typed["compare"]:
        bounds = rankings.gates(typed, typed["preset"])
        to = rankings.destination(typed, read)
        roles["baseline"] = rankings.baseline(typed, files)
        rows = _rows(data, files, typed)
        rankings.compare(ctx, typed, to, rows, roles, bounds, metrics)
        return
    limits = gates.read(typed["fail_under"], typed["fail_over"], typed["preset"])
    sink = output.sink(typed["output"], typed["format"], read=read)
    needed = [*metrics, *(gate.metric for gate in limits)]
    result = api.evaluate(_rows(data, files, typed), **roles, metrics=needed)
    sink.write(result)
    gates.enforce(ctx, limits, result)


def _score_files(typed: Sequence[str]) -> dict[str, str]:
    """The files of scores by name; one without a name is called score."""
    if len(typed) == 1 and os.path.exists(typed[0]):
        return {"score": typed[0]}
    found = parsing.scores(typed, [path for path in typed if os.path.exists(path)])
    if isinstance(found, dict):
        return found
    listed = [found] if isinstance(found, str) else found
    return {"score" if len(listed) == 1 else path: path for path in listed}


def _rows(data: str, files: Mapping[str, str], typed: Mapping[str, Any]) -> "Letor":
    """The rows of DATA with the scores of all files; features that are scores must be there."""
    from steelyard import errors
    from steelyard.sources.letor import read_letor

    rows = read_letor(data, files, typed["group_sizes"])
    features = [name for name in rows if name not in (*COLUMNS, *files)]
    for name in typed["score"]:
        if name not in features:
            raise errors.NO_FEATURE(name=name, path=data, listed=listing(features))
    return rows


command = Command(
    "letor",
    letor,
    short_help="Print a table of metrics of a LETOR or SVMlight file.",
    params=list(PARAMETERS),
    examples=(
        "steelyard letor test.txt --scores model.txt -m ndcg@10,map",
        "steelyard letor rank.test --group-sizes rank.test.query --score 8",
        "steelyard letor test.txt --scores old=a.txt --scores new=b.txt --compare",
    ),
)
