"""A tally: every state that a plan needs, of each score, of the total and of each slice."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from steelyard import errors, plan
from steelyard.aside import write_aside
from steelyard.metrics.catalogue import Bound
from steelyard.metrics.record import Need
from steelyard.metrics.value import rounded
from steelyard.model import (
    AnyValue,
    Array,
    Conventions,
    Detailed,
    Key,
    OverClasses,
    OverGroups,
    Row,
    Undefined,
    Value,
)
from steelyard.plan import Plan
from steelyard.report.classes import ClassTable, class_table
from steelyard.report.groups import GroupTable, group_table
from steelyard.result import Result
from steelyard.rows import Keys, ResultRows, Section, Values
from steelyard.states import ClassCells, Groups, PredictionSample, Sample, Sliced, State, wire

KIND = "tally"
ORDERED = ("metrics", "scores")
ROW = {field.name for field in fields(Row)}
SAME = (
    *("reads", "classes", "nan", "unscored", "positive", "preset"),
    *("downsampled", "clip", "by", "group"),
)


class Beside(NamedTuple):
    """The tables that a result has beside its rows."""

    groups: list[GroupTable]
    classes: list[ClassTable]


class Tally:
    """Sums and tables of rows that were read: merges with others, goes to a file and back."""

    def __init__(self, todo: Plan, conventions: Conventions) -> None:
        self.plan = todo
        self.conventions = conventions
        self.states: dict[str, dict[Need, Sliced]] = {
            score: {
                need: Sliced(need.kind.kind, dict(need.config), conventions.by)
                for need in todo.needs
            }
            for score in conventions.scores
        }

    def merge(self, other: "Tally") -> "Tally":
        """The tally of both tallies' rows; neither is changed."""
        _refuse_unlike(self, other)
        merged = Tally(self.plan, replace(self.conventions, roles=_common(self, other)))
        for score, states in self.states.items():
            for need, state in states.items():
                merged.states[score][need] = state.merge(other.states[score][need])
        return merged

    def result(self) -> Result:
        """The numbers: rows of every score, its total first, then its slices."""
        types = {
            score: sample.reading.score_type
            for score, states in self.states.items()
            if (sample := states[self.plan.sample]).reading is not None
        }
        beside = Beside([], [])
        rows = ResultRows(self._sections(beside))
        return Result(rows, replace(self.conventions, score_types=types), *beside)

    def _sections(self, tables: "Beside") -> Iterator[Section]:
        for score, sliced in self.states.items():
            total = {need: state.total for need, state in sliced.items()}
            yield self._section(score, (), {(): total}, tables)
            for place, names in enumerate(self.conventions.by):
                slices = {
                    keys: {need: state.tables[place][keys] for need, state in sliced.items()}
                    for keys in sliced[self.plan.sample].keys(place)
                }
                yield self._section(score, names, slices, tables)

    def _section(
        self,
        score: str,
        names: tuple[str, ...],
        slices: Mapping[Keys, Mapping[Need, State]],
        tables: "Beside",
    ) -> Section:
        """The columns of numbers that were found slice by slice."""
        samples: list[Mapping[str, Any]] = []
        found: list[list[tuple[Value, Mapping[str, Any]]]] = []
        for keys, states in slices.items():
            here = dict(zip(names, keys, strict=True))
            samples.append(_beside(states[self.plan.sample], sums=self.plan.wants.numbers))
            found.append(self._numbers(score, here, states, tables))
        fields = samples[0] if samples else {}
        values = {
            bound.name: Values.of([each[place] for each in found])
            for place, bound in enumerate(self.plan.metrics)
        }
        sample = {name: [each[name] for each in samples] for name in fields}
        return Section(score, names, list(slices), sample, values)

    def _numbers(
        self,
        score: str,
        here: Mapping[str, Key],
        states: Mapping[Need, State],
        tables: "Beside",
    ) -> list[tuple[Value, Mapping[str, Any]]]:
        """The values of a slice with their details, metric by metric."""
        values = plan.values(self.plan.metrics, states)
        found = list(zip(self.plan.metrics, values, strict=True))
        of_groups = {b.name: v.of_groups for b, v in found if isinstance(v, OverGroups)}
        if of_groups:
            tables.groups.append(self._group_table(score, here, states[plan.GROUPS], of_groups))
        of_classes = {b.name: v for b, v in found if isinstance(v, OverClasses)}
        if of_classes:
            cells = states.get(plan.CELLS)
            assert cells is None or isinstance(cells, ClassCells)
            tables.classes.append(class_table(cells, of_classes, score=score, slice=here))
        return [self._shown(bound, *_value(measured)) for bound, measured in found]

    def _shown(
        self, bound: Bound, value: Value, details: Mapping[str, Any]
    ) -> tuple[Value, Mapping[str, Any]]:
        """The value that a row shows: a preset may have one where there is none."""
        given = self.plan.instead(bound, value)
        if given is value or not isinstance(value, Undefined):
            return given, details
        return given, {**details, "undefined": value.why}

    def _group_table(
        self, score: str, here: Mapping[str, Key], state: State, values: Mapping[str, Array]
    ) -> GroupTable:
        assert isinstance(state, Groups)
        names = self.conventions.group
        return group_table(state.view(), names, values, score=score, slice=here)

    # --- bytes -----------------------------------------------------------------------------------

    def dumps(self) -> bytes:
        """Bytes that depend on the rows, the plan and the roles, not on how the rows came."""
        headers: list[Mapping[str, Any]] = []
        sections: dict[str, Array] = {}
        for place, state in enumerate(self._all()):
            header, mine = state.content()
            headers.append(header)
            sections |= wire.prefixed(str(place), mine)
        conventions = asdict(self.conventions)
        # A JSON object has no order, and the order of these is the user's.
        conventions |= {name: list(conventions[name].items()) for name in ORDERED}
        header = {"kind": KIND, "conventions": conventions, "states": headers}
        return wire.pack(header, sections)

    @classmethod
    def loads(cls, data: bytes) -> Self:
        """The tally that these bytes hold."""
        header, sections = wire.unpack(data)
        if header.get("kind") != KIND:
            raise errors.STATE_KIND(found=header.get("kind"), wanted=KIND)
        with wire.described("a tally"):
            stored = header["conventions"]
            stored |= {name: dict(stored[name]) for name in ORDERED}
            by = tuple(tuple(names) for names in stored["by"])
            lists = {name: tuple(stored.get(name, ())) for name in ("group", "classes")}
            conventions = Conventions(**{**stored, "by": by, **lists})
            todo = plan.make(list(conventions.metrics), conventions.preset, conventions.reads)
            tally = cls(todo, conventions)
            tally._restore(header["states"], sections)
            wire.refuse_other_bytes(tally.dumps(), bytes(data))
        return tally

    def _restore(self, headers: list[Mapping[str, Any]], sections: Mapping[str, Array]) -> None:
        places = [(score, need) for score, states in self.states.items() for need in states]
        for place, ((score, need), header) in enumerate(zip(places, headers, strict=True)):
            state = Sliced.restored(header, wire.under(str(place), sections))
            if state.config() != self.states[score][need].config():
                raise ValueError("a state that the metrics do not need")
            self.states[score][need] = state

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a `.sy` file: aside first, so that a run cut short leaves nothing half-done."""
        write_aside(path, self.dumps())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The tally of a `.sy` file."""
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            raise errors.NO_FILE(path=os.fspath(path)) from None
        except OSError as error:
            raise errors.UNREADABLE(path=os.fspath(path), reason=error.strerror) from error
        return cls.loads(data)

    def _all(self) -> Iterator[Sliced]:
        for states in self.states.values():
            yield from states.values()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.dumps() == other.dumps()

    __hash__ = None  # type: ignore[assignment]  # Python's own way to say: it changes, no key

    def __repr__(self) -> str:
        rows = max(_count(states[self.plan.sample].total) for states in self.states.values())
        metrics = ", ".join(self.conventions.metrics)
        return f"<tally of {rows:,} rows for {metrics}: result() gives the numbers>"


def _value(measured: AnyValue) -> tuple[Value, Mapping[str, Any]]:
    """A value that fits a row, and what else there is to say."""
    if isinstance(measured, OverGroups | OverClasses | Detailed):
        return measured.value, measured.details
    assert isinstance(measured, float | Undefined)
    return measured, {}


def _count(sample: State) -> int:
    """How many rows a sample stands for."""
    if isinstance(sample, PredictionSample):
        return int(sample["rows"])
    assert isinstance(sample, Sample)
    return int(sample["positives"] + sample["negatives"])


def _refuse_unlike(left: Tally, right: Tally) -> None:
    for name in SAME:
        mine, theirs = getattr(left.conventions, name), getattr(right.conventions, name)
        if mine != theirs:
            raise errors.MERGE_UNLIKE(field=name, left=mine, right=theirs)
    for name in ("metrics", "scores"):
        names = [", ".join(getattr(tally.conventions, name)) for tally in (left, right)]
        if names[0] != names[1]:
            raise errors.MERGE_UNLIKE(field=name, left=names[0], right=names[1])


def _common(left: Tally, right: Tally) -> dict[str, str]:
    """The roles of both: where they came from is listed, what else differs is left out."""
    mine, theirs = left.conventions.roles, right.conventions.roles
    roles = {role: text for role, text in mine.items() if theirs.get(role) == text}
    sources = {roles_["source"] for roles_ in (mine, theirs) if "source" in roles_}
    if len(sources) > 1:  # in an order that does not depend on that of merging
        sources = {", ".join(sorted({one for each in sources for one in each.split(", ")}))}
    return {**roles, "source": sources.pop()} if sources else roles


def _beside(sample: State, *, sums: bool) -> dict[str, Any]:
    """What stands beside each number of a slice: counts as they are, sums rounded once.

    sums: whether what is predicted are numbers
    """
    assert isinstance(sample, Sample | PredictionSample)
    found: dict[str, Any] = {
        name: int(sample[name]) if name in sample.counts else rounded(sample[name])
        for name in sample.names
        if name in ROW
    }
    if isinstance(sample, Sample):
        weight = sample["weighted_positives"] + sample["weighted_negatives"]
        return {"n": _count(sample), **found, "weight": rounded(weight)}
    if not sums:
        found = {name: value for name, value in found.items() if name not in sample.signed}
    return {"n": _count(sample), **found}
