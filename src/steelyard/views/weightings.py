"""Weightings: how often each row counts, such as in one replicate of a bootstrap."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from steelyard.model import Array


class Weighting(Protocol):
    """How often the rows of each cluster of a slice count; it can be pickled."""

    def weights(self, slices: Array | None, hashes: Array) -> Array:
        """A whole number below 256 for each of some clusters.

        slices: the slice of each; None: any, of a weighting that does not depend on slices
        hashes: of the key of each
        """


class Weighted(NamedTuple):
    """One table under weightings.

    clusters: how many clusters each slice has
    ranges: see `metrics.fold.Ranges`; each is of one or of several weightings, one after the
        other, and has all slices of the table under each of them
    """

    clusters: Array
    ranges: Iterable[Any]
