"""How far cells of rows moved between two logs, from sums that add up over cells."""

from abc import ABC, abstractmethod

import numpy as np

from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats

Codes = tuple[Array, Array]  # the cell of each row of both logs


class Moves(ABC):
    """The rows of two logs by what each adds to a metric: a search chooses by it what it tests."""

    @abstractmethod
    def within_influences(self, codes: Codes, count: int) -> tuple[Influences, ...]:
        """What each cluster of each log adds to the change at a constant mix of slices."""

    @abstractmethod
    def _sums(self, place: int, codes: Array, count: int) -> Floats:
        """A line of sums for each cell of one log, which `_moved` reads."""

    @abstractmethod
    def _moved(self, before: Floats, after: Floats) -> tuple[Floats, Floats]:
        """The change of each cell, and its variance with rows taken as independent."""

    def cells(self, codes: Codes, count: int) -> Floats:
        """The change of each cell in standard errors; 0 where it is not known."""
        return _in_errors(*self._moved(*self._of_both(codes, count)))

    def cuts(self, codes: Codes, count: int) -> Floats:
        """For each code but the first: how much more the rows from it on changed than the others.

        In standard errors, without a sign.
        """
        sums = self._of_both(codes, count)
        early = [np.cumsum(each, axis=0)[:-1] for each in sums]
        late = [each.sum(axis=0) - part for each, part in zip(sums, early, strict=True)]
        (first, variance), (second, more) = self._moved(*early), self._moved(*late)
        return np.abs(_in_errors(second - first, variance + more))

    def _of_both(self, codes: Codes, count: int) -> list[Floats]:
        return [self._sums(place, each, count) for place, each in enumerate(codes)]


def _in_errors(change: Floats, variance: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        z = change / np.sqrt(variance)
    return np.where(np.isfinite(z), z, 0.0)
