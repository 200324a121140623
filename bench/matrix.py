"""Every operation by every tool and number of rows: times, memory, and whether numbers agree."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bench.operations import OPERATIONS
from bench.operations.operation import OTHERS_ROWS, Operation, OtherTool
from bench.worker import OURS, READ, SORTS

WITHOUT_AVX512 = "AVX512_ICL X86_V4 AVX512_SPR"
VARIABLES = {
    "rust": {"STEELYARD_KERNELS": "rust"},
    "rust, 1 thread": {"STEELYARD_KERNELS": "rust", "STEELYARD_THREADS": "1"},
    "NumPy kernels": {"STEELYARD_KERNELS": "numpy"},
    "np.sort without AVX-512": {"NPY_DISABLE_CPU_FEATURES": WITHOUT_AVX512},
}
RUNS = 5
LONG = 4.0  # seconds: what takes longer is run once more, and not four times


@dataclass(frozen=True)
class Cell:
    """One operation by one tool, on some rows.

    seconds, processor: medians of the warm runs; first: the first call's seconds
    memory: the peak beyond what the process had, in bytes of the input columns
    why: the reason that there is no time
    """

    operation: str
    tool: str
    rows: int
    seconds: float = float("nan")
    processor: float = float("nan")
    first: float = float("nan")
    memory: float = float("nan")
    why: str = ""


class Worker:
    """A process of one tool."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "bench.worker", tool],
            env=os.environ | VARIABLES.get(tool, {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, operation: str, rows: int) -> dict[str, Any]:
        self.ask({"operation": operation, "rows": rows})
        return self.answer()

    def ask(self, what: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the process ended: it has no answer
            print(json.dumps(what), file=self._process.stdin, flush=True)

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return {"missing": "its process ended"}
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def cells(names: list[str], most_rows: int) -> Iterator[Cell]:
    """Every cell of these operations; tools take turns."""
    for name in names:
        operation = OPERATIONS[name]
        for rows in operation.sizes:
            if rows <= most_rows:
                yield from _row(operation, rows)


def _row(operation: Operation, rows: int) -> list[Cell]:
    others = operation.others if rows <= OTHERS_ROWS else {}
    counts = dict.fromkeys((*OURS, *SORTS, READ), rows)
    counts |= {tool: min(rows, other.most_rows) for tool, other in others.items()}
    workers = [Worker(tool) for tool in counts]
    try:
        return _measured(operation, rows, workers, counts)
    finally:
        for worker in workers:
            worker.close()


def _measured(
    operation: Operation, rows: int, workers: list[Worker], counts: dict[str, int]
) -> list[Cell]:
    _make_rows(operation, workers, counts)
    first = {w.tool: w.run(operation.name, counts[w.tool]) for w in workers}
    known = {rows: first["rust"]["values"]}
    for fewer in {*counts.values()} - {rows}:
        worker = Worker("rust")
        known[fewer] = worker.run(operation.name, fewer)["values"]
        worker.close()
    why = {tool: _why(operation, tool, run, known[counts[tool]]) for tool, run in first.items()}
    warm: dict[str, list[dict[str, Any]]] = {tool: [] for tool in counts}
    for number in range(RUNS):
        for worker in workers:
            long = first[worker.tool].get("seconds", 0) > LONG
            if not why[worker.tool] and not (number and long):
                warm[worker.tool].append(worker.run(operation.name, counts[worker.tool]))
    return [
        _cell(operation, rows, counts, tool, first[tool], warm[tool], why[tool]) for tool in counts
    ]


def _make_rows(operation: Operation, workers: list[Worker], counts: dict[str, int]) -> None:
    """As many processes at once as there are processors: rows take longer than most operations."""
    at_once = os.cpu_count() or 1
    for start in range(0, len(workers), at_once):
        some = workers[start : start + at_once]
        for worker in some:
            worker.ask({"operation": operation.name, "rows": counts[worker.tool], "run": False})
        for worker in some:
            worker.answer()


def _cell(
    operation: Operation,
    rows: int,
    counts: dict[str, int],
    tool: str,
    first: dict[str, Any],
    warm: list[dict[str, Any]],
    why: str,
) -> Cell:
    if why:
        return Cell(operation.name, tool, rows, why=why)
    more = rows / counts[tool]
    memory = max(
        (run["memory"] / run["input"] for run in warm if run["memory"] is not None),
        default=float("nan"),
    )
    return Cell(
        operation.name,
        tool,
        rows,
        seconds=median(run["seconds"] for run in warm) * more,
        processor=median(run["processor"] for run in warm) * more,
        first=first["seconds"] * more,
        memory=memory,
        why="",
    )


def _why(operation: Operation, tool: str, run: dict[str, Any], known: list[float]) -> str:
    """The reason that a time does not count: no tool, or other numbers."""
    if "missing" in run:
        return str(run["missing"])
    if tool in (*SORTS, READ):
        return ""
    if tool in OURS:
        return "" if run["values"] == known else f"other numbers: {run['values']} for {known}"
    different = numbers_differ(operation.others[tool], run["values"], known)
    return f"other numbers: {run['values']} for {known}" if different else ""


def numbers_differ(other: OtherTool, theirs: ArrayLike, ours: ArrayLike) -> bool:
    """Whether another tool has other numbers than we; fewer of them is no difference."""
    known = np.atleast_1d(ours)[: other.first]
    return bool((np.abs(np.atleast_1d(theirs) - known) > other.same * np.abs(known)).any())
