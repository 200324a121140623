"""Means over groups: exact sums over the groups of a range, joined from range to range.

Each group's value is rounded once; their mean is exact, and rounded once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels.interface import ExactSums
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.model import Array, Detailed, Floats, Mask, Undefined, Value
from steelyard.states import exact_sums
from steelyard.views.group_rows import GroupRows, add_by_slice
from steelyard.views.sums import fractions
from steelyard.views.varying_weights import VaryingWeights

NO_WEIGHT = "the groups that count have no weight"
NONE_RELEVANT = "no group has a relevant row"
NOT_POOLED = 1  # the only denominator where nothing is pooled


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


class GroupPart(NamedTuple):
    """Exact sums over some groups of a slice.

    groups, used, rows: how many groups, how many of them are used, and how many rows these have
    without: how many of the used groups have no value
    weight: Σ weight of the used groups
    above: the numerator of the mean: Σ weight·value, or for each denominator Σ weight·numerator
    below: its denominator: Σ weight, or Σ weight·divisor
    """

    groups: int
    used: int
    without: int
    rows: int
    weight: Fraction
    above: Mapping[int, Fraction]
    below: Fraction
    why: str
    no_value: str
    details: Mapping[str, Any]
    varies: VaryingWeights | None


def parts(rows: GroupRows, found: MeasuredGroups) -> list[GroupPart]:
    """The part of every slice."""
    slices, count = rows.slices, rows.count
    groups = _counts(slices, count, np.ones(len(rows), np.int64))
    used = _counts(slices, count, found.used)
    without = [0] * count
    if found.no_value:
        without = _counts(slices, count, found.used & np.isnan(found.values))
        found = replace(found, values=np.nan_to_num(found.values, nan=0.0))
    of_used = _counts(slices, count, np.where(found.used, rows.rows, 0))
    weight = fractions(_weight(slices, count, found), count)
    above = (_pooled if found.pooled else _added)(slices, count, found)
    below = weight if found.pooled is None else _divisors(slices, count, found)
    return [
        GroupPart(
            groups[number],
            used[number],
            without[number],
            of_used[number],
            weight[number],
            {bottom: column[number] for bottom, column in above.items() if column[number]},
            below[number],
            found.why,
            found.no_value,
            found.details,
            found.varies,
        )
        for number in range(count)
    ]


def join(left: GroupPart, right: GroupPart) -> GroupPart:
    """The part of the groups of two ranges; no group is in both."""
    bottoms = dict.fromkeys((*left.above, *right.above))
    none = Fraction(0)
    return left._replace(
        groups=left.groups + right.groups,
        used=left.used + right.used,
        without=left.without + right.without,
        rows=left.rows + right.rows,
        weight=left.weight + right.weight,
        above={b: left.above.get(b, none) + right.above.get(b, none) for b in bottoms},
        below=left.below + right.below,
        details={**left.details, **right.details},
        varies=left.varies if right.varies is None else right.varies.join(left.varies),
    )


def mean(part: GroupPart) -> Detailed:
    """The mean of the used groups, and how many they are."""
    if part.varies is not None:
        raise part.varies.error()
    details = {"groups": part.groups, "groups_used": part.used, "rows_used": part.rows}
    details |= part.details if part.groups else {}
    value: Value = Undefined(part.why if part.groups else NO_ROWS)
    if part.without:
        value = Undefined(part.no_value)
    elif part.used and part.weight == 0:
        value = Undefined(NO_WEIGHT)
    elif part.used:
        total = sum((amount / bottom for bottom, amount in part.above.items()), Fraction(0))
        value = ratio(total, part.below, NONE_RELEVANT)
    return Detailed(value, details)


Numerators = dict[int, list[Fraction]]  # by denominator, a sum for each slice


def _weight(slices: Array | None, count: int, found: MeasuredGroups) -> ExactSums:
    """Σ weight over the used groups of each slice."""
    some = None if slices is None else slices[found.used]
    return add_by_slice(some, count, found.weights[found.used])


def _added(slices: Array | None, count: int, found: MeasuredGroups) -> Numerators:
    """Σ weight·value over the used groups of each slice."""
    some = None if slices is None else slices[found.used]
    weights, values = found.weights[found.used], found.values[found.used]
    return {NOT_POOLED: fractions(add_by_slice(some, count, weights, values), count)}


def _divisors(slices: Array | None, count: int, found: MeasuredGroups) -> list[Fraction]:
    """Σ weight·divisor of a pooled ratio, for each slice."""
    assert found.pooled is not None
    divisor = found.pooled[2].astype(np.float64)
    return fractions(add_by_slice(slices, count, found.weights, divisor), count)


def _pooled(slices: Array | None, count: int, found: MeasuredGroups) -> Numerators:
    """Σ weight·numerator by denominator; n rows have at most √(2n) different denominators."""
    assert found.pooled is not None
    numerators, denominators, _ = found.pooled
    order = np.argsort(denominators, kind="stable")
    different, starts = np.unique(denominators[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    above = {}
    for bottom, start, end in zip(different.tolist(), starts, ends[: len(starts)], strict=True):
        rows = order[start:end]
        some = None if slices is None else slices[rows]
        top = numerators[rows].astype(np.float64)
        above[bottom] = fractions(add_by_slice(some, count, found.weights[rows], top), count)
    return above


def _counts(slices: Array | None, count: int, column: Array) -> list[int]:
    """The sums of whole numbers over the groups of each slice."""
    levels = add_by_slice(slices, count, column.astype(np.int64))
    return exact_sums.integers(levels, 0, np.arange(count))
