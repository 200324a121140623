"""NDCG of two logs: a mean over lists, whose rows all belong to one slice of every dimension."""

from steelyard.diagnosis.models.group_values import GroupsAsRows
from steelyard.diagnosis.models.means import RatioMoves
from steelyard.diagnosis.models.moves import Codes
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats


class ListMoves(RatioMoves):
    """NDCG before and after; the code of a list is that of any of its rows."""

    def __init__(self, two: TwoLogs) -> None:
        self._lists = [GroupsAsRows(two, log) for log in two.logs]
        super().__init__(two.of([each.rows for each in self._lists]), "mean")

    def within_influences(self, codes: Codes, count: int) -> tuple[Influences, ...]:
        first, second = (c[each.firsts] for c, each in zip(codes, self._lists, strict=True))
        return super().within_influences((first, second), count)

    def _sums(self, place: int, codes: Array, count: int) -> Floats:
        return super()._sums(place, codes[self._lists[place].firsts], count)
