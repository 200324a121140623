"""Metrics of bins of probabilities: of equal mass, or of equal width."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.metrics.parameter import Parameter, choice, count
from steelyard.metrics.record import StateSpec, sums_of
from steelyard.model import AnyValue, Undefined
from steelyard.states import ScoreTable
from steelyard.views.levels import Levels
from steelyard.views.levels.bins import Bin
from steelyard.views.sums import SumLine
from steelyard.views.totals import SliceTotals

BINS = count("bins", 10, most=1 << 20, means="how many bins the rows are put into")
KIND = choice(
    *("kind", "mass", "width"),
    means="what bins have in common: mass the same weight of rows each, width the same width",
)
TERMS = ("weight", "weighted_positives", "expected", "variance")  # the fields of a Bin
NO_ROWS_YET = Bin(*[Fraction(0)] * 4)
Bins = dict[int, Bin]


def mass_bins(levels: Levels, bins: int, kind: str = "mass") -> Bins:
    """The bins of equal mass that have rows in a range."""
    return levels.bins(bins)


def add(lower: Bins, upper: Bins) -> Bins:
    """The bins of both; one that two ranges share is added up."""
    both = dict(lower)
    for number, each in upper.items():
        known = both.get(number, NO_ROWS_YET)
        both[number] = Bin(*(mine + more for mine, more in zip(known, each, strict=True)))
    return both


@dataclass(frozen=True, kw_only=True)
class BinMetric(LevelMetric):
    """A metric of bins; `value` sees those that have rows."""

    part: Callable[..., Any] = mass_bins
    join: Callable[[Any, Any], Any] = add
    value: Callable[[list[Bin]], AnyValue]
    parameters: tuple[Parameter, ...] = (BINS, KIND)

    def folds(self, params: dict[str, Any]) -> bool:
        """Bins of equal mass are a fold over scores, those of equal width are sums."""
        return params.get("kind") != "width"

    def measure(self, part: Bins, totals: SliceTotals, params: dict[str, Any]) -> AnyValue:
        return self.value([each for _, each in sorted(part.items())])

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        if params.get("kind") == "width":
            return sums_of(*TERMS, key=f"bin {params['bins']}")
        return StateSpec(ScoreTable)

    def compute(self, view: list[SumLine], params: dict[str, Any]) -> AnyValue:
        bins = [Bin(*(line.exact(term) for term in TERMS)) for line in view]
        return self.value(bins) if bins else Undefined(NO_ROWS)
