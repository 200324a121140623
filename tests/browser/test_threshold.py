"""The threshold and the class balance: the page shows what the functions say of the same rows."""

import re
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import UndefinedWarning
from steelyard.model import Array, Roc
from tests.browser.conftest import Open
from tests.browser.panel import Panel, number
from tests.browser.results import clicks, one_score, two_scores

KINDS = ("plain", "weighted", "float32")
RATIOS = {
    "precision": sy.precision,
    "recall": sy.recall,
    "f1": sy.f1,
    "specificity": sy.specificity,
    "mcc": sy.mcc,
}
HALF_A_PIXEL = 0.5 / 300  # of a plot that is 300 pixels wide
Arrays = tuple[Array, Array, Array | None]


@cache
def page_of(kind: str) -> str:
    return one_score(kind).to_html()


def arrays(kind: str, score: str = "pctr") -> Arrays:
    columns = clicks(kind)
    return columns["click"], columns[score], columns.get("weight")


def called_at(threshold: float, rows: Arrays) -> dict[str, Any]:
    """Arguments for a function at a threshold: a finite one for "above every score"."""
    label, score, weight = rows
    finite = min(threshold, float(score.max()) + 1)
    return {"y_true": label, "y_score": score, "sample_weight": weight, "threshold": finite}


def assert_shown(panel: Panel, rows: Arrays) -> None:
    """Cells and ratios are those of the functions at the threshold of the slider."""
    at = called_at(panel.threshold, rows)
    assert panel.cells() == sy.confusion(**at)._asdict()
    for name, function in RATIOS.items():
        shown = panel.ratio(name)
        try:
            value = function(**at)
        except UndefinedWarning:
            assert shown == "–"
            continue
        digits = len(shown.partition(".")[2])
        assert digits >= 4
        assert shown.replace("−", "-") == f"{value:.{digits}f}"


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_starts_at_an_operating_point(kind: str, open_page: Open) -> None:
    page = open_page(page_of(kind), java_script_enabled=False).page
    assert_shown(Panel(page), arrays(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_slider_moves_every_number(kind: str, open_page: Open) -> None:
    panel = Panel(open_page(page_of(kind)).page)
    last = len(panel.thresholds) - 1
    assert last > 100
    for place in [*Random(kind).sample(range(1, last), 20), 0, last]:
        panel.pull(place)
        assert panel.place == place
        assert_shown(panel, arrays(kind))


def test_the_slider_moves_lines_and_points(open_page: Open) -> None:
    panel = Panel(open_page(page_of("weighted")).page)
    rows = arrays("weighted")
    last = len(panel.thresholds) - 1
    for place in Random(1).sample(range(last), 5):
        panel.pull(place)
        at = called_at(panel.threshold, rows)
        recall, false_rate = sy.recall(**at), 1 - sy.specificity(**at)
        roc, pr = panel.plot("roc").point("roc-now"), panel.plot("pr").point("pr-now")
        assert roc == pytest.approx((false_rate, recall), abs=HALF_A_PIXEL)
        assert pr == pytest.approx((recall, sy.precision(**at)), abs=HALF_A_PIXEL)
        line = panel.plot("scores-0").rule("threshold")
        assert line == pytest.approx(panel.threshold, abs=HALF_A_PIXEL)


@pytest.mark.parametrize("kind", KINDS)
def test_the_threshold_that_is_shown_calls_the_same_rows(kind: str, open_page: Open) -> None:
    """Users copy it: as a score of this type it must be the stored one."""
    panel = Panel(open_page(page_of(kind)).page)
    score = arrays(kind)[1]
    for place in Random(kind).sample(range(len(panel.thresholds) - 1), 20):
        panel.pull(place)
        copied = score.dtype.type(panel.threshold_text)
        assert np.array_equal(score >= copied, score >= panel.threshold)
        spoken = panel.page.locator("#threshold").get_attribute("aria-valuetext") or ""
        assert panel.threshold_text in spoken


@pytest.mark.parametrize("kind", KINDS)
def test_buttons_go_to_the_best_threshold(kind: str, open_page: Open) -> None:
    page = open_page(page_of(kind)).page
    panel, (label, score, weight) = Panel(page), arrays(kind)
    for button, criterion in (("f1", "f1"), ("youden", "youden")):
        panel.pull(0)
        page.locator(f"[data-choose={button}]").click()
        best = sy.best_threshold(label, score, sample_weight=weight, criterion=criterion)
        assert panel.threshold == best
        assert_shown(panel, arrays(kind))


def all_shown(panel: Panel, rows: Arrays) -> list[dict[str, Any]]:
    """The arguments of every stored operating point but the last, by rising threshold."""
    return [called_at(each, rows) for each in panel.thresholds[:-1]]


def test_buttons_that_choose_among_the_stored_points(open_page: Open) -> None:
    page = open_page(page_of("plain")).page
    panel, rows = Panel(page), arrays("plain")
    points = all_shown(panel, rows)
    precision = np.array([sy.precision(**at) for at in points])
    recall = np.array([sy.recall(**at) for at in points])
    cells = [sy.confusion(**at) for at in points]

    page.locator("[data-choose=break-even]").click()
    gaps = [abs(each.fp - each.fn) for each in cells]  # break-even is where TP + FP = P
    assert gaps[panel.place] == min(gaps)
    assert precision[panel.place] == pytest.approx(sy.break_even(*rows[:2]), abs=0.02)

    page.locator("#least-recall").fill("0.6")
    page.locator("[data-choose=recall]").click()
    assert recall[panel.place] >= 0.6
    assert precision[panel.place] == precision[recall >= 0.6].max()
    exact = sy.precision_at_recall(*rows[:2], recall=0.6)
    assert precision[panel.place] == pytest.approx(exact, abs=0.02)
    page.locator("#least-recall").fill("90")  # no recall is above 1
    page.locator("[data-choose=recall]").click()
    assert recall[panel.place] == 1

    page.locator("#cost-fp").fill("1")
    page.locator("#cost-fn").fill("3")
    page.locator("[data-choose=cost]").click()
    costs = [each.fp + 3 * each.fn for each in cells]
    assert costs[panel.place] == min(costs)
    best = sy.best_threshold(*rows[:2], criterion="cost", fp=1, fn=3)
    least = sy.confusion(*rows[:2], threshold=best)
    assert min(costs) <= 1.02 * (least.fp + 3 * least.fn)


def test_the_least_cost_is_exact_where_its_threshold_is_stored(open_page: Open) -> None:
    """Few distinct scores are all stored."""
    label, score = clicks()["click"], clicks()["pctr"].round(1)
    panel = Panel(open_page(sy.evaluate(label=label, score=score, metrics=["auc"]).to_html()).page)
    for fp, fn in ((1, 5), (2, 1), (1, 1), (0.3, 0.1)):
        panel.page.locator("#cost-fp").fill(str(fp))
        panel.page.locator("#cost-fn").fill(str(fn))
        panel.page.locator("[data-choose=cost]").click()
        best = sy.best_threshold(label, score, criterion="cost", fp=fp, fn=fn)
        assert panel.threshold == best


@pytest.mark.parametrize("kind", ["plain", "weighted"])
def test_more_negatives_move_pr_to_the_numbers_of_reweighted_rows(
    kind: str, open_page: Open
) -> None:
    panel = Panel(open_page(page_of(kind)).page)
    label, score, weight = arrays(kind)
    roc = panel.plot("roc").line("roc")
    panel.pull(len(panel.thresholds) // 3)
    before = panel.cells()
    drawn_by_python = panel.plot("pr").line("pr-0")
    for times in (7, 100):
        panel.pull(times, "#negatives")
        assert number(panel.page.locator("#negatives-value").inner_text()) == times
        again = np.where(label == 1, 1, times) * (1 if weight is None else weight)
        drawn = panel.plot("pr").line("pr-0")
        for at in Random(times).sample(panel.thresholds[:-1], 10):
            said = called_at(at, (label, score, again))
            wanted = sy.recall(**said), sy.precision(**said)
            assert min(map(max, np.abs(np.array(drawn) - wanted))) < HALF_A_PIXEL
        now = called_at(panel.threshold, (label, score, again))
        point = sy.recall(**now), sy.precision(**now)
        assert panel.plot("pr").point("pr-now") == pytest.approx(point, abs=HALF_A_PIXEL)
        assert panel.plot("roc").line("roc") == roc
    assert panel.cells() == before
    panel.pull(1, "#negatives")
    assert panel.plot("pr").line("pr-0") == drawn_by_python


def test_more_negatives_change_the_numbers_of_the_legend(open_page: Open) -> None:
    page = open_page(two_scores().to_html()).page
    panel = Panel(page)
    legend = page.locator("#figure-pr svg.chart .legend text")
    before = legend.all_text_contents()
    panel.pull(10, "#negatives")
    label = clicks()["click"]
    again = np.where(label == 1, 1, 10)
    for text, score in zip(legend.all_text_contents(), ("pctr", "before"), strict=False):
        name, _, shown = text.rstrip(")").partition(" (AP ≈ ")
        assert name == score
        exact = sy.ap(label, clicks()[score], sample_weight=again)
        assert float(shown) == pytest.approx(exact, abs=0.02)
    assert f"prevalence {label.sum() / again.sum():.3g}" in legend.all_text_contents()
    panel.pull(1, "#negatives")
    assert legend.all_text_contents() == before


def test_a_model_that_is_always_wrong(open_page: Open) -> None:
    """MCC is −1, and break-even is nowhere among the thresholds that find something."""
    label, score = [1, 0, 0, 0, 1], [0.1, 0.7, 0.8, 0.9, 0.2]
    result = sy.evaluate(label=label, score=score, metrics=["auc", "break_even"])
    opened = open_page(result.to_html())
    panel = Panel(opened.page)
    panel.pull(panel.thresholds.index(0.7))
    assert panel.cells() == {"tp": 0, "fp": 3, "fn": 2, "tn": 0}
    assert panel.ratio("mcc") == "−1.0000"
    for times in (2, 100):
        panel.pull(times, "#negatives")
        x, y = panel.plot("pr").point("break-even-0")
        assert 0 <= x <= 1
        assert 0 <= y <= 1


def test_small_ratios_have_their_digits(open_page: Open) -> None:
    """One positive of 50,000 rows: a precision of 0.00002 is not 0.0001."""
    label, score = np.arange(50_000) == 7, np.arange(50_000) % 100 / 100
    panel = Panel(open_page(sy.evaluate(label=label, score=score, metrics=["auc"]).to_html()).page)
    panel.pull(0)
    assert panel.ratio("precision") == "0.00002"
    panel.pull(100, "#negatives")
    assert "2e-7 of the rows" in panel.page.locator("#negatives-note").inner_text()


def test_another_score_has_its_own_points(open_page: Open) -> None:
    page = open_page(two_scores().to_html()).page
    panel = Panel(page)
    page.locator("#score").select_option("1")
    stored = panel.data["scores"][1]["thresholds"]
    for place in Random(2).sample(range(len(stored) - 1), 5):
        panel.pull(place)
        at = called_at(stored[place], arrays("plain", "before"))
        assert panel.cells() == sy.confusion(**at)._asdict()


def test_the_slider_by_keyboard(open_page: Open) -> None:
    page = open_page(page_of("plain")).page
    panel = Panel(page)
    page.locator("#threshold").focus()
    start = panel.place
    moves = {
        "ArrowRight": start + 1,
        "ArrowLeft": start,
        "End": len(panel.thresholds) - 1,
        "Home": 0,
    }
    for key, place in moves.items():
        page.keyboard.press(key)
        assert panel.place == place
        assert_shown(panel, arrays("plain"))
    page.keyboard.press("PageUp")
    assert panel.place > 1
    assert re.search(r"\d", page.locator("#announcement").inner_text())


def test_the_line_and_the_points_can_be_dragged(open_page: Open) -> None:
    """To the stored point that is nearest to the pointer."""
    page = open_page(page_of("plain"), viewport={"width": 1600, "height": 2400}).page
    panel = Panel(page)
    for figure in ("scores-0", "roc"):
        svg = page.locator(f"#figure-{figure} svg.chart")
        box = svg.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.4 * box["height"], steps=3)
        page.mouse.up()
        assert_shown(panel, arrays("plain"))
        dragged = panel.threshold
        if figure == "scores-0":
            plot = panel.plot(figure)
            _, _, width, _ = map(float, (svg.get_attribute("viewBox") or "").split())
            wanted = plot.x_at(0.3 * width)
            gaps = [abs(each - wanted) for each in panel.thresholds]
            assert abs(dragged - wanted) == pytest.approx(min(gaps))
        panel.pull(0)


def test_the_values_of_a_curve_are_shown_beside_the_pointer(open_page: Open) -> None:
    """The point nearest to it, as the result has it; not where the pointer is far from a curve."""
    page = open_page(one_score().to_html()).page
    svg = page.locator("#figure-roc svg.chart")
    label = svg.locator(".hover")
    assert label.get_attribute("visibility") == "hidden"
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    assert box is not None
    frame = [float(each) for each in (svg.get_attribute("data-frame") or "").split()]
    size = [float(each) for each in (svg.get_attribute("viewBox") or "").split()[2:]]
    name = next(each for each in one_score().picture_names if each.partition("(")[0] == "roc")
    roc = one_score().picture_shape(name)
    assert isinstance(roc, Roc)
    place = len(roc.fpr) // 3
    x = frame[0] + (frame[2] - frame[0]) * roc.fpr[place]
    y = frame[3] - (frame[3] - frame[1]) * roc.tpr[place]
    page.mouse.move(box["x"] + x * box["width"] / size[0], box["y"] + y * box["height"] / size[1])
    assert label.get_attribute("visibility") == "visible"
    said = label.locator("tspan").all_text_contents()
    shown = [float(text.rpartition(" ")[2]) for text in said[-2:]]
    points = [(float(f"{a:.5g}"), float(f"{b:.5g}")) for a, b in zip(roc.fpr, roc.tpr, strict=True)]
    assert tuple(shown) in points
    assert shown == pytest.approx([roc.fpr[place], roc.tpr[place]], abs=0.01)
    assert [text.rpartition(" ")[0] for text in said[-2:]] == [
        "False positive rate",
        "True positive rate",
    ]
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + box["height"] * 0.85)
    assert label.get_attribute("visibility") == "hidden"
