"""Logarithms and the exponential function: the same bits on every processor."""

from typing import Protocol

from steelyard.kernels.interface.exact import Array


class ElementaryKernels(Protocol):
    """Logarithms and the exponential function: the same bits on every processor."""

    def log(self, values: Array) -> Array:
        """ln of finite numbers ≥ 0, as float64: −∞ at 0; the same bits everywhere."""

    def log_complement(self, values: Array) -> Array:
        """ln(1 − p) for p from 0 to 1, as float64, also accurate for a small p: −∞ at 1."""

    def log_chance(self, values: Array, happened: Array) -> Array:
        """ln p of the rows that happened, ln(1 − p) of the others: the bits of the two above."""

    def log_one_plus(self, values: Array) -> Array:
        """ln(1 + x) of numbers ≥ 0, also accurate for a small x."""

    def log2_counts(self, counts: Array) -> Array:
        """log2 of whole numbers from 1; exact for powers of two."""

    def one_minus_log1p_ratio(self, z: Array, y: Array) -> tuple[Array, Array]:
        """1 − ln(1+z)/z and ln(1+z)/z for z ≥ 0; y is z/(2+z)."""

    def atanh_tail(self, y: Array, terms: int) -> Array:
        """The first terms of y²/3 + y⁴/5 + …."""

    def exp(self, values: Array) -> Array:
        """e to the power of each number, as float64; 0 and ∞ beyond float64."""
