"""Gates of a comparison: margins that a candidate must keep, or the command exits with 1."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from steelyard import errors
from steelyard.cli import terminal
from steelyard.cli.gates import EACH_SLICE, MISSED, Gate, Meaning, check_scores, read_gate
from steelyard.cli.option import Option
from steelyard.phrases import listing
from steelyard.request.options import GATES

if TYPE_CHECKING:
    from steelyard.comparison.comparison_rows import ComparisonRow
    from steelyard.comparison.page import Comparison  # imports NumPy, which the help does not need

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
        """The margin of each metric, that outcomes are judged by."""
        return {gate.metric: gate.limit for gate in self.gates}

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
        several = len({row.against for row in found.rows}) > 1
        for gate in self.gates:
            for row in found.rows:
                if row.metric != gate.metric or not gate.concerns(row.score):
                    continue
                if row.slice and not (self.each_slice and _rows(row) >= min_rows):
                    continue
                template = _missed_by(row, gate)
                if template is not None:
                    yield template(**_facts(row, gate, several))


def _missed_by(row: "ComparisonRow", gate: Gate) -> errors.Template | None:
    """The error of a row that misses the gate; a gate without a value must not pass."""
    from steelyard.stats.outcomes import NOT_WORSE, WORSE

    if gate.option == FAIL:
        no_value = errors.GATE_NO_INTERVAL if row.difference is None else None
        return errors.GATE_WORSE if row.outcome == WORSE else no_value
    if row.low is None:
        return errors.GATE_NO_INTERVAL
    return None if row.outcome in NOT_WORSE else errors.GATE_NOT_SHOWN


def read(
    fail: Iterable[str],
    require: Iterable[str],
    each_slice: bool,
    preset: str | None,
    reads: str,
    meaning: Meaning = lambda name: [name],
) -> ComparisonGates:
    """The gates as typed, `auc=0.001`; those of a metric that cannot be judged are refused.

    meaning: as of `gates.read`
    """
    from steelyard import plan
    from steelyard.metrics.influence import INFLUENCE
    from steelyard.stats.differences import DEPENDS

    gates = [read_gate(text, FAIL, preset, reads, meaning) for text in fail]
    gates += [read_gate(text, REQUIRE, preset, reads, meaning) for text in require]
    for gate in gates:
        (bound,) = plan.numbers([gate.metric], preset, reads)
        if gate.limit < 0:
            raise errors.BAD_MARGIN(metric=gate.metric, value=gate.limit)
        limits = {other.limit for other in gates if other.metric == gate.metric}
        if len(limits) > 1:  # one outcome is printed, and gates read it
            raise errors.TWO_MARGINS(
                metric=gate.metric, margins=listing([str(each) for each in sorted(limits)])
            )
        if bound.metric.better == DEPENDS:
            raise errors.NO_DIRECTION(metric=gate.metric)
        if bound.metric.interval.kind != INFLUENCE:
            raise errors.NO_GATE(metric=gate.metric, why=bound.metric.interval.why)
    return ComparisonGates(gates, each_slice)


def _rows(row: "ComparisonRow") -> int:
    """The rows of a slice, on the side that has more: one that was lost must not pass."""
    return max(row.n, int(row.details.get("n_baseline", 0)))


def _facts(row: "ComparisonRow", gate: Gate, several: bool) -> dict[str, object]:
    """What an error says of a row; several: whether there are several baselines."""
    from steelyard.report import display

    (slice_,) = display.slice_names(row.slice, [tuple(row.slice.values())])
    return {
        "metric": row.metric,
        "score": f"{row.score} against {row.against}" if several else row.score,
        "where": f" in {slice_}" if row.slice else "",
        "difference": 0.0 if row.difference is None else row.difference,
        "low": 0.0 if row.low is None else row.low,
        "high": 0.0 if row.high is None else row.high,
        "limit": gate.limit,
        "why": row.why,
    }
