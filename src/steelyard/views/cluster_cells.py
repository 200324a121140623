"""What each cluster adds to sums by rank or by pair of classes, for influence values.

A cell is a rank or a pair of classes of one cluster in one slice. Its place in a state depends on
the order of the rows, so sums over cells are exact.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import ExactSums
from steelyard.model import Array, Floats, Key, Mask
from steelyard.reading.key_order import KeyTuple, sort_key
from steelyard.states import Sums, exact_sums
from steelyard.views.clusters import lines_of, near_one

NOT_CHOSEN = -1  # instead of the number of a class that is not averaged over


class ClusterCells:
    """Cells of clusters; columns have one entry for each.

    lines: the clusters of every slice; slices: the slice of each cell
    shares: its weight as a share of the weight of its slice, so that no weight is too small
    """

    def __init__(self, state: Sums, number: int, count: int) -> None:
        table = state.table(number)
        self.slices, self._keys = table.line_keys()
        self._names: Sequence[KeyTuple] = state.key_names.keys
        clusters = self.by_key(_cluster)
        self.lines, self._codes = lines_of(self.slices, clusters, count)
        self._count = count
        self._exact: ExactSums = {}
        exact_sums.add(self._exact, table.columns["weight"], None, len(self.slices))
        totals = self._by_slice(slice(None))
        self._scale = near_one(totals, count)
        own = self._scale[self.slices]
        weights = exact_sums.floats(self._exact, np.arange(len(self.slices)), own)
        self._totals = exact_sums.floats(totals, np.arange(count), self._scale)
        self.shares = weights / self._totals[self.slices]

    def by_key(self, function: Callable[[KeyTuple], float], kind: type = np.int64) -> Array:
        """A function of the key of each cell, its cluster and its rank or classes, as a column."""
        found: Array = np.fromiter(map(function, self._names), kind, len(self._names))
        column: Array = found[self._keys]
        return column

    def add(self, values: Floats | None = None) -> Floats:
        """Σ share · value over the cells of each line; Σ share without values."""
        count, values = len(self.lines), None if values is None else _finite(values)
        sums = kernels.active().sums_by_code(self._codes, count, values, self.shares)
        return exact_sums.floats(sums, np.arange(count))

    def _by_slice(self, cells: Mask | slice) -> ExactSums:
        """The weight of some cells by slice."""
        return _sums_at(self._exact, cells, self.slices[cells], self._count)


class ClassColumns(NamedTuple):
    """The confusion cells of each class against all others, as shares of its slice's weight."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @property
    def truth(self) -> Floats:
        """The share of the rows of each class."""
        return self.tp + self.fn

    @property
    def predicted(self) -> Floats:
        """The share of the rows predicted as each class."""
        return self.tp + self.fp


class ClusterClasses(ClusterCells):
    """Cells of pairs of classes.

    Classes have numbers slice by slice, in their order: those that occur in the slice, or those
    that were chosen.
    """

    def __init__(self, state: Sums, number: int, count: int) -> None:
        super().__init__(state, number, count)
        reading = state.reading
        self._chosen: tuple[Key, ...] = () if reading is None else reading.classes
        positive = None if reading is None else reading.positive
        self._positive = 1 if positive is None else positive

    @cached_property
    def _order(self) -> dict[Key, int]:
        """The place of each class in the order of all, or of those that were chosen."""
        if self._chosen:
            return {label: place for place, label in enumerate(self._chosen)}
        labels = {label for _, *pair in self._names for label in pair}
        ordered = sorted(labels, key=lambda label: sort_key((label,)))
        return {label: place for place, label in enumerate(ordered)}

    @cached_property
    def _places(self) -> tuple[Array, Array]:
        """The places of the true and the predicted class of each cell."""
        order = self._order
        true = self.by_key(lambda key: order.get(key[1], NOT_CHOSEN))
        return true, self.by_key(lambda key: order.get(key[2], NOT_CHOSEN))

    @cached_property
    def _ids(self) -> Array:
        """The classes of every slice: slice number times the number of places, plus place."""
        width = max(len(self._order), 1)
        if self._chosen:
            return np.ravel(np.unique(self.slices)[:, None] * width + np.arange(width))
        return np.unique(np.concatenate([self.slices * width + side for side in self._places]))

    def _numbers(self, places: Array) -> Array:
        """The number of a class of each cell, from its place."""
        ids = self.slices * max(len(self._order), 1) + places
        return np.where(places == NOT_CHOSEN, NOT_CHOSEN, self._ids.searchsorted(ids))

    @cached_property
    def true(self) -> Array:
        """The number of the true class of each cell."""
        return self._numbers(self._places[0])

    @cached_property
    def called(self) -> Array:
        """The number of the predicted class of each cell."""
        return self._numbers(self._places[1])

    @cached_property
    def is_hit(self) -> Mask:
        """Whether the classes of each cell are the same; also where neither is chosen."""
        found: Mask = self.true == self.called
        return found

    @cached_property
    def of_slice(self) -> Array:
        """The slice of each class."""
        found: Array = self._ids // max(len(self._order), 1)
        return found

    @cached_property
    def starts(self) -> Array:
        """The first class of each slice, and the end."""
        return self.of_slice.searchsorted(np.arange(self._count + 1))

    @cached_property
    def is_positive(self) -> Mask:
        """Whether each class is the positive one, of a binary average."""
        place = self._order.get(self._positive, NOT_CHOSEN)
        found: Mask = self._ids % max(len(self._order), 1) == place
        return found

    @cached_property
    def one_vs_rest(self) -> ClassColumns:
        """The confusion cells of each class."""
        return self._columns(np.ones(len(self.slices), bool))

    @cached_property
    def is_among_chosen(self) -> Mask:
        """Whether the true and the predicted class of each cell are chosen."""
        found: Mask = (self.true != NOT_CHOSEN) & (self.called != NOT_CHOSEN)
        return found

    @cached_property
    def among_chosen(self) -> ClassColumns:
        """The confusion cells of each class among the rows whose classes are chosen."""
        return self._columns(self.is_among_chosen)

    def _columns(self, cells: Mask) -> ClassColumns:
        tp = self._at(self.true, cells & self.is_hit)
        fp, fn = (self._at(side, cells & ~self.is_hit) for side in (self.called, self.true))
        every = np.arange(len(self.of_slice))
        tn: ExactSums = {}  # all rows but those
        of_slice = self._by_slice(cells)
        exact_sums.add(tn, {p: d[self.of_slice] for p, d in of_slice.items()}, None, len(every))
        for column in (tp, fp, fn):
            exact_sums.add(tn, {p: -digit for p, digit in column.items()}, None, len(every))
        scale = self._scale[self.of_slice]
        found = (exact_sums.floats(column, every, scale) for column in (tp, fp, fn, tn))
        return ClassColumns(*(column / self._totals[self.of_slice] for column in found))

    def _at(self, numbers: Array, cells: Mask) -> ExactSums:
        """The weight of some cells by the number of a class."""
        cells = cells & (numbers != NOT_CHOSEN)
        return _sums_at(self._exact, cells, numbers[cells], len(self.of_slice))

    def lines_with(self, kinds: Sequence[bool], among: Mask | None = None) -> Array:
        """For each class, how many lines have weight in any of some cells.

        kinds: for tp, fp, fn and tn of the class, whether it is one of these cells
        among: the cells that are looked at, if not all are
        """
        *touching, elsewhere = kinds
        has, wrong = self.shares > 0, ~self.is_hit
        has = has if among is None else has & among
        sides = [(self.true, has & ~wrong), (self.called, has & wrong), (self.true, has & wrong)]
        ids = [self._line_and_class(*side) for side in sides]
        found = [own for own, chosen in zip(ids, touching, strict=True) if chosen]
        if not elsewhere:
            return self._count_lines(np.concatenate(found))
        every, cells = np.unique(np.concatenate(ids), return_counts=True)
        of_line = np.bincount(self._codes[has], minlength=len(self.lines))
        found.append(every[of_line[every // len(self.of_slice)] > cells])
        lines = np.bincount(self.lines.slices[of_line > 0], minlength=self._count)
        untouched: Array = lines[self.of_slice] - self._count_lines(every)
        return untouched + self._count_lines(np.concatenate(found))

    def _line_and_class(self, numbers: Array, cells: Mask) -> Array:
        """The lines and classes of some cells, as one number each."""
        cells = cells & (numbers != NOT_CHOSEN)
        return self._codes[cells].astype(np.int64) * len(self.of_slice) + numbers[cells]

    def _count_lines(self, ids: Array) -> Array:
        """How many lines each class has among these."""
        width = len(self.of_slice)
        return np.bincount(np.unique(ids) % max(width, 1), minlength=width)

    def over_classes(self, column: Floats) -> Floats:
        """The exact sum over the classes of each slice."""
        sums = kernels.active().sums_by_code(self.of_slice, self._count, _finite(column))
        return exact_sums.floats(sums, np.arange(self._count))


def _finite(column: Floats) -> Floats:
    """A column with 0 where a slice has no value, as exact sums are of finite numbers."""
    return np.where(np.isfinite(column), column, 0.0)


def _cluster(key: KeyTuple) -> int:
    cluster = key[0]
    assert isinstance(cluster, int)
    return cluster


def _sums_at(column: ExactSums, cells: Mask | slice, places: Array, size: int) -> ExactSums:
    """The sums of some cells of a column by place."""
    found = {}
    for power, digit in column.items():
        found[power] = np.zeros(size, np.int64)
        np.add.at(found[power], places, digit[cells])
    return found


def view_of_cells(state: Sums, number: int, count: int) -> ClusterCells:
    """The view of sums by cluster and another key."""
    kind = ClusterClasses if str(state.key).endswith("class_pair") else ClusterCells
    return kind(state, number, count)
