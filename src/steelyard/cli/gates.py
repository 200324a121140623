"""Gates: limits that the total of every score must keep, or the command exits with 1."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from steelyard import errors
from steelyard.cli import terminal
from steelyard.cli.option import Option
from steelyard.phrases import listing
from steelyard.request.options import GATES

if TYPE_CHECKING:
    from steelyard.model import Row  # imports NumPy, which the help does not need
    from steelyard.result.result import Result

OPTIONS = (
    Option(
        "--fail-under",
        section=GATES,
        metavar="METRIC=NUMBER",
        multiple=True,
        help="Exit with 1 if a total is smaller or has no value; of one: new.auc=0.7.",
    ),
    Option(
        "--fail-over",
        section=GATES,
        metavar="METRIC=NUMBER",
        multiple=True,
        help="Exit with 1 if it is larger, or has no value.",
    ),
)
EACH_SLICE = Option(
    "--each-slice",
    section=GATES,
    is_flag=True,
    help="Gates hold for every slice too, of at least --min-rows rows.",
)
MISSED = 1  # exit code of a command that missed a gate
Meaning = Callable[[str], list[str]]  # the metrics that a name means


class Gate(NamedTuple):
    """A metric by its printed name, and its smallest or largest allowed value.

    score: the only score that must keep it; None: all do
    """

    metric: str
    limit: float
    option: str
    score: str | None = None

    def concerns(self, score: str) -> bool:
        return self.score in (None, score)

    def miss(self, row: "Row") -> errors.SteelyardError | None:
        """The error if the value misses the gate."""
        facts = {"metric": row.metric, "score": _named(row), "limit": self.limit}
        if row.value is None:
            return errors.GATE_NO_VALUE(**facts, why=row.why, option=self.option)
        if self.option == "--fail-under" and row.value < self.limit:
            return errors.GATE_LOW(**facts, value=row.value)
        if self.option == "--fail-over" and row.value > self.limit:
            return errors.GATE_HIGH(**facts, value=row.value)
        return None


def read(
    under: Iterable[str],
    over: Iterable[str],
    preset: str | None = None,
    reads: str = "score",
    meaning: Meaning = lambda name: [name],
) -> list[Gate]:
    """The gates as typed, `auc=0.75`.

    meaning: the metrics that a name means, of a command that also knows another tool's names
    """
    gates = [read_gate(text, "--fail-under", preset, reads, meaning) for text in under]
    return gates + [read_gate(text, "--fail-over", preset, reads, meaning) for text in over]


def refuse_unused_each_slice(typed: Mapping[str, Any], options: Iterable[Option]) -> None:
    """Refuse --each-slice without a gate or without slices; options: those of gates."""
    if not typed["each_slice"]:
        return
    limits = [option for option in options if option is not EACH_SLICE]
    if not any(typed[str(option.name)] for option in limits):
        names = " or ".join(option.opts[0] for option in limits)
        raise errors.EACH_SLICE_UNUSED(missing="gate", options=names)
    if not typed["by"] and not typed["by_file"]:
        raise errors.EACH_SLICE_UNUSED(missing="slice", options="--by")


def name_of(text: str) -> tuple[str | None, str]:
    """The score of a gate as typed, if it names one, and its metric.

    The last dot outside of parentheses ends the score's name; only a number follows such a dot in
    the name of a metric, as in trec_eval's P.10.

    >>> name_of("auc=0.7"), name_of("v1.2.tpr_at_fpr(0.01)=0.5"), name_of("P.10=0.2")
    ((None, 'auc'), ('v1.2', 'tpr_at_fpr(0.01)'), (None, 'P.10'))
    """
    named, depth = text.rpartition("=")[0].strip(), 0
    for place in reversed(range(len(named))):
        depth += {")": 1, "(": -1}.get(named[place], 0)
        if named[place] == "." and not depth and not named[place + 1 : place + 2].isdigit():
            return named[:place].strip(), named[place + 1 :].strip()
    return None, named


def read_gate(
    text: str,
    option: str,
    preset: str | None,
    reads: str,
    meaning: Meaning = lambda name: [name],
) -> Gate:
    """A gate as typed."""
    from steelyard import plan

    score, metric = name_of(text)
    try:
        limit = float(text.rpartition("=")[2])
    except ValueError:
        limit = float("nan")
    if not metric or score == "" or not isfinite(limit):
        raise errors.BAD_GATE(text=text, option=option)
    bounds = plan.numbers(meaning(metric), preset, reads)  # a preset changes defaults
    if len(bounds) > 1:
        raise errors.BAD_GATE(text=text, option=option)
    return Gate(bounds[0].name, limit, option, score)


def check_scores(gates: Iterable[Gate], scores: Iterable[str]) -> None:
    """Refuse a gate of a score that there is not."""
    known = list(scores)
    for gate in gates:
        if not any(map(gate.concerns, known)):
            raise errors.GATE_SCORE(
                metric=gate.metric, score=gate.score, option=gate.option, known=listing(known)
            )


def _named(row: "Row") -> str:
    """The score of a row, and its slice if it has one."""
    from steelyard.report import display

    (slice_,) = display.slice_names(row.slice, [tuple(row.slice.values())])
    return f"{row.score} in {slice_}" if row.slice else row.score


def missed(
    gates: Iterable[Gate], result: "Result", least: int | None = None
) -> Iterator[errors.SteelyardError]:
    """An error for each gate and score that misses it.

    least: slices of at least so many rows are compared too; None: only totals
    """
    gates, totals = list(gates), result.rows.totals()
    check_scores(gates, result.scores)
    slices = [] if least is None else [row for row in result.rows if row.slice and row.n >= least]
    for gate in gates:
        found = [row for row in (*totals, *slices) if row.metric == gate.metric]
        if not found:  # a gate without a value must not pass
            known = ", ".join(dict.fromkeys(row.metric for row in totals))
            raise errors.NOT_IN_RESULT(metric=gate.metric, known=known)
        concerned = [row for row in found if gate.concerns(row.score)]
        yield from filter(None, map(gate.miss, concerned))


def enforce(
    ctx: click.Context, gates: Iterable[Gate], result: "Result", least: int | None = None
) -> None:
    """Print an error for each gate that was missed; if there is one, exit; least: as in `missed`"""
    found = list(missed(gates, result, least))
    for error in found:
        terminal.print_error(str(error))
    if found:
        ctx.exit(MISSED)
