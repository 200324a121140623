"""The progress of a long read as a line on stderr: "12.3 M rows · 4.1 M rows/s · 3 s left"."""

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from steelyard.phrases import CONTROLS

FIRST = 0.3  # seconds; shorter reads need no line
EVERY = 0.1  # seconds between two updates
UNITS = ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"))


class ProgressLine:
    """The line: updated by a call with the rows so far and about how many there are.

    A phase after that has its name in the line; it is drawn by a timer if it begins too early.
    """

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        columns: Callable[[], int] = lambda: shutil.get_terminal_size().columns,
    ) -> None:
        self.stream, self.clock, self.columns = stream, clock, columns
        self.start = clock()
        self.next = self.start + FIRST
        self.shown, self.closed = 0, False
        self.rows = ""
        self.timer = threading.Timer(0, lambda: None)
        self.lock = threading.Lock()

    def __call__(self, rows: int, total: int | None = None) -> None:
        self.timer.cancel()  # a phase before this read
        now, self.rows = self.clock(), f"{short(rows)} rows"
        if now >= self.next:
            self.next = now + EVERY
            self._draw(line(rows, total, now - self.start))

    def phase(self, name: str) -> None:
        """Show the name of a phase, at once or when the line is due."""
        self.timer.cancel()
        text = " · ".join(filter(None, (self.rows, CONTROLS.sub("?", name))))
        wait = self.next - self.clock()
        if wait <= 0:
            self.next = self.clock() + EVERY
            self._draw(text)
        else:
            self.timer = threading.Timer(wait, self._draw, [text])
            self.timer.daemon = True
            self.timer.start()

    def close(self) -> None:
        """Remove the line, if there is one."""
        self.timer.cancel()
        with self.lock:
            self.closed = True
        if self.shown:
            self._draw("")

    def _draw(self, text: str) -> None:
        """Replace the line; a terminal that was closed does not stop the computation."""
        with self.lock, suppress(OSError, ValueError):
            if self.closed and text:  # by a timer that was too late
                return
            text = text[: self.columns() - 1]
            self.stream.write(f"\r{text:<{self.shown}}" + ("" if text else "\r"))
            self.stream.flush()
            self.shown = len(text)


def line(rows: int, total: int | None, seconds: float) -> str:
    """The text of the line.

    >>> line(12_300_000, 24_600_000, 3.0)
    '12.3 M rows · 4.1 M rows/s · 3 s left'
    >>> line(900, None, 2.0)
    '900 rows · 450 rows/s'
    """
    parts = [f"{short(rows)} rows"]
    if rows and seconds > 0:
        parts.append(f"{short(rows / seconds)} rows/s")
        if total is not None and total > rows:
            parts.append(f"{duration((total - rows) * seconds / rows)} left")
    return " · ".join(parts)


def short(number: float) -> str:
    """A number in about three digits and a unit.

    >>> [short(number) for number in (7, 999, 1_000, 999_960, 12_345_678)]
    ['7', '999', '1.0 k', '1.0 M', '12.3 M']
    """
    if number < 999.5:
        return f"{number:.0f}"
    size, unit = next((u for u in UNITS if number >= 0.99995 * u[0]), UNITS[-1])
    return f"{number / size:.1f}{unit}"


def duration(seconds: float) -> str:
    """Whole seconds, at least one.

    >>> duration(0.2), duration(61), duration(3_725)
    ('1 s', '1 min 1 s', '1 h 2 min')
    """
    whole = max(1, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
