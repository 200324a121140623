"""Whether two logs can be compared: repeated rows, and clusters that outweigh all others."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from steelyard.diagnosis.models.effects import Effect, Model, effect
from steelyard.diagnosis.two_logs.samples import row_hashes
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.model import Array, Mask

POSITIONS = re.compile(
    r"(^|_)(position|pos|rank|slot|policy|bucket|experiment)($|_)", re.IGNORECASE
)
MOVED_MIX = 0.05  # of the rows, in other positions than before: their clicks are not comparable
MORE_REPEATS = 0.005  # of the rows: fewer repeated rows than that move no metric by much


class Repeats(NamedTuple):
    """Rows that are equal to another in every column that was read.

    counts: how many of each log; masks: which rows these are, the first of its kind not counted
    cluster: the number of the cluster with most of them in the log that has more
    share: the share of these repeated rows that it has
    """

    counts: tuple[int, int]
    masks: tuple[Mask, Mask]
    cluster: int | None
    share: float


def repeats(two: TwoLogs) -> Repeats:
    """The repeated rows of both logs."""
    clusters = not two.by_row
    numbers = [(log.clusters if clusters else None, log.groups) for log in two.logs]
    masks = [_repeated(row_hashes(log, *own)) for log, own in zip(two.logs, numbers, strict=True)]
    counts = int(masks[0].sum()), int(masks[1].sum())
    cluster, share = None, 0.0
    if clusters:
        shares = [count / len(log) for count, log in zip(counts, two.logs, strict=True)]
        more = int(shares[1] >= shares[0])
        codes = two.logs[more].clusters
        if counts[more]:
            sizes = np.bincount(codes[masks[more]])
            cluster = int(sizes.argmax())
            share = float(sizes[cluster] / counts[more])
    return Repeats(counts, (masks[0], masks[1]), cluster, share)


def _repeated(hashes: Array) -> Mask:
    """The rows whose hash an earlier one has."""
    found = np.zeros(len(hashes), bool)
    ordered = np.sort(hashes)  # as a rule there are none, which takes a fifth of the time to see
    if not (ordered[1:] == ordered[:-1]).any():
        return found
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    found[order[1:]] = ordered[1:] == ordered[:-1]
    return found


def effect_of_repeats(two: TwoLogs, model: Model, found: Repeats) -> Effect | None:
    """The effect of the repeated rows, where one log has more of them than the other."""
    shares = [count / len(log) for count, log in zip(found.counts, two.logs, strict=True)]
    if abs(shares[1] - shares[0]) < MORE_REPEATS:
        return None
    return effect(model, found.masks)


class Heavy(NamedTuple):
    """The cluster that adds most to the change; share: its share of the rows of each log."""

    cluster: int
    share: tuple[float, float]
    effect: Effect


def heaviest(two: TwoLogs, model: Model) -> Heavy:
    """The cluster without which most of the change may be gone."""
    cluster = int(np.abs(model.change.influences.all).argmax())
    masks = [log.clusters == cluster for log in two.logs]
    shares = [float(mask.mean()) for mask in masks]
    return Heavy(cluster, (shares[0], shares[1]), effect(model, (masks[0], masks[1])))


def largest_share(two: TwoLogs, place: int) -> tuple[int, float]:
    """The cluster with most rows of a log, and its share of them."""
    codes = two.logs[place].clusters
    sizes = np.bincount(codes)
    return int(sizes.argmax()), float(sizes.max() / len(codes))


def mix_distance(columns: Iterable[tuple[Array, Array | None]], count: int) -> float:
    """The share that would have to move to another slice to make two logs the same.

    columns: for each log the slice of every row, and how much the row counts
    """
    sums = (np.bincount(codes, weights, minlength=count) for codes, weights in columns)
    before, after = (each / max(each.sum(), 1e-300) for each in sums)
    return float(np.abs(after - before).sum() / 2)


def moved_positions(two: TwoLogs) -> dict[str, float]:
    """Dimensions of positions or policies whose mix changed, and how much of it did."""
    found = {}
    for place, dimension in enumerate(two.dimensions):
        if POSITIONS.search(dimension.name):
            pairs = ((log.codes[place], None) for log in two.logs)
            moved = mix_distance(pairs, len(dimension))
            if moved >= MOVED_MIX:
                found[dimension.name] = moved
    return found
