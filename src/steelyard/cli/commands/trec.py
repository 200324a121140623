"""`steelyard trec`: the measures of TREC runs, printed as trec_eval prints them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from steelyard.cli import complete, output, parsing, terminal, trec_names
from steelyard.cli.option import Command, Option, debug
from steelyard.cli.trec_names import Measure

if TYPE_CHECKING:
    from steelyard.model import Array
    from steelyard.result import Result
    from steelyard.sources.trec import JoinedRun

OutputLine = tuple[str, str, str]  # a measure's name, the query, the value


class PrintedValues(NamedTuple):
    """The printed values of a measure: for all queries, and for each query."""

    all: str
    queries: Mapping[str, str] = MappingProxyType({})


PRESET, NO_PRESET = "trec_eval", "none"
ALL = "all"  # trec_eval's name of the mean or sum over queries
TREC_ROLES: dict[str, Any] = {
    "label": "grade",
    "score": "score",
    "group": "query",
    "document": "document",
    "unscored": "not_retrieved",
}

PARAMETERS = (
    click.Argument(["qrels"], type=click.Path()),
    click.Argument(["runs"], nargs=-1, required=True, type=click.Path(), metavar="RUN..."),
    Option(
        "-m",
        "--metric",
        metavar="METRIC",
        multiple=True,
        shell_complete=complete.measures,
        help="ndcg@10, or a name of trec_eval: ndcg_cut_10, P.5,10, official; repeatable.",
    ),
    Option("-q", "--queries", is_flag=True, help="Also print a line per query."),
    Option(
        "-c",
        "--complete",
        is_flag=True,
        help="Queries of QRELS that a run does not have count as 0.",
    ),
    Option(
        "-l",
        "--rel",
        metavar="GRADE",
        type=click.IntRange(min=1),
        default=1,
        help="The lowest grade that is relevant; 1 if not given.",
    ),
    Option(
        "--preset",
        metavar="TOOL",
        default=PRESET,
        shell_complete=complete.choices((PRESET, NO_PRESET)),
        help=f"The conventions of a tool: {PRESET} if not given, {NO_PRESET} for steelyard's own.",
    ),
    debug(),
)


def trec(qrels: str, runs: tuple[str, ...], complete: bool, **typed: Any) -> None:
    """Print the measures of each RUN, judged by QRELS, as trec_eval prints them.

    QRELS has lines of query, iteration, document and grade; a RUN of query, Q0, document, rank,
    score and tag. Either may be compressed by gzip.
    """
    from steelyard.sources import trec as files

    measures = _measures(typed)
    judged = files.read_qrels(qrels)
    for run in runs:
        joined = files.join(judged, files.read_run(run), complete=complete)
        _report_left_out_queries(run, joined, complete)
        lines = _lines(measures, joined, typed, several=len(runs) > 1)
        output.write_stdout("".join(f"{name:<22}\t{query}\t{v}\n" for name, query, v in lines))


def _measures(typed: Mapping[str, Any]) -> list[Measure]:
    """The measures to print, checked before a long file is read."""
    from steelyard import plan

    named = trec_names.measures(parsing.metrics(typed["metric"]) or ["official"])
    found = [measure._replace(spec=_with_rel(measure.spec, typed["rel"])) for measure in named]
    plan.make([measure.spec for measure in found if measure.spec], _preset(typed))
    return found


def _preset(typed: Mapping[str, Any]) -> str | None:
    return None if typed["preset"] == NO_PRESET else str(typed["preset"])


def _with_rel(spec: str, rel: int) -> str:
    """A metric whose lowest relevant grade is `rel`; metrics of gains have no such grade."""
    from steelyard.metrics.catalogue import resolve
    from steelyard.spec import parse

    if not spec or rel == 1:
        return spec
    own = {parameter.name for parameter in resolve(spec).metric.parameters}
    written = parse(spec)
    if "rel" not in own or "gain" in own or "rel" in dict(written.options):
        return spec
    return str(replace(written, options=(*written.options, ("rel", rel))))


def _report_left_out_queries(run: str, joined: "JoinedRun", complete: bool) -> None:
    if joined.unjudged_queries:
        unjudged = f"{_queries(joined.unjudged_queries)} without a judgement"
        terminal.print_message(f"{run}: left out {unjudged}")
    if joined.missing_queries and not complete:
        missing = f"{_queries(joined.missing_queries)} of the qrels that the run does not have"
        terminal.print_message(f"{run}: left out {missing}; -c counts them as 0")


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count:,} queries"


def _lines(
    measures: Sequence[Measure], joined: "JoinedRun", typed: Mapping[str, Any], *, several: bool
) -> Iterator[OutputLine]:
    """The lines of a run: its name if there are several runs, then each query, then the totals."""
    counts = _counts(joined.columns, typed["rel"])
    names = list(counts[trec_names.COUNTS[0]].queries)
    values = {
        trec_names.RUN: PrintedValues(joined.tag),
        trec_names.QUERIES: PrintedValues(str(len(names))),
        **counts,
        **_metrics([measure for measure in measures if measure.spec], joined.columns, typed),
    }
    if several:
        yield trec_names.RUN, ALL, joined.tag
        measures = [measure for measure in measures if measure.name != trec_names.RUN]
    for query in names if typed["queries"] else ():
        for name, _ in measures:
            if query in values[name].queries:
                yield name, query, values[name].queries[query]
    for name, _ in measures:
        yield name, ALL, values[name].all


def _counts(columns: "Mapping[str, Array]", rel: int) -> dict[str, PrintedValues]:
    """How many documents are retrieved, relevant, and both."""
    import numpy as np

    query = columns["query"]
    starts = np.flatnonzero(np.append(True, query[1:] != query[:-1]))  # queries are in blocks
    names = query[starts].tolist()
    retrieved, relevant = ~np.isnan(columns["score"]), columns["grade"] >= rel
    kinds = (retrieved, relevant, retrieved & relevant, retrieved & ~relevant & columns["judged"])
    found = {}
    for name, kind in zip(trec_names.COUNTS, kinds, strict=True):
        own = np.add.reduceat(kind, starts, dtype=np.intp).tolist()
        found[name] = PrintedValues(str(sum(own)), dict(zip(names, map(str, own), strict=True)))
    return found


def _metrics(
    measures: Sequence[Measure], columns: "Mapping[str, Array]", typed: Mapping[str, Any]
) -> dict[str, PrintedValues]:
    """The metrics of measures: their means, and the values of each query if requested."""
    from steelyard import api, plan

    if not measures:
        return {}
    preset, specs = _preset(typed), [measure.spec for measure in measures]
    result = api.evaluate(columns, **TREC_ROLES, preset=preset, metrics=specs)
    found = {}
    for name, spec in measures:
        (bound,) = plan.make([spec], preset).metrics
        queries = _by_query(result, bound.name) if typed["queries"] else {}
        found[name] = PrintedValues(_printed(result.row(bound.name).value), queries)
    return found


def _by_query(result: "Result", metric: str) -> dict[str, str]:
    table = result.groups(metric)
    return dict(zip(table[TREC_ROLES["group"]], map(_printed, table[metric]), strict=True))


def _printed(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.4f}"


command = Command(
    "trec",
    trec,
    short_help="Print the measures of TREC runs, as trec_eval does.",
    params=list(PARAMETERS),
    examples=(
        "steelyard trec qrels.txt run.txt",
        "steelyard trec qrels.txt.gz run1.gz run2.gz -m map -m ndcg_cut.10",
        "steelyard trec qrels.txt run.txt -c -q -m recall@100,P_5 --preset none",
    ),
)
