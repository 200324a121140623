"""Gates of a comparison: margins that a candidate must keep, or the command exits with 1."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from steelyard import errors
from steelyard.cli import terminal
from steelyard.cli.gates import EACH_SLICE, MISSED, Gate, check_scores, read_gate
from steelyard.cli.option import Option
from steelyard.request import GATES

if TYPE_CHECKING:
    from steelyard.comparison.page import Comparison  # imports NumPy, which the help does not need
    from steelyard.comparison.rows import ComparisonRow

FAIL, REQUIRE = "--fail-if-worse", "--require-not-worse"
OPTIONS = (
    Option(
        FAIL,
        section=GATES,
        metavar="METRIC=MARGIN",
        multiple=True,
        help="Exit with 1 if a candidate is proven worse by more; of one: new.auc=0.001.",
    ),
    Option(
        REQUIRE,
        section=GATES,
        metavar="METRIC=MARGIN",
        multiple=True,
        help="Exit with 1 unless it is shown to be worse by no more than the margin.",
    ),
    EACH_SLICE,
)


class ComparisonGates(NamedTuple):
    """The gates of a command; each_slice: whether slices must keep them too."""

    gates: list[Gate]
    each_slice: bool

    @property
    def metrics(self) -> list[str]:
        return [gate.metric for gate in self.gates]

    @property
    def margins(self) -> dict[str, float]:
        """The margin of each metric, that outcomes are judged by; that of a requirement first."""
        ordered = sorted(self.gates, key=lambda gate: gate.option == REQUIRE)
        return {gate.metric: gate.limit for gate in ordered}

    def enforce(self, ctx: click.Context, found: "Comparison", min_rows: int) -> None:
        """Print an error for each gate that was missed; if there is one, exit."""
        errors_ = list(self.missed(found, min_rows))
        for error in errors_:
            terminal.print_error(str(error))
        if errors_:
            ctx.exit(MISSED)

    def missed(self, found: "Comparison", min_rows: int) -> Iterator[errors.SteelyardError]:
        """An error for each gate, candidate and slice that misses it."""
        check_scores(self.gates, found.candidates)
        for gate in self.gates:
            yield from self._missed(gate, found, min_rows)

    def _missed(
        self, gate: Gate, found: "Comparison", min_rows: int
    ) -> Iterator[errors.SteelyardError]:
        from steelyard.stats.gates import not_shown, proven_worse

        confidence = found.conventions.confidence or 0.0
        for score in filter(gate.concerns, found.candidates):
            rows = [row for row in found.rows if (row.metric, row.score) == (gate.metric, score)]
            rows = [
                row for row in rows if not row.slice or (self.each_slice and _rows(row) >= min_rows)
            ]
            if gate.option == FAIL:
                for row in rows:
                    if row.candidate is None:  # a gate without a value must not pass
                        yield errors.GATE_NO_INTERVAL(**_facts(row, gate))
                for row in proven_worse(rows, gate.limit, confidence):
                    yield errors.GATE_WORSE(**_facts(row, gate))
            else:
                for row in not_shown(rows, gate.limit):
                    template = errors.GATE_NOT_SHOWN
                    if row.low is None:
                        template = errors.GATE_NO_INTERVAL
                    yield template(**_facts(row, gate))


def read(
    fail: Iterable[str], require: Iterable[str], each_slice: bool, preset: str | None, reads: str
) -> ComparisonGates:
    """The gates as typed, `auc=0.001`; those of a metric that cannot be judged are refused."""
    from steelyard import plan
    from steelyard.metrics.influence import INFLUENCE
    from steelyard.stats.differences import DEPENDS

    gates = [read_gate(text, FAIL, preset, reads) for text in fail]
    gates += [read_gate(text, REQUIRE, preset, reads) for text in require]
    for gate in gates:
        (bound,) = plan.numbers([gate.metric], preset, reads)
        if gate.limit < 0:
            raise errors.BAD_MARGIN(metric=gate.metric, value=gate.limit)
        if bound.metric.better == DEPENDS:
            raise errors.NO_DIRECTION(metric=gate.metric)
        if bound.metric.interval.kind != INFLUENCE:
            raise errors.NO_GATE(metric=gate.metric, why=bound.metric.interval.why)
    return ComparisonGates(gates, each_slice)


def _rows(row: "ComparisonRow") -> int:
    """The rows of a slice, on the side that has more: one that was lost must not pass."""
    return max(row.n, int(row.details.get("n_baseline", 0)))


def _facts(row: "ComparisonRow", gate: Gate) -> dict[str, object]:
    from steelyard.report import display

    (slice_,) = display.slice_names(row.slice, [tuple(row.slice.values())])
    return {
        "metric": row.metric,
        "score": row.score,
        "where": f" in {slice_}" if row.slice else "",
        "difference": 0.0 if row.difference is None else row.difference,
        "low": 0.0 if row.low is None else row.low,
        "high": 0.0 if row.high is None else row.high,
        "limit": gate.limit,
        "why": row.why,
    }
