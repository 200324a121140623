"""Errors: exact sums of what each row's truth and prediction add, as `error_terms` says.

Memory: a few numbers, whatever the number of rows. Exactness: each row's term is rounded as its
formula says, the sums are exact.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from steelyard import kernels
from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.states.error_terms import KINDS_OF_ROWS, SIGNED, TERMS
from steelyard.states.once import once_a_batch
from steelyard.states.sums import Sums

BLOCK = 1 << 15  # rows whose terms stay in the cache until they are added
WEIGHT, WEIGHT_OF = "weight", "weight_of_"
KNOWN = (*TERMS, *KINDS_OF_ROWS, *(WEIGHT_OF + name for name in KINDS_OF_ROWS))


class Errors(Sums):
    """The weight of all rows, and the sums asked for: names of `KNOWN` with blanks between.

    A metric asks for what it needs and pays for nothing else; a sum that two states ask for is
    made once a batch.
    """

    kind = "errors"
    power: int = 3 * 1074  # a square times a weight

    def __init__(self, of: str) -> None:
        chosen = str(of).split(" ")
        if [name for name in KNOWN if name in chosen] != chosen:
            raise ValueError(f"sums of {of!r}")
        self.of = of
        self.names = (WEIGHT, *chosen)
        self.signed = SIGNED
        self.counts = tuple(name for name in chosen if name in KINDS_OF_ROWS)
        super().__init__()

    def config(self) -> dict[str, Any]:
        return {"of": self.of}

    @property
    def has_rows(self) -> bool:
        return self[WEIGHT] > 0

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        return {name: _sum(batch, name) for name in self.names}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        super()._restore(header, sections)
        if not self.has_rows and any(self.sums.values()):
            raise ValueError("errors of no rows")


@once_a_batch
def _sum(batch: Batch, name: str) -> Fraction:
    """One sum over a batch."""
    if name == WEIGHT:
        return _weigh(batch.weight, len(batch))
    if name in TERMS:
        return _sum_terms(batch, name)
    assert batch.numbers is not None
    chosen = KINDS_OF_ROWS[name.removeprefix(WEIGHT_OF)](*batch.numbers)
    count = int(chosen.sum())
    if batch.weight is None or name in KINDS_OF_ROWS:
        return Fraction(count)
    return _weigh(batch.weight[chosen], count)


def _weigh(weights: Array | None, rows: int) -> Fraction:
    """The weight of so many rows."""
    return Fraction(rows) if weights is None else kernels.active().exact_sum(weights)


def _sum_terms(batch: Batch, name: str) -> Fraction:
    """Terms are made and added in blocks that fit the cache."""
    assert batch.numbers is not None
    kernel, sum_ = kernels.active(), Fraction(0)
    for start in range(0, len(batch), BLOCK):
        block = slice(start, start + BLOCK)
        weights = None if batch.weight is None else batch.weight[block]
        for values, rows, power in TERMS[name](*batch.numbers.take(block)):
            if weights is None:
                amount = kernel.exact_sum(values)
            else:
                amount = kernel.exact_dot(values, weights if rows is None else weights[rows])
            sum_ += amount * Fraction(2) ** power
    return sum_
