"""The parts of a change by dimension: exact sums of each slice, and what it adds to the change."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.models.areas import AreaModel
from steelyard.diagnosis.models.effects import Model
from steelyard.diagnosis.models.group_areas import GroupAreaModel
from steelyard.diagnosis.models.group_values import slice_sums
from steelyard.diagnosis.models.means import losses
from steelyard.diagnosis.parts.attribution import (
    MeanSums,
    Part,
    parts_of_entropy,
    parts_of_mean,
    parts_of_pairs,
)
from steelyard.diagnosis.parts.group_parts import (
    both_cells,
    group_sums,
    membership,
    parts_of_groups,
)
from steelyard.diagnosis.parts.pair_areas import pair_sums
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.metrics.entropy import entropy
from steelyard.model import Array, Floats, Key
from steelyard.views.sums import fractions

MOST_SLICES = 64  # a table has one more line for all others
OTHER = "other values"


@dataclass(frozen=True)
class SlicePart:
    """One slice of a dimension.

    key: its value, None for a missing one; is_other: whether it is all values beyond the largest
    rows: in each log; before, after: its own value, None where it has none
    shares: of the weight of each log; none are needed of groups that left or joined
    """

    key: Key
    is_other: bool
    rows: tuple[int, int]
    before: Fraction | None
    after: Fraction | None
    part: Part
    shares: tuple[float, ...] = ()


@dataclass(frozen=True)
class PartTable:
    """The parts of one dimension; base: what the base rate adds, of NE alone.

    before, after: the value of each log, exactly; of GAUC to 2**-52, because each group is rounded
    """

    dimension: str
    before: Fraction
    after: Fraction
    slices: list[SlicePart]
    base: Fraction = Fraction(0)

    @property
    def change(self) -> Fraction:
        return self.after - self.before

    @property
    def within(self) -> Fraction:
        return sum((each.part.within for each in self.slices), Fraction(0))

    @property
    def mix(self) -> Fraction:
        return sum((each.part.mix for each in self.slices), Fraction(0))


@dataclass(frozen=True)
class LargestSlices:
    """The values of a dimension, with those beyond the largest as one: a code for each row."""

    codes: tuple[Array, Array]
    count: int
    values: list[int]  # the value of each code, without that of the others

    @classmethod
    def of(cls, two: TwoLogs, dimension: int) -> "LargestSlices":
        size = len(two.dimensions[dimension])
        codes = two.logs[0].codes[dimension], two.logs[1].codes[dimension]
        if size <= MOST_SLICES:
            return cls(codes, size, list(range(size)))
        rows = sum(np.bincount(each, minlength=size) for each in codes)
        largest = np.sort(np.argsort(-rows, kind="stable")[:MOST_SLICES])
        number = np.full(size, MOST_SLICES, np.uint8)
        number[largest] = np.arange(MOST_SLICES)
        return cls((number[codes[0]], number[codes[1]]), MOST_SLICES + 1, largest.tolist())


class FoundParts(NamedTuple):
    """The parts of a change, the values before and after, and each slice's own values."""

    parts: list[Part]
    before: Fraction
    after: Fraction
    own: list[list[Fraction | None]]
    base: Fraction = Fraction(0)


def part_table(two: TwoLogs, metric: str, dimension: int, model: Model) -> PartTable:
    """The parts of a change by the values of one dimension; model: of the metric."""
    coarse = LargestSlices.of(two, dimension)
    if isinstance(model, AreaModel):
        found = _area_parts(model, coarse)
    elif isinstance(model, GroupAreaModel):
        found = _group_parts(two, model, coarse)
    else:
        found = _mean_parts(two, metric, coarse)
    rows = [np.bincount(codes, minlength=coarse.count).tolist() for codes in coarse.codes]
    shares = [
        np.bincount(codes, log.weights, minlength=coarse.count) / log.weights.sum()
        for log, codes in zip(two.logs, coarse.codes, strict=True)
    ]
    keys = [two.dimensions[dimension].keys[value] for value in coarse.values]
    listed = [
        SlicePart(
            keys[k] if k < len(keys) else OTHER,
            k >= len(keys),
            (rows[0][k], rows[1][k]),
            found.own[0][k],
            found.own[1][k],
            part,
            tuple(float(each[k]) for each in shares),
        )
        for k, part in enumerate(found.parts)
    ]
    name = two.dimensions[dimension].name
    return PartTable(name, found.before, found.after, listed, found.base)


def _area_parts(model: AreaModel, coarse: LargestSlices) -> FoundParts:
    areas = [pair_sums(p, c, coarse.count) for p, c in zip(model.placed, coarse.codes, strict=True)]
    own = [[each.own(k) for k in range(coarse.count)] for each in areas]
    return FoundParts(parts_of_pairs(*areas), areas[0].value, areas[1].value, own)


def _group_parts(two: TwoLogs, model: GroupAreaModel, coarse: LargestSlices) -> FoundParts:
    logs, count = model.placed, coarse.count
    before, after = (group_sums(p, c, count) for p, c in zip(logs, coarse.codes, strict=True))
    parts = parts_of_groups((before, after), both_cells(logs, coarse.codes, count))
    slices = (slice_sums(two, *each, count) for each in zip(two.logs, coarse.codes, strict=True))
    own = [_values(MeanSums(*sums)) for sums in slices]
    return FoundParts(parts, before.value, after.value, own)


def _mean_parts(two: TwoLogs, metric: str, coarse: LargestSlices) -> FoundParts:
    add = _sums_of_lists if metric == "ndcg" else partial(mean_sums, metric=metric)
    pairs = zip(two.logs, coarse.codes, strict=True)
    before, after = (add(two, log, codes, coarse.count) for log, codes in pairs)
    own = [_values(before), _values(after)]
    if metric != "ne":
        return FoundParts(parts_of_mean(before, after), before.value, after.value, own)
    first, second = (base_entropy(log) for log in two.logs)
    parts, base = parts_of_entropy((before, after), (first, second))
    return FoundParts(parts, before.value / first, after.value / second, own, base)


def membership_table(two: TwoLogs) -> PartTable:
    """The parts of groups that are in both logs, that left, and that joined."""
    found = membership(two)
    before, after = found.sums
    own = [_values(before), _values(after)]
    columns = zip(found.names, found.rows, *own, parts_of_mean(before, after), strict=True)
    listed = [SlicePart(key, False, *each) for key, *each in columns if any(each[0])]
    return PartTable(two.group_name, before.value, after.value, listed)


def base_entropy(log: LogRows) -> Fraction:
    """The entropy of the share of positives."""
    up = int(log.weights[log.positive].sum())
    return entropy(up, int(log.weights.sum()) - up)


def mean_sums(two: TwoLogs, log: LogRows, codes: Array, count: int, *, metric: str) -> MeanSums:
    """The exact numerator and denominator of each slice."""
    bottom = log.probability if metric == "copc" else None
    loses = metric in ("logloss", "ne")
    top = losses(log, two.reading) if loses else log.positive.astype(np.float64)
    return MeanSums(_sums(log, codes, count, top), _sums(log, codes, count, bottom))


def _sums(log: LogRows, codes: Array, count: int, values: Floats | None) -> list[Fraction]:
    weights = None if log.weight is None else log.weight.astype(np.float64)
    return fractions(kernels.active().sums_by_code(codes, count, values, weights), count)


def _values(sums: MeanSums) -> list[Fraction | None]:
    pairs = zip(sums.tops, sums.bottoms, strict=True)
    return [top / bottom if bottom else None for top, bottom in pairs]


def _sums_of_lists(two: TwoLogs, log: LogRows, codes: Array, count: int) -> MeanSums:
    """The exact sum of the values of each slice's lists, and how many lists these are."""
    return MeanSums(*slice_sums(two, log, codes, count))
