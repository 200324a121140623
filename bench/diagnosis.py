"""Whether the diagnosis finds planted causes, and accuses nobody without one.

python -m bench.diagnosis [repetitions of each cause]; the seeds are fixed.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from bench.drops import Drop, drop
from steelyard.diagnosis.causes.decide import BROAD, MIX, REPEATED, SLICES, Findings, decide
from steelyard.diagnosis.models.effects import Model
from steelyard.diagnosis.two_logs.reading import read
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.request.diagnose import DiagnoseRequest

OVER = ["country", "device", "ad_type", "hour"]
RIGHT = {"mix": MIX, "broad": BROAD, "repeated": REPEATED}
TIMES = {"slice": 100, "none": 200, "mix": 50, "broad": 50, "repeated": 50}


class Trial(NamedTuple):
    """What a diagnosis said; right: whether that is the planted cause."""

    kind: str
    accused: bool
    right: bool


def logs_of(pair: Drop) -> TwoLogs:
    named: dict[str, Any] = {"label": "click", "score": "pctr", "over": OVER}
    request = DiagnoseRequest(before=pair.before, after=pair.after, cluster="user_id", **named)
    return read(request).two


def trials(cause: str, times: int) -> Iterator[Trial]:
    """Diagnoses of pairs of logs with one cause; drops of fewer than 6 standard errors are not."""
    seed, done = 1000 * sorted(TIMES).index(cause), 0
    while done < times:
        seed += 1
        random = np.random.default_rng(seed)
        pair = drop(cause, seed, strength=float(random.uniform(0.7, 1.0)))
        two = logs_of(pair)
        if cause in ("slice", "broad", "mix") and abs(Model(two, "auc").estimate.z) < 6:
            continue
        done += 1
        found = decide(two, "auc", 0.95, tested=True)
        yield Trial(found.kind, found.kind == SLICES, _is_right(cause, pair, found))


def _is_right(cause: str, pair: Drop, found: Findings) -> bool:
    if cause == "none":
        return found.kind != SLICES
    if cause != "slice":
        return found.kind == RIGHT[cause]
    return bool(found.found) and jaccard(pair, found) >= 0.9


def jaccard(pair: Drop, found: Findings) -> float:
    """How far the first slice found and the planted one are the same rows of the log after."""
    two, log = found.two, found.two.logs[1]
    first = found.found[0].slice.mask(log)
    planted: Any = np.ones(len(log), bool)
    for name, value in pair.planted.items():
        (place,) = (d for d, each in enumerate(two.dimensions) if each.name == name)
        planted &= log.codes[place] == two.dimensions[place].keys.index(value)
    return float((first & planted).sum() / (first | planted).sum())


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else None
    causes = sys.argv[2:] or list(TIMES)
    for cause in causes:
        found = list(trials(cause, times or TIMES[cause]))
        kinds = ", ".join(
            f"{kind} {count}" for kind, count in Counter(t.kind for t in found).items()
        )
        right, accused = sum(t.right for t in found), sum(t.accused for t in found)
        print(
            f"{cause:<9} {len(found):4} logs: right {right}, accused {accused} ({kinds})",
            flush=True,
        )


if __name__ == "__main__":
    main()
