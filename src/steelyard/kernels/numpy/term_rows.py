"""The columns that formulas of row terms start from, each computed once for a block of rows."""

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import Array, TermColumns
from steelyard.kernels.numpy.elementary import log, log_chance
from steelyard.kernels.numpy.error_terms import FORMULAS
from steelyard.kernels.probabilities import clipped, probabilities
from steelyard.model import Floats, Mask


class TermRows:
    """Some rows of columns."""

    def __init__(self, columns: TermColumns, rows: slice) -> None:
        self.columns = columns
        self.rows = rows
        self._errors: dict[str, Floats] = {}

    def here(self, column: Array | None) -> Array:
        """A column of these rows, which a formula reads."""
        assert column is not None
        return column[self.rows]

    # --- rows with a score -----------------------------------------------------------------------
    @cached_property
    def score(self) -> Array:
        return self.here(self.columns.score)

    @cached_property
    def positive(self) -> Mask:
        return self.here(self.columns.positive)

    @cached_property
    def probability(self) -> Floats:
        """Scores outside 0 to 1 are cut, so that every sum is finite; no value is made of them."""
        score = np.clip(self.score, 0, 1) if self.columns.outside else self.score
        return probabilities(score, self.columns.downsampled)

    @cached_property
    def log(self) -> Floats:
        return log_chance(clipped(self.probability, self.columns.clip), self.positive)

    def amount(self, name: str) -> Floats:
        return self.columns.amounts[name][self.rows]

    # --- rows with scores of classes -------------------------------------------------------------
    @property
    def true_score(self) -> Array:
        """The score of each row's true class."""
        true, columns = self.here(self.columns.true_class), self.columns.classes
        own = np.empty(len(true), columns[0].dtype)
        for number, column in enumerate(columns):
            np.copyto(own, column[self.rows], where=true == number)
        return own

    @cached_property
    def log_of_class(self) -> Floats:
        return log(clipped(self.true_score.astype(np.float64), self.columns.clip))

    @cached_property
    def squares_of_classes(self) -> Floats:
        true = self.here(self.columns.true_class)
        sums = np.zeros(len(true))
        for number, column in enumerate(self.columns.classes):
            gap = column[self.rows].astype(np.float64)
            np.subtract(1.0, gap, out=gap, where=true == number)
            gap *= gap
            sums += gap
        return sums * 0.5 if len(self.columns.classes) == 2 else sums

    # --- rows with a prediction ------------------------------------------------------------------
    def error(self, name: str) -> Floats:
        """A formula of truth and prediction; infinite or NaN where float64 does not hold it."""
        if name not in self._errors:
            with np.errstate(all="ignore"):
                self._errors[name] = FORMULAS[name](*self.truth_and_prediction)
        return self._errors[name]

    @property
    def truth_and_prediction(self) -> tuple[Floats, Floats]:
        return self.here(self.columns.truth), self.here(self.columns.prediction)
