"""The report page of ten million rows: what its shapes cost, and how long a user waits."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import steelyard as sy
from bench.measure import Line, Task, best_times
from tools import chromium

READY = "document.body.classList.contains('live')"
REQUEST: dict[str, Any] = {"label": "label", "score": "score", "by": "country"}


def lines(log: Path) -> Iterator[Line]:
    """`log`: the Parquet file of bench/log.py."""
    yield _shapes(log, "unweighted", {})
    yield _shapes(log, "weighted", {"weight": "weight"})
    result = sy.evaluate(str(log), **REQUEST, weight="weight", shapes=True)
    page = log.with_name("report.html")
    seconds = _wait(partial(result.to_html, page))
    yield Line("its report page, seconds to write", seconds, 0.5, at_least=False)
    yield Line("its report page, megabytes", page.stat().st_size / 1e6, 0.3, at_least=False)
    yield from _opening(page)


def _shapes(log: Path, name: str, more: dict[str, Any]) -> Line:
    plain, shaped = best_times(
        partial(sy.evaluate, str(log), **REQUEST, **more),
        partial(sy.evaluate, str(log), **REQUEST, **more, shapes=True),
    )
    what = f"eval of 10 M rows by 50 countries with shapes, in the time without, {name}"
    return Line(what, shaped / plain, 1.3, at_least=False)


def _wait(task: Task, runs: int = 3) -> float:
    """The best wall time: how long a user waits."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def _opening(page: Path) -> Iterator[Line]:
    """From the address to the page that its script has made ready, in a browser that runs."""
    path = chromium.executable()
    if path is None:
        print(f"NO CHROMIUM: how fast the page opens was not measured; {chromium.HOW}")
        return
    with sync_playwright() as playwright:
        browser = chromium.start(playwright, path)
        tab = browser.new_page()

        def open_page() -> None:
            tab.goto(page.as_uri())
            tab.wait_for_function(READY)

        seconds = _wait(open_page)
        browser.close()
    yield Line("its report page, seconds to open in Chromium", seconds, 1, at_least=False)
