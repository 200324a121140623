"""Pairs of a positive and a negative of one group, by the slices of both.

Rows are by group and rising score. Negatives are counted by slice between events: where a group
starts, where a block of tied rows with a positive starts, and where it ends. Differences of their
running sums are what lies below each positive, level with it, and in its group.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.diagnosis.two_logs.steady import BITS
from steelyard.model import Array, Floats, Mask

CHUNK = 1 << 21  # counts in memory: events times slices


class PairTotals(NamedTuple):
    """For slices k and l of positives and negatives: Σ c·w·w·2, and the doubled areas of these."""

    weights: Floats
    areas: Floats


class Counted(NamedTuple):
    """Some positives against the negatives of some slices.

    points: their numbers among the positives; first: the first of the slices
    doubled: for each, by slice, twice what is below it and once what is level with it
    totals: twice what its group has
    """

    points: slice
    first: int
    doubled: Floats
    totals: Floats


@dataclass(frozen=True, eq=False)
class OrderedGroups:
    """Rows by group and score, for the slices of any dimension.

    blocks: where each row's tied block starts and ends; starts: where each group does
    pair_weight, downs: c of each group, and the weight of its negatives
    """

    positive: Mask
    weights: Array
    blocks: tuple[Array, Array]
    starts: Array
    pair_weight: Floats
    downs: Array

    @cached_property
    def hits(self) -> Array:
        """The numbers of the positives."""
        return np.flatnonzero(self.positive)

    @cached_property
    def hit_groups(self) -> Array:
        """The group of each positive."""
        return self.starts.searchsorted(self.hits, side="right") - 1

    @cached_property
    def scales(self) -> Floats:
        """c·w of each positive."""
        found: Floats = self.pair_weight[self.hit_groups] * self.weights[self.hits]
        return found

    @cached_property
    def step(self) -> float:
        """A step so coarse that sums of areas are exact."""
        return _step(2.0 * self.scales * self.downs[self.hit_groups])


@dataclass(frozen=True, eq=False)
class PairPoints:
    """Rows by group and score, and the slice of each."""

    rows: OrderedGroups
    codes: Array

    def counted(self, count: int) -> Iterator[Counted]:
        """The negatives below, level with and in the group of each positive, in parts."""
        hits = self.rows.hits
        firsts = hits.searchsorted(self.rows.starts)  # of each group, its first positive
        for group, end in _ranges(np.diff(firsts), CHUNK // count):
            points = slice(int(firsts[group]), int(firsts[end]))
            if points.start == points.stop:
                continue
            found = hits[points]
            places = self._places(group, end, found)
            events = int(places[-1]) + 1
            step = max(CHUNK // events, 1)
            for first in range(0, count, step):
                size = min(step, count - first)
                running = self._running(group, end, places, first, size)
                low, high, bottom, top = (
                    running[places[edges - self.rows.starts[group]]] for edges in self._edges(found)
                )
                yield Counted(points, first, low + high - 2 * bottom, 2 * (top - bottom))

    def _edges(self, hits: Array) -> list[Array]:
        """Where the tied blocks of some positives start and end, and where their groups do."""
        groups = self.rows.starts.searchsorted(hits, side="right") - 1
        return [
            *(edges[hits] for edges in self.rows.blocks),
            self.rows.starts[groups],
            self.rows.starts[groups + 1],
        ]

    def _places(self, group: int, end: int, hits: Array) -> Array:
        """For each row of some groups, and the end, the number of the last event up to it."""
        start = int(self.rows.starts[group])
        is_event = np.zeros(int(self.rows.starts[end]) - start + 1, bool)
        is_event[self.rows.starts[group : end + 1] - start] = True
        for edges in self.rows.blocks:
            is_event[edges[hits] - start] = True
        return np.cumsum(is_event) - 1

    def _running(self, group: int, end: int, places: Array, first: int, size: int) -> Floats:
        """The weight of negatives before each event, by slice."""
        rows = slice(int(self.rows.starts[group]), int(self.rows.starts[end]))
        codes = self.codes[rows] - first
        chosen = np.flatnonzero(~self.rows.positive[rows] & (codes >= 0) & (codes < size))
        cells = (places[chosen] + 1) * size + codes[chosen]
        weights = self.rows.weights[rows][chosen].astype(np.float64)
        counts = np.bincount(cells, weights, minlength=(int(places[-1]) + 1) * size)
        return np.cumsum(counts.reshape(-1, size), axis=0)

    def deviations(self, means: Floats, scale: Floats) -> Floats:
        """For each group Σ scale·c·w·(doubled − mean·total), by the slices of both rows."""
        hits = self.rows.hits
        found = np.zeros(len(hits))
        own = self.codes[hits]
        for part in self.counted(len(means)):
            k = own[part.points]
            for place in range(part.doubled.shape[1]):  # one by one: the same bits in any parts
                column = (
                    part.doubled[:, place] - means[k, part.first + place] * part.totals[:, place]
                )
                found[part.points] += scale[k, part.first + place] * column
        found *= self.rows.scales
        # Rows of a tied block may be in any order, so that their sum must not depend on it.
        return _sums(self.rows.hit_groups, len(self.rows.starts) - 1, found, _step(found))


def cell_sums(points: PairPoints, count: int) -> PairTotals:
    """Weights and doubled areas of all pairs of slices, rounded to 2**-52 of all of them."""
    scales, step = points.rows.scales, points.rows.step
    own = points.codes[points.rows.hits]
    weights, areas = np.zeros(count * count), np.zeros(count * count)
    for part in points.counted(count):
        size = part.doubled.shape[1]
        cells = own[part.points][:, None] * count + (part.first + np.arange(size))
        for total, column in ((weights, part.totals), (areas, part.doubled)):
            values = scales[part.points][:, None] * column
            total += _sums(cells.ravel(), count * count, values.ravel(), step)
    shape = (count, count)
    return PairTotals(weights.reshape(shape), areas.reshape(shape))


def _step(values: Floats) -> float:
    """A step so coarse that every sum of the values, in steps, is exact."""
    largest = float(np.abs(values).max(initial=0.0))
    return math.ldexp(1.0, math.frexp(largest * max(len(values), 1))[1] - BITS) if largest else 1.0


def _sums(codes: Array, count: int, values: Floats, step: float) -> Floats:
    found = np.bincount(codes, np.rint(values / step), minlength=count).astype(np.float64)
    found *= step
    return found


def _ranges(sizes: Array, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of groups with at most that many positives, or of one group."""
    ends = np.cumsum(sizes)
    start, done = 0, 0
    while start < len(sizes):
        end = max(int(ends.searchsorted(done + most, side="right")), start + 1)
        yield start, end
        start, done = end, int(ends[end - 1])
