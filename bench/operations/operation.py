"""An operation that is measured: its rows, how we compute it, and how other tools do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

import steelyard as sy
from steelyard.model import Array

Columns = Mapping[str, Array]
Compute = Callable[[Columns], float | tuple[float, ...]]
SIZES = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
OTHERS_ROWS = 10_000_000  # what another tool is given at most


@dataclass(frozen=True)
class OtherTool:
    """How another tool computes the numbers of an operation.

    same: how far its numbers may be from ours, relative to them
    most_rows: more of them would take minutes; its time is then shown as if it grew with the rows
    first: how many of our numbers it computes, the first ones
    """

    compute: Compute
    same: float = 1e-9
    most_rows: int = OTHERS_ROWS
    first: int | None = None


@dataclass(frozen=True)
class Operation:
    """Numbers of some rows.

    columns: the rows, the same ones whenever they are made
    score: the column whose np.sort is the unit of time
    sizes: numbers of rows
    """

    name: str
    columns: Callable[[np.random.Generator, int], Columns]
    ours: Compute
    others: Mapping[str, OtherTool] = field(default_factory=dict)
    sizes: tuple[int, ...] = (OTHERS_ROWS,)
    score: str = "score"


def values_of(result: sy.Result, count: int | None = None) -> tuple[float, ...]:
    """The values of the first rows of a result."""
    return tuple(float("nan") if row.value is None else row.value for row in result.rows[:count])
