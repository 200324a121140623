"""The rows of a comparison: plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from steelyard.model import Key


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """The difference of one metric between a baseline and a candidate, in total or in a slice.

    score: the candidate; against: the score or log it is compared with; slice: empty for the total
    baseline, candidate: both values; difference: how much better the candidate is, + is better
    low, high: the interval of the difference; p: that there is no difference; q: p corrected for
        the number of slices, of the slices that are tested
    margin: how much worse is accepted, None if it was not said
    outcome: "better", "worse", "no worse than the margin", "no difference seen" or "cannot tell";
        None where neither direction is better; why: the reason for no interval
    holm: p corrected for the number of pairs of scores that are compared, of the total
    n: the rows of the candidate; share: of the slice in the weight of all rows
    details: the standard error, degrees of freedom, clusters, the smallest difference that the data
        could show (detectable)
    """

    metric: str
    score: str
    against: str
    slice: Mapping[str, Key]
    baseline: float | None
    candidate: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    margin: float | None
    outcome: str | None
    why: str | None
    n: int
    share: float | None
    details: Mapping[str, Any] = field(default_factory=dict)
    holm: float | None = None


@dataclass(frozen=True, slots=True)
class SliceTest:
    """One test whether the differences of all slices of a `by` are the same (Wald).

    slices: how many are compared; why: the reason for no test
    """

    metric: str
    score: str
    against: str
    by: tuple[str, ...]
    slices: int
    statistic: float | None = None
    freedom: int | None = None
    p: float | None = None
    why: str | None = None
