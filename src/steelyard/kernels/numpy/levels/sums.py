"""Exact sums of terms of probabilities over adjacent rows."""

from collections.abc import Callable

from steelyard.kernels.interface import Array, ExactSums, KeyedRun
from steelyard.kernels.probabilities import probabilities
from steelyard.kernels.segments import sum_segments

TERMS: dict[str, Callable[[Array], Array]] = {
    "expected": lambda q: q,
    "variance": lambda q: q * (1.0 - q),
    "squares": lambda q: q * q,
    "squares_of_rest": lambda q: (1.0 - q) * (1.0 - q),
}


def level_sums(rows: KeyedRun, bounds: Array, term: str, downsampled: float | None) -> ExactSums:
    """The exact Σ weight·term over the rows from each bound to the next."""
    of = TERMS[term]

    def values(some: slice) -> Array:
        return of(probabilities(rows.scores[some], downsampled))

    return sum_segments(values, rows.digits, bounds)
