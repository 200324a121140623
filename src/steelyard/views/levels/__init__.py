"""Ranges of the score table as probabilities: what calibration metrics read."""

from steelyard.views.levels.view import Levels as Levels
from steelyard.views.levels.view import LevelView as LevelView
from steelyard.views.levels.view import level_views as level_views
