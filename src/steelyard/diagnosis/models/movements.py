"""How the rows of slices moved between two logs: by it a search chooses what it tests."""

from typing import Protocol

from steelyard.diagnosis.models.areas import AreaMoves
from steelyard.diagnosis.models.group_areas import GroupAreaMoves
from steelyard.diagnosis.models.means import RatioMoves
from steelyard.diagnosis.models.ranked_lists import ListMoves
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats


class Movement(Protocol):
    """The rows of two logs, by what each adds to a metric."""

    def within_influences(self, codes: tuple[Array, Array], count: int) -> tuple[Influences, ...]:
        """What each cluster of each log adds to the change at a constant mix of slices."""

    def cells(self, codes: tuple[Array, Array], count: int) -> Floats:
        """How far each of these cells moved, in standard errors; 0 where that is not known."""


def movement_of(two: TwoLogs, metric: str, values: tuple[float, float]) -> Movement:
    """The movement of the rows; values: of the metric in both logs."""
    if metric == "auc":
        return AreaMoves(two, values)
    if metric == "gauc":
        return GroupAreaMoves(two, values)
    return ListMoves(two) if metric == "ndcg" else RatioMoves(two, metric)
