"""The rows of each group: the state, its rows, their bytes, and the order of groups by key."""

from steelyard.states.groups.state import Groups as Groups
