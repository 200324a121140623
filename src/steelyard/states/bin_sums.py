"""Sums by bin of equal width: what the rows of each bin weigh, and what was expected of them.

Memory: four numbers a bin, whatever the number of rows. Exactness: exact, but that a row's q(1−q)
is rounded once. Edges are the float64 nearest to k/B, so that 0.3 is where a tenth begins, as users
write it: ⌊10·0.3⌋ of the float64 itself would be 2, and 3 and 7 of ten bins never have a tenth.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import CodedSums
from steelyard.model import Array, Floats
from steelyard.reading.batch import Batch, given
from steelyard.states import wire
from steelyard.states.base import State
from steelyard.states.bins import Bin
from steelyard.states.sorted_side import blocks
from steelyard.states.sums import LOWEST_POWER, from_text, to_text, whole
from steelyard.states.terms import variance

MOST = 1 << 20  # bins
NEAR = 2.0**-30  # from a whole number: that many bins times a probability are off by 2**-33 at most


class BinSums(State):
    """For each bin its weight, that of its positives, Σ w·q and Σ w·q(1−q)."""

    kind = "bin_sums"
    small = True

    def __init__(self, bins: int) -> None:
        super().__init__()
        self.count = int(bins)
        if not 0 < self.count <= MOST:
            raise ValueError(f"{bins} bins")
        # Whole multiples of 2**-2148, by field of Bin.
        self._amounts = [[0] * self.count for _ in Bin._fields]

    def config(self) -> dict[str, Any]:
        return {"bins": self.count}

    def bins(self) -> list[Bin]:
        """All bins from 0 to 1; some may be empty."""
        return [
            Bin(*(Fraction(amount, 1 << LOWEST_POWER) for amount in amounts))
            for amounts in zip(*self._amounts, strict=True)
        ]

    def _add_rows(self, batch: Batch) -> None:
        q, weight, chosen = batch.probability, batch.weight, given(batch.positive)
        codes, by_code = equal_width(q, self.count), kernels.active().sums_by_code
        positives = None if weight is None else weight[chosen]
        for mine, sums in zip(
            self._amounts,
            (
                by_code(codes, self.count, None, weight),
                by_code(codes[chosen], self.count, None, positives),
                by_code(codes, self.count, q, weight),
                by_code(codes, self.count, variance(q), weight),
            ),
            strict=True,
        ):
            _add(mine, sums)

    def _add_state(self, other: Self) -> None:
        for mine, theirs in zip(self._amounts, other._amounts, strict=True):
            mine[:] = (a + b for a, b in zip(mine, theirs, strict=True))

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        used = [(place, each) for place, each in enumerate(self.bins()) if each.weight]
        sums = [[to_text(amount) for amount in each] for _, each in used]
        return {"used": [place for place, _ in used], "sums": sums}, {}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        used = [wire.whole(place) for place in header["used"]]
        if not all(0 <= place < self.count for place in used):
            raise ValueError("a bin that is none")
        for place, texts in zip(used, header["sums"], strict=True):
            each = Bin(*map(from_text, texts))
            if min(each) < 0 or max(each) > each.weight or not each.weight:
                raise ValueError("sums that no rows have")
            for mine, amount in zip(self._amounts, each, strict=True):
                mine[place] = whole(amount)
        if self.reading is None and used:
            raise ValueError("rows that nobody read")


def _add(mine: list[int], sums: CodedSums) -> None:
    for place, amount in enumerate(sums.amounts):
        if amount:
            mine[place] += amount << (sums.power + LOWEST_POWER)


def equal_width(q: Floats, bins: int) -> Array:
    """How many of the edges 1/B, 2/B, … each probability has reached; 1 is in the last bin."""
    codes = np.empty(len(q), np.int64)
    for rows in blocks(0, len(q)):
        codes[rows] = _reached(q[rows], bins)
    return np.minimum(codes, bins - 1, out=codes)


def _reached(q: Floats, bins: int) -> Array:
    """⌊B·q⌋, set right where rounding may decide: there q is compared with the edges themselves."""
    product = q * bins
    codes = product.astype(np.int64)
    product -= codes
    near = np.flatnonzero((product < NEAR) | (product > 1.0 - NEAR))
    if len(near):
        some, code = q[near], codes[near]
        code -= some < code / bins
        code += some >= (code + 1) / bins
        codes[near] = code
    return codes
