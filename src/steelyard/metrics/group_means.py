"""Means over groups: exact sums over the groups of a range, joined from range to range.

Each group's value is rounded once; their mean is exact, and rounded once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import compress, repeat
from math import isfinite
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels.quotients import quotient
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.each_slice import objects
from steelyard.metrics.fold import SliceParts
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Floats, Mask
from steelyard.result.metric_column import MetricColumn
from steelyard.states import exact_sums
from steelyard.views.group_rows import GroupRows, add_by_slice
from steelyard.views.sums import ExactColumn, exact_column, fractions
from steelyard.views.varying_weights import VaryingWeights

NO_WEIGHT = "the groups that count have no weight"
NONE_RELEVANT = "no group has a relevant row"
ONE = np.ones(1, object)
FEW_GROUPS = 64  # whose sums are added one by one: columns of digits take 60 µs


@dataclass(frozen=True)
class MeasuredGroups:
    """The value of each group, and what the mean of them needs.

    used: which groups are in the mean; weights: the weight of each
    why: the reason for no value, if no group is used
    no_value: the reason for no value, if the value of a group that is used is NaN
    pooled: of a pooled ratio, what each group adds to the numerator (as numerators and
        denominators), and what it adds to the denominator
    details: details of every slice
    varies: groups in which the column of the group weight is not constant
    """

    values: Floats
    used: Mask
    weights: Array
    why: str
    no_value: str = ""
    pooled: tuple[Array, Array, Array] | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    varies: VaryingWeights | None = None

    def quotients(self) -> tuple[Array, Floats, Floats | None]:
        """The groups that count, and what each adds to numerator and denominator, times its weight.

        The denominator is None where it is 1 for all.
        """
        if self.pooled is None:
            chosen = np.flatnonzero(self.used)
            return chosen, self.values[chosen], None
        above, below, divisors = self.pooled
        return np.arange(len(above)), above / below, divisors.astype(np.float64)

    @property
    def shown(self) -> Floats:
        """The value of each group; NaN where it is not used."""
        return np.where(self.used, self.values, np.nan)


class GroupParts(NamedTuple):
    """Exact sums over some groups of each slice.

    groups, used, rows: how many groups, how many of them are used, and how many rows these have
    without: how many of the used groups have no value
    weight: Σ weight of the used groups
    above, below: numerator and denominator of the mean: Σ weight·value and Σ weight, or those of a
        pooled ratio
    why, no_value, details: as of MeasuredGroups, for all slices
    varies: groups in which the column of the group weight is not constant, or None; those of a
        range are with its first slice, so that they count once
    """

    groups: Array
    used: Array
    without: Array
    rows: Array
    weight: ExactColumn
    above: Array | ExactColumn
    below: ExactColumn
    why: str
    no_value: str
    details: Mapping[str, Any]
    varies: Array


def parts(rows: GroupRows, found: MeasuredGroups) -> SliceParts:
    """The parts of the slices that have groups."""
    slices, numbers = rows.slices, np.arange(min(len(rows), 1))
    groups = np.array([len(rows)][: len(numbers)], np.int64)
    if slices is not None:
        groups = np.bincount(slices)
        numbers = np.flatnonzero(groups)
        if len(numbers) < len(groups):
            slices = (np.cumsum(groups > 0) - 1)[slices]
            groups = groups[numbers]
    count = len(numbers)
    without = np.zeros(count, np.int64)
    if found.no_value:
        without = _counts(slices, count, found.used & np.isnan(found.values))
        found = replace(found, values=np.nan_to_num(found.values, nan=0.0))
    # Most groups of many slices have one class: what is not used is not looked at again.
    chosen = np.flatnonzero(found.used)
    own = slices if slices is None or len(chosen) == len(rows) else slices[chosen]
    weights = found.weights[chosen]
    weight = _exact_sums(own, count, weights)
    made = GroupParts(
        groups,
        np.array([len(chosen)]) if own is None else np.bincount(own, minlength=count),
        without,
        _counts(own, count, rows.rows[chosen]),
        weight,
        _pooled(slices, count, found)
        if found.pooled
        else _exact_sums(own, count, weights, found.values[chosen]),
        _divisors(slices, count, found) if found.pooled else weight,
        found.why,
        found.no_value,
        found.details,
        objects([found.varies, *[None] * count][:count]),
    )
    return SliceParts(numbers, made)


def mean_of_few(found: MeasuredGroups) -> float | None:
    """The mean of few groups of one slice, without the parts; None where it needs those."""
    if found.pooled is not None or found.varies is not None or len(found.used) > FEW_GROUPS:
        return None
    values, weights = found.values.tolist(), found.weights.tolist()
    if not all(found.used.tolist()):
        values, weights = list(compress(values, found.used)), list(compress(weights, found.used))
    total = sum(weights)
    if not (type(total) is int and total > 0 and isfinite(sum(values))):
        return None
    numbers = [value.as_integer_ratio() for value in values]
    below = max(numbers, key=itemgetter(1))[1]  # a power of two, as all of them
    above = [w * n * (below // d) for w, (n, d) in zip(weights, numbers, strict=True)]
    return quotient(sum(above), total * below)


def join(left: GroupParts, right: GroupParts) -> GroupParts:
    """The parts of the groups of two ranges; no group is in both."""
    varies = left.varies.copy()
    for place in np.flatnonzero(right.varies.astype(bool)).tolist():  # hardly ever
        varies[place] = right.varies[place].join(left.varies[place])
    return left._replace(
        **{name: getattr(left, name) + getattr(right, name) for name in ADDED},
        details={**left.details, **right.details},
        varies=varies,
    )


ADDED = ("groups", "used", "without", "rows", "weight", "above", "below")


def means(found: GroupParts) -> MetricColumn:
    """The mean of the used groups of each slice, and how many they are."""
    varies = [each for each in found.varies.tolist() if each is not None]
    if varies:
        raise reduce(VaryingWeights.join, varies).error()
    known = dict.fromkeys(np.flatnonzero(found.weight.amounts == 0).tolist(), NO_WEIGHT)
    known |= dict.fromkeys(np.flatnonzero(found.used == 0).tolist(), found.why)
    known |= dict.fromkeys(np.flatnonzero(found.without > 0).tolist(), found.no_value)
    above, below = found.above, found.below
    if isinstance(above, ExactColumn):
        (numerators, one), (more, two) = above.over(ONE), below.over(ONE)
        values = quotient_values(numerators * two, more * one, NONE_RELEVANT, known)
    else:  # sums of fractions
        divisors = np.array(below.fractions(), object)
        values = quotient_values(above, divisors, NONE_RELEVANT, known)
    counts = {"groups": found.groups, "groups_used": found.used, "rows_used": found.rows}
    details = {name: column.tolist() for name, column in counts.items()}
    rest = {name: [detail] * len(found.used) for name, detail in found.details.items()}
    return replace(values, details=details | rest)


def no_groups(count: int) -> MetricColumn:
    """The values of slices without a group."""
    details = {name: [0] * count for name in ("groups", "groups_used", "rows_used")}
    return MetricColumn(np.full(count, np.nan), dict.fromkeys(range(count), NO_ROWS), details)


def _exact_sums(
    slices: Array | None, count: int, weights: Array, values: Array | None = None
) -> ExactColumn:
    """The exact Σ weight·value over some groups of each slice; values None: 1 each."""
    if slices is None and count == 1 and len(weights) <= FEW_GROUPS:
        pairs = zip(
            weights.tolist(), repeat(1) if values is None else values.tolist(), strict=False
        )
        whole, below = exact_sum_of_few(pairs)
        return ExactColumn(np.array([whole], object), np.array([1 - below.bit_length()]))
    return exact_column(add_by_slice(slices, count, weights, values), count)


def exact_sum_of_few(pairs: Iterable[tuple[float, float]]) -> tuple[int, int]:
    """The exact sum of the products of finite numbers: a whole number over a power of two."""
    above, below = [], [1]
    for weight, value in pairs:
        (whole, one), (more, two) = weight.as_integer_ratio(), value.as_integer_ratio()
        above.append(whole * more)
        below.append(one * two)
    common = max(below)
    return sum([n * (common // d) for n, d in zip(above, below[1:], strict=True)]), common


def _divisors(slices: Array | None, count: int, found: MeasuredGroups) -> ExactColumn:
    """Σ weight·divisor of a pooled ratio, for each slice."""
    assert found.pooled is not None
    divisor = found.pooled[2].astype(np.float64)
    return exact_column(add_by_slice(slices, count, found.weights, divisor), count)


def _pooled(slices: Array | None, count: int, found: MeasuredGroups) -> Array:
    """Σ weight·numerator/denominator; n rows have at most √(2n) different denominators."""
    assert found.pooled is not None
    numerators, denominators, _ = found.pooled
    order = np.argsort(denominators, kind="stable")
    different, starts = np.unique(denominators[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    above = np.full(count, Fraction(0), object)
    for bottom, start, end in zip(different.tolist(), starts, ends[: len(starts)], strict=True):
        rows = order[start:end]
        some = None if slices is None else slices[rows]
        top = numerators[rows].astype(np.float64)
        sums = fractions(add_by_slice(some, count, found.weights[rows], top), count)
        above += np.array(sums, object) / bottom
    return above


def _counts(slices: Array | None, count: int, column: Array) -> Array:
    """The sums of whole numbers over the groups of each slice."""
    if slices is None and count == 1:
        return np.array([int(column.sum())], np.int64)
    levels = add_by_slice(slices, count, column.astype(np.int64))
    return np.array(exact_sums.integers(levels, 0, np.arange(count)), np.int64)
