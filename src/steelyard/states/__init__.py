"""Sufficient statistics: each state is a commutative monoid that carries its own bytes.

`empty` is the state just made, `update` takes a batch, `merge` adds two states into a third,
`dumps` and `loads` are the way to bytes and back. A state adds; it never divides.
"""

from steelyard.states.amounts import Amounts
from steelyard.states.base import State
from steelyard.states.bin_sums import BinSums
from steelyard.states.bins import Bin
from steelyard.states.chunk import Chunk, Totals
from steelyard.states.class_cells import ClassCells, ClassTable
from steelyard.states.class_losses import ClassLosses
from steelyard.states.class_ranks import ClassRanks
from steelyard.states.class_rows import Area, ClassRows, ScoredRows
from steelyard.states.error_sums import Errors
from steelyard.states.field_sums import FieldSums
from steelyard.states.group_rows import GroupRows, KeyColumn, exact_dot, exact_sum, key_order
from steelyard.states.groups import Groups
from steelyard.states.largest import Largest
from steelyard.states.levels import Levels
from steelyard.states.lists import Blocks, Lists, list_sums
from steelyard.states.logistic_sums import LogisticSums, logistic_sums
from steelyard.states.logit_cells import LogitCells
from steelyard.states.losses import Expected, Losses
from steelyard.states.pair_rows import PairRows
from steelyard.states.pairs import Pairs
from steelyard.states.score_table import ScoreTable
from steelyard.states.sliced import KINDS, Sliced
from steelyard.states.sums import Cells, PredictionSample, Sample

__all__ = [
    "KINDS",
    "Amounts",
    "Area",
    "Bin",
    "BinSums",
    "Blocks",
    "Cells",
    "Chunk",
    "ClassCells",
    "ClassLosses",
    "ClassRanks",
    "ClassRows",
    "ClassTable",
    "Errors",
    "Expected",
    "FieldSums",
    "GroupRows",
    "Groups",
    "KeyColumn",
    "Largest",
    "Levels",
    "Lists",
    "LogisticSums",
    "LogitCells",
    "Losses",
    "PairRows",
    "Pairs",
    "PredictionSample",
    "Sample",
    "ScoreTable",
    "ScoredRows",
    "Sliced",
    "State",
    "Totals",
    "exact_dot",
    "exact_sum",
    "key_order",
    "list_sums",
    "logistic_sums",
]
