"""NDCG of two logs: a mean over lists, whose rows all belong to one slice of every dimension."""

from steelyard.diagnosis.models.group_values import GroupsAsRows
from steelyard.diagnosis.models.means import RatioMoves
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats


class ListMoves:
    """NDCG before and after: how the means of the lists of cells moved."""

    def __init__(self, two: TwoLogs) -> None:
        self._lists = [GroupsAsRows(two, log) for log in two.logs]
        self._means = RatioMoves(two.of([each.rows for each in self._lists]), "mean")

    def within_influences(self, codes: tuple[Array, Array], count: int) -> tuple[Influences, ...]:
        return self._means.within_influences(self._of_lists(codes), count)

    def cells(self, codes: tuple[Array, Array], count: int) -> Floats:
        """The change of the mean of each cell's lists; rows and classes are those of all rows."""
        return self._means.cells(self._of_lists(codes), count)

    def _of_lists(self, codes: tuple[Array, Array]) -> tuple[Array, Array]:
        """The code of each list, which is that of any of its rows."""
        first, second = (c[each.firsts] for c, each in zip(codes, self._lists, strict=True))
        return first, second
