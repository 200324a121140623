"""Gates: limits that the total of every score must keep, or the command exits with 1."""

from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import click

from steelyard import errors
from steelyard.cli import terminal
from steelyard.cli.option import Option
from steelyard.request import GATES

if TYPE_CHECKING:
    from steelyard.model import Row  # imports NumPy, which the help does not need
    from steelyard.result import Result

OPTIONS = (
    Option(
        "--fail-under",
        section=GATES,
        metavar="METRIC=NUMBER",
        multiple=True,
        help="Exit with 1 if the total of a score is smaller, or has no value.",
    ),
    Option(
        "--fail-over",
        section=GATES,
        metavar="METRIC=NUMBER",
        multiple=True,
        help="Exit with 1 if it is larger, or has no value.",
    ),
)
MISSED = 1  # exit code of a command that missed a gate
Meaning = Callable[[str], list[str]]  # the metrics that a name means


class Gate(NamedTuple):
    """A metric by its printed name, and its smallest or largest allowed value."""

    metric: str
    limit: float
    option: str

    def miss(self, row: "Row") -> errors.SteelyardError | None:
        """The error if the value misses the gate."""
        facts = {"metric": row.metric, "score": row.score, "limit": self.limit}
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
    gates = [_read(text, "--fail-under", preset, reads, meaning) for text in under]
    return gates + [_read(text, "--fail-over", preset, reads, meaning) for text in over]


def name_of(text: str) -> str:
    """The metric of a gate as typed: everything before the last =."""
    return text.rpartition("=")[0].strip()


def _read(text: str, option: str, preset: str | None, reads: str, meaning: Meaning) -> Gate:
    from steelyard import plan

    metric = name_of(text)
    try:
        limit = float(text.rpartition("=")[2])
    except ValueError:
        limit = float("nan")
    if not metric or not isfinite(limit):
        raise errors.BAD_GATE(text=text, option=option)
    bounds = plan.numbers(meaning(metric), preset, reads)  # a preset changes defaults
    if len(bounds) > 1:
        raise errors.BAD_GATE(text=text, option=option)
    return Gate(bounds[0].name, limit, option)


def missed(gates: Iterable[Gate], result: "Result") -> Iterator[errors.SteelyardError]:
    """An error for each gate and score that misses it; slices are not compared."""
    totals = result.rows.totals()
    for gate in gates:
        found = [row for row in totals if row.metric == gate.metric]
        if not found:  # a gate without a value must not pass
            known = ", ".join(dict.fromkeys(row.metric for row in totals))
            raise errors.NOT_IN_RESULT(metric=gate.metric, known=known)
        yield from filter(None, map(gate.miss, found))


def enforce(ctx: click.Context, gates: Iterable[Gate], result: "Result") -> None:
    """Print an error for each gate that was missed; if there is one, exit."""
    found = list(missed(gates, result))
    for error in found:
        terminal.print_error(str(error))
    if found:
        ctx.exit(MISSED)
