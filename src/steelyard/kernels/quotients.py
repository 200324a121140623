"""Quotients of whole numbers of any size, each rounded once to float64."""

from typing import Any

import numpy as np

from steelyard.model import Array, Floats

FEW = 64  # numbers that are looked at one by one: a call of NumPy takes a microsecond
EXACT = 2**53  # float64 holds every whole number below


def quotient(numerator: int, denominator: int) -> float:
    """A quotient rounded once; infinite beyond the largest float."""
    try:
        return numerator / denominator  # Python rounds a quotient of integers correctly
    except OverflowError:
        return float("inf") if (numerator > 0) == (denominator > 0) else float("-inf")


def ratios(numerators: Array, denominators: Array | int) -> Array:
    """Quotients of two exact columns, each rounded once.

    int64 columns are below 2**53, so that float64 holds them exactly; Python integers are divided
    by Python, which rounds correctly. A quotient beyond the largest float is infinite.
    """
    try:
        found: Array = np.asarray(numerators / denominators)
    except OverflowError:
        found = np.asarray(np.frompyfunc(quotient, 2, 1)(numerators, denominators))
    return found.astype(np.float64, copy=False)


def largest(column: Array) -> Any:
    """The largest number of an array; 0 of none."""
    few = column.size <= FEW
    return max(column.ravel().tolist(), default=0) if few else column.max()


def quotients(numerators: Array, denominators: Array | int) -> Floats:
    """Quotients of whole numbers of any size, each rounded once.

    Where a denominator is zero the result means nothing, and callers ignore it.
    """
    # Python integers are not divided by zero.
    above_zero: Array = np.asarray(np.maximum(np.asarray(denominators), 1))
    if max(largest(numerators), largest(above_zero)) < EXACT:
        return ratios(numerators, above_zero)
    return ratios(numerators.astype(object), above_zero.astype(object))
