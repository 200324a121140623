"""A process that runs operations on request, one tool in each: python -m bench.worker TOOL.

A line of JSON asks for one run, or for the rows alone; the answer has the seconds, the processor
time, the peak of memory beyond what the process had, and the numbers. Whoever asks several workers
in turn measures all of them in the same moments.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.operations import OPERATIONS
from bench.operations.operation import Columns, Compute, Operation

OURS = ("rust", "rust, 1 thread", "NumPy kernels")
SORTS = ("np.sort", "np.sort without AVX-512")
READ = "one read of the columns"
SEED = 20261118


def compute(operation: Operation, tool: str) -> Compute | None:
    """How a tool computes an operation; None: it cannot."""
    if tool in OURS:
        return operation.ours
    if tool in SORTS:
        return lambda columns: (np.sort(columns[operation.score]), 0.0)[1]
    if tool == READ:
        return lambda columns: float(sum(map(_read, columns.values())))
    other = operation.others.get(tool)
    return other.compute if other else None


def _read(column: Any) -> int:
    """Every byte once; a sum of 64-bit words is as fast as memory."""
    if column.dtype == object:
        return 0
    raw = np.ascontiguousarray(column).view(np.uint8)
    return int(np.bitwise_or.reduce(raw[: len(raw) // 8 * 8].view(np.uint64)))


class Memory:
    """The peak of this process's memory, where the system tells it."""

    STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")

    def __init__(self) -> None:
        self.start = 0
        if self.RESET.exists():
            self.RESET.write_text("5")
            self.start = self._bytes("VmRSS")

    def extra(self) -> int | None:
        return self._bytes("VmHWM") - self.start if self.start else None

    def _bytes(self, name: str) -> int:
        lines = self.STATUS.read_text().splitlines()
        line = next(line for line in lines if line.startswith(name))
        return int(line.split()[1]) * 1024


def measured(task: Callable[[], Any]) -> dict[str, Any]:
    memory = Memory()
    start, processor = time.perf_counter(), time.process_time()
    found = task()
    seconds, used = time.perf_counter() - start, time.process_time() - processor
    values = list(found) if isinstance(found, tuple) else [found]
    return {"seconds": seconds, "processor": used, "memory": memory.extra(), "values": values}


def main(tool: str) -> None:
    held: tuple[str, int] | None = None
    columns: Columns = {}
    for line in sys.stdin:
        asked = json.loads(line)
        operation = OPERATIONS[asked["operation"]]
        if held != (operation.name, asked["rows"]):
            columns = {}
            columns = operation.columns(np.random.default_rng(SEED), asked["rows"])
            held = operation.name, asked["rows"]
        answer: dict[str, Any] = {"input": sum(column.nbytes for column in columns.values())}
        if asked.get("run", True):
            answer |= _answer(operation, tool, columns)
        print(json.dumps(answer), flush=True)


def _answer(operation: Operation, tool: str, columns: Columns) -> dict[str, Any]:
    task = compute(operation, tool)
    if task is None:
        return {"missing": "it has no such operation"}
    try:
        return measured(lambda: task(columns))
    except (ImportError, RuntimeError) as error:
        return {"missing": str(error)}


if __name__ == "__main__":
    main(sys.argv[1])
