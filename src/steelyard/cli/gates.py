"""Gates: numbers that the total of every score must reach, or the command ends with 1."""

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import click

from steelyard import errors
from steelyard.cli import terminal

if TYPE_CHECKING:
    from steelyard.model import Row  # with NumPy, which help does without
    from steelyard.result import Result

MISSED = 1  # how a command ends where a gate is missed


class Gate(NamedTuple):
    """A metric by its printed name, and the least or the largest value that will do."""

    metric: str
    limit: float
    option: str

    def miss(self, row: "Row") -> errors.SteelyardError | None:
        """What is wrong with the value, if anything is."""
        facts = {"metric": row.metric, "score": row.score, "limit": self.limit}
        if row.value is None:
            return errors.GATE_NO_VALUE(**facts, why=row.why, option=self.option)
        if self.option == "--fail-under" and row.value < self.limit:
            return errors.GATE_LOW(**facts, value=row.value)
        if self.option == "--fail-over" and row.value > self.limit:
            return errors.GATE_HIGH(**facts, value=row.value)
        return None


def read(
    under: Iterable[str], over: Iterable[str], preset: str | None = None, reads: str = "score"
) -> list[Gate]:
    """The gates as typed, `auc=0.75`: the metric is whatever stands before the last =."""
    gates = [_read(text, "--fail-under", preset, reads) for text in under]
    return gates + [_read(text, "--fail-over", preset, reads) for text in over]


def _read(text: str, option: str, preset: str | None, reads: str) -> Gate:
    from steelyard import plan

    metric, _, number = text.rpartition("=")
    try:
        limit = float(number)
    except ValueError:
        limit = float("nan")
    if not metric.strip() or not isfinite(limit):
        raise errors.BAD_GATE(text=text, option=option)
    (bound,) = plan.make([metric], preset, reads).metrics  # a preset has defaults of its own
    return Gate(bound.name, limit, option)


def missed(gates: Iterable[Gate], result: "Result") -> Iterator[errors.SteelyardError]:
    """One complaint for each gate and score that misses it; slices do not count."""
    totals = result.rows.totals()
    for gate in gates:
        found = [row for row in totals if row.metric == gate.metric]
        if not found:  # never passed unseen
            known = ", ".join(dict.fromkeys(row.metric for row in totals))
            raise errors.NOT_IN_RESULT(metric=gate.metric, known=known)
        yield from filter(None, map(gate.miss, found))


def enforce(ctx: click.Context, gates: Iterable[Gate], result: "Result") -> None:
    """A sentence for each gate that was missed, and the end of the command."""
    complaints = list(missed(gates, result))
    for complaint in complaints:
        terminal.print_error(str(complaint))
    if complaints:
        ctx.exit(MISSED)
