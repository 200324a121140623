"""Columns of parts: one entry for each slice, or a list of entries for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard.kernels.ragged import running_sums, spread, steps
from steelyard.model import Array
from steelyard.views.digit_column import DigitColumn

# An array, digits, lists of slices, or a tuple of such; anything else is about all slices.
PartColumns = Any


@dataclass(frozen=True, eq=False)
class SliceLists:
    """Lists of different lengths, one for each slice.

    starts: the first entry of each list, and the end; columns: of all entries
    """

    starts: Array
    columns: PartColumns

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def slices(self) -> Array:
        """The place of each entry's slice."""
        return np.repeat(np.arange(len(self)), steps(self.starts))

    def take(self, places: Array) -> "SliceLists":
        """The lists of some slices."""
        sizes = steps(self.starts)[places]
        rows, _ = spread(self.starts[places], sizes)
        return SliceLists(running_sums(sizes), take(self.columns, rows))

    def followed_by(self, other: "SliceLists") -> "SliceLists":
        """For each slice its list here, and then its list there."""
        places = np.arange(2 * len(self)).reshape(2, -1).T.ravel()
        both = concatenated([self, other]).take(places)
        return SliceLists(both.starts[::2], both.columns)


def take(columns: PartColumns, places: Array) -> PartColumns:
    """The entries at some places."""
    if isinstance(columns, np.ndarray):
        return columns[places]
    if isinstance(columns, SliceLists | DigitColumn):
        return columns.take(places)
    if isinstance(columns, tuple):
        return type(columns)(*(take(column, places) for column in columns))
    return columns


def concatenated(columns: Sequence[PartColumns]) -> PartColumns:
    """The entries of several columns of one kind, one after the other."""
    first = columns[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(columns)
    if isinstance(first, DigitColumn):
        return DigitColumn.concatenated(columns)
    if isinstance(first, SliceLists):
        sizes = np.concatenate([steps(each.starts) for each in columns])
        return SliceLists(running_sums(sizes), concatenated([each.columns for each in columns]))
    if isinstance(first, tuple):
        return type(first)(*(concatenated(each) for each in zip(*columns, strict=True)))
    return next((each for each in columns if each), first)
