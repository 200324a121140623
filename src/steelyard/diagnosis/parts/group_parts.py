"""The parts of a change of GAUC: by slices of rows, and by whether a group is in both logs.

What a slice adds to the change is exact; how much of that is its own change, and how much is mix,
is rounded to a float64 first, because the pairs of 64 slices have 4,096 denominators.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.models.group_areas import PlacedGroups
from steelyard.diagnosis.models.group_pairs import PairTotals, cell_sums
from steelyard.diagnosis.models.group_values import slice_sums
from steelyard.diagnosis.parts.attribution import HALF, MeanSums, Part
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.kernels.interface import ExactSums
from steelyard.model import Array, Floats
from steelyard.states import exact_sums
from steelyard.views.sums import fractions

SPLITTER = 2.0**27 + 1.0  # cuts a float64 into two halves whose products are exact (Dekker, 1971)
RETURNING, LEFT, JOINED = "returning", "left", "joined"


class GroupSums(NamedTuple):
    """Exact sums over the rows of each slice, as positives and as negatives.

    weights: Σ c·w·(twice the weight of the other class in the group); areas: Σ c·w·placement
    """

    weights: list[Fraction]
    areas: list[Fraction]

    @property
    def all(self) -> Fraction:
        """The weight of all pairs, which each count once as a positive and once as a negative."""
        return sum(self.weights, Fraction(0)) * HALF

    @property
    def value(self) -> Fraction:
        return sum(self.areas, Fraction(0)) * HALF / self.all


def group_sums(log: PlacedGroups, codes: Array, count: int) -> GroupSums:
    return GroupSums(
        _products(log, codes, count, log.others), _products(log, codes, count, log.doubled)
    )


def _products(log: PlacedGroups, codes: Array, count: int, column: Floats) -> list[Fraction]:
    """The exact Σ c·w·column of each slice."""
    scale = log.row_scales
    columns = [column]
    if log.log.weight is not None:
        columns = list(_two_product(log.weight.astype(np.float64), column))
    total: ExactSums = {}
    for each in columns:
        sums = kernels.active().sums_by_code(codes, count, each, scale)
        exact_sums.add(total, sums, None, count)
    return fractions(total, count)


def _two_product(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """A product, rounded, and what the rounding lost.

    >>> high, low = _two_product(np.array([2.0**52 + 1]), np.array([2.0**52 + 1]))
    >>> int(high[0]) + int(low[0]) == (2**52 + 1) ** 2
    True
    """
    high = left * right
    halves = []
    for each in (left, right):
        upper = SPLITTER * each
        upper = upper - (upper - each)
        halves.append((upper, each - upper))
    (a, b), (c, d) = halves
    return high, ((a * c - high) + a * d + b * c) + b * d


def parts_of_groups(
    sums: tuple[GroupSums, GroupSums], cells: tuple[PairTotals, PairTotals]
) -> list[Part]:
    """The parts of the change of GAUC = Σ Ω·M over pairs of slices: half of each pair for each.

    Ω is the share of the pairs with a positive of one slice and a negative of the other, M their
    AUC. within = Ω̄·ΔM; the rest of (M̄ − mean)·ΔΩ + Ω̄·ΔM is mix.
    """
    before, after = sums
    centre = (before.value + after.value) * HALF
    scales = 1 / before.all, 1 / after.all
    parts = []
    for k, within in enumerate(_within(*cells).tolist()):
        moved = after.areas[k] * scales[1] - before.areas[k] * scales[0]
        shares = after.weights[k] * scales[1] - before.weights[k] * scales[0]
        own = Fraction(within)
        parts.append(Part(own, (moved - centre * shares) * HALF - own))
    return parts


def _within(before: PairTotals, after: PairTotals) -> Floats:
    """Ω̄·ΔM of all pairs, half for each slice; pairs that one log lacks have the M of the other."""
    shares = [each.weights / each.weights.sum() for each in (before, after)]
    known = (before.weights > 0) & (after.weights > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = after.areas / after.weights - before.areas / before.weights
    within = np.where(known, (shares[0] + shares[1]) / 2 * moved, 0.0)
    found: Floats = (within.sum(axis=0) + within.sum(axis=1)) / 2
    return found


def both_cells(
    logs: tuple[PlacedGroups, PlacedGroups], codes: tuple[Array, Array], count: int
) -> tuple[PairTotals, PairTotals]:
    first, second = (
        cell_sums(log.points(each), count) for log, each in zip(logs, codes, strict=True)
    )
    return first, second


class Membership(NamedTuple):
    """Exact sums over the groups that are in both logs, that left, and that joined.

    names: of the three; sums: before and after; rows: of each, in each log
    """

    names: tuple[str, ...]
    sums: tuple[MeanSums, MeanSums]
    rows: list[tuple[int, int]]


def membership(two: TwoLogs) -> Membership:
    """The groups of both logs: a group has rows in both, or in one of them."""
    present = []
    for log in two.logs:
        seen = np.zeros(two.group_count, bool)
        seen[log.groups] = True
        present.append(seen)
    kind = np.where(present[0], np.where(present[1], 0, 1), 2)
    sums, rows = [], []
    for log in two.logs:
        codes = kind[log.groups]
        sums.append(MeanSums(*slice_sums(two, log, codes, 3)))
        rows.append(np.bincount(codes, minlength=3).tolist())
    names = RETURNING, LEFT, JOINED
    return Membership(names, (sums[0], sums[1]), list(zip(*rows, strict=True)))
