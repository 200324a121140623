"""Predicted classes of which one is positive: the other class, and errors where there are more."""

from collections.abc import Sequence

import numpy as np

from steelyard import errors
from steelyard.model import Key, Label
from steelyard.reading.key_order import sort_key
from steelyard.reading.predictions import CodedClasses
from steelyard.reading.row_numbers import KeptRows

LISTED = 5  # classes named in an error
NEGATIVES = (0, -1)  # the other class where 1 is positive


class TwoClasses:
    """Finds the class that is not positive; classes of earlier blocks are remembered.

    positive: the positive class; None: 1, beside 0 or -1
    """

    def __init__(self, positive: Label) -> None:
        self.positive = positive
        self._seen: dict[Key, None] = {}

    def other(self, columns: Sequence[tuple[str, CodedClasses]], rows: KeptRows) -> Label:
        """The class other than the positive one, None if there is none; a third is refused.

        columns: truth and prediction, with their names
        """
        for name, coded in columns:
            before = len(self._seen)
            self._seen |= dict.fromkeys(_present(coded))
            if len(self._seen) > 2:
                raise self._third(name, coded, list(self._seen)[before:], 2 - before, rows)
        positive = 1 if self.positive is None else self.positive
        others = [label for label in self._seen if label != positive]
        if self.positive is None and (len(others) > 1 or not {*others} <= {*NEGATIVES}):
            raise errors.POSITIVE_NEEDED(name=columns[0][0], values=self._values)
        if len(others) > 1:
            raise self._absent(columns[0][0])
        return others[0] if others else None

    def _third(
        self, name: str, coded: CodedClasses, new: Sequence[Key], place: int, rows: KeptRows
    ) -> errors.SteelyardError:
        """The error for a third class; new: those of this column, of which some are one too many.

        place: that of the third class among them, in the order of their first rows
        """
        if self.positive is not None and self.positive not in self._seen:
            return self._absent(name)
        codes = [list(coded.classes).index(label) for label in new]
        first = sorted(int(np.argmax(coded.codes == code)) for code in codes)[place]
        return errors.MANY_CLASSES(name=name, values=self._values, position=rows.number(first))

    def _absent(self, name: str) -> errors.SteelyardError:
        return errors.POSITIVE_ABSENT(name=name, positive=self.positive, values=self._values)

    @property
    def _values(self) -> str:
        ordered = sorted(self._seen, key=lambda label: sort_key((label,)))
        more = ", ..." if len(ordered) > LISTED else ""
        return ", ".join(map(repr, ordered[:LISTED])) + more


def _present(coded: CodedClasses) -> list[Key]:
    """The classes that occur."""
    counts = np.bincount(coded.codes, minlength=len(coded.classes))
    return [label for label, count in zip(coded.classes, counts.tolist(), strict=True) if count]
