"""What one row adds to each sum of errors: the formulas of regression, in one place.

A term is rounded as its formula says and then added exactly. +, −, × and ÷ round once each, by IEEE
754; the one logarithm is our own. A term too large or too small for a float64 is computed on rows
brought nearer to 1 by a power of two, and counted in that power: it keeps 53 bits, and no row
becomes infinite or gets lost.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Floats, Mask

FAR = 600  # a power of two that brings a square, or a quotient, back into range
SMALLEST_NORMAL = 2.0**-1022
SPLITTER = 2.0**27 + 1  # Veltkamp's: halves of 26 bits, whose products are exact
NEAR, NEAR_TERMS = 1 / 5, 14  # t**28/29 is below 2**-64 there


class Part(NamedTuple):
    """Terms of some rows, each to be counted 2**power times; rows None means all."""

    values: Floats
    rows: Mask | None = None
    power: int = 0


Term = Callable[[Floats, Floats], Iterator[Part]]


def truth(y: Floats, p: Floats) -> Iterator[Part]:
    """y"""
    yield Part(y)


def prediction(y: Floats, p: Floats) -> Iterator[Part]:
    """p"""
    yield Part(p)


def truth_size(y: Floats, p: Floats) -> Iterator[Part]:
    """|y|"""
    yield Part(np.abs(y))


def absolute(y: Floats, p: Floats) -> Iterator[Part]:
    """|p − y|, rounded once"""
    for values, rows, power in differences(y, p):
        yield Part(np.abs(values), rows, power)


def over(y: Floats, p: Floats) -> Iterator[Part]:
    """p − y where that is above zero"""
    for values, rows, power in differences(y, p):
        yield Part(np.maximum(values, 0.0), rows, power)


def under(y: Floats, p: Floats) -> Iterator[Part]:
    """y − p where that is above zero"""
    return over(p, y)


def squared(y: Floats, p: Floats) -> Iterator[Part]:
    """d·d with d = p − y, both rounded"""
    for values, rows, power in differences(y, p):
        yield from _within(squares(values), rows, 2 * power)


def truth_squared(y: Floats, p: Floats) -> Iterator[Part]:
    """y², exactly: the product, and what rounding it lost"""
    # Outside these the product, its parts or what it lost would leave the range.
    size = np.abs(y)
    large, small = size > 2.0**500, (size < 2.0**-450) & (size > 0)
    odd = large | small
    if not odd.any():
        yield from _square(y)
        return
    yield from _square(np.where(odd, 0.0, y))
    for rows, power in ((large, FAR), (small, -FAR)):
        if rows.any():
            yield from _within(_square(np.ldexp(y[rows], -power)), rows, 2 * power)


def relative(y: Floats, p: Floats) -> Iterator[Part]:
    """|p − y| / |y|, both rounded; nothing where y is 0"""
    zero = y == 0
    if zero.any():
        y, p = np.where(zero, 1.0, y), np.where(zero, 1.0, p)
    for values, rows, power in differences(y, p):
        size = np.abs(y if rows is None else y[rows])
        yield from _within(_quotients(np.abs(values), size), rows, power)


def symmetric(y: Floats, p: Floats) -> Iterator[Part]:
    """|p − y| / (|y| + |p|), each rounded; 0 where both are 0"""
    with np.errstate(over="ignore"):
        whole = np.abs(y) + np.abs(p)
    vast = np.isinf(whole)
    if vast.any():
        y, p = np.where(vast, y / 4, y), np.where(vast, p / 4, p)
        whole = np.abs(y) + np.abs(p)
    yield Part(np.abs(p - y) / np.where(whole == 0, 1.0, whole))


def squared_log(y: Floats, p: Floats) -> Iterator[Part]:
    """(ln(1+p) − ln(1+y))² as ln(1+t)², t = |p − y| / (1 + the smaller); nothing below 0"""
    below = below_zero(y, p)
    if below.any():
        y, p = np.where(below, 0.0, y), np.where(below, 0.0, p)
    return squares(log1p(np.abs(p - y) / (1.0 + np.minimum(y, p))))


def deviance(y: Floats, p: Floats) -> Iterator[Part]:
    """y·ln(y/p) − (y − p), p where y is 0; nothing where that has no value"""
    odd = off_poisson(y, p)
    if odd.any():
        y, p = np.where(odd, 1.0, y), np.where(odd, 1.0, p)
    with np.errstate(over="ignore", invalid="ignore"):
        terms = _deviance(y, p, 1.0)
        vast = ~np.isfinite(terms) | np.isinf(y + p)
    yield Part(np.where(vast, 0.0, terms))
    if vast.any():
        yield Part(_deviance(y[vast], p[vast], 2.0**-64), vast, 64)


TERMS: dict[str, Term] = {
    term.__name__: term
    for term in (
        *(truth, prediction, truth_size, truth_squared),
        *(absolute, over, under, squared, relative, symmetric, squared_log, deviance),
    )
}
SIGNED = ("truth", "prediction")


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


KINDS_OF_ROWS: dict[str, Callable[[Floats, Floats], Mask]] = {
    choice.__name__: choice for choice in (zeros, below_zero, off_poisson)
}


def differences(y: Floats, p: Floats) -> Iterator[Part]:
    """p − y, rounded once; those beyond the largest float64 as halves, which are exact."""
    with np.errstate(over="ignore"):
        values = p - y
    vast = np.isinf(values)
    if vast.any():
        values[vast] = 0.0
        yield Part(p[vast] / 2 - y[vast] / 2, vast, 1)
    yield Part(values)


def squares(values: Floats) -> Iterator[Part]:
    """Each number times itself, rounded to 53 bits however large or small."""
    with np.errstate(over="ignore", under="ignore"):
        products = values * values
    large = np.isinf(products)
    small = (products < SMALLEST_NORMAL) & (values != 0)
    for rows, power in ((large, FAR), (small, -FAR)):
        if rows.any():
            nearer = np.ldexp(values[rows], -power)
            products[rows] = 0.0
            yield Part(nearer * nearer, rows, 2 * power)
    yield Part(products)


def _square(values: Floats) -> Iterator[Part]:
    """Squares as two float64, without a fused operation (Dekker 1971)."""
    product = values * values
    yield Part(product)
    upper = values * SPLITTER
    upper -= upper - values
    lower = values - upper
    yield Part(((upper * upper - product) + 2.0 * (upper * lower)) + lower * lower)


def _quotients(above: Floats, below: Floats) -> Iterator[Part]:
    """Quotients, rounded once; those beyond the largest float64 in another power."""
    with np.errstate(over="ignore"):
        quotients = above / below
    vast = np.isinf(quotients)
    if vast.any():
        quotients[vast] = 0.0
        nearer = np.ldexp(above[vast], -FAR) / np.ldexp(below[vast], FAR)
        yield Part(nearer, vast, 2 * FAR)
    yield Part(quotients)


def _within(parts: Iterator[Part], rows: Mask | None, power: int) -> Iterator[Part]:
    """Parts of the chosen rows as parts of all rows."""
    for part in parts:
        chosen = rows
        if rows is not None and part.rows is not None:
            chosen = rows.copy()
            chosen[rows] = part.rows
        yield Part(part.values, part.rows if rows is None else chosen, part.power + power)


def log1p(values: Floats) -> Floats:
    """ln(1+x) of numbers from zero on: what 1+x lost in rounding is given back."""
    sum_ = 1.0 + values
    lost = np.where(values < 1.0, values - (sum_ - 1.0), 1.0 - (sum_ - values))
    log: Floats = kernels.active().log(sum_) + lost / sum_
    return log


def _deviance(y: Floats, p: Floats, scale: float) -> Floats:
    """The deviance of rows times a power of two, which is that of their multiples.

    With t = (y−p)/(y+p), ln(y/p) = 2·atanh(t) = 2(t + t³/3 + …). Near t = 0, where y·ln(y/p) and
    y − p would cancel, the term is t·(y−p) + 2y·t·(t²/3 + t⁴/5 + …).
    """
    above, below = y * scale, p * scale
    error = above - below
    t = error / (above + below)
    near = np.abs(t) <= NEAR
    terms = np.where(near, t * error + (2.0 * above) * (t * _atanh_tail(np.where(near, t, 0.0))), p)
    far = ~near & (y > 0)
    terms[far] = above[far] * _log_ratio(y[far], p[far]) - error[far]
    none = y == 0
    terms[none] = below[none]
    return terms


def _log_ratio(above: Floats, below: Floats) -> Floats:
    """ln(above/below); a quotient out of range is so large or small that a difference will do."""
    log = kernels.active().log
    with np.errstate(over="ignore", under="ignore"):
        quotients = above / below
    odd = np.isinf(quotients) | (quotients < SMALLEST_NORMAL)
    logs: Floats = log(np.where(odd, 1.0, quotients))
    logs[odd] = log(above[odd]) - log(below[odd])
    return logs


def _atanh_tail(t: Array) -> Array:
    """t²/3 + t⁴/5 + … by Horner's rule."""
    square = t * t
    tail = np.zeros_like(t)
    for term in range(NEAR_TERMS, 0, -1):
        tail = (tail + 1.0 / (2 * term + 1)) * square
    return tail
