"""The outcome of a comparison in words: what an interval of the difference shows.

With a margin m, and [low, high] the interval of how much better a candidate is, the first that
holds:

- high < −m: worse
- low > 0: better
- −m < low and high < 0: no worse than the margin
- −m < low and high < m: no difference seen
- −m < low: no worse than the margin
- otherwise: cannot tell

Without a margin: worse, better, or no difference seen. Without an interval: cannot tell. A gate
reads the outcome, so that words and exit codes cannot disagree.
"""

from typing import NamedTuple

import numpy as np

from steelyard.model import Mask
from steelyard.stats.differences import TestedDifferences

BETTER, WORSE, NO_WORSE, NO_DIFFERENCE, CANNOT_TELL = OUTCOMES = (
    "better",
    "worse",
    "no worse than the margin",
    "no difference seen",
    "cannot tell",
)
NOT_WORSE = frozenset((BETTER, NO_WORSE, NO_DIFFERENCE))  # what a gate may require
FOUND = 0.1  # of q: a slice above it is not called better or worse


class Claims(NamedTuple):
    """Where a difference may be called better, where worse, and where nothing tests it.

    An interval that would allow a word that may not be used is read as one that contains 0; if it
    is not tested, and there is no margin, nothing can be told.
    """

    better: Mask
    worse: Mask
    untested: Mask


def claims_of(found: TestedDifferences) -> Claims:
    """Every difference may be called better or worse."""
    every = np.ones(len(found.amount), bool)
    return Claims(every, every, ~every)


def outcomes(found: TestedDifferences, margin: float | None, claims: Claims) -> list[str]:
    """The outcome of each difference."""
    limit = 0.0 if margin is None else margin
    low = np.where((found.low > 0) & ~claims.better, 0.0, found.low)
    high = np.where((found.high < -limit) & ~claims.worse, 0.0, found.high)
    within = (found.low > -limit) | (found.exact & (found.low >= -limit))
    small = (high < limit) | (found.exact & (high == 0))
    untold = ~np.isfinite(low) | ~np.isfinite(high)
    if margin is None:
        untold |= claims.untested & ((found.low > 0) | (found.high < 0))
        within, small = np.ones((2, len(low)), bool)
    cases = (
        (untold, CANNOT_TELL),
        (high < -limit, WORSE),
        (low > 0, BETTER),
        (within & (high < 0), NO_WORSE),
        (within & small, NO_DIFFERENCE),
        (within, NO_WORSE),
    )
    names = np.select([case for case, _ in cases], [name for _, name in cases], CANNOT_TELL)
    return [str(name) for name in names]


def remark(outcome: str | None, high: float | None, margin: float | None) -> str:
    """What the outcome of a row with a margin leaves open, as a phrase.

    >>> remark(BETTER, 0.0004, 0.001), remark(NO_WORSE, -0.0001, 0.001), remark(BETTER, 0.2, 0.001)
    ('better by less than the margin', 'worse by less than the margin', '')
    >>> remark(CANNOT_TELL, -0.0001, 0.001)
    'worse, but not shown to be worse by more than the margin'
    """
    if margin is None or high is None:
        return ""
    if outcome == BETTER and high < margin:
        return "better by less than the margin"
    if outcome == NO_WORSE and high < 0:
        return "worse by less than the margin"
    if outcome == CANNOT_TELL and high < 0:
        return "worse, but not shown to be worse by more than the margin"
    return ""
