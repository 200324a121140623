"""The report page of ten million rows: what its shapes cost, and how long a user waits."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import steelyard as sy
from bench.measure import Line
from tools import chromium

READY = "document.body.classList.contains('live')"
REQUEST: dict[str, Any] = {
    "label": "label",
    "score": "score",
    "weight": "weight",
    "group": "user_id",
    "by": "country",
    "metrics": ["auc", "gauc", "ap", "ks", "f1", "copc", "logloss"],
}


def lines(log: Path) -> Iterator[Line]:
    """`log`: the Parquet file of bench/log.py."""
    plain, shaped = _in_turn(
        partial(sy.evaluate, str(log), **REQUEST),
        partial(sy.evaluate, str(log), **REQUEST, shapes=True),
    )
    what = "with shapes=True, in the time without"
    yield Line(f"eval of 10 M rows by 50 countries {what}", shaped / plain, 1.3, at_least=False)
    result = sy.evaluate(str(log), **REQUEST, shapes=True)
    page = log.with_name("report.html")
    (seconds,) = _in_turn(partial(result.to_html, page))
    yield Line("its report page, seconds to write", seconds, 0.5, at_least=False)
    yield Line("its report page, megabytes", page.stat().st_size / 1e6, 1, at_least=False)
    yield from _opening(page)


def _in_turn(*tasks: Any, runs: int = 3) -> list[float]:
    """The best wall time of each task: other threads work too."""
    best = [float("inf")] * len(tasks)
    for _ in range(runs):
        for place, task in enumerate(tasks):
            start = time.perf_counter()
            task()
            best[place] = min(best[place], time.perf_counter() - start)
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

        (seconds,) = _in_turn(open_page)
        browser.close()
    yield Line("its report page, seconds to open in Chromium", seconds, 1, at_least=False)
