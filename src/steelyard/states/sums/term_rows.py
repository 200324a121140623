"""The columns of a batch that row terms need, each computed once for all terms."""

from collections.abc import Callable

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.model import Array, Floats, Mask
from steelyard.reading.batch import Batch, clipped, required
from steelyard.reading.predictions import ClassScores

Formula = Callable[[Floats, Floats], Floats]


class TermRows:
    """Some rows of a batch."""

    def __init__(self, batch: Batch, rows: slice) -> None:
        self.batch = batch
        self.rows = rows
        self.reading = batch.reading
        self._values: dict[Formula, Floats] = {}

    # --- rows with a score -----------------------------------------------------------------------
    @cached_property
    def score(self) -> Array:
        return required(self.batch.score)[self.rows]

    @cached_property
    def positive(self) -> Mask:
        return required(self.batch.positive)[self.rows]

    @cached_property
    def probability(self) -> Floats:
        return self.batch.probabilities(self.rows)

    @cached_property
    def log(self) -> Floats:
        """ln q of positives, ln(1 − q) of the others; −∞ where that probability is 0."""
        chances = clipped(self.probability, self.reading)
        return kernels.active().log_chance(chances, self.positive)

    def amounts(self, column: str) -> Floats:
        return self.batch.columns.amounts[column][self.rows]

    # --- rows with a prediction ------------------------------------------------------------------
    def values(self, formula: Formula) -> Floats:
        """A formula of truth and prediction; infinite or NaN where float64 does not hold it."""
        if formula not in self._values:
            with np.errstate(all="ignore"):
                self._values[formula] = formula(self.truth, self.prediction)
        return self._values[formula]

    @property
    def truth(self) -> Floats:
        return required(self.batch.numbers).truth[self.rows]

    @property
    def prediction(self) -> Floats:
        return required(self.batch.numbers).prediction[self.rows]

    @cached_property
    def log_of_class(self) -> Floats:
        """ln of the probability of each row's true class; −∞ where that is 0."""
        scores = true_scores(required(self.batch.class_scores), self.rows)
        return kernels.active().log(clipped(scores.astype(np.float64), self.reading))

    @cached_property
    def squares_of_classes(self) -> Floats:
        """Σ (p − [the class is true])² over the classes, in order; half of it where two are."""
        scores = required(self.batch.class_scores)
        true = scores.true[self.rows]
        sums = np.zeros(len(true))
        for number, column in enumerate(scores.columns):
            gap = column[self.rows].astype(np.float64)
            np.subtract(1.0, gap, out=gap, where=true == number)
            gap *= gap
            sums += gap
        return sums * 0.5 if len(scores.columns) == 2 else sums


def true_scores(scores: ClassScores, rows: slice) -> Array:
    """The score of each row's true class."""
    chosen = scores.true[rows]
    own = np.empty(len(chosen), scores.columns[0].dtype)
    for number, column in enumerate(scores.columns):
        np.copyto(own, column[rows], where=chosen == number)
    return own
