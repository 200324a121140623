"""NDCG of two logs: a mean over lists, whose rows all belong to one slice of every dimension."""

from steelyard.diagnosis.models.effects import ClusterInfluence
from steelyard.diagnosis.models.group_values import MeasuredLog, mean_model
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.model import Array, Floats


class ListModel:
    """NDCG before and after."""

    def __init__(self, two: TwoLogs) -> None:
        self.two = two
        self.lists = MeasuredLog(two, two.logs[0]), MeasuredLog(two, two.logs[1])
        self._means = mean_model(two, self.lists)

    @property
    def values(self) -> tuple[float, float]:
        return self._means.values

    def take(self, keep: tuple[Array, Array]) -> "ListModel":
        return ListModel(self.two.without_codes().take(keep))

    def influence(self) -> ClusterInfluence:
        return self._means.influence()

    def within_influence(self, codes: tuple[Array, Array], count: int) -> ClusterInfluence:
        return self._means.within_influence(self._of_lists(codes), count)

    def cells(self, codes: tuple[Array, Array], count: int) -> Floats:
        """The change of the mean of each cell's lists; rows and classes are those of all rows."""
        return self._means.cells(self._of_lists(codes), count)

    def _of_lists(self, codes: tuple[Array, Array]) -> tuple[Array, Array]:
        """The code of each list, which is that of any of its rows."""
        first, second = (c[each.firsts] for c, each in zip(codes, self.lists, strict=True))
        return first, second
