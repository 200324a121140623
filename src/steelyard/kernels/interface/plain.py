"""Plain rows: labels of 0 and 1, finite scores, no weights: what few rows need, in one call."""

from typing import NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array


class PlainRows(NamedTuple):
    """How many labels are 1, and the ends of the scores."""

    positives: int
    least: float
    largest: float


class PlainArea(NamedTuple):
    """How many rows each class has; twice the area under the curve, and the tied pairs."""

    positives: int
    negatives: int
    doubled_area: int
    tied_pairs: int


class PlainKernels(Protocol):
    """Plain rows: labels are booleans, uint8, int64, float32 or float64, scores float32 or float64.

    Both columns are contiguous. The answer is None where a label is neither 0 nor 1, where a score
    is infinite or NaN, where the lengths differ, or where there are no rows: kernels say nothing
    more of such rows. A kernel may decline 2**31 rows and more.
    """

    def plain_rows(self, labels: Array, scores: Array) -> PlainRows | None:
        """What readers check of rows of two classes."""

    def plain_area(self, labels: Array, scores: Array) -> PlainArea | None:
        """The same checks, and of the same rows the area: see `CurveTotals`."""
