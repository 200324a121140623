"""A page that is open in the browser, and everything that went wrong in it."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Playwright

from tools.chromium import start

STEP_MS = 15_000  # of one action; a busy machine is not a fault
PAGE_SECONDS = 60.0  # of everything that one test does with a page


@dataclass
class Opened:
    """page: Playwright's; url: of its file; problems: what it must not do; requests: all of them"""

    page: Page
    url: str
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("dialog", self._dismiss)
        self.page.on("popup", lambda popup: self.problems.append(f"popup: {popup.url}"))
        self.page.on("crash", lambda _: self.problems.append("the page crashed"))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text}")

    def _dismiss(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def assert_clean(self) -> None:
        """No error, no dialog, and no request but the one for the file."""
        assert not self.problems, self.problems
        assert set(self.requests) == {self.url}, self.requests


class Chromium:
    """One browser for many pages, started again if it was ended."""

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright, self._path = playwright, path
        self._start()

    def _start(self) -> None:
        self._browser: Browser = start(self._playwright, self._path)
        session = self._browser.new_browser_cdp_session()
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        self._process = next(each["id"] for each in processes if each["type"] == "browser")
        session.detach()

    def close(self) -> None:
        self._browser.close()

    @contextmanager
    def open(self, path: Path, **settings: Any) -> Iterator[Opened]:
        """The file, in a context of its own without a network; `settings` are Playwright's."""
        if not self._browser.is_connected():
            self._start()
        with ended_after(PAGE_SECONDS, self._process):
            quiet = {"offline": True, "reduced_motion": "reduce"}  # scrolling takes no time
            context = self._browser.new_context(**{**quiet, **settings})
            context.set_default_timeout(STEP_MS)
            opened = Opened(context.new_page(), path.as_uri())
            opened.listen()
            opened.page.goto(opened.url)
            yield opened
            context.close()


@contextmanager
def ended_after(seconds: float, process: int) -> Iterator[None]:
    """A script that never ends stops the browser, not the tests: Playwright waits without limit."""
    late = Timer(seconds, os.kill, (process, signal.SIGKILL))
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()
