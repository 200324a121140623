"""Sufficient statistics: each state is a commutative monoid that carries its own bytes.

`empty` is the state just made, `update` takes a batch, `add` another state, `dumps` and `loads` are
the way to bytes and back. A state adds; it never divides. The slice is a key: a state holds all
slices of a `by` in one table.
"""

from steelyard.states.base import State
from steelyard.states.extremes import Extremes
from steelyard.states.groups import Groups
from steelyard.states.pairs import Pairs
from steelyard.states.score_table import ScoreTable
from steelyard.states.score_table.class_scores import ClassScoreTable
from steelyard.states.sums import Sums

STATE_KINDS: dict[str, type[State]] = {
    state.kind: state for state in (Sums, Extremes, ScoreTable, ClassScoreTable, Groups, Pairs)
}

__all__ = [
    "STATE_KINDS",
    "ClassScoreTable",
    "Extremes",
    "Groups",
    "Pairs",
    "ScoreTable",
    "State",
    "Sums",
]
