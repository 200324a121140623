"""What pictures and the report page need of a result."""

from collections.abc import Mapping
from typing import Protocol, Self

from steelyard.metrics.catalogue import BoundMetric
from steelyard.model import Conventions, Key, Shape, Undefined
from steelyard.result.result_rows import ResultRows

SliceKeys = Mapping[str, Key]


class DrawnResult(Protocol):
    """A result that can be drawn: its numbers, and shapes that it holds or still can compute."""

    rows: ResultRows
    shapes: ResultRows
    conventions: Conventions

    @property
    def scores(self) -> tuple[str, ...]: ...

    @property
    def metrics(self) -> tuple[str, ...]: ...

    def _bound(self, metric: str) -> BoundMetric: ...

    def _score(self, metric: str, score: str | None) -> str: ...

    @property
    def picture_names(self) -> tuple[str, ...]:
        """The shapes that pictures of the total can draw: held, or still computable."""

    def with_stored_pictures(self) -> Self:
        """A copy that stores each picture that is drawn of it, also when it is pickled."""

    def picture_shape(
        self, metric: str, /, score: str | None = None, *, slice: SliceKeys | None = None
    ) -> Shape | Undefined:
        """The shape that a picture draws: held in the result, or computed from its states."""

    def picture_number(
        self, metric: str, /, score: str, slice: SliceKeys
    ) -> float | Undefined | None:
        """A number beside a picture: held, or computed from the states; None if neither."""
