"""The table of slices: sorted by mouse and keyboard, searched, worst first, small ones last."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

import steelyard as sy
from tests.browser.conftest import Open
from tests.browser.panel import number
from tests.browser.results import comparison, one_score, two_scores

LOW_IF_BAD: dict[str, Callable[[float], float]] = {
    "auc": lambda value: value,
    "logloss": lambda value: -value,
    "copc": lambda value: -max(value, 1 / value),
}


def names(page: Page, table: int = 0) -> list[str]:
    return page.locator(f"#slices-{table} tbody th bdi").all_inner_texts()


def values_of(metric: str) -> dict[str, float]:
    rows = one_score().rows
    found = [row for row in rows if row.metric == metric and "country" in row.slice]
    return {str(row.slice["country"]): row.value for row in found if row.value is not None}


def test_worst_first_and_small_ones_last(open_page: Open) -> None:
    page = open_page(one_score().to_html()).page
    for metric, worst in LOW_IF_BAD.items():
        page.locator("#slice-metric").select_option(metric)
        values = values_of(metric)
        order = sorted(values, key=lambda name: (name == "tiny", worst(values[name])))
        assert names(page) == order
        shown = page.locator("#slices-0 tbody tr td:nth-child(4)").all_inner_texts()
        assert [number(text) for text in shown] == [round(values[name], 4) for name in order]
    page.locator("#slice-small").uncheck()
    assert names(page) == sorted(values, key=lambda name: worst(values[name]))
    assert page.locator("#slices-0 .small .pill").count() == 1


def test_headers_sort_by_keyboard(open_page: Open) -> None:
    page = open_page(one_score().to_html()).page
    page.locator("#slice-small").uncheck()
    rows = {str(r.slice["country"]): r.n for r in one_score().rows if "country" in r.slice}
    head = page.locator("#slices-0 th[data-sort=rows]")
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert names(page) == sorted(rows, key=lambda name: -rows[name])
    assert head.get_attribute("aria-sort") == "descending"
    page.keyboard.press("Space")
    assert names(page) == sorted(rows, key=lambda name: rows[name])
    assert head.get_attribute("aria-sort") == "ascending"
    assert page.locator("#slices-0 [aria-sort]").count() == 1
    page.locator("#slices-0 th[data-sort=name] button").press("Enter")
    assert names(page) == sorted(rows, key=str.lower)


def test_search(open_page: Open) -> None:
    page = open_page(one_score().to_html()).page
    page.locator("#slice-search").focus()
    page.keyboard.type("pho")
    assert names(page, 0) == []
    assert names(page, 1) == ["phone"]
    assert page.locator("#slice-count-1").inner_text() == "1 of 2"
    page.locator("#slice-search").fill("")
    assert len(names(page, 0)) == 5


def test_differences_of_two_scores(open_page: Open) -> None:
    page = open_page(two_scores().to_html()).page
    result = two_scores()
    for line in page.locator("#slices-0 tbody tr").all():
        name = line.locator("th bdi").inner_text()
        by_score = [
            result.value("auc", score=score, slice={"country": name})
            for score in ("pctr", "before")
        ]
        shown = line.locator("td.number").all_inner_texts()
        difference = by_score[1] - by_score[0]
        assert abs(number(shown[-1].replace("+", "")) - difference) <= 0.5001e-4


@pytest.mark.parametrize("metric", ["auc", "copc", "logloss"])
@pytest.mark.parametrize("script", [True, False])
def test_a_difference_has_the_sign_of_the_comparison(
    metric: str, script: bool, open_page: Open
) -> None:
    """The page and the rows of a comparison have one number, with or without a script."""
    compared = comparison((metric,))
    page = open_page(compared.to_html(), java_script_enabled=script).page
    for line in page.locator("#slices-0 tbody tr").all():
        name = line.locator("th bdi").inner_text()
        shown = number(line.locator("td.number").last.inner_text().replace("+", ""))
        assert shown == pytest.approx(compared.row(metric, country=name).difference, abs=0.5001e-4)


def test_all_slices_are_printed(open_page: Open) -> None:
    """The screen has the first 15 and a button."""
    rows = {"y": [0, 1] * 1000, "s": [0.3, 0.6] * 1000, "c": [i // 2 % 20 for i in range(2000)]}
    result = sy.evaluate(rows, label="y", score="s", by="c", metrics="auc")
    page = open_page(result.to_html()).page
    assert len(names(page)) == 15
    page.pdf()
    assert len(names(page)) == 20
