"""The view of a state, which the metrics that need it read."""

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
    """The view of one table of a finished state.

    number: the table, 0 for the total; count: how many slice numbers there are
    slices: the slice numbers of the view, in the order of the result
    rows: about how many rows a range of scores or of groups has; no value depends on it
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
    raise TypeError(f"a {state.kind} state has no view")
