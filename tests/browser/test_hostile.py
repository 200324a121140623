"""Names of columns, slices, scores and files come from anybody: they stay text, and run nothing."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from tests.browser.conftest import Open
from tests.browser.panel import Panel
from tests.browser.results import HOSTILE, hostile

INJECT = {
    "script": "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
    " document.body.append(s);",
    "handler": "document.body.insertAdjacentHTML('beforeend', '<b onclick=\"window.ran=1\">x</b>');"
    " document.body.lastChild.click();",
    "style": "document.body.setAttribute('style', 'display: none')",
    "image": "new Image().src = 'https://example.org/x.png'",
    "frame": "document.body.insertAdjacentHTML('beforeend', '<iframe src=\"data:,x\"></iframe>')",
}
RUNS = "() => { if (window.ran) return 'ran'; return getComputedStyle(document.body).display; }"


@cache
def page() -> str:
    return hostile().to_html()


def test_slices_are_shown_as_they_are(open_page: Open) -> None:
    """Each name is a text in the table, whole or cut with the whole in its title."""
    opened = open_page(page()).page
    for number in (0, 1):
        cells = opened.locator(f"#slices-{number} tbody th bdi")
        texts = [
            each or ""
            for each in cells.evaluate_all("(all) => all.map((e) => e.title || e.textContent)")
        ]
        assert len(texts) == len(HOSTILE)
        for name in HOSTILE[:5]:
            assert any(name in text for text in texts), name
        assert any("right to left" in text and "مرحبا" in text for text in texts)
        assert any("x" * 50 in text for text in texts)


def test_scores_and_columns_are_shown_as_they_are(open_page: Open) -> None:
    opened = open_page(page()).page
    heading = opened.locator("h1").inner_text()
    assert HOSTILE[0] in heading
    options = opened.locator("#score option").all_inner_texts()
    assert options == list(HOSTILE[:3])
    headings = " ".join(opened.locator("#slices h3").all_inner_texts())
    assert HOSTILE[3] in headings
    assert HOSTILE[4] in headings


def test_names_make_no_element(open_page: Open) -> None:
    opened = open_page(page()).page
    assert opened.locator("script").count() == 2
    assert opened.locator("img, iframe, object, embed, form, link, base").count() == 0
    handlers = (
        "(all) => all.flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))"
    )
    assert opened.locator("*").evaluate_all(handlers) == []
    panel = Panel(opened)
    for place in range(3):
        opened.locator("#score").select_option(str(place))
        panel.pull(3)
    assert [each["name"] for each in panel.data["scores"]] == list(HOSTILE[:3])


def test_a_long_name_is_cut(open_page: Open) -> None:
    """Ten thousand characters fill no screen: a page of plain names is about as high."""
    opened = open_page(page(), viewport={"width": 1600, "height": 900}).page
    names = opened.locator("#slices-0 tbody th")
    assert max(names.evaluate_all("(all) => all.map((e) => e.offsetHeight)")) < 200


def test_the_name_of_a_file(open_page: Open, tmp_path: Path) -> None:
    name = "<script>alert(1)<&\"'>.csv"
    path = tmp_path / name.replace("/", "")
    rows = np.random.default_rng(1).random((60, 2)).round(3)
    lines = [f"{int(label > 0.5)},{score}" for label, score in rows.tolist()]
    path.write_text("\n".join(["label,score", *lines]), encoding="utf-8")
    result = sy.evaluate(str(path), label="label", score="score", by_file=True, metrics=["auc"])
    assert name in open_page(result.to_html()).page.locator("main").inner_text()


@pytest.mark.parametrize("name", INJECT)
def test_the_policy_blocks_what_is_not_its_own(name: str, open_page: Open) -> None:
    opened = open_page(page())
    opened.page.evaluate(f"() => {{ {INJECT[name]} }}")
    opened.page.wait_for_timeout(100)
    assert opened.page.evaluate(RUNS) == "block"
    assert opened.problems
    assert all("Content Security Policy" in problem for problem in opened.problems)
    opened.problems.clear()
    del opened.requests[1:]  # Chromium reports a request that it did not send
