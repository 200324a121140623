"""The score table: scores by slice and class, of two classes and of many."""

from steelyard.kernels.interface import SortedTable as SortedTable
from steelyard.states.score_table.class_scores import ClassScoreTable as ClassScoreTable
from steelyard.states.score_table.state import ScoreTable as ScoreTable
