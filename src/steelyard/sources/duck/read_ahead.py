"""Reading ahead: a thread works while its reader does, and ends when nobody reads on.

DuckDB is deaf to Ctrl-C inside its calls; the main thread waits here instead, where it hears.
"""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
DEPTH = 2  # blocks that wait to be taken
PATIENCE = 0.1  # seconds until a waiting side looks whether the other is still there


class ReadAhead(Generic[Item]):
    """The items of an iterator that runs in a thread of its own. `interrupt` wakes it up."""

    def __init__(self, items: Callable[[], Iterator[Item]], interrupt: Callable[[], None]) -> None:
        self._items = items
        self._interrupt = interrupt
        self._queue: Queue[tuple[str, Any]] = Queue(DEPTH)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="steelyard-reader")

    def __iter__(self) -> Generator[Item, None, None]:
        self._thread.start()
        try:
            while True:
                what, value = self._taken()
                if what == "item":
                    yield value
                elif what == "error":
                    raise value
                else:
                    return
        finally:
            self.stop()

    def stop(self) -> None:
        """No thread is left when this returns."""
        self._stop.set()
        while self._thread.is_alive():
            self._interrupt()
            self._thread.join(PATIENCE)

    def _taken(self) -> tuple[str, Any]:
        while True:
            with suppress(Empty):  # a wait without end is deaf to Ctrl-C on Windows
                return self._queue.get(timeout=PATIENCE)
            if self._stop.is_set():
                return "end", None

    def _work(self) -> None:
        try:
            for item in self._items():
                if not self._given("item", item):
                    return
            self._given("end", None)
        except BaseException as error:  # whatever it is, it belongs to the reader
            self._given("error", error)

    def _given(self, what: str, value: Any) -> bool:
        """Whether it was put down; not, where nobody wants it or the program is at its end."""
        while not self._stop.is_set() and threading.main_thread().is_alive():
            with suppress(Full):
                self._queue.put((what, value), timeout=PATIENCE)
                return True
        return False
