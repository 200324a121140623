"""The ranges of a view of a whole table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from steelyard.model import Array
from steelyard.views.weightings import Weighted, Weighting

Made = TypeVar("Made")


@dataclass(frozen=True)
class WholeView:
    """A view as ranges, see `metrics.fold.Ranges`: it cuts itself."""

    whole: Any

    def map(self, task: Callable[[Any], Iterator[Made]]) -> Iterator[Made]:
        return task(self.whole)

    def weighted(
        self, weightings: Sequence[Weighting], hashes: Array, metrics: Sequence[str]
    ) -> Weighted:
        """One weighting after the other, so that one resampled table is held at a time."""
        each = (self.whole.resampled(one.weights(None, hashes)) for one in weightings)
        return Weighted(self.whole.cluster_counts, map(WholeView, each))
