"""Fixtures: a browser for the tests of this package, and pages that are open in it."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser.opened import Chromium, Opened
from tools.chromium import HOW, executable


class Open(Protocol):
    """Opens a page, given as text or as a file; the test fails if anything goes wrong in it."""

    def __call__(self, page: str | Path, **settings: Any) -> Opened: ...


def pytest_runtest_setup() -> None:
    """Skipped here and not in a fixture, tests are one line of the summary, with their number."""
    if executable() is None:
        pytest.skip(f"NO CHROMIUM: these pages were not tested in a browser; {HOW}")


@pytest.fixture(scope="package")
def chromium() -> Iterator[Chromium]:
    """Closed after the last test of this package: its event loop must not meet other tests."""
    path = executable()
    assert path is not None
    with sync_playwright() as playwright:
        try:
            browser = Chromium(playwright, path)
        except Error as error:
            why = error.message.strip().partition("\n")[0]
            pytest.skip(f"CHROMIUM DOES NOT START, so that no page was tested in it: {path}: {why}")
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Chromium, tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as stack:
        all_opened: list[Opened] = []

        def open_one(page: str | Path, **settings: Any) -> Opened:
            if isinstance(page, str):
                path = tmp_path / f"page_{len(all_opened)}.html"
                path.write_text(page, encoding="utf-8")
                page = path
            opened = stack.enter_context(chromium.open(page, **settings))
            all_opened.append(opened)
            return opened

        yield open_one
        for opened in all_opened:
            opened.assert_clean()
