"""What one row adds to each sum of errors: the formulas of regression, in one place.

A term is rounded as its formula says and then added exactly. +, −, × and ÷ round once each, by IEEE
754; the one logarithm is our own. A term that float64 does not hold is infinite or NaN here: it is
counted, and whatever is read off its sum has no value.
"""

from collections.abc import Callable

import numpy as np

from steelyard import kernels
from steelyard.model import Floats, Mask

SMALLEST_NORMAL = 2.0**-1022
SPLITTER = 2.0**27 + 1  # Veltkamp's: halves of 26 bits, whose products are exact
SMALL, LARGE = 2.0**-484, 2.0**500  # truths from the first on have squares of two exact parts
NEAR, NEAR_TERMS = 1 / 5, 14  # t**28/29 is below 2**-64 there


def truth(y: Floats, p: Floats) -> Floats:
    """y"""
    return y


def prediction(y: Floats, p: Floats) -> Floats:
    """p"""
    return p


def truth_size(y: Floats, p: Floats) -> Floats:
    """|y|"""
    return np.abs(y)


def absolute(y: Floats, p: Floats) -> Floats:
    """|p − y|, rounded once"""
    return np.abs(p - y)


def over(y: Floats, p: Floats) -> Floats:
    """p − y where that is above zero"""
    return np.maximum(p - y, 0.0)


def under(y: Floats, p: Floats) -> Floats:
    """y − p where that is above zero"""
    return over(p, y)


def squared(y: Floats, p: Floats) -> Floats:
    """d·d with d = p − y, both rounded"""
    error = p - y
    return error * error


def truth_squared(y: Floats, p: Floats) -> Floats:
    """y·y, rounded"""
    return y * y


def truth_squared_rest(y: Floats, p: Floats) -> Floats:
    """What rounding y·y lost: the two together are y², exactly (Dekker 1971).

    NaN where float64 does not hold it: of truths below 2**-484, but 0.
    """
    size = np.abs(y)
    if size.max(initial=0.0) > LARGE:  # a part might overflow where y·y does not
        large = size > LARGE
        rest = truth_squared_rest(np.where(large, y * 2.0**-100, y), p)
        return np.where(large, rest * 2.0**200, rest)
    product = y * y
    upper = y * SPLITTER
    upper = upper - (upper - y)
    lower = y - upper
    rest = ((upper * upper - product) + 2.0 * (upper * lower)) + lower * lower
    return np.where((size < SMALL) & (size > 0), np.nan, rest)


def relative(y: Floats, p: Floats) -> Floats:
    """|p − y| / |y|, both rounded; nothing where y is 0"""
    zero = y == 0
    return np.where(zero, 0.0, np.abs(p - y) / np.where(zero, 1.0, np.abs(y)))


def symmetric(y: Floats, p: Floats) -> Floats:
    """|p − y| / (|y| + |p|), each rounded; 0 where both are 0"""
    whole = np.abs(y) + np.abs(p)
    vast = np.isinf(whole)
    if vast.any():  # a power of two more or less changes no quotient
        y, p = np.where(vast, y / 4, y), np.where(vast, p / 4, p)
        whole = np.abs(y) + np.abs(p)
    return np.abs(p - y) / np.where(whole == 0, 1.0, whole)


def squared_log(y: Floats, p: Floats) -> Floats:
    """(ln(1+p) − ln(1+y))² as ln(1+t)², t = |p − y| / (1 + the smaller); nothing below 0"""
    below = below_zero(y, p)
    if below.any():
        y, p = np.where(below, 0.0, y), np.where(below, 0.0, p)
    log = kernels.active().log_one_plus(np.abs(p - y) / (1.0 + np.minimum(y, p)))
    squares: Floats = log * log
    return squares


def deviance(y: Floats, p: Floats) -> Floats:
    """y·ln(y/p) − (y − p), p where y is 0; nothing where that has no value

    With t = (y−p)/(y+p), ln(y/p) = 2·atanh(t) = 2(t + t³/3 + …). Near t = 0, where y·ln(y/p) and
    y − p would cancel, the term is t·(y−p) + 2y·t·(t²/3 + t⁴/5 + …).
    """
    outside = off_poisson(y, p)
    if outside.any():
        y, p = np.where(outside, 1.0, y), np.where(outside, 1.0, p)
    error = y - p
    t = error / (y + p)
    vast = np.isinf(y + p)
    if vast.any():  # a power of two more or less changes no quotient
        t = np.where(vast, (error / 4) / (y / 4 + p / 4), t)
    near = np.abs(t) <= NEAR
    tail = kernels.active().atanh_tail(np.where(near, t, 0.0), NEAR_TERMS)
    terms = np.where(near, t * error + y * (2.0 * (t * tail)), p)
    far = ~near & (y > 0)
    terms[far] = y[far] * _log_ratio(y[far], p[far]) - error[far]
    return terms


def _log_ratio(above: Floats, below: Floats) -> Floats:
    """ln(above/below); a quotient out of range is so large or small that a difference will do."""
    log = kernels.active().log
    quotients = above / below
    out_of_range = np.isinf(quotients) | (quotients < SMALLEST_NORMAL)
    logs: Floats = log(np.where(out_of_range, 1.0, quotients))
    logs[out_of_range] = log(above[out_of_range]) - log(below[out_of_range])
    return logs


FORMULAS: dict[str, Callable[[Floats, Floats], Floats]] = {
    formula.__name__: formula
    for formula in (
        *(truth, prediction, truth_size, truth_squared, truth_squared_rest),
        *(absolute, over, under, squared, relative, symmetric, squared_log, deviance),
    )
}
SIGNED = ("truth", "prediction", "truth_squared_rest")


def zeros(y: Floats, p: Floats) -> Mask:
    """Rows that a relative error cannot have: the truth is 0."""
    zero: Mask = y == 0
    return zero


def below_zero(y: Floats, p: Floats) -> Mask:
    """Rows whose truth or prediction is below 0."""
    return (y < 0) | (p < 0)


def off_poisson(y: Floats, p: Floats) -> Mask:
    """Rows that no Poisson variable has: a truth below 0, or a prediction not above it."""
    return (y < 0) | (p <= 0)


CONDITIONS: dict[str, Callable[[Floats, Floats], Mask]] = {
    choice.__name__: choice for choice in (zeros, below_zero, off_poisson)
}
