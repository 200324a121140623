"""Batches: rows as states take them.

A batch's columns are one-dimensional, of native byte order, without missing values, never written
to, and hold no row of weight zero: that row is absent.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steelyard.model import TWO_CLASSES, Array, Floats, Key, Label, Mask, Reading, Wants
from steelyard.reading.labels import BinaryLabels, Values, grades
from steelyard.reading.rows import ALL_ROWS, Rows
from steelyard.sources.blocks import Column


class Slices(NamedTuple):
    """The slice of each row for one `by`: a code that stands for a key.

    dropped: for each code, how many rows of that slice were left out
    """

    keys: Sequence[tuple[Key, ...]]
    codes: Array
    dropped: Array


class Dictionary:
    """Words and their numbers, the same for all batches of a reader."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, words: Sequence[str]) -> Array:
        """The number of each word; a new word gets the next."""
        known = self._numbers
        if not known:  # the first batch, which is often the only one
            known.update(zip(words, range(len(words)), strict=True))
            if len(known) < len(words):  # a word that comes twice would leave a gap
                known.clear()
        numbers = [known.setdefault(word, len(known)) for word in words]
        self.words += list(known)[len(self.words) :] if len(known) > len(self.words) else []
        return np.array(numbers, np.int64)


class Keys(NamedTuple):
    """What rows are grouped by: whole numbers, or numbers of words."""

    values: Array
    words: Dictionary | None = None

    def take(self, rows: Array | slice) -> "Keys":
        return self._replace(values=self.values[rows])


class Beside(NamedTuple):
    """Columns that only group metrics read, each where a metric asks for it.

    group: the keys that make a group; document: what each row is about
    position: the row's number in its source; group_weight: a weight of the group, by column name
    unscored: the rows that were judged but not retrieved; their score says nothing
    """

    group: tuple[Keys, ...]
    document: Keys | None = None
    position: Array | None = None
    group_weight: Mapping[str, Array] = {}
    unscored: Mask | None = None

    def take(self, rows: Array | slice) -> "Beside":
        """The same of some rows, or of rows in another order."""
        return Beside(
            tuple(keys.take(rows) for keys in self.group),
            None if self.document is None else self.document.take(rows),
            None if self.position is None else self.position[rows],
            {name: column[rows] for name, column in self.group_weight.items()},
            None if self.unscored is None else self.unscored[rows],
        )


class Field(NamedTuple):
    """What rows are told apart by: a code that stands for a key; some may not occur."""

    codes: Array
    keys: Sequence[Key]

    def take(self, rows: Array | slice) -> "Field":
        return self._replace(codes=self.codes[rows])


class Further(NamedTuple):
    """Columns that a metric names, by name.

    fields: what rows are told apart by; amounts: bids or revenue, zero or more
    """

    fields: Mapping[str, Field] = {}
    amounts: Mapping[str, Floats] = {}

    def take(self, rows: Array | slice) -> "Further":
        """The same of some rows, or of rows in another order."""
        return Further(
            {name: field.take(rows) for name, field in self.fields.items()},
            {name: amounts[rows] for name, amounts in self.amounts.items()},
        )


NOTHING_FURTHER = Further()


class Side(NamedTuple):
    """The rows of one class."""

    scores: Array
    weights: Array | None


@dataclass(frozen=True)
class Batch:
    """Rows to weigh.

    count: how many rows each stands for, where rows are aggregated; its weight has that in it
    known: what `binary` finds, where it is known already; known_grade: what `grade` finds
    wants: which readings of the label metrics ask for
    beside: what group metrics read; further: the columns that a metric names
    memo: what one state worked out and another needs too: "sides" are the rows of each class
    """

    label: Column
    score: Array
    weight: Array | None
    reading: Reading
    labels: BinaryLabels
    count: Array | None = None
    dropped: int = 0
    rows: Rows = ALL_ROWS
    slices: tuple[Slices, ...] = ()
    known: tuple[Mask, Label] | None = None
    known_grade: Array | None = None
    wants: Wants = TWO_CLASSES
    beside: Beside | None = None
    further: Further = NOTHING_FURTHER
    memo: dict[str, Any] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return len(self.score)

    @cached_property
    def binary(self) -> tuple[Mask, Label]:
        """Which rows are positive, and the label the others bear (None where there is none)."""
        if self.known is not None:
            return self.known
        if self.wants.binary or self.labels.positive is not None:
            return self.labels.read(self._label)
        return self.grade >= 1, None

    @cached_property
    def grade(self) -> Array:
        """The label as a grade; 1 and 0 where the positive label is named, or none is wanted."""
        if self.known_grade is not None:
            return self.known_grade
        if self.wants.graded and self.labels.positive is None and self.known is None:
            return grades(self.labels.name, self._label)
        return self.positive.view(np.uint8)

    @property
    def _label(self) -> Values:
        return Values(self.label.values, self.label.words, self.rows.number)

    @property
    def negative_label(self) -> Label:
        return self.binary[1]

    @property
    def positive(self) -> Mask:
        return self.binary[0]

    @cached_property
    def probability(self) -> Floats:
        """The score as a probability, corrected where the model saw fewer negatives."""
        return probabilities(self.score, self.reading)

    @cached_property
    def parts(self) -> "list[list[Part]]":
        """For each `by`, the batch of each slice: made once, however many states ask."""
        return [list(self._parts(slices)) for slices in self.slices]

    def _grade_beside(self) -> Array | None:
        """The grade, where it says more than the class does."""
        return self.grade if self.wants.graded else None

    def _parts(self, slices: Slices) -> "Iterator[Part]":
        """Rows of a slice side by side, its negatives first: one gather for all slices."""
        positive, negative_label = self.binary
        count = len(slices.keys) * 2
        keys = slices.codes.astype(np.min_scalar_type(max(count - 1, 0))) * 2 + positive
        order = np.argsort(keys, kind="stable")  # a radix sort up to 16 bits
        ends = np.cumsum(np.bincount(keys, minlength=count)).tolist()
        score, weight, rows, grade = (
            None if column is None else column.take(order)
            for column in (self.score, self.weight, self.count, self._grade_beside())
        )
        beside = None if self.beside is None else self.beside.take(order)
        further = self.further.take(order)
        assert score is not None
        start = 0
        for key, dropped, middle, end in zip(
            slices.keys, slices.dropped.tolist(), ends[::2], ends[1::2], strict=True
        ):
            if end > start or dropped:
                here = slice(start, end)
                positive = np.arange(start, end) >= middle
                part = Batch(
                    Column(positive),
                    score[here],
                    None if weight is None else weight[here],
                    self.reading,
                    self.labels,
                    None if rows is None else rows[here],
                    dropped,
                    known=(positive, negative_label if middle > start else None),
                    known_grade=None if grade is None else grade[here],
                    wants=self.wants,
                    beside=None if beside is None else beside.take(here),
                    further=further.take(here),
                    memo={
                        "sides": (
                            _side(score, weight, slice(middle, end)),
                            _side(score, weight, slice(start, middle)),
                        )
                    },
                )
                yield Part(key, part)
            start = end


def probabilities(scores: Array, reading: Reading) -> Floats:
    """Scores as probabilities: float64, and p/(p + (1 − p)/r), where a share r of the negatives
    was trained on: three operations, each rounded."""
    p: Floats = scores.astype(np.float64, copy=False)
    if reading.downsampled is None:
        return p
    others = 1.0 - p
    with np.errstate(over="ignore"):  # r of 1e-310: whatever is not 1 becomes 0
        others /= reading.downsampled
        others += p
    return np.divide(p, others, out=others)


def _side(scores: Array, weights: Array | None, rows: slice) -> Side:
    return Side(scores[rows], None if weights is None else weights[rows])


class Part(NamedTuple):
    """The rows of one slice."""

    key: tuple[Key, ...]
    batch: Batch
