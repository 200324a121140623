"""The search for the slice that a change depends on.

Every value of a dimension with enough rows, and every pair of values of two, is a candidate. How
far their own values moved proposes some; of these the one without which the change is gone at the
smallest standard error is tested on all rows. It is left out, and the search goes on while it is
beyond chance and the other rows still show a change. A p value counts all candidates (Holm), which
depend on numbers of rows and clicks alone, and stay the same when slices are left out.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from steelyard.diagnosis.models.effects import Effect, Model, effect
from steelyard.diagnosis.two_logs.samples import sample
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.model import Array, Key, Mask

LEAST_SHARE = 0.001  # of the rows of both logs
LEAST_CLUSTERS = 30
LEAST_OF_A_CLASS = 20  # positives and negatives in each log
MOST_ROWS = 1_000_000  # of each log, from which candidates are proposed; all rows test them
MOST_CELLS = 1 << 20  # of a pair of dimensions, as a table of all pairs
FIRST = 6  # cells whose effect is computed; 12 found the same causes in the acceptance logs
MOST_CAUSES = 5
LEVEL = 0.01  # logs without a cause are rarely looked at: one in a hundred may accuse
SURELY_MOVED = 0.05  # the p of a change of the other rows of a value, which is no accusation
HALF_OF_IT = 0.5  # a slice is accused if at least this share of the change is gone without it
ROUNDING = 1e-9

Candidates = dict[tuple[int, ...], Array]  # the numbers of cells, by dimensions


@dataclass(frozen=True)
class FoundSlice:
    """The rows with these values: (dimension, code) for one dimension or two."""

    values: tuple[tuple[int, int], ...]

    def mask(self, log: LogRows) -> Mask:
        found: Mask = np.ones(len(log), bool)
        for dimension, code in self.values:
            found &= log.codes[dimension] == code
        return found

    def named(self, two: TwoLogs) -> dict[str, Key]:
        """Its values by the names of their dimensions."""
        return {two.dimensions[d].name: two.dimensions[d].keys[code] for d, code in self.values}

    def masks(self, two: TwoLogs) -> tuple[Mask, Mask]:
        return self.mask(two.logs[0]), self.mask(two.logs[1])

    @property
    def parents(self) -> list["FoundSlice"]:
        return [FoundSlice((one,)) for one in self.values] if len(self.values) > 1 else []


class Found(NamedTuple):
    """A slice that the search found.

    effect: of leaving it out, on all rows; together: with those found before it and confirmed
    p: that it has no effect on the rows left by those found before it, adjusted by Holm
    """

    slice: FoundSlice
    effect: Effect
    together: Effect
    p: float

    @property
    def is_confirmed(self) -> bool:
        return self.p <= LEVEL


class Search(NamedTuple):
    """The slices that were found, and how many were candidates."""

    found: list[Found]
    tests: int


def find(model: Model, confidence: float) -> Search:
    """The slices that a change depends on, the most important first; none is accused yet.

    model: of all rows
    """
    two, rest, moved = model.two, model, model.estimate.value
    proposing = _of(sample(two, MOST_ROWS), model)
    candidates = {cells.dimensions: np.flatnonzero(cells.have_rows(two)) for cells in _tables(two)}
    tests = sum(map(len, candidates.values()))
    out = tuple(np.zeros(len(log), bool) for log in two.logs)
    found: list[Found] = []
    for place in range(MOST_CAUSES):
        whole = rest.estimate
        if not whole.beyond_noise(confidence) or whole.value * moved <= 0:
            break
        best = _best(rest, proposing, candidates) if _has_classes(proposing.two) else None
        if best is None:
            break
        one, tested = best
        p = min(1.0, tested.difference.p * (tests - place))
        masks = one.masks(two)
        out = out[0] | masks[0], out[1] | masks[1]
        alone = effect(model, masks) if place else tested
        together = effect(model, out) if place and p <= LEVEL else alone
        found.append(Found(one, alone, together, p))
        if p > LEVEL:
            break
        sampled = proposing is not rest
        rest = _without(rest, one)
        proposing = _without(proposing, one) if sampled else rest
    return Search(found, tests)


def _of(two: TwoLogs, model: Model) -> Model:
    """The metric of a sample of its rows, which may be all of them."""
    return model if two is model.two else Model(two, model.metric)


def _without(model: Model, one: FoundSlice) -> Model:
    """The metric of the other rows, with their dimensions."""
    return Model(model.two.take([~mask for mask in one.masks(model.two)]), model.metric)


def _has_classes(two: TwoLogs) -> bool:
    """Whether each log has positives and negatives of some weight."""
    sides = ((log.weights, log.positive) for log in two.logs)
    return all(bool(weight[up].any() and weight[~up].any()) for weight, up in sides)


def _best(
    model: Model, proposing: Model, candidates: Candidates
) -> tuple[FoundSlice, Effect] | None:
    """The slice without which most of the change is gone, for its standard error."""
    first = _first(model, proposing, candidates)
    found = {one: effect(model, one.masks(model.two)) for one in first}
    found = {one: each for one, each in found.items() if _moves(each)}
    if not found:
        return None
    best = max(found, key=lambda one: abs(found[one].difference.z))
    return _parent(model, best) or (best, found[best])


def _moves(found: Effect) -> bool:
    """Whether some of the change is gone; less than ROUNDING of it is the error of float64."""
    whole = found.all.value
    moved = found.difference.value * math.copysign(1.0, whole)
    return moved > ROUNDING * abs(whole) and found.difference.error > 0


def _parent(model: Model, pair: FoundSlice) -> tuple[FoundSlice, Effect] | None:
    """The value of a pair whose other rows have changed too, if there is one."""
    two, moved = model.two, []
    for parent in pair.parents:
        rest = [p & ~own for p, own in zip(parent.masks(two), pair.masks(two), strict=True)]
        if not has_support(two, (rest[0], rest[1])):
            continue
        others = model.take((rest[0], rest[1])).estimate
        of_parent = effect(model, parent.masks(two))
        same_way = others.value * model.estimate.value > 0
        if same_way and others.p <= SURELY_MOVED and _moves(of_parent):
            moved.append((parent, of_parent))
    return max(moved, key=lambda each: abs(each[1].difference.z), default=None)


def _first(model: Model, proposing: Model, candidates: Candidates) -> list[FoundSlice]:
    """The candidates with support whose own values moved most, in the direction of the change."""
    two, moved = proposing.two, model.estimate.value
    listed: list[tuple[float, FoundSlice]] = []
    for cells in _tables(two):
        z = proposing.moves.cells(cells.codes, cells.count) * np.sign(moved)
        chosen = candidates[cells.dimensions]
        chosen = chosen[(cells.have_rows(two) & (z > 0))[chosen]]
        chosen = chosen[np.argsort(-z[chosen], kind="stable")[: 2 * FIRST]]
        listed += [(float(z[c]), cells.slice(c)) for c in chosen.tolist()]
    listed.sort(key=lambda each: (-each[0], len(each[1].values), each[1].values))
    kept: list[FoundSlice] = []
    for _, one in listed:
        if len(kept) < FIRST and has_support(model.two, one.masks(model.two)):
            kept.append(one)
    return kept


@dataclass(frozen=True, eq=False)
class CellCodes:
    """The cells of one dimension or of two: the cell of every row of both logs.

    sizes: how many values each dimension has
    """

    dimensions: tuple[int, ...]
    sizes: tuple[int, ...]
    codes: tuple[Array, Array]

    @property
    def count(self) -> int:
        return math.prod(self.sizes)

    def have_rows(self, two: TwoLogs) -> Mask:
        """The cells with enough rows, and enough of each class in each log.

        A value that has all rows is no slice; a pair that has all rows of one of its values is
        that value.
        """
        sides = [
            np.bincount(2 * each.astype(np.intp) + log.positive, minlength=2 * self.count)
            for log, each in zip(two.logs, self.codes, strict=True)
        ]
        rows = (sides[0] + sides[1]).reshape(*self.sizes, 2).sum(axis=-1)
        fewest = np.minimum(*sides).reshape(-1, 2).min(axis=1)
        every = most = rows.sum()
        if len(self.sizes) > 1:
            most = np.minimum(rows.sum(axis=0, keepdims=True), rows.sum(axis=1, keepdims=True))
        enough = (rows >= LEAST_SHARE * every) & (rows < most)
        found: Mask = enough.ravel() & (fewest >= LEAST_OF_A_CLASS)
        return found

    def slice(self, cell: int) -> FoundSlice:
        values = np.unravel_index(cell, self.sizes)
        return FoundSlice(tuple(zip(self.dimensions, map(int, values), strict=True)))


def _tables(two: TwoLogs) -> Iterator[CellCodes]:
    """The cells of each dimension and of each pair of them."""
    sizes = [len(dimension) for dimension in two.dimensions]
    for d, size in enumerate(sizes):
        yield CellCodes((d,), (size,), (two.logs[0].codes[d], two.logs[1].codes[d]))
    for d, e in combinations(range(len(sizes)), 2):
        if sizes[d] * sizes[e] <= MOST_CELLS:
            first, second = (
                log.codes[d].astype(np.int32) * np.int32(sizes[e]) + log.codes[e]
                for log in two.logs
            )
            yield CellCodes((d, e), (sizes[d], sizes[e]), (first, second))


def has_support(two: TwoLogs, masks: tuple[Mask, Mask]) -> bool:
    """Whether rows have enough clusters, and enough rows of each class in each log."""
    seen = np.zeros(two.cluster_count, bool)
    for log, mask in zip(two.logs, masks, strict=True):
        ups = int(np.count_nonzero(log.positive[mask]))
        if min(ups, int(np.count_nonzero(mask)) - ups) < LEAST_OF_A_CLASS:
            return False
        seen[log.clusters[mask]] = True
    return int(np.count_nonzero(seen)) >= LEAST_CLUSTERS
