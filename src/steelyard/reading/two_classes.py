"""Predicted classes of which one is positive: the other class, and errors where there are more."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from steelyard import errors
from steelyard.model import Key, Label
from steelyard.reading.facts import Failure, First
from steelyard.reading.key_order import sort_key
from steelyard.reading.labels import NEGATIVES
from steelyard.reading.predictions import CodedClasses
from steelyard.reading.row_numbers import KeptRows

LISTED = 5  # classes named in an error
MOST = 100  # classes that are remembered


class TwoClasses:
    """Finds the class that is not positive; classes of earlier blocks are remembered.

    positive: the positive class; None: 1, beside 0 or -1
    names: of the truth and each prediction; seen: where each class was seen first, by column
    """

    def __init__(self, positive: Label, names: Sequence[str], seen: dict[Label, First]) -> None:
        self.positive = positive
        self._names, self._seen = names, seen

    @property
    def _one(self) -> Label:
        return 1 if self.positive is None else self.positive

    def other(self, columns: Mapping[int, CodedClasses], rows: KeptRows) -> Label:
        """The class other than the positive one, None if there is none; a third is refused.

        columns: truth and prediction, by their places among the names
        """
        for place, coded in columns.items():
            self._see(place, coded, rows)
        if found := self.conflict():
            raise found.error
        return next((label for label in self._seen if label != self._one), None)

    def conflict(self) -> Failure | None:
        """The error for a third class, or for two that do not tell which one is positive."""
        ordered = self._in_order()
        if len(ordered) > 2:
            place, row = self._seen[ordered[2]]
            known = [label for label in ordered if self._seen[label][0] <= place]
            facts = {"name": self._names[place], "values": _listed(known)}
            if self.positive is not None and self.positive not in known:
                return Failure(row, errors.POSITIVE_ABSENT(**facts, positive=self.positive))
            return Failure(row, errors.MANY_CLASSES(**facts, position=row))
        others = [label for label in ordered if label != self._one]
        row = max((self._seen[label][1] for label in others), default=0)
        facts = {"name": self._names[0], "values": _listed(ordered)}
        if self.positive is None and (len(others) > 1 or not {*others} <= {*NEGATIVES}):
            return Failure(row, errors.POSITIVE_NEEDED(**facts))
        if len(others) > 1:
            return Failure(row, errors.POSITIVE_ABSENT(**facts, positive=self.positive))
        return None

    def _see(self, place: int, coded: CodedClasses, rows: KeptRows) -> None:
        """Remember classes; where there are many, those that a message may name."""
        for label in _present(coded):
            if label not in self._seen or self._seen[label][0] > place:
                row = int(np.argmax(coded.codes == list(coded.classes).index(label)))
                self._seen[label] = (place, rows.number(row))
        if len(self._seen) > MOST:
            named = {*self._in_order()[:3], *_sorted(self._seen)[: LISTED + 1], self.positive}
            for label in {*self._seen} - named:
                del self._seen[label]

    def _in_order(self) -> list[Label]:
        """The classes in the order of their first rows, those of the truth first."""
        return sorted(self._seen, key=self._seen.__getitem__)


def _listed(labels: Collection[Label]) -> str:
    more = ", ..." if len(labels) > LISTED else ""
    return ", ".join(map(repr, _sorted(labels)[:LISTED])) + more


def _sorted(labels: Collection[Label]) -> list[Label]:
    return sorted(labels, key=lambda label: sort_key((label,)))


def _present(coded: CodedClasses) -> list[Key]:
    """The classes that occur."""
    counts = np.bincount(coded.codes, minlength=len(coded.classes))
    return [label for label, count in zip(coded.classes, counts.tolist(), strict=True) if count]
