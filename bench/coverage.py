"""How often intervals contain the truth, and how often two equal models are called different.

`python -m bench.coverage` prints a table, `--write` puts it into docs/intervals.md. All cells take
about half an hour; `--repetitions 100` is quick and rough. `--check` compares the truth with the
values of simulated logs of 400,000 users.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import steelyard as sy
from bench.simulated_errors import ErrorProcess, drawn_errors, error_truth
from bench.simulated_logs import (
    Log,
    Process,
    drawn,
    drawn_with_both,
    fixed,
    lognormal,
    one_large,
    pareto,
    truth,
)

PAGE = Path(__file__).parent.parent / "docs" / "intervals.md"
START = "<!-- Written by `python -m bench.coverage --write`: do not edit this table. -->"
END = "<!-- End of the measured table. -->"

REPETITIONS, SEED = 2000, 20260801
BATCH = 1_000_000  # rows at once, about
CHECKED = 400_000  # users of a log that checks the truth
LEVEL = 0.05

ALL = ("auc", "gauc", "ap", "copc", "logloss", "ne")
OF_ROWS = ("auc", "copc", "logloss", "ne")  # of users with one row each
COUNTS = ("recall", "precision", "f1", "balanced_accuracy", "mcc")
FEW = (*COUNTS, "ap", "auc", "copc", "ne")  # of few users, or of a few large ones
ERRORS = ("mse", "mae", "mape", "poisson_deviance")
USUAL, SKEWED, FALSE_ALARMS = (93.0, 97.0), (91.5, 100.0), (3.5, 6.5)  # percent
HEAD = (
    *("rows a user", "users", "log", "metric", "coverage, %", "wanted", "median width", "kept"),
    *("equal models called different, %", "kept"),
)


@dataclass(frozen=True)
class Cell:
    """A kind of log; users: that contribute; wanted: the least and the most coverage."""

    process: Process | ErrorProcess
    users: int
    wanted: tuple[float, float] = USUAL
    metrics: tuple[str, ...] = ALL

    @property
    def name(self) -> str:
        return f"{self.process.sizes.name} rows, {self.users:,} users, {self.process.about}"

    def drawn(self, rng: np.random.Generator, users: int) -> Log:
        if isinstance(self.process, ErrorProcess):
            return drawn_errors(rng, self.process, users)
        return drawn(rng, self.process, users)

    @property
    def role(self) -> str:
        """What a model's column is named as."""
        return "prediction" if isinstance(self.process, ErrorProcess) else "score"

    @property
    def truth(self) -> dict[str, float]:
        of = self.process
        return error_truth(of) if isinstance(of, ErrorProcess) else truth(of)


CELLS = (
    Cell(Process(fixed(1), 0.25), 200, metrics=OF_ROWS),
    Cell(Process(fixed(5), 0.25), 200),
    Cell(Process(fixed(20), 0.25), 200),
    Cell(Process(fixed(50), 0.05), 200),
    Cell(Process(lognormal(15, 1), 0.25), 200),
    Cell(Process(lognormal(15, 1), 0.05), 200),
    Cell(Process(lognormal(10, 1.5), 0.25), 200, SKEWED),
    Cell(Process(lognormal(10, 1.5), 0.25), 1000),
    Cell(Process(pareto(5, 1.5), 0.25), 200, SKEWED),
    Cell(Process(pareto(5, 1.5), 0.25), 1000),
    Cell(Process(lognormal(15, 1.2), 0.25), 60, metrics=FEW),
    Cell(Process(pareto(5, 1.2), 0.25), 200, metrics=FEW),
    Cell(Process(fixed(20), 0.25), 15, metrics=FEW),
    Cell(Process(one_large(20, 60), 0.25), 60, metrics=FEW),
    Cell(ErrorProcess(fixed(20), 0.15), 15, metrics=ERRORS),
    Cell(ErrorProcess(lognormal(15, 1.2), 0.15), 60, metrics=ERRORS),
    Cell(ErrorProcess(pareto(5, 1.2), 0.15), 200, metrics=ERRORS),
    Cell(ErrorProcess(fixed(20), 0.5), 15, metrics=ERRORS),
    Cell(ErrorProcess(fixed(20), 0.5), 200, metrics=ERRORS),
)


@dataclass
class Count:
    """What a metric's intervals and comparisons did.

    lost: repetitions without an interval, which do not contain the truth either
    different: comparisons of two equal models that found a difference
    """

    covered: int = 0
    widths: list[float] = field(default_factory=list)
    lost: int = 0
    different: int = 0


def measured(cell: Cell, repetitions: int = REPETITIONS) -> dict[str, Count]:
    """The counts of each metric."""
    known = cell.truth
    counts = {metric: Count() for metric in cell.metrics}
    for log, both in batches(cell, repetitions):
        _add(counts, known, log, cell, [name for name in cell.metrics if name != "gauc"])
        if both is not None:
            _add(counts, known, both, cell, ["gauc"])
    return counts


def batches(cell: Cell, repetitions: int) -> Iterator[tuple[Log, Log | None]]:
    """Logs of some repetitions at once: of all users, and of users with both classes, for GAUC."""
    rng = np.random.default_rng([SEED, CELLS.index(cell)])
    at_once = max(1, round(BATCH / (cell.users * cell.process.sizes.mean)))
    for start in range(0, repetitions, at_once):
        _progress(f"{cell.name}: {start:,} of {repetitions:,}")
        users = min(at_once, repetitions - start) * cell.users
        log, both, of = cell.drawn(rng, users), None, cell.process
        if "gauc" in cell.metrics and isinstance(of, Process):
            both = drawn_with_both(rng, of, users, log)
        yield log, both
    _progress("")


def _add(
    counts: dict[str, Count], known: dict[str, float], log: Log, cell: Cell, metrics: list[str]
) -> None:
    """Add repetitions, each of which is a slice, so that few calls evaluate all."""
    columns = _columns(log) | {"repetition": log.users // cell.users}
    given = _request(metrics) | {"by": "repetition"}
    for row in sy.evaluate(columns, **{cell.role: "one"} | given):
        count = counts[row.metric]
        if not row.slice:  # all repetitions together
            continue
        if row.low is None or row.high is None:
            count.lost += 1
        else:
            count.covered += row.low <= known[row.metric] <= row.high
            count.widths.append(row.high - row.low)
    # No slice has so many rows: whether repetitions differ is not tested, which would take long.
    both = {cell.role: ["one", "other"]} | given
    for pair in sy.compare(columns, min_rows=10**12, **both):
        if pair.slice and pair.p is not None:
            counts[pair.metric].different += pair.p <= LEVEL


def _columns(log: Log) -> dict[str, Any]:
    return {"click": log.label, "one": log.one, "other": log.other, "user": log.users}


def _request(metrics: list[str]) -> dict[str, Any]:
    group = {"group": "user"} if "gauc" in metrics else {}
    return {"label": "click", "cluster": "user", "metrics": metrics, **group}


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


# --- the table ------------------------------------------------------------------------------------
def table(repetitions: int) -> Iterator[str]:
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    for cell in CELLS:
        yield from _lines(cell, measured(cell, repetitions), repetitions)


def _lines(cell: Cell, counts: dict[str, Count], repetitions: int) -> Iterator[str]:
    low, high = cell.wanted
    wanted = f"{low:g} to {high:g}" if high < 100 else f"{low:g} or more"
    for metric, count in counts.items():
        coverage, alarms = (100 * n / repetitions for n in (count.covered, count.different))
        width = statistics.median(count.widths or [math.nan])
        cells = [cell.process.sizes.name, f"{cell.users:,}", cell.process.about]
        cells += [metric, f"{coverage:.1f}", wanted, f"{width:.3f}"]
        cells += [_kept(coverage, cell.wanted), f"{alarms:.1f}", _kept(alarms, FALSE_ALARMS)]
        yield f"| {' | '.join(cells)} |"


def _kept(share: float, wanted: tuple[float, float]) -> str:
    return "yes" if wanted[0] <= share <= wanted[1] else "**no**"


def write(found: list[str], repetitions: int) -> None:
    """Put the table between the two marks of the page."""
    before, start, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    assert start, f"{PAGE} has no line {START}"
    assert end, f"{PAGE} has no line {END}"
    lines = [before + START, "", f"{repetitions:,} repetitions of each log.", "", *found, ""]
    PAGE.write_text("\n".join([*lines, END + after]), encoding="utf-8")


def check() -> Iterator[str]:
    """The truth beside the value of a log of 400,000 users, and whether that is near enough."""
    for place, cell in enumerate({cell.process: cell for cell in CELLS}.values()):
        log = cell.drawn(np.random.default_rng([SEED, 1000 + place]), CHECKED)
        known, process = cell.truth, cell.process
        request = _request(list(known)) | {"confidence": 0.999, cell.role: "one"}
        for row in sy.evaluate(_columns(log), **request):
            assert row.low is not None
            assert row.high is not None
            near = row.low <= known[row.metric] <= row.high
            numbers = f"{known[row.metric]:.6f} [{row.low:.6f}, {row.high:.6f}]"
            name = f"{process.sizes.name}, {process.about}"
            yield f"{'ok  ' if near else 'MISS'}  {row.metric:<17} {numbers}  {name}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--write", action="store_true", help=f"write the table to {PAGE.name}")
    parser.add_argument("--check", action="store_true", help="check the truth, nothing else")
    given = parser.parse_args()
    found = []
    for line in check() if given.check else table(given.repetitions):
        print(line, flush=True)
        found.append(line)
    if given.write and not given.check:
        write(found, given.repetitions)


if __name__ == "__main__":
    main()
