"""Scores sorted by slice and side: of two classes, and of many."""

from steelyard.states.score_table.class_scores import ClassScoreTable as ClassScoreTable
from steelyard.states.score_table.state import KeyedRun as KeyedRun
from steelyard.states.score_table.state import ScoreTable as ScoreTable
from steelyard.states.score_table.state import SortedTable as SortedTable
