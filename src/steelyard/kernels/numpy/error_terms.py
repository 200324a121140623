"""The row terms of regression: formulas of truth y and prediction p (`interface/terms.py`).

A term that float64 does not hold is infinite or NaN here.
"""

from collections.abc import Callable

import numpy as np

from steelyard.kernels.logarithms import atanh_tail, log_one_plus
from steelyard.kernels.numpy.elementary import log
from steelyard.model import Floats, Mask

SMALLEST_NORMAL = 2.0**-1022
SPLITTER = 2.0**27 + 1  # Veltkamp's: it splits into halves of 26 bits, whose products are exact
# Below: y² is not a sum of two float64, which are multiples of 2**-1074. Above: may overflow.
SMALL, LARGE = 2.0**-484, 2.0**500
NEAR, NEAR_TERMS = 1 / 5, 14  # of t: the first term left out, t**28/29, is below 2**-64


def truth(y: Floats, p: Floats) -> Floats:
    return y


def prediction(y: Floats, p: Floats) -> Floats:
    return p


def truth_size(y: Floats, p: Floats) -> Floats:
    return np.abs(y)


def absolute(y: Floats, p: Floats) -> Floats:
    return np.abs(p - y)


def over(y: Floats, p: Floats) -> Floats:
    return np.maximum(p - y, 0.0)


def under(y: Floats, p: Floats) -> Floats:
    return over(p, y)


def squared(y: Floats, p: Floats) -> Floats:
    error = p - y
    return error * error


def truth_squared(y: Floats, p: Floats) -> Floats:
    return y * y


def truth_squared_rest(y: Floats, p: Floats) -> Floats:
    size = np.abs(y)
    if size.max(initial=0.0) > LARGE:  # a part might overflow where y·y does not
        large = size > LARGE
        rest = truth_squared_rest(np.where(large, y * 2.0**-100, y), p)
        return np.where(large, rest * 2.0**200, rest)
    small = (size < SMALL) & (size > 0)
    scaled = np.where(small, y * 2.0**250, y)
    product = y * y * np.where(small, 2.0**500, 1.0)
    upper = scaled * SPLITTER
    upper = upper - (upper - scaled)
    lower = scaled - upper
    rest = ((upper * upper - product) + 2.0 * (upper * lower)) + lower * lower
    return np.where(small, rest * 2.0**-500, rest)


def relative(y: Floats, p: Floats) -> Floats:
    zero = y == 0
    return np.where(zero, 0.0, np.abs(p - y) / np.where(zero, 1.0, np.abs(y)))


def symmetric(y: Floats, p: Floats) -> Floats:
    sum_ = np.abs(y) + np.abs(p)
    overflow = np.isinf(sum_)
    if overflow.any():  # to divide both by 4 does not change the quotient
        y, p = np.where(overflow, y / 4, y), np.where(overflow, p / 4, p)
        sum_ = np.abs(y) + np.abs(p)
    return np.abs(p - y) / np.where(sum_ == 0, 1.0, sum_)


def squared_log(y: Floats, p: Floats) -> Floats:
    below = below_zero(y, p)
    if below.any():
        y, p = np.where(below, 0.0, y), np.where(below, 0.0, p)
    logs = log_one_plus(np.abs(p - y) / (1.0 + np.minimum(y, p)))
    squares: Floats = logs * logs
    return squares


def deviance(y: Floats, p: Floats) -> Floats:
    """With t = (y−p)/(y+p), ln(y/p) = 2·atanh(t) = 2(t + t³/3 + …). Near t = 0, where y·ln(y/p) and
    y − p would cancel, the term is t·(y−p) + 2y·t·(t²/3 + t⁴/5 + …).
    """
    outside = off_poisson(y, p)
    if outside.any():
        y, p = np.where(outside, 1.0, y), np.where(outside, 1.0, p)
    error = y - p
    t = error / (y + p)
    overflow = np.isinf(y + p)
    if overflow.any():  # to divide both by 4 does not change the quotient
        t = np.where(overflow, (error / 4) / (y / 4 + p / 4), t)
    near = np.abs(t) <= NEAR
    tail = atanh_tail(np.where(near, t, 0.0), NEAR_TERMS)
    terms = np.where(near, t * error + y * (2.0 * (t * tail)), p)
    far = ~near & (y > 0)
    terms[far] = y[far] * _log_ratio(y[far], p[far]) - error[far]
    return terms


def _log_ratio(above: Floats, below: Floats) -> Floats:
    """ln(above/below), as a difference of logarithms where the quotient is out of range."""
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


def zeros(y: Floats, p: Floats) -> Mask:
    zero: Mask = y == 0
    return zero


def below_zero(y: Floats, p: Floats) -> Mask:
    return (y < 0) | (p < 0)


def off_poisson(y: Floats, p: Floats) -> Mask:
    return (y < 0) | (p <= 0)


CONDITIONS: dict[str, Callable[[Floats, Floats], Mask]] = {
    choice.__name__: choice for choice in (zeros, below_zero, off_poisson)
}
