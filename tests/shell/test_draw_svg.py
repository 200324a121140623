"""Charts as SVG: what is drawn is the data, as well-formed text, the same each time."""

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from steelyard.report.charts.chart import Axis, Bars, Cells, Chart, Line, Mark, Points, Rule, Words
from steelyard.report.charts.chart_table import table_of
from steelyard.report.charts.draw_svg import draw
from steelyard.report.charts.scale import cut, ticks

HOSTILE = "<script>alert(1)</script>\"'&\u202e😀"
SPACE = "{http://www.w3.org/2000/svg}"


def chart(*marks: Mark, **others: Any) -> Chart:
    axes = {"x": Axis(label="across"), "y": Axis(label="up")}
    words = {"kind": "roc", "title": "A title", "summary": "What it says."}
    return Chart(**{**words, **axes, **others, "marks": marks})


def tree(drawn: Chart) -> ElementTree.Element:
    """The picture as a reader of XML sees it."""
    return ElementTree.fromstring(draw(drawn, standalone=True))


def places(svg: ElementTree.Element, x: float, y: float) -> tuple[float, float]:
    """Where a point must be: worked out from the frame that the picture states."""
    left, top, right, bottom = map(float, svg.attrib["data-frame"].split())
    x0, x1, y0, y1 = map(float, svg.attrib["data-ends"].split())
    return (
        left + (right - left) * (x - x0) / (x1 - x0),
        bottom - (bottom - top) * (y - y0) / (y1 - y0),
    )


def role(svg: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = svg.findall(f".//*[@data-role='{name}']")
    return found


def numbers(path: str) -> list[float]:
    return [float(each) for each in re.findall(r"-?[0-9.]+", path)]


def test_a_line_goes_through_its_points() -> None:
    x, y = np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.75, 1.0])
    svg = tree(chart(Line(x=x, y=y, role="curve"), square=True))
    wanted = [place for point in zip(x, y, strict=True) for place in places(svg, *point)]
    assert numbers(role(svg, "curve").attrib["d"]) == pytest.approx(wanted, abs=0.006)


def test_a_missing_point_breaks_a_line() -> None:
    x = np.linspace(0, 1, 5)
    svg = tree(chart(Line(x=x, y=np.array([0, 0.1, np.nan, 0.3, np.inf]), role="curve")))
    path = role(svg, "curve").attrib["d"]
    assert path.count("M") == 2
    assert len(numbers(path)) == 2 * 3


def test_bars_stand_on_zero_and_are_as_long_as_their_values() -> None:
    low, lengths = np.array([0.0, 0.5]), np.array([0.25, 1.0])
    svg = tree(chart(Bars(low=low, high=low + 0.5, lengths=lengths, role="bars")))
    first, second = role(svg, "bars").attrib["d"].split("Z")[:2]
    for path, start, length in ((first, 0.0, 0.25), (second, 0.5, 1.0)):
        x1, y1, x2, y2, _ = numbers(path)
        assert (x1 - 0.5, y1) == pytest.approx(places(svg, start, 0), abs=0.006)
        assert (x2 + 0.5, y2) == pytest.approx(places(svg, start + 0.5, length), abs=0.006)


def test_points_rules_and_words_are_in_their_places() -> None:
    marks = (
        Points(x=np.array([0.5]), y=np.array([0.25]), role="point"),
        Rule(x=0.4, role="rule"),
        Words(text="here", x=0.1, y=0.1, role="words"),
    )
    svg = tree(chart(*marks))
    (circle,) = role(svg, "point")
    at = float(circle.attrib["cx"]), float(circle.attrib["cy"])
    assert at == pytest.approx(places(svg, 0.5, 0.25), abs=0.006)
    assert float(role(svg, "rule").attrib["x1"]) == pytest.approx(places(svg, 0.4, 0)[0], abs=0.006)
    assert role(svg, "words").text == "here"


def test_a_cell_is_as_dark_as_its_value_and_the_first_is_at_the_top_left() -> None:
    names = ("a", "b")
    axes = {
        "x": Axis(label="predicted", names=names),
        "y": Axis(label="true", names=names),
    }
    values = np.array([[24, 6], [0, 12]])
    svg = tree(chart(Cells(values=values, role="cells"), **axes))
    shades = {}
    for path in role(svg, "cells"):
        x, y = numbers(path.attrib["d"])[:2]
        left, top, right, bottom = map(float, svg.attrib["data-frame"].split())
        cell = (y > (top + bottom) / 2, x > (left + right) / 2)
        shades[cell] = float(path.attrib["fill-opacity"])
    assert set(shades) == {(False, False), (False, True), (True, True)}  # nothing where 0 is
    assert shades[False, False] > shades[True, True] > shades[False, True]
    assert svg.attrib["data-ends"] == "-0.5 1.5 1.5 -0.5"  # half a place outside, the first on top


def test_a_line_without_points_is_a_remark_of_the_legend() -> None:
    remark = Line(x=np.empty(0), y=np.empty(0), name="there are no positives", colour=None)
    (legend,) = tree(chart(remark)).findall(f"{SPACE}g[@class='legend']")
    assert [each.text for each in legend] == ["there are no positives"]


def test_hostile_names_stay_text() -> None:
    x = np.array([0.0, 1.0])
    hostile = chart(
        Line(x=x, y=x, name=HOSTILE),
        Words(text=HOSTILE, x=0, y=0),
        Bars(low=x, high=x, lengths=x, role='"><script>'),
        title=HOSTILE,
        summary=HOSTILE,
        x=Axis(label=HOSTILE),
        y=Axis(label="up", names=(HOSTILE, "b")),
        notes=(HOSTILE,),
    )
    svg = tree(hostile)
    known = ("svg", "title", "desc", "style", "rect", "g", "path", "text", "circle", "line")
    assert {each.tag.removeprefix(SPACE) for each in svg.iter()} <= set(known)
    assert svg.findtext(f"{SPACE}title") == HOSTILE
    assert role(svg, '"><script>') is not None


def test_a_picture_on_a_page_has_its_words_and_no_name_space() -> None:
    x = np.array([0.0, 1.0])
    drawn = draw(chart(Line(x=x, y=x, name="pctr"), notes=("thinned",)))
    assert 'role="img"' in drawn
    assert "<title>A title</title>\n<desc>What it says.</desc>" in drawn
    assert "xmlns" not in drawn
    assert "style" not in drawn  # the policy of the page allows its own style alone
    assert "thinned" not in drawn
    assert drawn == draw(chart(Line(x=x, y=x, name="pctr"), notes=("thinned",)))


def test_a_long_text_is_cut_and_its_title_is_whole() -> None:
    name = "x" * 10_000
    x = np.array([0.0, 1.0])
    svg = tree(chart(Line(x=x, y=x, name=name)))
    (entry,) = [each for each in svg.iter(f"{SPACE}text") if (each.findtext(f"{SPACE}title"))]
    assert entry.findtext(f"{SPACE}title") == name
    assert len("".join(entry.itertext())) < 10_100
    assert cut("short", 100, 12) == "short"


@pytest.mark.parametrize(
    ("axis", "wanted"),
    [
        (Axis(label="", low=0, high=1), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (Axis(label="", low=-0.31, high=0.32), ["−0.2", "0", "0.2"]),
        (Axis(label="", low=0, high=3_500_000), ["0", "1M", "2M", "3M"]),
        (Axis(label="", low=0, high=0.04, percent=True), ["0%", "1%", "2%", "3%", "4%"]),
        (Axis(label="", low=0, high=5e-9), ["0", "1e−09", "2e−09", "3e−09", "4e−09", "5e−09"]),
        (Axis(label="", low=7, high=7), ["7"]),
        (Axis(label="", low=2, high=1), ["1.0", "1.2", "1.4", "1.6", "1.8", "2.0"]),
    ],
)
def test_ticks_are_round_numbers(axis: Axis, wanted: list[str]) -> None:
    assert [text for _, text in ticks(axis, 5)] == wanted


def test_the_table_has_the_numbers_of_the_picture() -> None:
    x = np.linspace(0, 1, 101)
    long = table_of(chart(Line(x=x, y=x**2, name="pctr"), Rule(x=0.5, name="rule")))
    lines = [tuple(cell.text for cell in line) for line in long.lines]
    assert long.header == ("", "across", "up")
    assert len(lines) == 25
    assert (lines[0], lines[-1]) == (("pctr", "0", "0"), ("pctr", "1", "1"))
    assert lines[12] == ("pctr", "0.5", "0.25")
    assert long.notes == ["25 of 101 points of each curve"]
    bars = Bars(low=np.array([0.0]), high=np.array([0.5]), lengths=np.array([3.0]))
    short = table_of(chart(bars))
    assert (short.header, short.notes) == (("across from", "to", "up"), [])
    assert [[cell.text for cell in line] for line in short.lines] == [["0", "0.5", "3"]]
