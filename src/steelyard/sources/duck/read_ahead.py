"""Reading ahead: a thread reads the next blocks while the caller uses the last one.

DuckDB ignores Ctrl-C during its calls. So it runs in the thread, and the main thread waits for it
here, where Ctrl-C works.
"""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
DEPTH = 2  # blocks that are read ahead
PATIENCE = 0.1  # seconds that a side waits before it checks whether the other has stopped


class ReadAhead(Generic[Item]):
    """The items of an iterator that runs in its own thread; `interrupt` ends a call in it."""

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
                what, value = self._get()
                if what == "item":
                    yield value
                elif what == "error":
                    raise value
                else:
                    return
        finally:
            self.stop()

    def stop(self) -> None:
        """Ends the thread and waits for its end."""
        self._stop.set()
        while self._thread.is_alive():
            self._interrupt()
            self._thread.join(PATIENCE)

    def _get(self) -> tuple[str, Any]:
        while True:
            with suppress(Empty):  # a wait without a timeout ignores Ctrl-C on Windows
                return self._queue.get(timeout=PATIENCE)
            if self._stop.is_set():
                return "end", None

    def _work(self) -> None:
        try:
            for item in self._items():
                if not self._put("item", item):
                    return
            self._put("end", None)
        except BaseException as error:  # raised again where the items are used
            self._put("error", error)

    def _put(self, what: str, value: Any) -> bool:
        """Whether the value was queued; it is not if the reader stopped or the program ends."""
        while not self._stop.is_set() and threading.main_thread().is_alive():
            with suppress(Full):
                self._queue.put((what, value), timeout=PATIENCE)
                return True
        return False
