"""The search for the slice that a change depends on, and its confirmation on other clusters.

Every value of a dimension, and every pair of values of two, is a cell. Cells are ranked in one half
of the clusters by how far their own value moved; of the first ones, the slice without which the
change is gone at the smallest standard error wins. It is left out, and the search goes on while the
other rows still show a change. The other half of the clusters tests the winners (Holm).

Fewer clusters than FEW_CLUSTERS have no halves: single values are tested on all of them, and their
p values adjusted for how many they are (Benjamini & Hochberg).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from steelyard.diagnosis.models.effects import Effect, Model, effect
from steelyard.diagnosis.two_logs.halves import fewer, search_half
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.model import Array, Key, Mask
from steelyard.stats.corrections import benjamini_hochberg, holm

LEAST_SHARE = 0.001  # of the rows of both logs
LEAST_CLUSTERS = 30
FEW_CLUSTERS = 4 * LEAST_CLUSTERS  # in halves of these, slices would have too few
LEAST_OF_A_CLASS = 20  # positives and negatives in each log
MOST_ROWS = 1_000_000  # of each log that the search reads: a cause of 6 standard errors is found
MOST_CELLS = 1 << 20  # of a pair of dimensions, as a table of all pairs
FIRST = 6  # cells whose effect is computed; 12 found the same causes in the acceptance logs
MOST_CAUSES = 5
LEVEL = 0.05
HALF_OF_IT = 0.5  # a slice is accused if at least this share of the change is gone without it
ROUNDING = 1e-9


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
    p: in the half that confirms, adjusted by Holm, or of few clusters, adjusted by their number
    """

    slice: FoundSlice
    effect: Effect
    together: Effect
    p: float

    @property
    def is_confirmed(self) -> bool:
        return self.p <= LEVEL


def find(model: Model, confidence: float) -> list[Found]:
    """The slices that a change depends on, the most important first; none is accused yet.

    model: of all rows
    """
    two, moved = model.two, model.estimate.value
    if model.estimate.clusters < FEW_CLUSTERS:
        return list(_single_values(model))
    half = search_half(two)
    read = fewer(two, half, MOST_ROWS)
    winners = list(_winners(Model(two.take(read), model.metric), moved, confidence))
    if not winners:
        return []
    other = Model(two.take((~half[0], ~half[1])), model.metric)
    return list(_described(model, winners, _tested(other, winners, moved)))


def _single_values(model: Model) -> Iterator[Found]:
    """The values without which less of the change is left, of those with support, tested alone."""
    two = model.two
    values = [
        FoundSlice(((d, c),)) for d, each in enumerate(two.dimensions) for c in range(len(each))
    ]
    values = [one for one in values if has_support(two, one.masks(two))]
    effects = [effect(model, one.masks(two)) for one in values]
    if not effects:
        return
    q = benjamini_hochberg(np.array([each.difference.p for each in effects]))
    toward = [n for n in range(len(values)) if _moves(effects[n])]
    toward.sort(key=lambda n: -abs(effects[n].difference.z))
    own = [n for n in toward if values[n].values[0][0] == values[toward[0]].values[0][0]]
    own = own[:MOST_CAUSES]  # of one dimension: values of two overlap
    yield from _described(model, [values[n] for n in own], [float(q[n]) for n in own])


def _tested(model: Model, winners: Sequence[FoundSlice], moved: float) -> list[float]:
    """The adjusted p value of each winner: whether less of the change is left without it."""
    found = []
    for one in winners:
        tested = effect(model, one.masks(model.two))
        same_way = tested.difference.value * moved > 0
        found.append(tested.difference.p if same_way and _moves(tested) else 1.0)
        model = _without(model, one)
    return [float(p) for p in holm(np.array(found))]


def _without(model: Model, one: FoundSlice) -> Model:
    """The metric of the other rows, with their dimensions."""
    return Model(model.two.take([~mask for mask in one.masks(model.two)]), model.metric)


def _described(model: Model, winners: Sequence[FoundSlice], p: Sequence[float]) -> Iterator[Found]:
    two = model.two
    out = tuple(np.zeros(len(log), bool) for log in two.logs)
    for place, one in enumerate(winners):
        masks = one.masks(two)
        alone = together = effect(model, masks)
        if p[place] <= LEVEL:
            first = not (out[0].any() or out[1].any())
            out = out[0] | masks[0], out[1] | masks[1]
            together = alone if first else effect(model, out)
        yield Found(one, alone, together, p[place])


def _winners(model: Model, moved: float, confidence: float) -> Iterator[FoundSlice]:
    """The best slice of the rows, then that of the rows without it, and so on."""
    for _ in range(MOST_CAUSES):
        whole = model.estimate
        if not whole.beyond_noise(confidence) or whole.value * moved <= 0:
            return
        best = _best(model)
        if best is None:
            return
        yield best
        model = _without(model, best)
        if any(log.positive.all() or not log.positive.any() for log in model.two.logs):
            return


def _best(model: Model) -> FoundSlice | None:
    """The slice without which most of the change is gone, for its standard error."""
    found = {one: effect(model, one.masks(model.two)) for one in _first(model)}
    found = {one: each for one, each in found.items() if _moves(each)}
    if not found:
        return None
    return _or_parent(model, max(found, key=lambda one: abs(found[one].difference.z)))


def _moves(found: Effect) -> bool:
    """Whether some of the change is gone; less than ROUNDING of it is the error of float64."""
    whole = found.all.value
    moved = found.difference.value * math.copysign(1.0, whole)
    return moved > ROUNDING * abs(whole) and found.difference.error > 0


def _or_parent(model: Model, pair: FoundSlice) -> FoundSlice:
    """The slice, or the one of its parents whose other rows have changed too."""
    two, moved = model.two, []
    for parent in pair.parents:
        rest = [p & ~own for p, own in zip(parent.masks(two), pair.masks(two), strict=True)]
        if not has_support(two, (rest[0], rest[1])):
            continue
        others = model.take((rest[0], rest[1])).estimate
        of_parent = effect(model, parent.masks(two))
        same_way = others.value * model.estimate.value > 0
        if same_way and others.p <= LEVEL and _moves(of_parent):
            moved.append((abs(of_parent.difference.z), parent))
    return max(moved, key=lambda each: each[0])[1] if moved else pair


def _first(model: Model) -> list[FoundSlice]:
    """The slices with support whose own values moved most, in the direction of the change."""
    two, moved = model.two, model.estimate.value
    rows = sum(map(len, two.logs))
    listed: list[tuple[float, FoundSlice]] = []
    for dimensions, codes, count in _tables(two):
        z = model.moves.cells(codes, count) * np.sign(moved)
        own, least = _sizes(two, codes, count)
        enough = (own >= LEAST_SHARE * rows) & (own < rows) & (least >= LEAST_OF_A_CLASS / 2)
        chosen = np.flatnonzero(enough & (z > 0))
        chosen = chosen[np.argsort(-z[chosen], kind="stable")[: 2 * FIRST]]
        listed += [(float(z[c]), _slice(two, dimensions, c)) for c in chosen.tolist()]
    listed.sort(key=lambda each: (-each[0], len(each[1].values), each[1].values))
    kept: list[FoundSlice] = []
    for _, one in listed:
        if len(kept) < FIRST and has_support(two, one.masks(two)):
            kept.append(one)
    return kept


def _sizes(two: TwoLogs, codes: tuple[Array, Array], count: int) -> tuple[Array, Array]:
    """Of each cell, the rows of both logs, and the fewest positives or negatives in either."""
    sides = [
        np.bincount(2 * each.astype(np.intp) + log.positive, minlength=2 * count).reshape(-1, 2)
        for log, each in zip(two.logs, codes, strict=True)
    ]
    return sides[0].sum(axis=1) + sides[1].sum(axis=1), np.minimum(*sides).min(axis=1)


def _tables(two: TwoLogs) -> Iterator[tuple[tuple[int, ...], tuple[Array, Array], int]]:
    """The cells of each dimension and of each pair of them: the code of every row, how many."""
    sizes = [len(dimension) for dimension in two.dimensions]
    for d, size in enumerate(sizes):
        yield (d,), (two.logs[0].codes[d], two.logs[1].codes[d]), size
    for d, e in combinations(range(len(sizes)), 2):
        if sizes[d] * sizes[e] <= MOST_CELLS:
            first, second = (
                log.codes[d].astype(np.int32) * np.int32(sizes[e]) + log.codes[e]
                for log in two.logs
            )
            yield (d, e), (first, second), sizes[d] * sizes[e]


def _slice(two: TwoLogs, dimensions: tuple[int, ...], cell: int) -> FoundSlice:
    if len(dimensions) == 1:
        return FoundSlice(((dimensions[0], cell),))
    size = len(two.dimensions[dimensions[1]])
    return FoundSlice(((dimensions[0], cell // size), (dimensions[1], cell % size)))


def has_support(two: TwoLogs, masks: tuple[Mask, Mask], *, half: bool = False) -> bool:
    """Whether rows have enough clusters, and enough rows of each class in each log.

    half: of all rows, whether a half of them would have enough
    """
    factor = 2 if half and two.cluster_count >= FEW_CLUSTERS else 1
    seen = np.zeros(two.cluster_count, bool)
    for log, mask in zip(two.logs, masks, strict=True):
        ups = int(np.count_nonzero(log.positive[mask]))
        if min(ups, int(np.count_nonzero(mask)) - ups) < factor * LEAST_OF_A_CLASS / 2:
            return False
        seen[log.clusters[mask]] = True
    return int(np.count_nonzero(seen)) >= factor * LEAST_CLUSTERS
