"""Two kinds of calibration metrics: of all rows by rising score, and of bins."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steelyard.metrics.parameter import Parameter, choice, count
from steelyard.metrics.probability import ProbabilityMetric
from steelyard.metrics.record import Need
from steelyard.metrics.value import NO_ROWS, lacking
from steelyard.model import AnyValue, Undefined
from steelyard.states import BinSums, ScoreTable

BINS = count("bins", 10, most=1 << 20, means="how many bins the rows are put into")
KIND = choice(
    *("kind", "mass", "width"),
    means="what bins have in common: mass the same weight of rows each, width the same width",
)


@dataclass(frozen=True, kw_only=True)
class LevelMetric(ProbabilityMetric):
    """A metric of the score table as probabilities; without the classes in `needs` no value."""

    value: Callable[..., AnyValue]
    needs: tuple[str, ...] = ()

    def need(self, params: dict[str, Any]) -> Need:
        return Need(ScoreTable)

    def compute(self, state: ScoreTable, params: dict[str, Any]) -> AnyValue:
        levels = state.levels()
        why = lacking(levels.positives.weight, levels.negatives.weight, self.needs)
        return why or self.value(levels, **params)


@dataclass(frozen=True, kw_only=True)
class BinMetric(ProbabilityMetric):
    """A metric of bins, of equal mass or (where it has `kind`) of equal width."""

    value: Callable[..., AnyValue]
    parameters: tuple[Parameter, ...] = (BINS, KIND)

    def need(self, params: dict[str, Any]) -> Need:
        if params.get("kind") == "width":
            return Need(BinSums, (("bins", params["bins"]),))
        return Need(ScoreTable)

    def compute(self, state: ScoreTable | BinSums, params: dict[str, Any]) -> AnyValue:
        if isinstance(state, BinSums):
            bins = state.bins()
        elif state.levels().weight == 0:
            return Undefined(NO_ROWS)
        else:
            bins = state.levels().bins(params["bins"])
        used = [each for each in bins if each.weight]
        return self.value(used) if used else Undefined(NO_ROWS)


def sum_of_quotients(pairs: list[tuple[int, int]]) -> Fraction:
    """Σ numerator/denominator, exactly: two halves at a time, so that long numbers are few."""
    while len(pairs) > 1:
        joined = [
            (a * d + b * c, c * d) for (a, c), (b, d) in zip(pairs[::2], pairs[1::2], strict=False)
        ]
        pairs = joined + pairs[len(joined) * 2 :]
    return Fraction(*pairs[0]) if pairs else Fraction(0)
