"""`steelyard trec`: the measures of TREC runs, in trec_eval's lines."""

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
    """What is printed of a measure: for all queries, and for each."""

    all: str
    queries: Mapping[str, str] = MappingProxyType({})


PRESET, OURS = "trec_eval", "none"
ALL = "all"  # what trec_eval calls the mean, or sum, of all queries
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
        help="ndcg@10, or as trec_eval has it: ndcg_cut_10, P.5,10, official; repeatable.",
    ),
    Option("-q", "--queries", is_flag=True, help="Lines for each query too."),
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
        help="The least grade that is relevant; 1 where not given.",
    ),
    Option(
        "--preset",
        metavar="TOOL",
        default=PRESET,
        shell_complete=complete.of((PRESET, OURS)),
        help=f"Whose conventions: {PRESET} where not given, {OURS} for steelyard's own.",
    ),
    debug(),
)


def trec(qrels: str, runs: tuple[str, ...], complete: bool, **typed: Any) -> None:
    """Print the measures of each RUN, judged by QRELS, in the lines of trec_eval.

    QRELS has lines of query, iteration, document and grade; a RUN of query, Q0, document, rank,
    score and tag. Either may be packed by gzip.
    """
    from steelyard.sources import trec as files

    asked = _asked(typed)
    judged = files.read_qrels(qrels)
    for run in runs:
        joined = files.join(judged, files.read_run(run), complete=complete)
        _report_left_out_queries(run, joined, complete)
        lines = _lines(asked, joined, typed, several=len(runs) > 1)
        output.write_stdout("".join(f"{name:<22}\t{of}\t{value}\n" for name, of, value in lines))


def _asked(typed: Mapping[str, Any]) -> list[Measure]:
    """The measures to print, checked before a long file is read."""
    from steelyard import plan

    asked = trec_names.measures(parsing.metrics(typed["metric"]) or ["official"])
    asked = [measure._replace(spec=_at_level(measure.spec, typed["rel"])) for measure in asked]
    plan.make([measure.spec for measure in asked if measure.spec], _preset(typed))
    return asked


def _preset(typed: Mapping[str, Any]) -> str | None:
    return None if typed["preset"] == OURS else str(typed["preset"])


def _at_level(spec: str, rel: int) -> str:
    """A metric with that grade as the least relevant one; gains have a grade's whole value."""
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
        terminal.print_message(
            f"{run}: left out {_queries(joined.unjudged_queries)} without a judgement"
        )
    if joined.missing_queries and not complete:
        missing = f"{_queries(joined.missing_queries)} of the qrels that the run does not have"
        terminal.print_message(f"{run}: left out {missing}; -c counts them as 0")


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count:,} queries"


def _lines(
    asked: Sequence[Measure], joined: "JoinedRun", typed: Mapping[str, Any], *, several: bool
) -> Iterator[OutputLine]:
    """A run's lines: its name first where there are several, then queries, then all of them."""
    counts = _counts(joined.columns, typed["rel"])
    names = list(counts[trec_names.COUNTS[0]].queries)
    values = {
        trec_names.RUN: PrintedValues(joined.tag),
        trec_names.QUERIES: PrintedValues(str(len(names))),
        **counts,
        **_numbers([measure for measure in asked if measure.spec], joined.columns, typed),
    }
    if several:
        yield trec_names.RUN, ALL, joined.tag
        asked = [measure for measure in asked if measure.name != trec_names.RUN]
    for query in names if typed["queries"] else ():
        for name, _ in asked:
            if query in values[name].queries:
                yield name, query, values[name].queries[query]
    for name, _ in asked:
        yield name, ALL, values[name].all


def _counts(columns: "Mapping[str, Array]", rel: int) -> dict[str, PrintedValues]:
    """How many documents there are of each kind."""
    import numpy as np

    query = columns["query"]
    starts = np.flatnonzero(np.append(True, query[1:] != query[:-1]))  # they stand side by side
    names = query[starts].tolist()
    retrieved, relevant = ~np.isnan(columns["score"]), columns["grade"] >= rel
    kinds = (retrieved, relevant, retrieved & relevant, retrieved & ~relevant & columns["judged"])
    found = {}
    for name, kind in zip(trec_names.COUNTS, kinds, strict=True):
        own = np.add.reduceat(kind, starts, dtype=np.intp).tolist()
        found[name] = PrintedValues(str(sum(own)), dict(zip(names, map(str, own), strict=True)))
    return found


def _numbers(
    asked: Sequence[Measure], columns: "Mapping[str, Array]", typed: Mapping[str, Any]
) -> dict[str, PrintedValues]:
    """Our metrics: their means, and query by query where that is asked."""
    from steelyard import api, plan

    if not asked:
        return {}
    preset, specs = _preset(typed), [measure.spec for measure in asked]
    result = api.evaluate(columns, **TREC_ROLES, preset=preset, metrics=specs)
    found = {}
    for name, spec in asked:
        (bound,) = plan.make([spec], preset).metrics
        queries = _of_queries(result, bound.name) if typed["queries"] else {}
        found[name] = PrintedValues(_shown(result.row(bound.name).value), queries)
    return found


def _of_queries(result: "Result", metric: str) -> dict[str, str]:
    table = result.groups(metric)
    return dict(zip(table[TREC_ROLES["group"]], map(_shown, table[metric]), strict=True))


def _shown(value: float | None) -> str:
    return "-" if value is None or value != value else f"{value:.4f}"


command = Command(
    "trec",
    callback=trec,
    help=trec.__doc__,
    short_help="Print the measures of TREC runs, as trec_eval does.",
    params=list(PARAMETERS),
    examples=(
        "steelyard trec qrels.txt run.txt",
        "steelyard trec qrels.txt.gz run1.gz run2.gz -m map -m ndcg_cut.10",
        "steelyard trec qrels.txt run.txt -c -q -m recall@100,P_5 --preset none",
    ),
)
