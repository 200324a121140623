"""Ranges of the score table as probabilities, for calibration metrics."""

from steelyard.views.levels.view import LevelView as LevelView
from steelyard.views.levels.view import level_views as level_views
