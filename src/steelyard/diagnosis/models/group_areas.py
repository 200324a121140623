"""GAUC of two logs: how the placements of rows within their own group moved.

GAUC is a mean over pairs of a positive and a negative of one group. A pair counts as much as its
group's rows, over the group's pairs; this quotient, c below, is rounded once, to a float64.
"""

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.diagnosis.models.areas import PlacementMoves, running
from steelyard.diagnosis.models.group_pairs import OrderedGroups, PairPoints, cell_sums
from steelyard.diagnosis.models.measured import of_numbers
from steelyard.diagnosis.models.moves import Codes
from steelyard.diagnosis.two_logs.steady import BITS, on_grid, steady_sums
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Mask


class PlacedGroups:
    """The rows of a log with their placements in their groups.

    order, starts: the rows by group and rising score, and where each group starts
    weight: of each row, as a whole number, in a unit of its group and class if it is rounded
    up, down: the weight of positives and of negatives of each group, in these units
    pair_weight: c of each group, 0 where it lacks a class
    """

    def __init__(self, log: LogRows, count: int) -> None:
        assert log.groups is not None
        self.log, self.count = log, count
        self.order, self.starts = kernels.active().bring_together(log.groups, count)
        self.weight, units = _whole_weights(log, count)
        weight = self.weight[self.order]
        self._ups = running(np.where(log.positive[self.order], weight, 0))
        self._downs = running(weight) - self._ups
        self.up, self.down = (np.diff(each[self.starts]) for each in (self._ups, self._downs))
        self._sizes = np.ldexp(self.up, units[1::2]) + np.ldexp(self.down, units[::2])
        pairs = 2.0 * self.up * self.down
        both = pairs > 0
        self.pair_weight = np.divide(self._sizes, pairs, np.zeros(count), where=both)

    @cached_property
    def blocks(self) -> tuple[Array, Array]:
        """Of each row by group and score, where its tied block starts and ends."""
        scores, groups = self.log.score[self.order], self._groups
        new = np.ones(len(scores), bool)
        new[1:] = (scores[1:] != scores[:-1]) | (groups[1:] != groups[:-1])
        edges = np.append(np.flatnonzero(new), len(scores))
        block = np.cumsum(new) - 1
        return edges[block], edges[block + 1]

    @property
    def _groups(self) -> Array:
        """The group of each row, by group and score."""
        return np.repeat(np.arange(self.count), np.diff(self.starts))

    @cached_property
    def doubled(self) -> Floats:
        """The doubled placement of each row, in the weight of the other class of its group."""
        (first, last), groups = self.blocks, self._groups
        bottom, top = self._downs[self.starts[:-1]], self._ups[self.starts[1:]]
        below = self._downs[first] + self._downs[last] - 2 * bottom[groups]
        above = 2 * top[groups] - self._ups[first] - self._ups[last]
        found = np.empty(len(self.order))
        found[self.order] = np.where(self.log.positive[self.order], below, above)
        return found

    @cached_property
    def others(self) -> Floats:
        """For each row, twice the weight of the other class of its group."""
        side = np.where(self.log.positive, self.down[self.log.groups], self.up[self.log.groups])
        return 2.0 * side

    @cached_property
    def row_scales(self) -> Floats:
        """c of each row's group."""
        found: Floats = self.pair_weight[self.log.groups]
        return found

    @cached_property
    def shares(self) -> Floats:
        """The placement of each row; 0 in groups of one class."""
        others = self.others
        return np.divide(self.doubled, others, np.zeros(len(others)), where=others > 0)

    @cached_property
    def row_weights(self) -> Floats:
        """How much the placement of each row counts: its weight times c times the other class."""
        found: Floats = self.weight * self.row_scales * self.others
        return found

    @property
    def used(self) -> Mask:
        return np.asarray(self.pair_weight > 0, bool)

    @cached_property
    def weights(self) -> Floats:
        """The weight of each group that counts."""
        return np.where(self.used, self._sizes, 0.0)

    @cached_property
    def clusters(self) -> Array:
        """The cluster of each group."""
        found = np.zeros(self.count, self.log.clusters.dtype)
        found[self.log.groups] = self.log.clusters
        return found

    def by_cluster(self, of_groups: Floats, count: int) -> Floats:
        """Sums over the groups of each cluster."""
        return steady_sums(self.clusters[self.used], count, of_groups[self.used])

    def points(self, codes: Array) -> PairPoints:
        """The positives against the negatives of their groups, by the slices of both."""
        return PairPoints(self._ordered, codes[self.order].astype(np.intp))

    @cached_property
    def _ordered(self) -> OrderedGroups:
        return OrderedGroups(
            self.log.positive[self.order],
            self.weight[self.order],
            self.blocks,
            self.starts,
            self.pair_weight,
            self.down,
        )


def _whole_weights(log: LogRows, count: int) -> tuple[Array, Array]:
    """The weight of each row, and the power of two that is 1 for each group and class.

    Groups count their pairs by shares of both classes, so that each class has a unit of its own
    where weights are rounded: a row of great weight then rounds none of the other class to 0.
    """
    units = np.zeros(2 * count, np.int64)
    if log.exact_weight is None:
        return log.weights, units
    assert log.groups is not None
    place = 2 * log.groups.astype(np.intp) + log.positive
    largest = np.zeros(2 * count)
    np.maximum.at(largest, place, log.exact_weight)
    units += np.frexp(largest)[1] + len(log).bit_length() - BITS
    weight = np.rint(np.ldexp(log.exact_weight.astype(np.float64), -units[place]))
    return weight.astype(np.int64), units - units[largest > 0].max()


class GroupAreaMoves(PlacementMoves):
    """GAUC before and after."""

    def __init__(self, two: TwoLogs, values: tuple[float, float]) -> None:
        super().__init__(two, values)
        first, second = (PlacedGroups(log, two.group_count) for log in two.logs)
        self.placed = first, second

    def within_influences(self, codes: Codes, count: int) -> tuple[Influences, ...]:
        """Pairs of slices are weighted to their mean shares."""
        points = [log.points(each) for log, each in zip(self.placed, codes, strict=True)]
        sums = [cell_sums(each, count) for each in points]
        known = np.minimum(sums[0].weights, sums[1].weights) > 0
        shares = [each.weights / each.weights.sum() for each in sums]
        clusters, found = self.two.cluster_count, []
        with np.errstate(divide="ignore", invalid="ignore"):
            for log, own, each, share in zip(self.placed, points, sums, shares, strict=True):
                scale = np.where(known, (shares[0] + shares[1]) / 2 / share, 0.0)
                scale /= each.weights.sum()
                means = np.where(known, each.areas / each.weights, 0.0)
                column = log.by_cluster(own.deviations(means, scale), clusters)
                weights = log.by_cluster(log.weights, clusters)
                weights /= max(weights.sum(), 1.0)
                found.append(of_numbers([column], [weights], [weights > 0]))
        return tuple(found)

    def _row_values(self, place: int) -> Floats:
        log = self.placed[place]
        shares = np.empty(len(log.log))
        for side in (log.log.positive, ~log.log.positive):
            weight = log.row_weights[side]
            scale = weight / max(float(on_grid(weight).mean()), 1e-300)
            shares[side] = scale * (log.shares[side] - self._centre)
        return shares
