"""What `steelyard trec` and `steelyard letor` share: rankings compared, query by query."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from steelyard.cli import comparison_gates, comparison_output, output
from steelyard.cli.comparison_output import ENDINGS, FORMATS, GROUPS, HTML, worst_option
from steelyard.cli.gates import EACH_SLICE, Meaning
from steelyard.cli.option import Option
from steelyard.request.options import COMPARING

if TYPE_CHECKING:
    from steelyard.cli.comparison_gates import ComparisonGates

LISTED = 5  # queries with the largest losses, if --worst does not say how many
METRICS = ("map", "ndcg@10", "mrr", "precision@10")  # if none is named

OPTIONS = (
    Option(
        "--compare",
        section=COMPARING,
        is_flag=True,
        help="Compare with the first, query by query: differences, intervals, p, largest losses.",
    ),
    Option(
        "--baseline",
        section=COMPARING,
        metavar="NAME",
        help="What others are compared with, by its name or file; the first if not given.",
    ),
    Option("--all-pairs", section=COMPARING, is_flag=True, help="Compare each with every other."),
    Option(
        "--confidence",
        section=COMPARING,
        metavar="SHARE",
        type=float,
        help="How often intervals cover the true difference: 0.95 if not given.",
    ),
    worst_option(f"List so many queries with the largest losses: {LISTED} if not given, 0: none."),
    GROUPS,
    *(option for option in comparison_gates.OPTIONS if option is not EACH_SLICE),
)
OF_VALUES = ("fail_under", "fail_over")  # gates of values, which a comparison does not judge


def check(typed: Mapping[str, Any], scores: int) -> None:
    """Refuse options that have no effect with --compare, or without it; scores: how many."""
    if not typed["compare"]:
        for option in OPTIONS:
            given = typed[str(option.name)]
            if given is not None and given is not False and given != ():  # 0 is given
                raise click.UsageError(f"{option.opts[0]} needs --compare")
        if typed["format"] == HTML:
            raise click.UsageError(f"--format {HTML} needs --compare")
        return
    if scores < 2:
        raise click.UsageError("--compare takes two rankings or more, and there is one")
    for name in OF_VALUES:
        if typed[name]:
            flag = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{flag} does not work with --compare: use --fail-if-worse")
    if typed["format"] not in (None, *FORMATS):
        raise click.UsageError(f"with --compare the formats are {', '.join(FORMATS)}")


class Destination(NamedTuple):
    """Where a comparison is written; groups: a file of them; worst: how many tables list."""

    sink: output.Sink
    groups: output.Sink | None
    worst: int | None


def destination(typed: Mapping[str, Any], read: Sequence[str]) -> Destination:
    """The destination, checked before long files are read; read: these files."""
    sink = output.sink(typed["output"], typed["format"], read=read, endings=ENDINGS)
    every = typed.get("queries", False)
    if every and sink.format not in comparison_output.FOR_PEOPLE:
        raise click.UsageError(
            "with --compare, -q needs a table or markdown; --groups FILE writes every query"
        )
    worst = LISTED if typed["worst"] is None else typed["worst"]
    groups = comparison_output.groups_sink(typed, read)
    return Destination(sink, groups, None if every else worst)


def gates(
    typed: Mapping[str, Any], preset: str | None, meaning: Meaning = lambda name: [name]
) -> "ComparisonGates":
    """The gates of a comparison as typed; meaning: the metrics that a name means."""
    limits = (typed["fail_if_worse"], typed["require_not_worse"])
    return comparison_gates.read(*limits, False, preset, "score", meaning)


def compare(
    ctx: click.Context,
    typed: Mapping[str, Any],
    to: Destination,
    rows: Mapping[str, Any],
    roles: Mapping[str, Any],
    limits: "ComparisonGates",
    metrics: Iterable[str],
) -> None:
    """Compare the scores of rows by query, and write it."""
    from steelyard import api

    found = api.compare(
        rows,
        **roles,
        cluster=roles["group"],
        metrics=[*metrics, *limits.metrics],
        margins=limits.margins,
        confidence=typed["confidence"],
        all_pairs=typed["all_pairs"],
    )
    listed = to.worst if found.group_metrics or typed["worst"] else 0  # -m auc has no queries
    comparison_output.prepared(found, to.sink, to.groups, listed)()
    limits.enforce(ctx, found, 1)


def baseline(typed: Mapping[str, Any], files: Mapping[str, str]) -> str | None:
    """The name of the baseline, which may be given by its file; files: by name."""
    named: str | None = typed["baseline"]
    by_file = {file: name for name, file in files.items()}
    return named if named is None or named in files else by_file.get(named, named)
