"""Sums by bin of equal width: what the rows of each bin weigh, and what was expected of them.

Memory: four numbers a bin, whatever the number of rows. Exactness: exact; a row's bin is that of
its exact probability, min(⌊B·q⌋, B − 1), and its q(1−q) is rounded once.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.batch import Batch
from steelyard.kernels.interface import CodedSums
from steelyard.model import Array, Floats
from steelyard.states.base import State
from steelyard.states.bins import Bin
from steelyard.states.levels import variance
from steelyard.states.sorted_side import blocks
from steelyard.states.sums import LOWEST_POWER, from_text, to_text, whole

MOST = 1 << 20  # bins: their number times half of a probability's bits is exact in float64
HALF = 2.0**27 + 1  # Veltkamp's factor: it leaves the upper 26 bits of a float64


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
        q, weight, chosen = batch.probability, batch.weight, batch.positive
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
        used = {
            str(place): [to_text(amount) for amount in each]
            for place, each in enumerate(self.bins())
            if each.weight
        }
        return {"sums": used}, {}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        for place, texts in header["sums"].items():
            each = Bin(*map(from_text, texts))
            if min(each) < 0 or max(each) > each.weight or not each.weight:
                raise ValueError("sums that no rows have")
            if str(int(place)) != place or not 0 <= int(place) < self.count:
                raise ValueError(f"a bin {place}")
            for mine, amount in zip(self._amounts, each, strict=True):
                mine[int(place)] = whole(amount)
        if sections or (self.reading is None and header["sums"]):
            raise ValueError("rows that nobody read")


def _add(mine: list[int], sums: CodedSums) -> None:
    for place, amount in enumerate(sums.amounts):
        if amount:
            mine[place] += amount << (sums.power + LOWEST_POWER)


def equal_width(q: Floats, bins: int) -> Array:
    """min(⌊B·q⌋, B − 1) of the exact product."""
    codes = np.empty(len(q), np.int64)
    for rows in blocks(0, len(q)):
        codes[rows] = _floors(q[rows], bins)
    return np.minimum(codes, bins - 1, out=codes)


def _floors(q: Floats, bins: int) -> Array:
    """⌊B·q⌋. The rounded product may be the whole number above the exact one, as 10 times
    0.29999999999999999 is: there the halves of q are multiplied apart, which is exact."""
    product = q * bins
    codes = product.astype(np.int64)
    whole_ = np.flatnonzero(codes == product)
    if len(whole_):
        some, reached = q[whole_], product[whole_]
        upper = some * HALF
        upper -= upper - some
        codes[whole_] -= (upper * bins - reached) + (some - upper) * bins < 0.0
    return codes
