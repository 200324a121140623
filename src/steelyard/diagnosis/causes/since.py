"""Since when: the value of a time column from which on rows show a change."""

import re
from typing import NamedTuple

import numpy as np

from steelyard.diagnosis.models.effects import Estimate, Model
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.model import Floats, Key, Mask
from steelyard.stats.differences import difference

TIMES = re.compile(r"(^|_)(hour|hr|day|date|dt|time|minute|week|month|ts)($|_)", re.IGNORECASE)
SURE = 4.0  # standard errors between early and late: of 64 cuts, noise passes one time in 250
MOST_CUTS = 64
MEASURED = 4  # cuts: each takes as long as two evaluations of both logs


class Since(NamedTuple):
    """A cut of a time column: the change of the rows before it, and from it on."""

    dimension: str
    key: Key
    early: Estimate
    late: Estimate


def time_dimension(two: TwoLogs) -> int | None:
    """The first dimension whose name is that of a time."""
    for place, dimension in enumerate(two.dimensions):
        if TIMES.search(dimension.name) and len(dimension) > 1:
            return place
    return None


def since(two: TwoLogs, model: Model, rows: tuple[Mask, Mask], place: int) -> Since | None:
    """The cut that separates rows with a change from rows without, if there is one."""
    part = model.take(rows)
    first, second = (log.codes[place][mask] for log, mask in zip(two.logs, rows, strict=True))
    best, furthest = None, 0.0
    for cut in _cuts(part.moves.cuts((first, second), len(two.dimensions[place]))):
        late = first >= cut, second >= cut
        before, from_it = part.take((~late[0], ~late[1])), part.take(late)
        distance = abs(Estimate.of(difference(before.change, from_it.change)).z)
        if distance > furthest:
            name, key = two.dimensions[place].name, two.dimensions[place].keys[cut]
            best, furthest = Since(name, key, before.estimate, from_it.estimate), distance
    if best is None or furthest < SURE or abs(best.early.value) > abs(best.late.value) / 2:
        return None
    return best


def _cuts(distances: Floats) -> list[int]:
    """The cuts that are measured: those that look furthest, of at most MOST_CUTS."""
    size = len(distances)
    looked_at = np.unique(np.linspace(0, size - 1, min(size, MOST_CUTS)).round().astype(int))
    order = np.argsort(-distances[looked_at], kind="stable")
    found: list[int] = (looked_at[order[:MEASURED]] + 1).tolist()
    return found
