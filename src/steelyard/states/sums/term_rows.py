"""The columns of a batch that row terms need, each computed once for all terms."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Floats, Mask
from steelyard.reading.batch import Batch, clipped, probabilities, required

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
        return probabilities(self.score, self.reading)

    @cached_property
    def clipped_probability(self) -> Floats:
        return clipped(self.probability, self.reading)

    @cached_property
    def log(self) -> Floats:
        """ln q of positives, ln(1 − q) of the others; −∞ where that probability is 0."""
        return kernels.active().log_chance(self.clipped_probability, self.positive)

    def amounts(self, column: str) -> Floats:
        return self.batch.columns.amounts[column][self.rows]

    # --- rows with a prediction ------------------------------------------------------------------
    def values(self, formula: Formula) -> Floats:
        """A formula of truth and prediction; infinite or NaN where float64 does not hold it."""
        if formula not in self._values:
            numbers = required(self.batch.numbers)
            with np.errstate(all="ignore"):
                found = formula(numbers.truth[self.rows], numbers.prediction[self.rows])
            self._values[formula] = found
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
        return kernels.active().log(clipped(self.true_scores.astype(np.float64), self.reading))

    @cached_property
    def true_scores(self) -> Array:
        """The score of each row's true class."""
        scores = required(self.batch.class_scores)
        return true_scores(scores.columns, scores.true, self.rows)


def true_scores(columns: tuple[Array, ...], true: Array, rows: slice) -> Array:
    """The score of each row's true class."""
    chosen = true[rows]
    own = np.empty(len(chosen), columns[0].dtype)
    for number, column in enumerate(columns):
        np.copyto(own, column[rows], where=chosen == number)
    return own
