"""The view of a state, which the metrics that need it read."""

from collections.abc import Callable

from steelyard.model import Array
from steelyard.states import ClassScoreTable, Extremes, Groups, Pairs, ScoreTable, State, Sums
from steelyard.views.class_scores import ClassScoresView
from steelyard.views.extremes import ExtremesView
from steelyard.views.groups import GroupsView
from steelyard.views.pairs import PairsView
from steelyard.views.scores import ScoreView
from steelyard.views.sums import SumsView, view_of_sums

View = SumsView | ExtremesView | ScoreView | ClassScoresView | GroupsView | PairsView
VIEWS: dict[type[State], Callable[..., View]] = {
    Extremes: ExtremesView,
    ScoreTable: ScoreView,
    ClassScoreTable: ClassScoresView,
    Groups: GroupsView,
    Pairs: PairsView,
}


def view_of(state: State, number: int, count: int, slices: Array, rows: int | None = None) -> View:
    """The view of one table of a finished state; arguments as of `TableView`."""
    if isinstance(state, Sums):
        return view_of_sums(state, number, slices)
    return VIEWS[type(state)](state, number, count, slices, rows)
