"""Sufficient statistics: each state is a commutative monoid that can be written as bytes.

A new state is empty, `update` adds a batch, `add` another state, `dumps` writes bytes and `loads`
reads them. A state adds; it never divides. The slice is a key: a state holds all slices of a `by`
in one table. There are five kinds:

    sums/         exact sums of row terms by key         memory: by key
    extremes.py   the largest value of a row term        memory: by slice
    score_table/  scores sorted by slice and class       memory: by row
    groups/       the rows of each group                 memory: by row
    pairs.py      truth and prediction of each row       memory: by row

The other modules are shared: `base` (the class KeyedState), `wire` (the byte format), `weights`,
`exact_sums` and `codes`.
"""

from steelyard.states.base import KeyedState as KeyedState
from steelyard.states.extremes import Extremes as Extremes
from steelyard.states.groups import Groups as Groups
from steelyard.states.pairs import Pairs as Pairs
from steelyard.states.score_table import ScoreTable as ScoreTable
from steelyard.states.score_table.class_scores import ClassScoreTable as ClassScoreTable
from steelyard.states.sums import Sums as Sums
