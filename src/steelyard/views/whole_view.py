"""The ranges of a view of a whole table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

Parts = TypeVar("Parts")


@dataclass(frozen=True)
class WholeView:
    """A view as ranges, see `metrics.fold.Ranges`: it cuts itself."""

    whole: Any

    def map(self, task: Callable[[Any], Iterator[Parts]]) -> Iterator[Parts]:
        return task(self.whole)
