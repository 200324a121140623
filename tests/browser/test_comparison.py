"""Pages with intervals and with a comparison: what the script and the pictures show."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

import steelyard as sy
from steelyard.report import display
from steelyard.stats.outcomes import OUTCOMES
from tests.browser.checks import TOO_WIDE
from tests.browser.conftest import Open
from tests.browser.panel import Panel
from tests.browser.results import HOSTILE, comparison, hostile_comparison, intervals


def shown(page: Page) -> dict[str, str]:
    """The value of each country, with its interval, in the order of the page."""
    lines = page.locator("#slices-0 tbody tr")
    names = lines.locator("th bdi").all_inner_texts()
    cells = lines.locator("td:nth-child(4)").all_inner_texts()
    return dict(zip(names, (" ".join(cell.split()) for cell in cells), strict=True))


@pytest.mark.parametrize("script", [True, False])
def test_slices_have_their_intervals_with_and_without_a_script(
    script: bool, open_page: Open
) -> None:
    page = open_page(intervals().to_html(), java_script_enabled=script).page
    found = shown(page)
    assert len(found) == 5
    for name, text in found.items():
        assert text == display.cell(intervals().row("auc", country=name))


def test_sorting_is_by_value_and_every_metric_has_its_texts(open_page: Open) -> None:
    page = open_page(intervals().to_html()).page
    page.locator("#slice-small").uncheck()
    for metric in ("auc", "logloss"):
        page.locator("#slice-metric").select_option(metric)
        page.locator("#slices-0 th[data-sort='value-0'] button").click()
        found = shown(page)
        values = {name: intervals().value(metric, country=name) for name in found}
        assert list(found) == sorted(values, key=values.__getitem__)
        assert found == {
            name: display.cell(intervals().row(metric, country=name)) for name in found
        }
    page.locator("#slice-metric").select_option("ks")  # without intervals
    assert page.locator("#slices-0 .interval").count() == 0


@pytest.mark.parametrize("script", [True, False])
def test_forests_and_tables_are_there(script: bool, open_page: Open) -> None:
    page = open_page(comparison().to_html(), java_script_enabled=script).page
    section = page.locator("#comparison")
    assert section.locator("svg[data-kind=forest]").count() == 9  # three metrics by three
    assert section.locator("table.compared").count() == 10
    for picture in section.locator("svg[data-kind=forest]").all():
        assert picture.is_visible()
    hours = page.locator(".forest", has_text="auc by hour")
    assert hours.locator("tbody tr").count() == 30
    assert "the first 30 of 40 slices" in (hours.locator("svg").text_content() or "")


@pytest.mark.parametrize("width", [1500, 1300, 1160, 1000, 840, 600, 400])
def test_no_table_of_a_comparison_scrolls_and_outcomes_are_seen(
    width: int, open_page: Open
) -> None:
    page = open_page(comparison().to_html(), viewport={"width": width, "height": 900}).page
    wide = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length"
    assert page.locator("#comparison .scroll").evaluate_all(wide) == 0
    outcomes = page.locator("#comparison .forest").first.locator("tbody tr td:nth-of-type(1)")
    assert set(OUTCOMES) & set(outcomes.all_inner_texts())
    assert outcomes.first.is_visible()


def test_points_stand_at_the_differences(open_page: Open) -> None:
    page = open_page(comparison().to_html()).page
    plot = Panel(page).plot("forest-0")
    assert plot.point("total-points")[0] == pytest.approx(
        comparison().row("auc").difference, abs=1e-3
    )
    assert plot.rule("zero") == pytest.approx(0, abs=1e-3)
    circles = plot.svg.locator("[data-role$=-points] circle")
    places = [plot.x_at(float(c.get_attribute("cx") or "nan")) for c in circles.all()]
    names = page.locator("#comparison .forest").first.locator("tbody th").all_inner_texts()
    wanted = [comparison().row("auc", country=name).difference for name in names]
    assert places[1:] == pytest.approx(wanted, abs=2e-3)


def test_hostile_slices_of_a_comparison_are_text(open_page: Open) -> None:
    page = open_page(hostile_comparison().to_html()).page
    assert page.locator("script").count() == 2
    assert page.locator("img, iframe, object, embed, form, link, base").count() == 0
    names = page.locator("#comparison .forest").first.locator("tbody th bdi")
    texts = names.evaluate_all("(all) => all.map((e) => e.title || e.textContent)")
    assert len(texts) == len(HOSTILE)
    for name in HOSTILE[:5]:
        assert name in texts
    assert max(names.evaluate_all("(all) => all.map((e) => e.offsetHeight)")) < 150


def test_on_a_narrow_screen_the_outcome_needs_no_scrolling(open_page: Open) -> None:
    page = open_page(comparison().to_html(), viewport={"width": 380, "height": 900}).page
    for number in (0, 1):
        box = page.locator("#comparison .scroll").nth(number)
        assert box.evaluate("(e) => e.scrollWidth - e.clientWidth") <= 1
    assert page.locator("#comparison .compared").first.locator("td.narrow").first.is_hidden()


@pytest.mark.parametrize("width", [380, 360])
def test_a_phone_shows_the_outcome_and_the_direction(width: int, open_page: Open) -> None:
    """Beside each metric, without scrolling: also where two scores have intervals and no test."""
    size = {"width": width, "height": 900}
    totals = open_page(comparison().to_html(), viewport=size).page.locator("table.compared").first
    row = totals.locator("tbody tr", has_text="auc")
    assert row.locator("td").first.inner_text() == comparison().row("auc").outcome
    assert row.locator("td").nth(1).inner_text().startswith(("+", "−"))
    page = open_page(intervals(("before", "pctr")).to_html(), viewport=size).page
    scroll = page.locator("#numbers .scroll")
    assert scroll.evaluate("(e) => e.scrollWidth - e.clientWidth") <= 1
    for metric, direction in (("logloss", "lower is better"), ("copc", "best at 1")):
        row = page.locator(".headlines tbody tr", has_text=metric)
        assert row.locator("th").get_by_text(direction).is_visible()
        assert row.locator("td:not(.narrow)").last.inner_text().startswith(("+", "−"))


def test_a_long_source_name_does_not_widen_the_page(tmp_path: Path, open_page: Open) -> None:
    path = tmp_path / f"{'long_name_without_a_space_' * 8}.csv"
    path.write_text("y,s\n" + "1,0.9\n0,0.2\n" * 60, encoding="utf-8")
    made = sy.evaluate(path, label="y", score="s", metrics="auc").to_html()
    page = open_page(made, viewport={"width": 380, "height": 900}).page
    assert page.evaluate(TOO_WIDE) == []
