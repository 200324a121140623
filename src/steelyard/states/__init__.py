"""Sufficient statistics: each state is a commutative monoid that carries its own bytes.

`empty` is the state just made, `update` takes a batch, `merge` adds two states into a third,
`dumps` and `loads` are the way to bytes and back. A state adds; it never divides.
"""

from steelyard.states.base import State
from steelyard.states.chunk import Chunk, Totals
from steelyard.states.score_table import ScoreTable
from steelyard.states.sliced import KINDS, Sliced
from steelyard.states.sums import Cells, Sample

__all__ = ["KINDS", "Cells", "Chunk", "Sample", "ScoreTable", "Sliced", "State", "Totals"]
