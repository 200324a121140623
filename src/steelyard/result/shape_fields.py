"""What the fields of shapes hold: JSON, CSV, tables and data frames follow from it."""

from enum import Enum, auto
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
# A value that names a slice or a group; None: a missing value.
Key = str | int | float | bool | None


class Content(Enum):
    """What a field of a shape holds, which says how it is written.

    SHARES: numbers from 0 to 1, NaN where one is 0/0; NUMBERS: any numbers, or NaN
    WEIGHTS: rows or their weight, or groups: int64, or float64 where weights are not whole numbers
    MATRIX: weights, or shares that may be NaN; a FULL_MATRIX has a weight in each cell
    WEIGHT, SHARE, COUNT: one number; AVERAGES, POINTS: another tuple
    """

    LABELS = auto()
    WORDS = auto()
    THRESHOLDS = auto()
    EDGES = auto()
    NUMBERS = auto()
    SHARES = auto()
    WEIGHTS = auto()
    FLOAT_WEIGHTS = auto()
    MATRIX = auto()
    FULL_MATRIX = auto()
    WEIGHT = auto()
    SHARE = auto()
    COUNT = auto()
    AVERAGES = auto()
    POINTS = auto()


class ShapeField(NamedTuple):
    """A field of a shape.

    direction: 1 if its numbers never fall, -1 if they never rise; shares are then from one of
        0 and 1 to the other
    more: how many more entries than lines it has
    """

    content: Content
    direction: int = 0
    more: int = 0


Labels = Annotated[tuple[Key, ...], ShapeField(Content.LABELS)]
Falling = Annotated[Floats, ShapeField(Content.THRESHOLDS, -1)]
# The last point of a precision-recall curve has no threshold.
Rising = Annotated[Floats, ShapeField(Content.THRESHOLDS, 1, -1)]
Edges = Annotated[Floats, ShapeField(Content.EDGES, 1, 1)]
Numbers = Annotated[Floats, ShapeField(Content.NUMBERS)]
Shares = Annotated[Floats, ShapeField(Content.SHARES)]
RisingShares = Annotated[Floats, ShapeField(Content.SHARES, 1)]
FallingShares = Annotated[Floats, ShapeField(Content.SHARES, -1)]
RowWeights = Annotated[Array, ShapeField(Content.WEIGHTS)]
FloatWeights = Annotated[Floats, ShapeField(Content.FLOAT_WEIGHTS)]
ClassMatrix = Annotated[Array, ShapeField(Content.MATRIX)]
FullMatrix = Annotated[Array, ShapeField(Content.FULL_MATRIX)]
Weight = Annotated[int | float, ShapeField(Content.WEIGHT)]
Share = Annotated[float, ShapeField(Content.SHARE)]
Count = Annotated[int, ShapeField(Content.COUNT)]


def fields_of(kind: type[Any]) -> dict[str, ShapeField]:
    """The fields of a kind of shape by name, those that can be unpacked first."""
    hashable: Any = kind  # mypy does not take a class for it
    return _fields(hashable)


@cache
def _fields(kind: Any) -> dict[str, ShapeField]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: get_args(hint)[1] for name, hint in hints.items()}
