"""Rows of a groups state: as they were added, and joined."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import Digits, GroupAreas, GroupedRows, RankedLists
from steelyard.model import Array, Mask
from steelyard.reading.batch import Batch, required
from steelyard.reading.grouping import Dictionary, GroupColumns, RowKeys
from steelyard.sources.keys import renumbered
from steelyard.sources.text_keys import TextKeys
from steelyard.states.groups.key_order import KeyColumn, text_ranks
from steelyard.states.weights import Weights, common_weights, digits_at, digits_in_unit


@dataclass(frozen=True)
class GroupChunk:
    """Rows that were added at once.

    count: how many input rows each aggregated row has; None: 1 each
    slices: for each `by`, the number of each row's slice; then its cluster
    """

    grade: Array
    score: Array
    weights: Weights
    count: Array | None
    columns: GroupColumns
    slices: tuple[Array, ...] = ()

    def take(self, rows: Array) -> "GroupChunk":
        """Some of the rows."""
        return GroupChunk(
            self.grade[rows],
            self.score[rows],
            self.weights.take(rows),
            None if self.count is None else self.count[rows],
            self.columns.take(rows),
            tuple(codes[rows] for codes in self.slices),
        )

    def refuse_other_columns(self, other: "GroupChunk") -> None:
        """Refuse to join rows with other columns."""
        mine, theirs = _column_summary(self.columns), _column_summary(other.columns)
        if mine != theirs:
            raise errors.merge_differs(field="the columns of groups", left=mine, right=theirs)


def _column_summary(columns: GroupColumns) -> str:
    """The columns in which all rows must agree, in words."""
    kinds = ["whole numbers" if keys.dictionary is None else "text" for keys in columns.group]
    more = [name for name in ("document", "position") if getattr(columns, name) is not None]
    return ", ".join([f"keys of {' and '.join(kinds)}", *more, *sorted(columns.group_weight)])


class GroupNumbers(NamedTuple):
    """The number of each row's group, which rows of another score may have too.

    keys: the key columns of the rows; codes: the numbers; firsts: a row with each number
    """

    keys: tuple[Array, ...]
    codes: Array
    firsts: Array


@dataclass(frozen=True)
class JoinedGroups:
    """All rows of a groups state, in input order.

    keys: the key columns of the groups; of text keys their codes
    texts: for each key column, the texts of its codes; None where keys are whole numbers
    digits: weights in multiples of 2**unit; None where each is 1
    count: how many input rows each aggregated row has; None: 1 each
    slices: for each `by`, the number of each row's slice; then its cluster, if `clustered`
    """

    keys: tuple[Array, ...]
    texts: tuple[TextKeys | None, ...]
    grade: Array
    score: Array
    digits: Digits | None
    unit: int
    count: Array | None
    document: KeyColumn | None
    position: Array | None
    group_weight: dict[str, Array]
    unscored: Mask | None
    slices: tuple[Array, ...] = ()
    clustered: bool = False

    def __len__(self) -> int:
        return len(self.score)

    # --- groups ----------------------------------------------------------------------------------
    @cached_property
    def numbers(self) -> GroupNumbers:
        """The number of each row's group."""
        return GroupNumbers(self.keys, *kernels.active().code_keys(self.keys))

    def number_as(self, known: GroupNumbers) -> None:
        """Let the groups have the numbers of another state, if its rows have the same keys."""
        pairs = zip(self.keys, known.keys, strict=False)
        if len(self.keys) == len(known.keys) and all(np.array_equal(*pair) for pair in pairs):
            self.__dict__.setdefault("numbers", known)

    @cached_property
    def areas(self) -> tuple[GroupAreas, ...]:
        """The groups of each table, with their areas; of unscored rows only the weight counts."""
        return kernels.active().group_areas(self._group_rows, self.digits, self.unit, self.count)

    @cached_property
    def _ranked(self) -> dict[str, tuple[RankedLists, ...]]:
        return {}

    @property
    def any_ranked(self) -> tuple[RankedLists, ...] | None:
        """The lists under any rule for ties, if there are some."""
        return next(iter(self._ranked.values()), None)

    def ranked(self, ties: str) -> tuple[RankedLists, ...]:
        """The lists of each table under a rule for ties."""
        if ties not in self._ranked:
            keys = self.tie_keys(ties)
            rule: Any = "keys" if ties in ("stable", "trec") else ties
            made = kernels.active().rank_lists(self._group_rows, self.unscored, rule, keys)
            self._ranked[ties] = made
        return self._ranked[ties]

    def tie_keys(self, ties: str) -> Array | None:
        """The numbers by which a rule for ties orders tied rows, rising; None: it needs none."""
        if ties == "stable":
            return self.position
        if ties != "trec" or self.document is None:  # no row came with a document
            return None
        codes, texts = self.document
        assert texts is not None
        return -text_ranks(texts)[codes]

    @property
    def _group_rows(self) -> GroupedRows:
        codes, firsts = self.numbers[1:]
        by = self.slices[: len(self.slices) - self.clustered]
        return GroupedRows(codes, len(firsts), self.score, self.grade, by)

    # --- rows ------------------------------------------------------------------------------------
    def take(self, rows: Array) -> "JoinedGroups":
        """Some of the rows."""
        return replace(
            self,
            keys=tuple(column[rows] for column in self.keys),
            grade=self.grade[rows],
            score=self.score[rows],
            digits=digits_at(self.digits, rows),
            count=None if self.count is None else self.count[rows],
            document=None if self.document is None else (self.document[0][rows], self.document[1]),
            position=None if self.position is None else self.position[rows],
            group_weight={name: column[rows] for name, column in self.group_weight.items()},
            unscored=None if self.unscored is None else self.unscored[rows],
            slices=tuple(codes[rows] for codes in self.slices),
        )


def of_batch(batch: Batch) -> JoinedGroups:
    """The rows of one batch without weights, texts and slices."""
    columns = required(batch.groups)
    return JoinedGroups(
        tuple(keys.values for keys in columns.group),
        (None,) * len(columns.group),
        grades_of(batch),
        required(batch.score),
        *(None, 0, None, None),
        columns.position,
        {},
        None,
    )


def grades_of(batch: Batch) -> Array:
    """The grade of each row: of two classes 0 and 1."""
    return required(batch.positive).view(np.uint8) if batch.grade is None else batch.grade


def join(
    chunks: Sequence[GroupChunk],
    score_type: str,
    slicings: int,
    clustered: bool,
    unit: int | None = None,
) -> JoinedGroups:
    """The rows of all chunks, with one dictionary for each column of text.

    slicings: how many columns of slices the rows have, that of clusters among them
    unit: that of the weights of a job, of which these rows are some; None: they are all of it
    """
    if not chunks:
        empty = np.zeros(0, np.int64)
        none = np.zeros(0, np.uint8)
        scores, slices = np.zeros(0, score_type), (empty,) * slicings
        return JoinedGroups(
            (empty,), (None,), none, scores, None, 0, None, None, None, {}, None, slices, clustered
        )
    columns = [chunk.columns for chunk in chunks]
    keys = [_keys(each) for each in zip(*(c.group for c in columns), strict=True)]
    documents = [c.document for c in columns if c.document is not None]
    positions = [c.position for c in columns if c.position is not None]
    weights = [chunk.weights for chunk in chunks]
    if unit is None:
        unit, digits = common_weights(weights)
    else:
        digits = digits_in_unit(weights, unit)
    return JoinedGroups(
        tuple(column for column, _ in keys),
        tuple(texts for _, texts in keys),
        _concatenated([chunk.grade for chunk in chunks]),
        _concatenated([chunk.score for chunk in chunks]),
        digits,
        unit,
        _filled([chunk.count for chunk in chunks], chunks, 1),
        _keys(documents) if documents else None,
        _concatenated(positions) if positions else None,
        {
            name: _concatenated([c.group_weight[name] for c in columns])
            for name in columns[0].group_weight
        },
        _filled([c.unscored for c in columns], chunks, False),
        tuple(_concatenated(codes) for codes in zip(*(c.slices for c in chunks), strict=True)),
        clustered,
    )


def _concatenated(columns: Sequence[Array]) -> Array:
    """One column of several; a single one is not copied."""
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def _filled(
    columns: Sequence[Array | None], chunks: Sequence[GroupChunk], default: int
) -> Array | None:
    """One column of several, with a default for chunks without it; None where all are."""
    if all(column is None for column in columns):
        return None
    return _concatenated(
        [
            np.full(len(chunk.score), default, np.int64 if default else bool) if c is None else c
            for c, chunk in zip(columns, chunks, strict=True)
        ]
    )


def _keys(columns: Sequence[RowKeys]) -> KeyColumn:
    """One key column of several; the texts of several dictionaries become those of a new one."""
    first = columns[0].dictionary
    if first is None:
        return _whole_keys([column.values for column in columns]), None
    if any(column.dictionary is not first for column in columns):
        first, places = Dictionary(), []
        for column in columns:
            assert column.dictionary is not None
            added = first.add(column.dictionary.strings)
            places.append(added[column.dictionary.numbers[column.values]])
    else:
        places = [column.values for column in columns]
    return renumbered(first.numbers, _concatenated(places)), first.strings


def _whole_keys(columns: Sequence[Array]) -> Array:
    """Whole-number keys as int64, or as uint64 where some need it and none is negative."""
    if len({column.dtype for column in columns}) == 1:
        return _concatenated(columns)
    low = min(int(column.min(initial=0)) for column in columns)
    if low < 0:
        raise errors.KEYS_TOO_WIDE(low=low)
    return np.concatenate([column.astype(np.uint64) for column in columns])
