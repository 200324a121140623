"""The base class of all states: tables, reading conventions, merging and bytes.

A state has one table for the total and one for each `by`. In each table a slice is a number; the
owner of the states (`state`) knows the key of each number. Where intervals are requested, rows have
a cluster too, which is a number in the same way: wherever there is a list with an entry for each
table, the clusters have one more entry, the last.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from steelyard import errors
from steelyard.model import (
    NAN_CHOICES,
    SCORE_TYPES,
    UNSCORED_CHOICES,
    Array,
    Label,
    Reading,
    RequiredColumns,
)
from steelyard.reading.batch import Batch
from steelyard.reading.key_order import KeyTuple
from steelyard.reading.labels import plain_label
from steelyard.states import wire

OMITTED_DEFAULTS = {
    "unscored": UNSCORED_CHOICES[0],
    "downsampled": None,
    "clip": None,
    "classes": (),
}
TOTAL_SLICE = np.zeros(1, np.int64)  # the slice numbers of the table of the total: 0
TOTAL = (TOTAL_SLICE,)  # the slice numbers of each table of a state without `by`


class SliceCodes(NamedTuple):
    """The slice of each row in one table.

    codes: the number of each row's slice; None: all rows are of slice 0
    size: how many slice numbers there are
    dropped: how many rows of each slice were dropped
    """

    codes: Array | None
    size: int
    dropped: Array


class KeyedState(ABC):
    """A commutative monoid: a new state is the identity, `add` the addition.

    tables: how many tables: one for the total, and one for each `by`
    clustered: whether rows have a cluster
    """

    kind: ClassVar[str]

    def __init__(self, tables: int = 1, clustered: bool = False) -> None:
        self.tables = tables
        self.clustered = clustered
        self.reading: Reading | None = None
        self.negative_label: Label = None

    def update(self, batch: Batch) -> None:
        """Add the rows of a batch."""
        if len(batch) or batch.dropped:
            self._admit(batch.reading, batch.negative_label)
            self._add_rows(batch, slices_of(batch, self.tables))

    def add(self, other: Self, numbers: Sequence[Array] = TOTAL) -> None:
        """Add the rows of a state of the same kind.

        numbers: for each table, the slice numbers in this state of the other's slices; then those
            of the other's clusters
        """
        self._admit(other.reading, other.negative_label)
        self._add_state(other, numbers)

    def merge(self, other: Self) -> Self:
        """A new state of both states' rows, for states without `by`."""
        _refuse_difference({"the kind": self.kind}, {"the kind": other.kind})
        _refuse_difference(self.config(), other.config())
        merged = type(self)(**self.config())
        merged.add(self)
        merged.add(other)
        return merged

    def has_columns(self, needed: RequiredColumns, keys: int) -> bool:
        """Whether the rows have the columns that metrics read; those of bytes may not.

        keys: the number of columns of a group's key
        """
        return True

    def dumps(self) -> bytes:
        """Bytes that depend on the rows alone, not on their order; for states without `by`."""
        return wire.pack(*self.content(TOTAL))

    @classmethod
    def loads(cls, data: bytes) -> Self:
        """The state of some bytes that `dumps` wrote."""
        header, sections = wire.unpack(data)
        if header.get("kind") != cls.kind:
            raise errors.STATE_KIND(found=header.get("kind"), wanted=cls.kind)
        with wire.described(f"a {cls.kind} state"):
            state = cls.restored(header, sections, (1,))
            wire.refuse_other_bytes(state.dumps(), bytes(data))
        return state

    def content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        """The header and the arrays of the state's bytes.

        order: for each table, the slice numbers in the order written; other slices have no rows;
            then the numbers of clusters in the order written
        """
        fields, sections = self._content(order)
        header = {
            "kind": self.kind,
            "config": self.config(),
            "reading": None if self.reading is None else _stored(self.reading),
            "negative_label": self.negative_label,
            **fields,
        }
        return header, sections

    @classmethod
    def restored(
        cls,
        header: Mapping[str, Any],
        sections: Mapping[str, Array],
        slices: Sequence[int],
        clustered: bool = False,
    ) -> Self:
        """The state of a header and arrays; a ValueError, TypeError or LookupError if invalid.

        slices: how many slices each table has, and how many clusters there are
        """
        tables = len(slices) - clustered
        state = cls(**header["config"], tables=tables, clustered=clustered)
        state.reading = _reading(header["reading"])
        state.negative_label = _label(header["negative_label"])
        state._restore(header, dict(sections), slices)
        return state

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.dumps() == other.dumps()

    __hash__ = None  # type: ignore[assignment]  # mutable, so not hashable

    def config(self) -> dict[str, Any]:
        """The arguments that make an empty state of the same kind."""
        return {}

    def key_columns(self) -> tuple[str, ...]:
        """The columns whose values are keys of this state, besides those of slices."""
        return ()

    def key_tuples(self) -> Sequence[KeyTuple]:
        """The keys of these columns."""
        return ()

    def _admit(self, reading: Reading | None, negative_label: Label) -> None:
        """Refuse rows that were read by other conventions."""
        if self.reading is not None and reading is not None and self.reading != reading:
            _refuse_difference(asdict(self.reading), asdict(reading))
        if self.negative_label is not None and negative_label is not None:
            name = "the negative label"
            _refuse_difference({name: self.negative_label}, {name: negative_label})
        self.reading = reading if self.reading is None else self.reading
        if self.negative_label is None:
            self.negative_label = negative_label

    def _require_reading(self, rows: bool) -> None:
        """Refuse a state that has rows but no reading conventions."""
        if rows and self.reading is None:
            raise ValueError("rows without reading conventions")

    @abstractmethod
    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        """Add the rows of a batch, whose conventions were checked; slices: for each table."""

    @abstractmethod
    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        """Add the rows of a state, whose conventions were checked; numbers: as in `add`."""

    @abstractmethod
    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        """The kind's own header fields and arrays; order: as in `content`."""

    @abstractmethod
    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        """Fill an empty state with what `_content` gave; slices: how many each table has."""


def slices_of(batch: Batch, tables: int) -> list[SliceCodes]:
    """The slices of a batch's rows in every table, that of the total first; then the clusters."""
    found = [SliceCodes(None, 1, np.array([batch.dropped]))]
    found += [SliceCodes(s.codes, len(s.keys), s.dropped) for s in batch.slices[: tables - 1]]
    if batch.clusters is not None:
        found.append(SliceCodes(*batch.clusters, np.zeros(0, np.int64)))
    return found


def _refuse_difference(left: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """Refuse to merge two states that differ in a field."""
    for name, value in left.items():
        if value != right[name]:
            raise errors.merge_differs(field=name, left=value, right=right[name])


def _stored(reading: Reading) -> dict[str, Any]:
    """The fields of a reading; those of `OMITTED_DEFAULTS` only where they differ from it."""
    fields = asdict(reading)
    return {
        name: v
        for name, v in fields.items()
        if name not in OMITTED_DEFAULTS or v != OMITTED_DEFAULTS[name]
    }


def _reading(stored: Mapping[str, Any] | None) -> Reading | None:
    """The reading of stored fields; a ValueError where one is invalid."""
    if stored is None:
        return None
    classes = tuple(map(_label, stored.get("classes", ())))
    if len({*classes}) < len(classes):
        raise ValueError("a class that is chosen twice")
    reading = Reading(**{**stored, "classes": classes})
    choices = (NAN_CHOICES, SCORE_TYPES, UNSCORED_CHOICES)
    given = (reading.nan, reading.score_type, reading.unscored)
    if any(value not in known for value, known in zip(given, choices, strict=True)):
        raise ValueError("unknown reading conventions")
    for share, most in ((reading.downsampled, 1.0), (reading.clip, 0.5)):
        if share is not None and (type(share) is not float or not 0 < share < most):
            raise ValueError(f"reading conventions with {share!r}")
    _label(reading.positive)
    return reading


def _label(stored: Any) -> Label:
    """A stored label; a ValueError where it is not in canonical form."""
    if stored is not None and not isinstance(stored, str | int | float | bool):
        raise ValueError("a label that is neither text nor a number")
    if stored != stored or type(plain_label(stored)) is not type(stored):
        raise ValueError(f"a label written as {stored!r}")
    return stored
