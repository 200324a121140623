"""How a ratio is measured: the best of alternating runs, in processor time of this process.

Both sides of a ratio run in turn, so that a busy moment slows both; the best run is the least
disturbed one.
"""

import os
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], object]


@dataclass(frozen=True)
class Line:
    """A measured ratio and its limit."""

    what: str
    ratio: float
    limit: float
    at_least: bool

    @property
    def kept(self) -> bool:
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        verdict = "ok  " if self.kept else "MISS"
        return f"{verdict}  {self.ratio:8.2f}  {sign} {self.limit:<5g}  {self.what}"


def best_times(*tasks: Task, runs: int = 3) -> list[float]:
    """The best processor time of each task, run in turn."""
    best = [float("inf")] * len(tasks)
    for _ in range(runs):
        for place, task in enumerate(tasks):
            start = time.process_time()
            task()
            best[place] = min(best[place], time.process_time() - start)
    return best


def within(what: str, ours: Task, unit: Task, limit: float, runs: int = 5) -> Line:
    """Our time as a multiple of the time of a unit task."""
    mine, one = best_times(ours, unit, runs=runs)
    return Line(what, mine / one, limit, at_least=False)


def memory(what: str, ours: Task, input_bytes: int, limit: float) -> Line:
    """Peak extra memory as a multiple of the input columns."""
    ours()
    tracemalloc.start()
    ours()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Line(what, peak / input_bytes, limit, at_least=False)


def import_time(module: str) -> float:
    """Processor time of a new process that imports a module, best of fifteen."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(15))


def process_seconds(*commands: list[str], cwd: str, runs: int = 3) -> list[float]:
    """The best wall time of each process, run in turn: how long a user waits."""
    best = [float("inf")] * len(commands)
    for _ in range(runs):
        for place, command in enumerate(commands):
            start = time.perf_counter()
            subprocess.run(command, cwd=cwd, check=True, capture_output=True)
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def process_memory(command: list[str], cwd: str) -> int:
    """The peak memory of a whole process, in kilobytes."""
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_maxrss
