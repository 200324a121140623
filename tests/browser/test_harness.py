"""The fixtures themselves: what goes wrong in a page is noticed, and nothing waits for ever."""

from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.browser import opened as harness
from tests.browser.conftest import Open
from tests.browser.opened import Chromium

PAGE = "<!doctype html><meta charset=utf-8><title>page</title>{}"
FAULTS = {
    "error": ("<script>nobody()</script>", "error: nobody is not defined"),
    "console": ("<script>console.error('so')</script>", "console error: so"),
    "dialog": ("<script>alert(1)</script>", "dialog: 1"),
    "request": ("<img src='http://127.0.0.1:9/x.png'>", "ERR_INTERNET_DISCONNECTED"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_page_is_noticed(name: str, chromium: Chromium, tmp_path: Path) -> None:
    body, problem = FAULTS[name]
    path = tmp_path / "page.html"
    path.write_text(PAGE.format(body), encoding="utf-8")
    with chromium.open(path) as opened:
        opened.page.evaluate("0")  # what was reported before has arrived
        with pytest.raises(AssertionError, match=problem):
            opened.assert_clean()
        opened.problems.clear()
        if name == "request":
            with pytest.raises(AssertionError, match=r"x\.png"):
                opened.assert_clean()


def test_a_page_without_a_fault(open_page: Open) -> None:
    assert open_page(PAGE.format("<h1>Grüße</h1>")).page.inner_text("h1") == "Grüße"


def test_a_script_that_never_ends(
    chromium: Chromium, open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser is ended, and the next page has a new one."""
    path = tmp_path / "endless.html"
    path.write_text(PAGE.format(""), encoding="utf-8")
    monkeypatch.setattr(harness, "PAGE_SECONDS", 2.0)
    with pytest.raises(Error, match="closed"), chromium.open(path) as opened:
        opened.page.evaluate("() => { for (;;); }")
    monkeypatch.undo()
    assert open_page(PAGE.format("<p>again</p>")).page.inner_text("p") == "again"
