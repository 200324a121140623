"""The rows of each group: the state, its rows in one piece, and their bytes."""

from steelyard.states.groups.state import Groups as Groups
