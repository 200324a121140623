"""docs/pictures: current, shown on a page, and saying what the arithmetic says."""

import re
from fractions import Fraction
from typing import TypeVar
from xml.etree import ElementTree

import numpy as np
import pytest

from bench.picture import PICTURE
from steelyard.report.charts.chart import Bars, Cells, Chart, Line, Mark, Points, Words
from steelyard.report.charts.kinds import EVERY
from tests.paths import DOCS, ROOT
from tools.pictures import curves, demo, every, examples, kinds, probabilities

T = TypeVar("T", bound=Mark)
README, SEEDS = ROOT / "README.md", DOCS / "seeds.md"
PAGES = {page: page.read_text(encoding="utf-8") for page in (README, *DOCS.glob("*.md"))}
SPACE = "{http://www.w3.org/2000/svg}"


def marks(chart: Chart, kind: type[T]) -> list[T]:
    return [mark for mark in chart.marks if isinstance(mark, kind) and mark.colour is not None]


def corners(line: Line) -> list[tuple[float, float]]:
    return list(zip(line.x.tolist(), line.y.tolist(), strict=True))


# --- files ----------------------------------------------------------------------------------------
def test_the_files_are_current() -> None:
    for path, text in every.texts().items():
        assert path.exists(), f"{path}: make pages writes it"
        assert path.read_text(encoding="utf-8") == text, f"{path}: make pages writes it"
    assert every.stray() == set(), "make pages removes them"


def test_every_picture_is_on_a_page_with_words_for_those_who_do_not_see_it() -> None:
    shown = {
        (page.parent / source).resolve(): (words, float(width))
        for page, text in PAGES.items()
        for words, source, width in re.findall(
            r'<img alt="([^"]+)" src="([^"]+)" width="(\d+)">', text
        )
    }
    measured = shown.pop(PICTURE)  # make bench writes it
    assert PICTURE.exists()
    assert len(measured[0]) > 30
    assert shown.keys() == every.texts().keys()
    for path, (words, width) in shown.items():
        assert len(words) > 30
        drawn = float(ElementTree.fromstring(every.texts()[path]).attrib["width"])
        assert 0.9 * drawn <= width <= drawn, "as large as it was drawn, or a little smaller"


@pytest.mark.parametrize("name", every.PICTURES)
def test_a_picture_is_well_formed_and_its_panels_do_not_overlap(name: str) -> None:
    svg = ElementTree.fromstring(every.texts()[every.FOLDER / f"{name}.svg"])
    panels = svg.findall(f"{SPACE}svg")
    boxes = [[float(p.attrib[key]) for key in ("x", "y", "width", "height")] for p in panels]
    assert len(panels) == sum(map(len, every.PICTURES[name]()))
    for place, (x, y, width, height) in enumerate(boxes):
        assert x + width <= float(svg.attrib["width"])
        assert y + height <= float(svg.attrib["height"]) + 0.01
        for other in boxes[:place]:
            assert x >= other[0] + other[2] or y >= other[1] + other[3] or other[0] >= x + width
    for panel in panels:
        assert panel.findtext(f"{SPACE}title")
        assert panel.findtext(f"{SPACE}desc")


# --- what they say --------------------------------------------------------------------------------
def test_the_table_beside_the_steps_is_a_count_row_by_row() -> None:
    rows = re.findall(
        r"^\| (\d+) \| ([\d.]+) \| ([01]) ([↑→]) \| (.*) \|$", PAGES[SEEDS], re.MULTILINE
    )
    assert [float(score) for _, score, *_ in rows] == examples.TEN.score.tolist()
    assert [int(label) for _, _, label, *_ in rows] == examples.TEN.label.tolist()
    ((chart,),) = curves.roc_steps()
    labels = {(each.x, each.y): each.text for each in chart.marks if isinstance(each, Words)}
    up = right = 0
    for number, _, label, goes, rest in rows:
        up, right = up + int(label), right + 1 - int(label)
        assert goes == ("↑" if label == "1" else "→")
        assert rest.split(" | ") == [str(up), str(right), str(up / 5), str(right / 5)]
        assert labels[right / 5, up / 5] == number
    assert (up, right) == (5, 5)


def test_thresholds_are_points_of_the_curve() -> None:
    panels = [chart for row in curves.threshold() for chart in row]
    hills = examples.hills(12, 8)
    (curve,) = marks(panels[-1], Line)
    for threshold, point, panel in zip(
        curves.THRESHOLDS, marks(panels[-1], Points), panels, strict=False
    ):
        called = hills.score >= threshold
        rates = [
            Fraction(
                int(hills.weight[called & (hills.label == y)].sum()),
                int(hills.weight[hills.label == y].sum()),
            )
            for y in (0, 1)
        ]
        assert (point.x[0], point.y[0]) == (float(rates[0]), float(rates[1]))
        assert (point.x[0], point.y[0]) in corners(curve)
        assert panel.title.endswith(f"TPR {float(rates[1]):.3f}, FPR {float(rates[0]):.3f}")
        negatives, positives = marks(panel, Bars)
        assert negatives.lengths.tolist() == positives.lengths.tolist()[::-1]  # mirrored


def test_the_points_of_roc_space() -> None:
    ((chart,),) = curves.roc_space()
    places = [(mark.x[0], mark.y[0]) for mark in marks(chart, Points)]
    assert places == [(0.2, 0.8), (0.5, 0.5), (0.7, 0.3), (pytest.approx(0.3), 0.7)]


def test_two_curves_of_one_area_cross_and_the_third_is_below() -> None:
    ((roc, pr),) = curves.crossing()
    a, b, c = marks(roc, Line)
    assert [round(float(np.trapezoid(line.y, line.x)), 12) for line in (a, b, c)] == [0.8, 0.8, 0.6]
    share = np.linspace(0.05, 0.95, 10)  # between the corners, which are at tenths
    height = [np.interp(share, line.x, line.y) for line in (a, b, c)]
    assert (height[0] > height[1])[:3].all()
    assert (height[0] < height[1])[3:8].all()
    assert (height[1] >= height[2]).all()
    even = [float(mark.x[0]) for mark in marks(pr, Points)]
    assert even == [0.7, 0.7, 0.6]


def test_ten_times_the_negatives_move_pr_alone() -> None:
    (roc, pr), (roc_more, pr_more) = curves.imbalance()
    for one, two in zip(marks(roc, Line), marks(roc_more, Line), strict=True):
        assert corners(one) == corners(two)
    for one, two in zip(marks(pr, Line), marks(pr_more, Line), strict=True):
        assert one.x.tolist() == two.x.tolist()
        # With the false positives f per true positive, precision is 1/(1 + f) and 1/(1 + 10 f).
        assert two.y == pytest.approx(1 / (1 + 10 * (1 / one.y - 1)), rel=1e-12)


def test_cells_below_the_curve_are_the_pairs_in_the_right_order() -> None:
    ((four, seven),) = curves.rectangles()
    for chart, pairs, size in ((four, 3, 4), (seven, 10, 12)):
        (cells,), (curve,) = marks(chart, Cells), marks(chart, Line)
        assert cells.values.size == size
        assert cells.values.sum() == pairs
        assert float(np.trapezoid(curve.y, curve.x)) == pytest.approx(pairs / size, rel=1e-15)
        signs = [text.split()[1] for line in cells.texts for text in line]
        assert signs.count(">") + signs.count("=") / 2 == pairs


def test_the_classes_are_the_articles() -> None:
    ((table, chart),) = curves.one_vs_rest()
    (cells,) = marks(table, Cells)
    counts = [[int(text.split(" ")[0]) for text in line] for line in cells.texts]
    assert [sum(line) for line in counts] == [520, 550, 670]
    assert [counts[place][place] for place in range(3)] == [500, 480, 370]
    for line, name in zip(marks(chart, Line), "abc", strict=True):
        own = examples.MATRIX[:, "abc".index(name)]
        is_it = np.array(examples.TRUTH) == name
        pairs = np.subtract.outer(own[is_it], own[~is_it])
        area = ((pairs > 0).sum() + (pairs == 0).sum() / 2) / pairs.size
        assert f"{area:.3f}" in line.name
        assert float(np.trapezoid(line.y, line.x)) == pytest.approx(area, rel=1e-12)


def test_the_correction_of_probabilities() -> None:
    ((chart,),) = probabilities.reliability()
    trained, corrected = marks(chart, Line)
    assert trained.x.tolist() == list(examples.TRAINED)
    assert corrected.x == pytest.approx([p / (p + (1 - p) * 10) for p in examples.TRAINED])
    assert trained.y.tolist() == corrected.y.tolist() == [n / 10_000 for n in examples.CLICKS]


def test_the_bars_of_the_demo_are_what_its_table_prints() -> None:
    ((*_, bars),) = demo.demo()
    printed = dict(
        re.findall(r"^([A-Z]{2}) .* (\d\.\d{3})  \d\.\d{6}$", PAGES[README], re.MULTILINE)
    )
    drawn = {
        bars.y.names[round((low + high) / 2)]: f"{length:.3f}"
        for mark in marks(bars, Bars)
        for low, high, length in zip(mark.low, mark.high, mark.lengths, strict=True)
    }
    assert drawn == printed
    assert len(drawn) == 6


def test_the_gallery_has_every_kind_and_its_page_says_what_each_shows() -> None:
    titles = [chart.title for row in kinds.kinds() for chart in row]
    assert titles == [f'r.plot("{kind}")' for kind in EVERY]
    table = PAGES[DOCS / "plots.md"].partition("| kind |")[2].partition("\n\n")[0]
    named = [
        kind
        for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for kind in re.findall(r"`(\w+)`", cell)
    ]
    assert sorted(named) == sorted(EVERY)
