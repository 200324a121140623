"""Rows of a groups state: as they came, and joined to one piece."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from steelyard import errors
from steelyard.kernels.interface import Digits
from steelyard.model import Array, Mask
from steelyard.reading.grouping import Dictionary, GroupColumns, RowKeys
from steelyard.states.weights import Weights, common_weights


@dataclass(frozen=True)
class GroupChunk:
    """Rows as they came; `digits` are weights that are whole multiples of 2**unit already."""

    grade: Array
    score: Array
    weight: Array | None
    count: Array | None
    columns: GroupColumns
    slices: tuple[Array, ...] = ()  # for each `by`, the number of each row's slice
    digits: Digits | None = None
    unit: int = 0

    def refuse_unlike(self, other: "GroupChunk") -> None:
        """Rows of two states must have the same columns."""
        mine, theirs = _column_summary(self.columns), _column_summary(other.columns)
        if mine != theirs:
            raise errors.MERGE_DIFFERS(field="the columns of groups", left=mine, right=theirs)


def _column_summary(columns: GroupColumns) -> str:
    """What columns there are, as far as they must agree."""
    kinds = ["whole" if keys.dictionary is None else "words" for keys in columns.group]
    more = [name for name in ("document", "position") if getattr(columns, name) is not None]
    return ", ".join([f"keys of {' and '.join(kinds)}", *more, *sorted(columns.group_weight)])


@dataclass(frozen=True)
class JoinedGroups:
    """All rows in one piece.

    keys: the columns that make a group; words: what their values stand for, where they are words
    digits: weights in 2**unit; None: each row weighs 1. count: how many rows each stands for
    """

    keys: tuple[Array, ...]
    words: tuple[Sequence[str] | None, ...]
    grade: Array
    score: Array
    digits: Digits | None
    unit: int
    count: Array | None
    document: RowKeys | None
    position: Array | None
    group_weight: dict[str, Array]
    unscored: Mask | None
    slices: tuple[Array, ...] = ()  # for each `by`, the number of each row's slice

    def __len__(self) -> int:
        return len(self.score)

    def take(self, rows: Array) -> "JoinedGroups":
        """Some of the rows."""
        return replace(
            self,
            keys=tuple(column[rows] for column in self.keys),
            grade=self.grade[rows],
            score=self.score[rows],
            digits=None if self.digits is None else tuple(digit[rows] for digit in self.digits),
            count=None if self.count is None else self.count[rows],
            document=None if self.document is None else self.document.take(rows),
            position=None if self.position is None else self.position[rows],
            group_weight={name: column[rows] for name, column in self.group_weight.items()},
            unscored=None if self.unscored is None else self.unscored[rows],
            slices=tuple(codes[rows] for codes in self.slices),
        )


def join(parts: Sequence[GroupChunk], score_type: str, slicings: int) -> JoinedGroups:
    """The rows of all parts, their words numbered by one dictionary."""
    if not parts:
        empty = np.zeros(0, np.int64)
        none = np.zeros(0, np.uint8)
        scores, slices = np.zeros(0, score_type), (empty,) * slicings
        return JoinedGroups(
            (empty,), (None,), none, scores, None, 0, None, None, None, {}, None, slices
        )
    columns = [rows.columns for rows in parts]
    keys = [_keys(each) for each in zip(*(c.group for c in columns), strict=True)]
    documents = [c.document for c in columns if c.document is not None]
    positions = [c.position for c in columns if c.position is not None]
    unit, digits = _weights(parts)
    return JoinedGroups(
        tuple(column.values for column in keys),
        tuple(None if column.dictionary is None else column.dictionary.strings for column in keys),
        _end_to_end([rows.grade for rows in parts]),
        _end_to_end([rows.score for rows in parts]),
        digits,
        unit,
        _filled([rows.count for rows in parts], parts, 1),
        _keys(documents) if documents else None,
        _end_to_end(positions) if positions else None,
        {
            name: _end_to_end([c.group_weight[name] for c in columns])
            for name in columns[0].group_weight
        },
        _filled([c.unscored for c in columns], parts, False),
        tuple(_end_to_end(codes) for codes in zip(*(p.slices for p in parts), strict=True)),
    )


def _end_to_end(columns: Sequence[Array]) -> Array:
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def _filled(
    columns: Sequence[Array | None], parts: Sequence[GroupChunk], other: int
) -> Array | None:
    """A column that some parts lack, filled with what its absence means."""
    if all(column is None for column in columns):
        return None
    return _end_to_end(
        [
            np.full(len(rows.score), other, np.int64 if other else bool) if c is None else c
            for c, rows in zip(columns, parts, strict=True)
        ]
    )


def _keys(columns: Sequence[RowKeys]) -> RowKeys:
    """One column of keys; words of several dictionaries are numbered anew."""
    first = columns[0].dictionary
    if first is None:
        return RowKeys(_whole_keys([column.values for column in columns]))
    if all(column.dictionary is first for column in columns):
        return RowKeys(_end_to_end([column.values for column in columns]), first)
    words, numbered = Dictionary(), []
    for column in columns:
        assert column.dictionary is not None
        numbered.append(words.number(column.dictionary.strings)[column.values])
    return RowKeys(np.concatenate(numbered), words)


def _whole_keys(columns: Sequence[Array]) -> Array:
    """int64, or uint64 where some are larger; no type holds those beside keys below zero."""
    if len({column.dtype for column in columns}) == 1:
        return _end_to_end(columns)
    low = min(int(column.min(initial=0)) for column in columns)
    if low < 0:
        raise errors.KEYS_TOO_WIDE(low=low)
    return np.concatenate([column.astype(np.uint64) for column in columns])


def _weights(parts: Sequence[GroupChunk]) -> tuple[int, Digits | None]:
    """The weights of all parts in one unit, which divides every one of them."""
    of_each = [Weights(len(p.score), p.weight, p.digits, p.unit) for p in parts]
    return common_weights(of_each)
