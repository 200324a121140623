"""`steelyard trec`: the measures of TREC runs, printed as trec_eval prints them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from steelyard.cli import complete, gates, output, parsing, rankings, terminal, trec_names
from steelyard.cli.comparison_output import FORMATS, HTML
from steelyard.cli.gates import Gate, Meaning
from steelyard.cli.option import Command, Option, debug
from steelyard.cli.trec_names import Measure
from steelyard.request.options import OUTPUT

if TYPE_CHECKING:
    from steelyard.model import Array
    from steelyard.result.result import Result
    from steelyard.sources.trec import JoinedRun

OutputLine = tuple[str, str, str]  # a measure's name, the query, the value


class PrintedValues(NamedTuple):
    """The printed values of a measure: for all queries, and for each query."""

    all: str
    queries: Mapping[str, str] = MappingProxyType({})


PRESET, NO_PRESET = "trec_eval", "none"
TREC = "trec"  # the format of trec_eval's lines; the others are those of a Result
ALL = "all"  # trec_eval's name of the mean or sum over queries
TREC_ROLES: dict[str, Any] = {
    "label": "grade",
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
    Option(
        "--format",
        section=OUTPUT,
        metavar="FORMAT",
        type=click.Choice((TREC, *output.FORMATS, HTML)),
        help=f"{', '.join((TREC, *output.FORMATS))}; {TREC}, the lines of trec_eval, if not given; "
        f"with --compare {', '.join(FORMATS)}.",
    ),
    output.FILE,
    *gates.OPTIONS,
    *rankings.OPTIONS,
    debug(),
)


@click.pass_context
def trec(
    ctx: click.Context, /, qrels: str, runs: tuple[str, ...], complete: bool, **typed: Any
) -> None:
    """Print the measures of each RUN, judged by QRELS, as trec_eval prints them.

    QRELS has lines of query, iteration, document and grade; a RUN of query, Q0, document, rank,
    score and tag. Either may be compressed by gzip. With --compare, tables say how the runs differ.
    """
    from steelyard.sources import trec as files

    rankings.check(typed, len(runs))
    if typed["compare"]:
        _compare(ctx, qrels, runs, complete, typed)
        return
    limits = _gates(typed)
    sink = output.sink(typed["output"], typed["format"], read=[qrels, *runs], plain=TREC)
    measures = _measures(typed, sink.format)
    by = TREC_ROLES["group"] if typed["queries"] and sink.format != TREC else None
    judged = files.read_qrels(qrels)
    results: dict[str, Result | None] = {}
    lines: list[OutputLine] = []
    for run in runs:
        joined = files.join(judged, files.read_run(run), complete=complete)
        _report_left_out_queries(run, joined, complete)
        name = _score_name(joined.tag, run, results)
        results[name] = _evaluated(measures, joined, name, by, _preset(typed))
        if sink.format == TREC:
            lines += _lines(measures, joined, results[name], typed, several=len(runs) > 1)
    found = [result for result in results.values() if result is not None]
    whole = _together(found, [qrels, *runs]) if found else None  # counts alone make no result
    if sink.format == TREC:
        sink.write_text("".join(f"{name:<22}\t{query}\t{value}\n" for name, query, value in lines))
    else:
        sink.write(whole)
    if whole is not None:
        gates.enforce(ctx, limits, whole)


def _compare(
    ctx: click.Context, qrels: str, runs: Sequence[str], complete: bool, typed: Mapping[str, Any]
) -> None:
    """Compare the runs on the same queries, which all of them must have, or -c counts as 0."""
    from steelyard.sources import trec as files
    from steelyard.sources.qrels import together

    limits = rankings.gates(typed, _preset(typed), _meaning(typed))
    to = rankings.destination(typed, [qrels, *runs])
    specs = [measure.spec for measure in _measures(typed, "table", rankings.METRICS)]
    judged = files.read_qrels(qrels)
    joined: dict[str, JoinedRun] = {}
    named: dict[str, str] = {}
    for run in runs:
        one = files.join(judged, files.read_run(run), complete=complete)
        _report_left_out_queries(run, one, complete)
        name = _score_name(one.tag, run, joined)
        joined[name], named[name] = one, run
    rows = together(joined)
    scores = {name: f"score of {name}" for name in joined}
    source = {"grade": rows["label"], "query": rows["group"], "document": rows["document"]}
    source |= {scores[name]: rows["score"][name] for name in joined}
    roles = {**TREC_ROLES, "score": scores, "preset": _preset(typed)}
    roles["baseline"] = rankings.baseline(typed, named)
    rankings.compare(ctx, typed, to, source, roles, limits, filter(None, specs))


def _meaning(typed: Mapping[str, Any]) -> Meaning:
    """The metrics that a name of a gate means, ours or trec_eval's; a count has no gate."""

    def meaning(name: str) -> list[str]:
        found = trec_names.measures([name])
        return [_with_rel(measure.spec, typed["rel"]) or measure.name for measure in found]

    return meaning


def _gates(typed: Mapping[str, Any]) -> list[Gate]:
    """The gates of values."""
    limits = (typed["fail_under"], typed["fail_over"])
    return gates.read(*limits, _preset(typed), meaning=_meaning(typed))


def _measures(
    typed: Mapping[str, Any], format: str, usual: Sequence[str] = ("official",)
) -> list[Measure]:
    """The measures to print, checked before a long file is read; those of gates are added.

    usual: if none is named
    """
    from steelyard import plan

    words = parsing.metrics(typed["metric"]) or list(usual)
    counts = [word for word in words if word in trec_names.NO_METRICS]
    if counts and format != TREC:
        raise click.UsageError(f"{', '.join(counts)}: only --format {TREC} has counts and names")
    typed_gates = (*typed["fail_under"], *typed["fail_over"])
    limits = [gates.name_of(text)[1] for text in typed_gates]
    named = trec_names.measures([*words, *limits])
    found = [measure._replace(spec=_with_rel(measure.spec, typed["rel"])) for measure in named]
    plan.make([measure.spec for measure in found if measure.spec], _preset(typed))
    return found


def _printed_name(spec: str, preset: str | None) -> str:
    """The name of a metric in a Result."""
    from steelyard import plan

    (bound,) = plan.make([spec], preset).metrics
    return bound.name


def _score_name(tag: str, run: str, taken: Mapping[str, Any]) -> str:
    """The name of a run's score: its tag; its file if an earlier run has the same tag."""
    names = chain([tag, run], (f"{run} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def _evaluated(
    measures: Sequence[Measure], joined: "JoinedRun", name: str, by: str | None, preset: str | None
) -> "Result | None":
    """The metrics of a run; None if only counts were requested."""
    from steelyard import api

    specs = [measure.spec for measure in measures if measure.spec]
    if not specs:
        return None
    roles = {**TREC_ROLES, "score": {name: "score"}, "by": by}
    return api.evaluate(joined.columns, **roles, preset=preset, metrics=specs)


def _together(results: Sequence["Result"], files: Iterable[str]) -> "Result":
    """One result of all runs: a score for each, with its own rows."""
    from steelyard.result.result import Result
    from steelyard.result.result_rows import ResultRows

    every = [result.conventions for result in results]
    conventions = replace(
        every[0],
        rows="own" if len(results) > 1 else every[0].rows,
        roles={**every[0].roles, "source": ", ".join(files), "score": "score"},
        scores={name: text for each in every for name, text in each.scores.items()},
        score_types={name: text for each in every for name, text in each.score_types.items()},
    )
    return Result(ResultRows(s for each in results for s in each.rows.sections), conventions)


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
    measures: Sequence[Measure],
    joined: "JoinedRun",
    result: "Result | None",
    typed: Mapping[str, Any],
    *,
    several: bool,
) -> Iterator[OutputLine]:
    """The lines of a run: its name if there are several runs, then each query, then the totals."""
    counts = _counts(joined.columns, typed["rel"])
    names = list(counts[trec_names.COUNTS[0]].queries)
    values = {
        trec_names.RUN: PrintedValues(joined.tag),
        trec_names.QUERIES: PrintedValues(str(len(names))),
        **counts,
        **_metrics(measures, result, typed),
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
    measures: Sequence[Measure], result: "Result | None", typed: Mapping[str, Any]
) -> dict[str, PrintedValues]:
    """The metrics of measures: their means, and the values of each query if requested."""
    found: dict[str, PrintedValues] = {}
    for name, spec in measures:
        if spec and result is not None:
            metric = _printed_name(spec, _preset(typed))
            queries = _by_query(result, metric) if typed["queries"] else {}
            found[name] = PrintedValues(_printed(result.row(metric).value), queries)
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
        "steelyard trec qrels.txt run.txt -o now.json --fail-under ndcg_cut_10=0.4",
        "steelyard trec qrels.txt bm25.run bert.run --compare -m ndcg_cut_10,map",
    ),
)
