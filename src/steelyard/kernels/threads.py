"""How many threads the kernels may use; results do not depend on it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from steelyard.errors import OUT_OF_RANGE

VARIABLE = "STEELYARD_THREADS"
MOST = 256  # as for DuckDB, which starts as many as it is told
SHORT = 1 << 17  # rows: to start a thread takes longer than they do

_limit: ContextVar[int | None] = ContextVar("steelyard_threads", default=None)


@contextmanager
def limited(threads: int | None) -> Iterator[None]:
    """Kernels use at most so many threads; None: as many as before."""
    before = _limit.set(_limit.get() if threads is None else threads)
    try:
        yield
    finally:
        _limit.reset(before)


def for_rows(rows: int) -> int:
    """The number of threads for so many rows."""
    return 1 if rows < SHORT else most()


def most() -> int:
    """The limit, else STEELYARD_THREADS, else the processors that this process may use."""
    given = _limit.get()
    if given is not None:
        return min(given, MOST)
    variable = os.environ.get(VARIABLE)
    if not variable:
        return processors()
    if not variable.isdecimal() or not int(variable):
        raise OUT_OF_RANGE(name=VARIABLE, value=variable, wanted="a whole number from 1")
    return min(int(variable), MOST)


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
