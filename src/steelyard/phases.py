"""The phase of a long computation, told to a watcher, which the command line sets."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Watcher(Protocol):
    """Whoever is told of the rows that were read, and of the phases after that."""

    def __call__(self, rows: int, total: int | None = None) -> None:
        """So many rows were read, of about so many."""

    def phase(self, name: str) -> None:
        """The phase of that name begins."""


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def watcher() -> Watcher | None:
    """The watcher, if there is one."""
    return _WATCHER.get()


def begin(name: str, *of: str) -> None:
    """Tells the watcher that a phase begins; of: what it works on, such as a metric."""
    if (found := _WATCHER.get()) is not None:
        found.phase(" ".join((name, *of)))


@contextmanager
def watched_by(found: Watcher | None) -> Iterator[None]:
    """Within it, phases are told to a watcher."""
    token = _WATCHER.set(found)
    try:
        yield
    finally:
        _WATCHER.reset(token)
