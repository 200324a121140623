"""Metrics of bins of probabilities, of equal mass or of equal width."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.fold import AnotherPass, PartColumns
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.metrics.parameter import Parameter, choice, count
from steelyard.metrics.record import StateSpec, metric_class, sums_of
from steelyard.model import AnyValue, Floats, Undefined
from steelyard.states import ScoreTable
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.levels import Levels
from steelyard.views.levels.bins import Bin
from steelyard.views.sums import SumLine
from steelyard.views.totals import Totals

BINS = count("bins", 10, most=1 << 20, means="how many bins the rows are put into")
KIND = choice(
    *("kind", "mass", "width"),
    means="whether all bins have the same weight of rows (mass) or the same width (width)",
)
TERMS = ("weight", "weighted_positives", "expected", "variance")  # the fields of a Bin
EMPTY_BIN = Bin(*[Fraction(0)] * 4)
Bins = dict[int, Bin]


def mass_bins(levels: Levels, bins: int, kind: str = "mass") -> Bins:
    """The bins of equal mass that have rows in a range."""
    return levels.bins(bins)


def add(lower: Bins, upper: Bins) -> Bins:
    """The bins of two ranges; a bin in both is added up."""
    both = dict(lower)
    for number, each in upper.items():
        known = both.get(number, EMPTY_BIN)
        both[number] = Bin(*(mine + more for mine, more in zip(known, each, strict=True)))
    return both


@metric_class
class BinMetric(LevelMetric):
    """A metric of bins.

    value: a function of the bins that have rows
    of_clusters: details that hold for rows of clusters, a function of the rows and the parameters
    """

    part: Callable[..., Any] = mass_bins
    join: Callable[[Any, Any], Any] = add
    value: Callable[[list[Bin]], AnyValue]
    of_clusters: Callable[..., Mapping[str, Floats]] | None = None
    parameters: tuple[Parameter, ...] = (BINS, KIND)

    def folds(self, params: dict[str, Any]) -> bool:
        """Bins of equal mass are a fold over scores, bins of equal width are sums."""
        return params.get("kind") != "width"

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        if params.get("kind") == "width":
            return sums_of(*TERMS, key=f"bin {params['bins']}")
        return StateSpec(ScoreTable)

    def details_spec(self, params: dict[str, Any]) -> StateSpec | None:
        return None if self.of_clusters is None else StateSpec(ScoreTable)

    def cluster_details(
        self, view: ClusteredScores, params: dict[str, Any]
    ) -> Mapping[str, Floats]:
        return {} if self.of_clusters is None else self.of_clusters(view, **params)

    def values(
        self,
        columns: PartColumns,
        totals: Totals,
        params: dict[str, Any],
        requests: Sequence[AnotherPass],
    ) -> list[AnyValue]:
        parts = [{}] * len(requests) if columns is None else columns
        return [self._value([each for _, each in sorted(part.items())]) for part in parts]

    def compute(self, view: list[SumLine], params: dict[str, Any]) -> AnyValue:
        return self._value([Bin(*(line.exact(term) for term in TERMS)) for line in view])

    def _value(self, bins: list[Bin]) -> AnyValue:
        return self.value(bins) if bins else Undefined(NO_ROWS)
