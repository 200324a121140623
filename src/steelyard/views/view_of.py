"""The view of a state: what the metrics that need it see."""

from steelyard.model import Array
from steelyard.states import (
    ClassScoreTable,
    Extremes,
    Groups,
    Pairs,
    ScoreTable,
    State,
    Sums,
)
from steelyard.views.class_scores import ClassScoresView
from steelyard.views.extremes import ExtremesView
from steelyard.views.groups import GroupsView
from steelyard.views.pairs import PairsView
from steelyard.views.scores import ScoreView
from steelyard.views.sums import SumsView, view_of_sums

View = SumsView | ExtremesView | ScoreView | ClassScoresView | GroupsView | PairsView


def view_of(state: State, number: int, count: int, slices: Array, rows: int | None = None) -> View:
    """One table of a finished state.

    number: the table, 0 for the total; count: numbers of slices there are; slices: those looked
    at, in the order shown; rows: about how many rows a range of scores or of groups has
    """
    if isinstance(state, Sums):
        return view_of_sums(state, number, slices)
    if isinstance(state, Extremes):
        return ExtremesView(state, number, slices)
    if isinstance(state, ScoreTable):
        return ScoreView(state, number, count, slices, rows)
    if isinstance(state, ClassScoreTable):
        return ClassScoresView(state, number, count, slices)
    if isinstance(state, Groups):
        return GroupsView(state, number, count, slices, rows)
    if isinstance(state, Pairs):
        return PairsView(state, number, count, slices)
    raise TypeError(f"no view of a {state.kind} state")
