"""Logarithms and the exponential function by the compiled kernels."""

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels.interface import Array
from steelyard.kernels.rust.columns import packed


def log(values: Array) -> Array:
    """ln of finite numbers ≥ 0: −∞ at 0."""
    return _each("log", values)


def log_complement(values: Array) -> Array:
    """ln(1 − p) for p from 0 to 1: −∞ at 1."""
    return _each("log_chance", values)


def log_chance(values: Array, happened: Array) -> Array:
    """ln p of the rows that happened, ln(1 − p) of the others."""
    return _each("log_chance", values, packed(happened))


def exp(values: Array) -> Array:
    """e to the power of each number; 0 and ∞ beyond float64."""
    return _each("exp", values)


def _each(function: str, values: Array, happened: Array | None = None) -> Array:
    result = np.empty(len(values))
    number = threads.for_rows(len(values))
    _rust.elementary(function, packed(values, np.float64), happened, result, number)
    return result
