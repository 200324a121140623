"""The moves of each metric."""

from steelyard.diagnosis.models.areas import AreaMoves
from steelyard.diagnosis.models.group_areas import GroupAreaMoves
from steelyard.diagnosis.models.means import RatioMoves
from steelyard.diagnosis.models.moves import Moves
from steelyard.diagnosis.models.ranked_lists import ListMoves
from steelyard.diagnosis.two_logs.two_logs import TwoLogs


def moves_of(two: TwoLogs, metric: str, values: tuple[float, float]) -> Moves:
    """How the rows moved; values: of the metric in both logs."""
    if metric == "auc":
        return AreaMoves(two, values)
    if metric == "gauc":
        return GroupAreaMoves(two, values)
    return ListMoves(two) if metric == "ndcg" else RatioMoves(two, metric)
