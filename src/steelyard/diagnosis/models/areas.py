"""AUC of two logs: how the placements of rows moved.

The placement of a positive is the share of the negatives below it, that of a negative the share of
the positives above it; ties count half. Doubled, it is a whole number over the weight of a class.
"""

from abc import abstractmethod

import numpy as np

from steelyard.cached import cached_property
from steelyard.diagnosis.models.measured import of_numbers
from steelyard.diagnosis.models.moves import Codes, Moves
from steelyard.diagnosis.two_logs.steady import on_grid, steady_sums
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats


class PlacedLog:
    """The rows of a log, by rising score, with their placements.

    up, down: the weight of positives and of negatives
    """

    def __init__(self, log: LogRows) -> None:
        self.log = log
        self.edges = tied_blocks(log.score)
        weight = log.weights
        ups, alls = running(np.where(log.positive, weight, 0)), running(weight)
        self.up = int(ups[-1])
        self.down = int(alls[-1]) - self.up
        self._ups, self._downs = ups[self.edges], alls[self.edges] - ups[self.edges]

    @property
    def _doubled(self) -> Array:
        """The doubled placement of each row, in the weight of the other class."""
        below = self._downs[:-1] + self._downs[1:]
        above = 2 * self.up - self._ups[:-1] - self._ups[1:]
        if len(below) < len(self.log):
            sizes = np.diff(self.edges)
            below, above = np.repeat(below, sizes), np.repeat(above, sizes)
        return np.where(self.log.positive, below, above)

    @cached_property
    def shares(self) -> Floats:
        """The placement of each row."""
        totals = np.where(self.log.positive, 2.0 * self.down, 2.0 * self.up)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares: Floats = self._doubled / totals
        return shares

    def influences(self, values: Floats, count: int) -> Influences:
        """Σ w·value/W of each cluster: of positives, of negatives; count: of clusters."""
        log, values = self.log, self.log.weights * values
        columns, shares = [], []
        for side, total in ((log.positive, self.up), (~log.positive, self.down)):
            clusters, weights = log.clusters[side], log.weights[side]
            columns.append(steady_sums(clusters, count, values[side]) / max(total, 1))
            shares.append(np.bincount(clusters, weights, minlength=count) / max(total, 1))
        return of_numbers(columns, shares, [share > 0 for share in shares])


class PlacementMoves(Moves):
    """A mean of placements before and after; values: of both logs."""

    def __init__(self, two: TwoLogs, values: tuple[float, float]) -> None:
        self.two = two
        self._centre = (values[0] + values[1]) / 2

    @abstractmethod
    def _row_values(self, place: int) -> Floats:
        """The placements of a log's rows, less the mean of both logs, times their weight.

        Both logs have one centre: a row that weighs nothing then adds nothing to a change.
        """

    def _sums(self, place: int, codes: Array, count: int) -> Floats:
        """Rows, placements and their squares, negatives first."""
        side = 2 * codes.astype(np.intp) + self.two.logs[place].positive
        columns = (None, *self._grid[place])
        found = [np.bincount(side, each, minlength=2 * count).reshape(-1, 2) for each in columns]
        return np.concatenate(found, axis=1).astype(np.float64)

    def _moved(self, before: Floats, after: Floats) -> tuple[Floats, Floats]:
        """Δ(mean placement), in which both classes count by their mean share of rows."""
        change, variance, shares = np.zeros((3, len(before)))
        with np.errstate(divide="ignore", invalid="ignore"):
            for side in (0, 1):
                means, spreads, share = [], [], np.zeros(len(before))
                for log, sums in zip(self.two.logs, (before, after), strict=True):
                    n, values, squares = sums[:, side], sums[:, 2 + side], sums[:, 4 + side]
                    means.append(values / n)
                    spreads.append(np.maximum(squares / n - means[-1] ** 2, 1e-12) / n)
                    share += n / np.count_nonzero(log.positive == bool(side))
                change += share * (means[1] - means[0])
                variance += share**2 * (spreads[0] + spreads[1])
                shares += share
            return change / shares, variance / shares**2

    @cached_property
    def _grid(self) -> list[tuple[Floats, Floats]]:
        """Placements and their squares, as the search adds them."""
        values = [self._row_values(place) for place in (0, 1)]
        return [(on_grid(each), on_grid(each**2)) for each in values]


class AreaMoves(PlacementMoves):
    """AUC before and after."""

    def __init__(self, two: TwoLogs, values: tuple[float, float]) -> None:
        super().__init__(two, values)
        self.placed = PlacedLog(two.logs[0]), PlacedLog(two.logs[1])

    def within_influences(self, codes: Codes, count: int) -> tuple[Influences, ...]:
        """Rows of both logs are weighted to the mean shares of slices, class by class."""
        found = []
        ratios = self._ratios(codes, count)
        for log, slices, ratio in zip(self.placed, codes, ratios, strict=True):
            side = 2 * slices.astype(np.intp) + log.log.positive
            weighted = ratio[side] * log.log.weights
            shares = _shares(log, weighted)
            sums = steady_sums(side, 2 * count, weighted * shares)
            totals = steady_sums(side, 2 * count, weighted)
            with np.errstate(divide="ignore", invalid="ignore"):
                means = sums / totals
            values = ratio[side] * (shares - means[side])
            found.append(log.influences(values, self.two.cluster_count))
        return tuple(found)

    def _ratios(self, codes: Codes, count: int) -> list[Floats]:
        """The mean share of each slice and class, over its share in each log."""
        shares = []
        for log, slices in zip(self.placed, codes, strict=True):
            side = 2 * slices.astype(np.intp) + log.log.positive
            sums = np.bincount(side, log.log.weights, minlength=2 * count)
            shares.append(sums / np.tile([log.down, log.up], count))
        known = np.minimum(*shares) > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            return [np.where(known, (shares[0] + shares[1]) / 2 / each, 0.0) for each in shares]

    def _row_values(self, place: int) -> Floats:
        log = self.placed[place]
        shares: Floats = log.shares - self._centre
        if log.log.weight is not None:
            shares = shares * (log.log.weight / log.log.weight.mean())
        return shares


def tied_blocks(score: Array) -> Array:
    """Where each tied block starts, and the end."""
    new = np.ones(len(score) + 1, bool)
    np.not_equal(score[1:], score[:-1], out=new[1:-1])
    return np.flatnonzero(new) if len(score) else np.zeros(1, np.intp)


def running(weights: Array) -> Array:
    """The weight before each row, and of all."""
    sums: Array = np.zeros(len(weights) + 1, np.int64)
    np.cumsum(weights, out=sums[1:])
    return sums


def _shares(log: PlacedLog, weights: Floats) -> Floats:
    """Placements with other weights; for standard errors alone."""
    weights = on_grid(weights)
    ups = np.append(0.0, np.cumsum(np.where(log.log.positive, weights, 0.0)))[log.edges]
    downs = np.append(0.0, np.cumsum(np.where(log.log.positive, 0.0, weights)))[log.edges]
    sizes = np.diff(log.edges)
    with np.errstate(divide="ignore", invalid="ignore"):  # no row may count
        below = np.repeat(downs[:-1] + downs[1:], sizes) / (2 * downs[-1])
        above = 1.0 - np.repeat(ups[:-1] + ups[1:], sizes) / (2 * ups[-1])
    shares: Floats = np.where(log.log.positive, below, above)
    return shares
