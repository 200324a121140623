"""The two sides of a comparison: what was measured, for the slices and clusters of both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.evaluation.evaluation import Evaluation
from steelyard.evaluation.table_values import EvaluatedTable
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.key_order import KeyTuple, key_order
from steelyard.result.sections import computed, reasons
from steelyard.states.groups.group_chunks import GroupNumbers
from steelyard.stats.bootstrap import Replicates
from steelyard.stats.differences import renumbered
from steelyard.stats.variance import Spread, spread_of

NO_SPREAD = (np.nan, np.nan, 0, 0.0)  # of a slice without rows


@dataclass(frozen=True)
class Side:
    """A score of an evaluation, and the numbers of its clusters.

    name: as it is shown; clusters: the numbers that the clusters of both sides have in common, by
        the number they have here; None: they are the same, as both are of one log
    """

    name: str
    evaluation: Evaluation
    score: str
    clusters: Array | None = None

    @property
    def tables(self) -> list[EvaluatedTable]:
        """The tables of the score: of the total, and of each `by`."""
        return [table for table in self.evaluation.tables if table.score == self.score]

    def table(self, names: tuple[str, ...]) -> EvaluatedTable:
        """The table of the total, or of the `by` with these columns."""
        return next(table for table in self.tables if table.names == names)


def common_clusters(left: ClusterNumbers, right: ClusterNumbers) -> tuple[Array, Array]:
    """Common numbers of the clusters of two logs, by the number they have in each."""
    both = ClusterNumbers()
    return both.add(left), both.add(right)


class Measured(NamedTuple):
    """The values of one metric, with influences and their spread if it has them.

    whys: the reason for no value, by place
    replicates: its values in the replicates of a bootstrap, where it has no influences

    In a `MeasuredTable` values are those of the slices shown, influences and spread those of slice
    numbers; in `PairedTables` all are by place among the slices of both sides.
    """

    values: Floats
    whys: Mapping[int, str]
    influences: Influences | None = None
    spread: Spread | None = None
    replicates: Replicates | None = None


class MeasuredTable:
    """One table of a side: the values of all metrics, measured once for all candidates.

    groups: their numbers, which rows with the same keys share
    """

    def __init__(
        self,
        side: Side,
        table: EvaluatedTable,
        metrics: Sequence[BoundMetric],
        groups: GroupNumbers | None = None,
    ) -> None:
        self.side, self.table = side, table
        table.number_groups_as(groups)
        self.sample = side.evaluation.sample(table)
        self._resampled = side.evaluation.replicates(table)
        self.metrics = {bound.name: self._measured(bound) for bound in metrics}
        self.groups = table.group_numbers
        table.cluster_views.clear()

    def _measured(self, bound: BoundMetric) -> Measured:
        shown = self.side.evaluation.column(self.table, bound, self.sample)
        values, whys = computed(shown), reasons(shown)
        if bound.cluster_spec is None:
            return Measured(values, whys, replicates=self._resampled.get(bound.name))
        influences = self.table.influences(bound, values)
        return Measured(values, whys, influences, spread_of(influences))


class PairedTables:
    """The tables of two sides for the total or one `by`, and the slices of either."""

    def __init__(self, baseline: MeasuredTable, candidate: MeasuredTable) -> None:
        self.sides = (baseline, candidate)
        self.baseline, self.candidate = baseline.side.name, candidate.side.name
        left, right = (each.table for each in self.sides)
        self.names = left.names
        self.keys = _union(left.keys, right.keys)
        places = {key: place for place, key in enumerate(self.keys)}
        self._places = [
            np.array([places[key] for key in table.keys], np.int64) for table in (left, right)
        ]

    def sample(self, side: int, name: str) -> Array:
        """A column of the sample of one side; 0 where it has no such slice."""
        return self._of_slices(side, self.sides[side].sample[name], 0)

    @cached_property
    def shares(self) -> list[float | None]:
        """The share of each slice in the weight of the candidate's rows.

        None where there is no weight, or where float64 does not hold the weight of a slice.
        """
        weights = self.sample(1, "weight")
        most = weights.max(initial=0.0)
        if not 0 < most < np.inf:
            return [None] * len(weights)
        scaled = np.ldexp(weights, -np.frexp(most)[1])  # their sum may be beyond float64
        shares: list[float | None] = (scaled / fsum(scaled)).tolist()
        return shares

    def _of_slices(self, side: int, column: Any, none: float) -> Array:
        """A column of one side as a column of all slices; `none` where it has no such slice."""
        own = np.asarray(column)  # counts or weights
        found = np.full(len(self.keys), none, np.result_type(own, type(none)))
        found[self._places[side]] = own
        return found

    def measured(self, side: int, bound: BoundMetric) -> Measured:
        """What was measured on one side, for the slices and clusters of both."""
        own, table = self.sides[side], self.sides[side].table.table
        values, whys, influences, spread, made = own.metrics[bound.name]
        values = self._of_slices(side, values, np.nan)
        whys = self._of_places(side, whys)
        if influences is None or spread is None:
            placed_replicates = None if made is None else self._replicates(side, made)
            return Measured(values, whys, replicates=placed_replicates)
        slices = np.full(table.size, -1)
        slices[table.slices] = self._places[side]
        moved = renumbered(influences, slices, own.side.clusters, len(self.keys))
        columns = zip(spread.take(table.slices), NO_SPREAD, strict=True)
        placed = Spread(*(self._of_slices(side, column, none) for column, none in columns))
        return Measured(values, whys, moved, placed)

    def _replicates(self, side: int, made: Replicates) -> Replicates:
        """The replicates of one side for all slices."""
        values = np.full((len(self.keys), made.values.shape[1]), np.nan)
        values[self._places[side]] = made.values
        return Replicates(values, self._of_slices(side, made.clusters, 0))

    def _of_places(self, side: int, whys: Mapping[int, str]) -> dict[int, str]:
        """The reasons of one side by place among all slices; others of it have no rows."""
        places = self._places[side].tolist()
        absent = set(range(len(self.keys))).difference(places)
        return {places[own]: why for own, why in whys.items()} | dict.fromkeys(absent, NO_ROWS)


def _union(left: Sequence[KeyTuple], right: Sequence[KeyTuple]) -> Sequence[KeyTuple]:
    """The keys of both, in order."""
    if list(left) == list(right):
        return left
    keys = list(dict.fromkeys([*left, *right]))
    return [keys[place] for place in key_order(keys)]
