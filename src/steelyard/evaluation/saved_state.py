"""The state that users save and merge: the keyed states of a plan, for each score."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Self

import numpy as np

from steelyard import errors, plan
from steelyard.atomic_write import write_atomically
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.merging import ORDERED, in_order, merged
from steelyard.engines.protocol import Engine, Kept, Table
from steelyard.evaluation.evaluation import Evaluation
from steelyard.metrics.record import StateSpec
from steelyard.model import Array, Conventions
from steelyard.plan import Plan, parameters
from steelyard.reading.class_scores import named_classes
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.key_order import KeyTuple, key_order
from steelyard.reading.roles import Roles
from steelyard.reading.slices import KeyNumbers
from steelyard.reading.slicings import Slicings
from steelyard.report import schema
from steelyard.result.result import Result
from steelyard.sources.file_kind import read_bytes
from steelyard.states import KeyedState, Sums, wire
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.cluster_bytes import cluster_sections, restored_clusters
from steelyard.views.sums import SumColumns, SumsView

KIND = "state"


class State:
    """The states of rows that were read: it merges with others, and is saved and loaded."""

    def __init__(self, todo: Plan, kept: Kept, engine: Engine = IN_MEMORY) -> None:
        self.plan = todo
        self.kept = kept
        self.engine = engine

    @property
    def conventions(self) -> Conventions:
        return self.kept.conventions

    @property
    def states(self) -> dict[str, dict[StateSpec, KeyedState]]:
        """The states of each score."""
        return self.kept.states

    @property
    def slices(self) -> dict[str, list[KeyNumbers]]:
        """The keys of each score's slices, for each `by`."""
        return self.kept.slices

    @property
    def clusters(self) -> ClusterNumbers:
        return self.kept.clusters

    def merge(self, *others: "State") -> "State":
        """A new state of the rows of all these states."""
        every = [self.kept, *(other.kept for other in others)]
        return State(self.plan, merged(self.plan, every), self.engine)

    @property
    def clustered(self) -> bool:
        """Whether rows have a cluster, for intervals."""
        return self.conventions.cluster is not None

    # --- tables ----------------------------------------------------------------------------------
    def result(self) -> Result:
        """The values of the metrics: for every score, its total first, then its slices."""
        return self.evaluation().result()

    def evaluation(self) -> Evaluation:
        """The metrics, evaluated on all tables."""
        types = {
            score: state.reading.score_type
            for score, states in self.states.items()
            if (state := states[self.plan.sample.identity]).reading is not None
        }
        outside = tuple(score for score in self.states if self._is_outside(score))
        conventions = replace(self.conventions, score_types=types, not_probabilities=outside)
        return Evaluation(self.plan, conventions, list(self._tables()), self.clusters, self.engine)

    def _is_outside(self, score: str) -> bool:
        """Whether a score has values outside 0 to 1."""
        sample = self.states[score][self.plan.sample.identity]
        return isinstance(sample, Sums) and sample.outside

    def _tables(self) -> Iterator[tuple[str, int, Sequence[KeyTuple], Table]]:
        """The tables of every score, that of the total first."""
        for score, states in self.states.items():
            for number in range(1 + len(self.conventions.by)):
                slices = self._order(score, number)
                keys = self.slices[score][number - 1].keys if number else [()]
                table = Table(states, number, max(len(keys), 1), slices)
                yield score, number, [keys[place] for place in slices.tolist()], table

    def _order(self, score: str, number: int) -> Array:
        """The numbers of the slices with rows, dropped ones included, in the order of keys."""
        if number == 0:
            return TOTAL_SLICE
        keys = self.slices[score][number - 1].keys
        sample = self._sample(score, number, np.arange(len(keys)))
        both = zip(sample.counts("rows"), sample.counts("dropped"), strict=True)
        present = [place for place, (rows, dropped) in enumerate(both) if rows or dropped]
        order = key_order([keys[place] for place in present])
        return np.array(present, np.int64)[order]

    def _sample(self, score: str, number: int, slices: Array) -> SumColumns:
        """The sums shown with every value."""
        table = Table(self.states[score], number, len(slices), slices)
        view = table.view(self.plan.sample)
        assert isinstance(view, SumsView)
        return view.columns

    # --- bytes -----------------------------------------------------------------------------------
    def dumps(self) -> bytes:
        """Bytes that depend on the rows, the plan and the roles, not on the order of rows."""
        headers: list[Mapping[str, Any]] = []
        sections: dict[str, Array] = {}
        slices = {}
        clusters = []
        if self.clustered:
            clusters, sections = [self.clusters.order()], cluster_sections(self.clusters)
        for score, states in self.states.items():
            order = [self._order(score, number) for number in range(1 + len(self.conventions.by))]
            slices[score] = [
                _key_columns([keys.keys[place] for place in numbers.tolist()], names)
                for keys, numbers, names in zip(
                    self.slices[score], order[1:], self.conventions.by, strict=True
                )
            ]
            for state in states.values():
                header, mine = state.content([*order, *clusters])
                sections |= wire.prefixed(str(len(headers)), mine)
                headers.append(header)
        conventions = asdict(self.conventions)
        # A JSON object has no order; that of metrics and scores is the user's and is kept.
        conventions |= {name: list(conventions[name].items()) for name in ORDERED}
        header = {"kind": KIND, "conventions": conventions, "slices": slices, "states": headers}
        return wire.pack(header, sections)

    @classmethod
    def loads(cls, data: bytes) -> Self:
        """The state of these bytes."""
        header, sections = wire.unpack(data)
        if header.get("kind") != KIND:
            raise errors.STATE_KIND(found=header.get("kind"), wanted=KIND)
        with wire.described("a state"):
            stored = header["conventions"]
            stored |= {name: dict(stored[name]) for name in ORDERED}
            loaded = {n: schema.CONVENTION_FIELDS[n].load(value) for n, value in stored.items()}
            conventions = Conventions(**{**loaded, "roles": in_order(loaded["roles"])})
            todo = _checked_plan(conventions)
            conventions = replace(conventions, metrics=parameters(todo))
            saved = cls(todo, Kept.empty(todo, conventions))
            saved._restore(header, sections)
            wire.refuse_other_bytes(saved.dumps(), bytes(data))
        return saved

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        for score, stored in header["slices"].items():
            for keys, names, listed in zip(
                self.slices[score], self.conventions.by, stored, strict=True
            ):
                _restore_keys(keys, names, listed)
        states = [(score, identity) for score, own in self.states.items() for identity in own]
        rest = dict(sections)
        if self.clustered:
            self.kept.clusters = restored_clusters(rest)
        under = wire.by_prefix(rest)
        pairs = zip(states, header["states"], strict=True)
        for number, ((score, identity), mine) in enumerate(pairs):
            counts = [1, *map(len, self.slices[score])]
            counts += [len(self.clusters)] if self.clustered else []
            known = self.states[score][identity]
            if (mine["kind"], mine["config"]) != (known.kind, known.config()):
                raise ValueError("a state that the metrics do not need")
            own = under.get(str(number), {})
            restored = type(known).restored(mine, own, counts, self.clustered)
            self.states[score][identity] = restored
            needed = self.plan.required_columns
            if self._is_outside(score):  # its sums are restored first
                needed = replace(needed, probability=False)
            if not restored.has_columns(needed, len(self.conventions.group)):
                raise ValueError("rows without the columns that the metrics read")
        for own_states in self.states.values():
            _refuse_unlike_cluster_keys(own_states.values())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.sy` file, all of it or nothing."""
        write_atomically(path, self.dumps())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The state of a `.sy` file."""
        data = read_bytes(path)
        try:
            return cls.loads(data)
        except errors.StateError as error:
            raise errors.NOT_LOADED(path=os.fspath(path), reason=errors.clause(error)) from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.dumps() == other.dumps()

    __hash__ = None  # type: ignore[assignment]  # mutable, so not hashable

    def __repr__(self) -> str:
        samples = [self._sample(score, 0, TOTAL_SLICE) for score in self.states]
        rows = max(sample.counts("rows")[0] for sample in samples)
        metrics = ", ".join(self.conventions.metrics)
        return f"<state of {rows:,} rows for {metrics}: result() gives the numbers>"


def _refuse_unlike_cluster_keys(states: Iterable[KeyedState]) -> None:
    """Refuse sums by cluster and key whose keys are not those of the sums by key alone."""
    sums = [state for state in states if isinstance(state, Sums)]
    by_key = {state.key: set(state.key_names.keys) for state in sums if state.key is not None}
    for key, keys in by_key.items():
        whole = by_key.get(key.removeprefix("cluster "), keys)
        if whole is not keys and {each[1:] for each in keys} != whole:
            raise ValueError("keys of clusters that are not the keys of all rows")


def _checked_plan(stored: Conventions) -> Plan:
    """The plan of conventions from bytes, which must be such as reading rows makes them."""
    todo = plan.make(list(stored.metrics), stored.preset, stored.reads)
    if parameters(todo) != stored.metrics:
        raise ValueError("parameters that the metrics do not have")
    plan.checked_confidence(stored.confidence, stored.bootstrap)
    if stored.cluster is not None:
        todo = todo.with_clusters()
    if (stored.cluster is None) != (stored.confidence is None):
        raise ValueError("intervals without clusters, or clusters without intervals")
    if stored.cluster is None and stored.bootstrap is not None:
        raise ValueError("replicates without clusters")
    if stored.pictures:
        todo = todo.with_pictures()
        if stored.pictures != tuple(bound.name for bound in todo.pictures):
            raise ValueError("shapes that pictures do not draw")
    for bound in todo.metrics:
        plan.check(
            bound,
            document=True,
            group=bool(stored.group),
            unscored=stored.unscored == "not_retrieved",
            classes=bool(stored.classes),
        )
    if not all(stored.by):
        raise ValueError("slices by no column")
    if any(len(set(names)) < len(names) for names in (stored.by, *stored.by)):
        raise ValueError("slices by one column twice")
    columns = Roles(
        stored.roles.get("label", ""),
        stored.scores,
        trials=stored.roles.get("trials"),
        slicings=Slicings(stored.by, {}),
        group=stored.group,
        cluster=stored.cluster,
        required_columns=todo.required_columns,
        classes=named_classes(stored.classes) if stored.classes else (),
    )
    plan.Job(todo, columns, stored).reader()
    return todo


def _key_columns(keys: Sequence[KeyTuple], names: Sequence[str]) -> list[list[Any]]:
    """The keys of one `by`, column by column."""
    return [[key[place] for key in keys] for place in range(len(names))]


def _restore_keys(keys: KeyNumbers, names: Sequence[str], columns: Any) -> None:
    """The keys of one `by`, from bytes."""
    if len(columns) != len(names) or not all(isinstance(column, list) for column in columns):
        raise ValueError("keys that do not fit the slices")
    for column in columns:
        if not {str, int, float, bool, type(None)}.issuperset(map(type, column)):
            raise ValueError("a key of another type")
    tuples = list(zip(*columns, strict=True))
    keys.number(tuples)
    if len(keys) != len(tuples):
        raise ValueError("a key twice")
