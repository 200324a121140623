"""Sums of row terms by key: the state, its table, the row terms and the rules of the second key."""

from steelyard.states.sums.state import Sums as Sums
from steelyard.states.sums.state import sums_of as sums_of
