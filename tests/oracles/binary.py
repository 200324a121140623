"""Every oracle of binary labels by its metric's name."""

from tests.oracles import counts, curves
from tests.oracles.answers import ORACLES

__all__ = ["ORACLES", "counts", "curves"]
