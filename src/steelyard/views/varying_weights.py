"""Groups in which a column of group weights is not constant."""

from typing import Any, NamedTuple

from steelyard import errors
from steelyard.model import Key


class VaryingWeights(NamedTuple):
    """The groups in which a group-weight column has several values.

    groups: how many; key, low, high: of the first of them by key, with its range of values
    """

    column: str
    groups: int
    key: tuple[Key, ...]
    low: float
    high: float

    def join(self, other: "VaryingWeights | None") -> "VaryingWeights":
        """The groups of both parts."""
        if other is None:
            return self
        first = min(self, other, key=lambda each: [_key_rank(part) for part in each.key])
        return first._replace(groups=self.groups + other.groups)

    def error(self) -> errors.SteelyardError:
        return errors.GROUP_WEIGHT_VARIES(
            name=self.column,
            count=self.groups,
            group=", ".join(map(repr, self.key)),
            low=self.low,
            high=self.high,
        )


def _key_rank(part: Key) -> tuple[int, Any]:
    """The sort key of a part of a group's key: numbers by value, text by its UTF-8 bytes."""
    return (1, part.encode("utf-8", "surrogateescape")) if isinstance(part, str) else (0, part)
