"""Pages with intervals and with a comparison: what the script and the pictures show."""

import pytest
from playwright.sync_api import Page

from steelyard.report import display
from steelyard.stats.outcomes import OUTCOMES
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
