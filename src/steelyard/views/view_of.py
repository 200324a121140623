"""The view of a state, which the metrics that need it read."""

from collections.abc import Callable
from functools import partial

from steelyard.model import Array, Reading
from steelyard.states import ClassScoreTable, Extremes, Groups, KeyedState, Pairs, ScoreTable, Sums
from steelyard.states.sums.keys import CLUSTER
from steelyard.views.class_scores import ClassScoresView
from steelyard.views.cluster_cells import ClusterCells, view_of_cells
from steelyard.views.clustered_class_scores import ClusteredClassScores
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import ClusterSums
from steelyard.views.extremes import ExtremesView
from steelyard.views.groups import GroupsView
from steelyard.views.pairs import PairsView
from steelyard.views.scores import ScoreView
from steelyard.views.sums import SumsView, view_of_sums

View = SumsView | ExtremesView | ScoreView | ClassScoresView | GroupsView | PairsView
VIEWS: dict[type[KeyedState], Callable[..., View]] = {
    Extremes: ExtremesView,
    ScoreTable: ScoreView,
    ClassScoreTable: ClassScoresView,
    Groups: GroupsView,
    Pairs: PairsView,
}


ClusterView = ClusterSums | ClusterCells | ClusteredScores | ClusteredClassScores | GroupsView


def cluster_view_of(state: KeyedState, number: int, count: int, slices: Array) -> ClusterView:
    """The view of one table of a state by cluster; arguments as of `TableView`."""
    if isinstance(state, Sums):
        return (ClusterSums if state.key == CLUSTER else view_of_cells)(state, number, count)
    if isinstance(state, ScoreTable):
        chunks, unit = state.chunks(number)
        sort = partial(state.sorted, number, count)
        return ClusteredScores(chunks, unit, count, state.reading or Reading(), sort=sort)
    if isinstance(state, ClassScoreTable):
        return ClusteredClassScores(state, number, count)
    assert isinstance(state, Groups)
    return GroupsView(state, number, count, slices)


def view_of(
    state: KeyedState, number: int, count: int, slices: Array, rows: int | None = None
) -> View:
    """The view of one table of a finished state; arguments as of `TableView`."""
    if isinstance(state, Sums):
        return view_of_sums(state, number, slices)
    return VIEWS[type(state)](state, number, count, slices, rows)
