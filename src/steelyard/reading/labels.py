"""Labels of two classes: which rows are positive, and the label of the others; and grades.

A reader of labels remembers the labels of earlier blocks, so that a third value is always found.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors
from steelyard.model import Array, Key, Label, Mask
from steelyard.phrases import phrase
from steelyard.reading.facts import Failure, First
from steelyard.sources.text_values import value_of

Position = Callable[[int], int]
NEGATIVES = (0, -1)  # the label of the others where 1 is positive


def plain_label(label: Label) -> Label:
    """The canonical form of a label: 1 for True, 1.0 and 1."""
    if isinstance(label, bool | float) and label == label // 1:
        return int(label)
    return label


def label_of(text: str) -> Label:
    """The label that a text stands for in a column of numbers: 1 for "1", itself for "nan"."""
    value = value_of(text)
    return text if value is None else plain_label(value)


def checked_positive(positive: Any) -> Label:
    """The label that counts as positive, as a plain Python value."""
    if isinstance(positive, np.generic):
        positive = positive.item()
    is_label = positive is None or isinstance(positive, str | int | float)
    if not is_label or positive in (inf, -inf) or positive != positive:
        raise errors.BAD_CHOICE(name=phrase("positive"), value=positive, choices="the labels")
    return plain_label(positive)


class LabelColumn(NamedTuple):
    """The labels of some rows: the values themselves, or codes of `keys`."""

    values: Array
    keys: Sequence[Key] | None
    position: Position  # from a row's index to the row number that the user knows

    def equal(self, label: Label) -> Mask:
        """Which rows have the label; none if the types differ."""
        if self.keys is None:
            if self.values.dtype == bool and label in (0, 1):  # NumPy would make integers of them
                return self.values if label else ~self.values
            return np.asarray(self.values == label)
        codes = [code for code, key in enumerate(self.keys) if key == label]
        return self.values == codes[0] if len(codes) == 1 else np.isin(self.values, codes)

    def at(self, index: int) -> Label:
        value: Label = self.values[index].item()
        return value if self.keys is None else self.keys[int(self.values[index])]

    def are_grades(self) -> bool:
        """Whether all are numbers of zero or more."""
        if self.keys is None:
            return self.values.dtype.kind in "iuf" and bool((self.values >= 0).all())
        return all(isinstance(key, int | float) and key >= 0 for key in self.keys)

    def first(self, rows: Mask) -> int:
        return self.position(int(rows.argmax()))

    def where(self, bad: Mask) -> dict[str, int | str]:
        """The number of bad labels and the first of them, as facts of an error."""
        value = repr(self.at(int(bad.argmax())))
        return {"count": int(np.count_nonzero(bad)), "position": self.first(bad), "value": value}


class BinaryLabels:
    """Reads {0, 1}, {-1, +1}, booleans, or two values of which `positive` is one.

    seen: where each label was seen first
    """

    def __init__(
        self,
        name: str,
        positive: Label = None,
        *,
        graded: bool = False,
        seen: dict[Label, First] | None = None,
    ) -> None:
        self.name = name
        self.graded = graded  # whether ranking metrics read the labels too
        self.positive = positive
        self._seen = {} if seen is None else seen

    @property
    def _one(self) -> Label:
        return 1 if self.positive is None else self.positive

    def read(self, rows: LabelColumn) -> tuple[Mask, Label]:
        """Which rows are positive, and the label of the others (None where there are none)."""
        if len(rows.values) == 0:
            return np.zeros(0, bool), None
        positive = rows.equal(self._one)
        others = len(positive) - np.count_nonzero(positive)
        if others < len(positive):
            self._see(self._one, positive, rows)
        if others == 0:
            return positive, None
        first = plain_label(rows.at(int(np.argmin(positive))))
        negative = rows.equal(first)
        same = np.count_nonzero(negative) == others
        if self.positive is None and not (same and first in NEGATIVES):
            self._refuse_other(positive, rows)
        if same and first in (inf, -inf) and not {*self._seen} - {self._one}:
            count = int(np.count_nonzero(negative))
            raise errors.INFINITE(name=self.name, count=count, position=rows.first(negative))
        self._see(first, negative, rows)
        if not same:
            self._see_more(~positive & ~negative, rows)
        if found := self.conflict():
            raise found.error
        return positive, first

    def conflict(self) -> Failure | None:
        """The error for more than one label besides the positive one, in all rows so far."""
        others = [label for label in self._in_order() if label != self._one]
        if len(others) < 2:
            return None
        first, third = others[:2]
        row = self._seen[third][1]
        if self.positive is None:
            zero, minus = (self._seen[label][1] for label in NEGATIVES)
            return Failure(row, errors.MIXED_LABELS(name=self.name, zero=zero, minus=minus))
        facts: dict[str, Any] = {"name": self.name, "positive": self.positive}
        if self.positive not in self._seen:
            values = f"{first!r}, {third!r}{', ...' if len(others) > 2 else ''}"
            return Failure(row, errors.POSITIVE_ABSENT(**facts, values=values))
        values = f"{self.positive!r}, {first!r}, {third!r}"
        return Failure(row, errors.TOO_MANY_LABELS(**facts, values=values, position=row))

    def _see(self, label: Label, found: Mask, rows: LabelColumn) -> None:
        if label not in self._seen:
            self._seen[label] = (0, rows.first(found))

    def _see_more(self, rest: Mask, rows: LabelColumn) -> None:
        """Remember the first of several labels: two more tell what a message says of all."""
        for _ in range(2):
            if rest.any():
                label = rows.at(int(rest.argmax()))
                found = rows.equal(label)
                self._see(plain_label(label), found, rows)
                rest = rest & ~found
        for label in [each for each in self._in_order() if each != self._one][3:]:
            del self._seen[label]

    def _in_order(self) -> list[Label]:
        """The labels in the order of their first rows."""
        return sorted(self._seen, key=lambda label: self._seen[label])

    def _refuse_other(self, positive: Mask, rows: LabelColumn) -> None:
        """Refuse values other than 0, 1 and -1."""
        bad = ~(positive | rows.equal(0) | rows.equal(-1))
        if bad.any():
            template = errors.BAD_LABEL
            if self.graded and rows.are_grades():
                template = errors.GRADES_BESIDE_CLASSES
            raise template(name=self.name, **rows.where(bad))


LARGEST_GRADE = 2**53  # float64 holds every whole number up to here
NARROW = 255


def grades(name: str, rows: LabelColumn) -> Array:
    """Labels as grades of zero or more: uint8 where it holds them all, else float64."""
    values = rows.values
    if rows.keys is not None:
        invalid = [code for code, key in enumerate(rows.keys) if not isinstance(key, int | float)]
        if invalid:
            _refuse_grades(name, rows, np.isin(values, invalid))
        values = np.array([*rows.keys, 0], np.float64)[values]
    elif values.dtype.kind not in "biuf":
        _refuse_grades(name, rows, np.ones(len(values), bool))
    if values.dtype.kind == "b":
        return values.view(np.uint8)
    low, high = (values.min(), values.max()) if len(values) else (0, 0)
    if not (low >= 0 and high <= LARGEST_GRADE):
        _refuse_grades(name, rows, ~((values >= 0) & (values <= LARGEST_GRADE)))
    if high <= NARROW:
        narrow: Array = values.astype(np.uint8)
        if values.dtype.kind != "f" or (narrow == values).all():
            return narrow
    return values.astype(np.float64) + 0.0  # -0.0 + 0.0 is 0.0


def _refuse_grades(name: str, rows: LabelColumn, bad: Mask) -> None:
    if bad.any():
        raise errors.BAD_GRADE(name=name, **rows.where(bad))
