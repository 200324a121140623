"""The parts of a change by dimension: exact sums of each slice, and what it adds to the change."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import NamedTuple

import numpy as np

from steelyard.diagnosis.models.effects import Model
from steelyard.diagnosis.models.group_areas import GroupAreaMoves
from steelyard.diagnosis.models.group_values import slice_sums
from steelyard.diagnosis.models.measured import table_of
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
from steelyard.metrics.calibration.copc import clicks_over_expected
from steelyard.metrics.calibration.logloss import mean_loss
from steelyard.metrics.entropy import entropy
from steelyard.metrics.influence import Quotient
from steelyard.metrics.probability_metrics import CLASSES, EXPECTED, LOG
from steelyard.metrics.record import sums_of
from steelyard.model import Array, Key
from steelyard.views.sums import SumsView, TermArrays

MOST_SLICES = 64  # a table has one more line for all others
OTHER = "other values"


def clicks_over_rows(sums: TermArrays) -> Quotient:
    return sums["weighted_positives"], sums["weight"]


# The sums of a metric that is a mean over rows: its state, its numerator and its denominator.
QUOTIENTS = {
    "ctr": (sums_of(*CLASSES), clicks_over_rows),
    "copc": (EXPECTED, clicks_over_expected),
    "logloss": (LOG, mean_loss),
    "ne": (LOG, mean_loss),
}


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

    before, after: the value of each log, exactly; of GAUC nearly, as groups and weights are rounded
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


def part_table(model: Model, dimension: int) -> PartTable:
    """The parts of the change of a metric by the values of one dimension."""
    two = model.two
    coarse = LargestSlices.of(two, dimension)
    found = PARTS.get(model.metric, _mean_parts)(model, coarse)
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


def _area_parts(model: Model, coarse: LargestSlices) -> FoundParts:
    pairs = zip(model.two.logs, coarse.codes, strict=True)
    areas = [pair_sums(log, codes, coarse.count) for log, codes in pairs]
    own = [[each.own(k) for k in range(coarse.count)] for each in areas]
    return FoundParts(parts_of_pairs(*areas), areas[0].value, areas[1].value, own)


def _group_parts(model: Model, coarse: LargestSlices) -> FoundParts:
    assert isinstance(model.moves, GroupAreaMoves)
    logs, count = model.moves.placed, coarse.count
    before, after = (group_sums(p, c, count) for p, c in zip(logs, coarse.codes, strict=True))
    parts = parts_of_groups((before, after), both_cells(logs, coarse.codes, count))
    own = [_values(each) for each in _sums_of_groups(model, coarse)]
    return FoundParts(parts, before.value, after.value, own)


def _list_parts(model: Model, coarse: LargestSlices) -> FoundParts:
    before, after = _sums_of_groups(model, coarse)
    own = [_values(before), _values(after)]
    return FoundParts(parts_of_mean(before, after), before.value, after.value, own)


def _mean_parts(model: Model, coarse: LargestSlices) -> FoundParts:
    both = zip(model.two.logs, coarse.codes, strict=True)
    (before, first), (after, second) = (
        _sums_of_rows(model.two, log, codes, coarse.count, model.metric) for log, codes in both
    )
    own = [_values(before), _values(after)]
    if model.metric != "ne":
        return FoundParts(parts_of_mean(before, after), before.value, after.value, own)
    parts, base = parts_of_entropy((before, after), (first, second))
    return FoundParts(parts, before.value / first, after.value / second, own, base)


PARTS = {"auc": _area_parts, "gauc": _group_parts, "ndcg": _list_parts}


def membership_table(two: TwoLogs) -> PartTable:
    """The parts of groups that are in both logs, that left, and that joined."""
    found = membership(two)
    before, after = found.sums
    own = [_values(before), _values(after)]
    columns = zip(found.names, found.rows, *own, parts_of_mean(before, after), strict=True)
    listed = [SlicePart(key, False, *each) for key, *each in columns if any(each[0])]
    return PartTable(two.group_name, before.value, after.value, listed)


def base_entropy(two: TwoLogs, log: LogRows) -> Fraction:
    """The entropy of the share of positives."""
    codes = np.zeros(len(log), np.uint8)
    return _sums_of_rows(two, log, codes, 1, "ctr")[1]


def _sums_of_rows(
    two: TwoLogs, log: LogRows, codes: Array, count: int, metric: str
) -> tuple[MeanSums, Fraction]:
    """The exact numerator and denominator of each slice, and the entropy of the base rate."""
    spec, quotient = QUOTIENTS[metric]
    view = table_of(two, log, [spec], codes, count).view(spec)
    assert isinstance(view, SumsView)
    sums = TermArrays(view.columns)
    tops, bottoms = (list(map(Fraction, column)) for column in quotient(sums))
    up, all_ = (sum(sums[name].tolist()) for name in ("weighted_positives", "weight"))
    return MeanSums(tops, bottoms), entropy(up, all_ - up) if 0 < up < all_ else Fraction(0)


def _values(sums: MeanSums) -> list[Fraction | None]:
    pairs = zip(sums.tops, sums.bottoms, strict=True)
    return [top / bottom if bottom else None for top, bottom in pairs]


def _sums_of_groups(model: Model, coarse: LargestSlices) -> tuple[MeanSums, MeanSums]:
    """The exact sum of the values of each slice's groups, and that of their weights."""
    logs, counts = model.two.logs, repeat(coarse.count)
    columns = map(slice_sums, repeat(model.two), logs, coarse.codes, counts)
    before, after = (MeanSums(*sums) for sums in columns)
    return before, after
