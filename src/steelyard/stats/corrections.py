"""Corrections of p values for many tests: Benjamini–Hochberg and Holm.

A NaN is a test that was not made: it stays NaN and is not counted. Tied p values have one result,
and so the order of the input changes nothing.
"""

from collections.abc import Callable

import numpy as np

from steelyard.model import Floats


def benjamini_hochberg(p: Floats) -> Floats:
    """The q value of each p: the lowest false discovery rate at which its test is positive.

    With m tests and ranks j by rising p, the least of pⱼ·m/j from its own rank on, at most 1.
    Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57:289.

    >>> benjamini_hochberg(np.array([0.75, 0.25, 0.0625, np.nan, 0.0625])).tolist()
    [0.75, 0.3333333333333333, 0.125, nan, 0.125]
    """
    return _adjusted(p, _false_discoveries)


def holm(p: Floats) -> Floats:
    """The adjusted p of each p: the lowest chance of any false positive at which it is positive.

    With m tests and ranks j by rising p, the largest of (m+1−j)·pⱼ up to its own rank, at most 1.
    Holm (1979), Scandinavian Journal of Statistics 6:65.

    >>> holm(np.array([0.75, 0.125, 0.0625, np.nan, 0.0625])).tolist()
    [0.75, 0.25, 0.25, nan, 0.25]
    """
    return _adjusted(p, _any_false_positive)


def _adjusted(p: Floats, adjust: Callable[[Floats, Floats], Floats]) -> Floats:
    """The result of a rule for rising p values and their ranks, in the order of the input."""
    result = np.full(len(p), np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    ranks = np.arange(1.0, len(order) + 1)
    result[order] = np.minimum(adjust(p[order], ranks), 1.0)
    return result


def _false_discoveries(p: Floats, ranks: Floats) -> Floats:
    rates = p * (len(p) / ranks)  # the largest p keeps its bits: its factor is 1
    least: Floats = np.minimum.accumulate(rates[::-1])[::-1]
    return least


def _any_false_positive(p: Floats, ranks: Floats) -> Floats:
    largest: Floats = np.maximum.accumulate(p * (len(p) + 1 - ranks))
    return largest
