"""Sums of row terms by key: the state, its table, the row terms and the keys."""

from steelyard.states.sums.state import Sums as Sums
