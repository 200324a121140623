"""The parts of a change by dimension: exact sums of each slice, and what it adds to the change."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.areas import PlacedLog
from steelyard.diagnosis.attribution import (
    MeanSums,
    Part,
    parts_of_entropy,
    parts_of_mean,
    parts_of_pairs,
)
from steelyard.diagnosis.means import TERMS
from steelyard.diagnosis.pair_areas import pair_sums
from steelyard.diagnosis.rows import LogRows, TwoLogs, losses
from steelyard.metrics.entropy import entropy
from steelyard.model import Array, Floats, Key
from steelyard.states import exact_sums

MOST_SLICES = 64  # a table has one more line for all others
OTHER = "other values"


@dataclass(frozen=True)
class SlicePart:
    """One slice of a dimension.

    key: its value, None for a missing one; is_other: whether it is all values beyond the largest
    rows: in each log; before, after: its own value, None where it has none
    """

    key: Key
    is_other: bool
    rows: tuple[int, int]
    before: Fraction | None
    after: Fraction | None
    part: Part


@dataclass(frozen=True)
class PartTable:
    """The parts of one dimension; base: what the base rate adds, of NE alone."""

    dimension: str
    change: Fraction
    slices: list[SlicePart]
    base: Fraction = Fraction(0)

    @property
    def within(self) -> Fraction:
        return sum((each.part.within for each in self.slices), Fraction(0))

    @property
    def mix(self) -> Fraction:
        return sum((each.part.mix for each in self.slices), Fraction(0))


@dataclass(frozen=True)
class Coarse:
    """The values of a dimension, with those beyond the largest as one: a code for each row."""

    codes: tuple[Array, Array]
    count: int
    values: list[int]  # the value of each code, without that of the others

    @classmethod
    def of(cls, two: TwoLogs, dimension: int) -> "Coarse":
        size = len(two.dimensions[dimension])
        codes = two.logs[0].codes[dimension], two.logs[1].codes[dimension]
        if size <= MOST_SLICES:
            return cls(codes, size, list(range(size)))
        rows = sum(np.bincount(each, minlength=size) for each in codes)
        largest = np.sort(np.argsort(-rows, kind="stable")[:MOST_SLICES])
        number = np.full(size, MOST_SLICES, np.uint8)
        number[largest] = np.arange(MOST_SLICES)
        return cls((number[codes[0]], number[codes[1]]), MOST_SLICES + 1, largest.tolist())


def part_table(
    two: TwoLogs, metric: str, dimension: int, placed: tuple[PlacedLog, PlacedLog] | None
) -> PartTable:
    """The parts of a change by the values of one dimension; placed: of AUC."""
    coarse, base = Coarse.of(two, dimension), Fraction(0)
    pairs = zip(two.logs, coarse.codes, strict=True)
    if metric == "auc":
        assert placed is not None
        areas = [pair_sums(p, c, coarse.count) for p, c in zip(placed, coarse.codes, strict=True)]
        parts, change = parts_of_pairs(*areas), areas[1].value - areas[0].value
        own = [[each.own(k) for k in range(coarse.count)] for each in areas]
    else:
        sums = [mean_sums(two, metric, log, codes, coarse.count) for log, codes in pairs]
        parts, change, base = _mean_parts(two, metric, sums)
        own = [_values(each) for each in sums]
    rows = [np.bincount(codes, minlength=coarse.count).tolist() for codes in coarse.codes]
    keys = [two.dimensions[dimension].keys[value] for value in coarse.values]
    listed = [
        SlicePart(
            keys[k] if k < len(keys) else OTHER,
            k >= len(keys),
            (rows[0][k], rows[1][k]),
            own[0][k],
            own[1][k],
            part,
        )
        for k, part in enumerate(parts)
    ]
    return PartTable(two.dimensions[dimension].name, change, listed, base)


def _mean_parts(
    two: TwoLogs, metric: str, sums: list[MeanSums]
) -> tuple[list[Part], Fraction, Fraction]:
    if metric != "ne":
        return parts_of_mean(sums[0], sums[1]), sums[1].value - sums[0].value, Fraction(0)
    first, second = (base_entropy(log) for log in two.logs)
    parts, base = parts_of_entropy((sums[0], sums[1]), (first, second))
    return parts, sums[1].value / second - sums[0].value / first, base


def base_entropy(log: LogRows) -> Fraction:
    """The entropy of the share of positives."""
    up = int(log.weights[log.positive].sum())
    return entropy(up, int(log.weights.sum()) - up)


def mean_sums(two: TwoLogs, metric: str, log: LogRows, codes: Array, count: int) -> MeanSums:
    """The exact numerator and denominator of each slice."""
    if metric == "copc":
        bottom: Floats | None = log.probability
    else:
        bottom = None
    top = losses(log, two.reading) if TERMS[metric] is TERMS["logloss"] else None
    if top is None:
        tops = _sums(log, codes, count, log.positive.astype(np.float64))
    else:
        tops = _sums(log, codes, count, top)
    return MeanSums(tops, _sums(log, codes, count, bottom))


def _sums(log: LogRows, codes: Array, count: int, values: Floats | None) -> list[Fraction]:
    weights = None if log.weight is None else log.weight.astype(np.float64)
    sums = kernels.active().sums_by_code(codes, count, values, weights)
    power = min(sums, default=0)
    scale = Fraction(2) ** power
    return [each * scale for each in exact_sums.integers(sums, power, np.arange(count))]


def _values(sums: MeanSums) -> list[Fraction | None]:
    pairs = zip(sums.tops, sums.bottoms, strict=True)
    return [top / bottom if bottom else None for top, bottom in pairs]
