"""Pairs of truth and prediction."""

from typing import Protocol

from steelyard.kernels.interface.exact import Array, Digits


class PairKernels(Protocol):
    """Pairs of truth and prediction."""

    def inversions(self, codes: Array, digits: Digits | None) -> int:
        """Σ of weight times weight over the pairs of rows whose later row has the lower code.

        Codes are whole numbers from 0; digits None: each weight is 1.
        """
