"""What an engine is asked for, and what it keeps of a scan."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import Ranges
from steelyard.metrics.influence import SliceValues
from steelyard.metrics.record import StateSpec
from steelyard.model import Array, Conventions
from steelyard.plan import Job, Plan
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.slices import KeyNumbers
from steelyard.sources.blocks import Block
from steelyard.states import KeyedState
from steelyard.states.base import TOTAL_SLICE
from steelyard.views.clusters import LineSums
from steelyard.views.totals import Totals
from steelyard.views.view_of import ClusterView, View, view_of


class Table(NamedTuple):
    """One table of a score's states: that of the total, or that of one `by`.

    number: 0 for the total, 1 for the first `by`, and so on
    size: how many slices have a number; slices: the numbers of those to show, in order
    rows: about how many rows a range of scores or groups has; it changes no value
    views: of states that need not be made
    """

    states: Mapping[StateSpec, KeyedState]
    number: int
    size: int
    slices: Array
    rows: int | None = None
    views: Mapping[StateSpec, View] = MappingProxyType({})

    def view(self, state_spec: StateSpec) -> View:
        """A view of the whole table of a state that is held here, in the order of its keys."""
        known = self.views.get(state_spec.identity)
        if known is not None:
            return known
        state = self.states[state_spec.identity]
        return view_of(state, self.number, self.size, self.slices, self.rows)


@dataclass
class Kept:
    """The product of a scan: the states of each score, and the keys of slices and clusters."""

    conventions: Conventions
    states: dict[str, dict[StateSpec, KeyedState]]
    slices: dict[str, list[KeyNumbers]]
    clusters: ClusterNumbers

    @classmethod
    def empty(
        cls,
        todo: Plan,
        conventions: Conventions,
        slices: Sequence[KeyNumbers] | None = None,
        clusters: ClusterNumbers | None = None,
    ) -> "Kept":
        """The states of no rows; slices: the keys of each `by`, which a reader extends."""
        tables, clustered = 1 + len(conventions.by), conventions.cluster is not None
        return cls(
            conventions,
            {
                score: {each.identity: each.empty(tables, clustered) for each in todo.state_specs}
                for score in conventions.scores
            },
            {
                score: [KeyNumbers() for _ in conventions.by] if slices is None else list(slices)
                for score in conventions.scores
            },
            ClusterNumbers() if clusters is None else clusters,
        )

    def numbers_of(self, other: "Kept") -> dict[str, list[Array]]:
        """For each score, the numbers here of the slices of each table of another scan.

        The last are those of its clusters, where rows have one. Keys that are new get a number.
        """
        clustered = self.conventions.cluster is not None
        clusters = [self.clusters.add(other.clusters)] if clustered else []
        found = {}
        for score, keys in self.slices.items():
            pairs = zip(keys, other.slices[score], strict=True)
            by = [mine.number(theirs.keys) for mine, theirs in pairs]
            found[score] = [TOTAL_SLICE, *by, *clusters]
        return found

    def add(self, other: "Kept") -> None:
        """Add the rows of another scan by the same plan."""
        numbers = self.numbers_of(other)
        for score, states in self.states.items():
            for identity, state in states.items():
                state.add(other.states[score][identity], numbers[score])


class Whole(NamedTuple):
    """What is known of all ranges where no table is whole.

    slices: the numbers of those to show, in order
    totals: of all slice numbers, where ranges are of scores
    in_ranges: how many slices all ranges have then, each counted in each of its ranges
    """

    slices: Array
    totals: Totals | None = None
    in_ranges: int = 0


@dataclass(frozen=True)
class LineParts:
    """The clusters of a table whose rows lie in parts.

    line_sums: for a metric and its values, the exact sums by slice and cluster of each part;
        without values those for its details
    """

    line_sums: Callable[[BoundMetric, SliceValues | None], Sequence[LineSums]]


class Engine(Protocol):
    """The part that runs a job: in memory, on disk, on a cluster.

    The request chooses it (`engines.choice`); no other module knows one.
    """

    def scan(self, job: Job, source: str, blocks: Iterable[Block]) -> Kept:
        """The states of a source's rows, in one pass; source: its name."""

    def exchange(self, table: Table, state_spec: StateSpec) -> Ranges:
        """One table of a state in ranges of its keys."""

    def exchange_clusters(self, table: Table, state_spec: StateSpec) -> ClusterView | LineParts:
        """One table of a state by slice and cluster: a view of it, or its parts."""
