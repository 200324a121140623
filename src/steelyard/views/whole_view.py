"""The ranges of a view of a whole table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

Made = TypeVar("Made")


@dataclass(frozen=True)
class WholeView:
    """A view as ranges, see `metrics.fold.Ranges`: it cuts itself."""

    whole: Any

    def map(self, task: Callable[[Any], Iterator[Made]]) -> Iterator[Made]:
        return task(self.whole)
