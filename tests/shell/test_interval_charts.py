"""Intervals in pictures: error bars of slices and the forest plot, as data and as drawn."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure

import steelyard as sy
from steelyard.comparison.comparison_rows import ComparisonRow
from steelyard.errors import SteelyardError
from steelyard.report.charts import forest, slices
from steelyard.report.charts.chart import Axis, Bars, Chart, IntervalBars, Points, Rule
from steelyard.report.charts.draw_matplotlib import draw as draw_with_matplotlib
from steelyard.report.charts.draw_svg import draw
from steelyard.report.charts.of_result import chart_of
from steelyard.report.comparison_layout import SlicingRows

DICE = np.random.default_rng(12)
ROWS = 1500
LABEL = (np.arange(ROWS) % 4 == 0).astype(int)
LOG = {
    "click": LABEL,
    "old": (DICE.random(ROWS) + 0.3 * LABEL).round(3),
    "new": (DICE.random(ROWS) + 0.6 * LABEL).round(3),
    "user": DICE.integers(0, 120, ROWS),
    "country": DICE.choice(["DE", "FR", "US"], ROWS),
}
ROLES: dict[str, Any] = {"label": "click", "cluster": "user", "by": "country", "metrics": "auc"}


def row(
    name: str | None, difference: float | None, half: float = 0.1, **more: Any
) -> ComparisonRow:
    """A row of a comparison; without a name, that of the total."""
    known = difference is not None and half == half
    fields: dict[str, Any] = {
        "metric": "auc",
        "score": "new",
        "against": "old",
        "slice": {} if name is None else {"country": name},
        "baseline": 0.5,
        "candidate": 0.6,
        "difference": difference,
        "low": difference - half if known and difference is not None else None,
        "high": difference + half if known and difference is not None else None,
        "p": 0.5,
        "q": None if name is None else 0.5,
        "margin": None,
        "outcome": "cannot tell",
        "why": None,
        "n": 100,
        "share": 0.25,
    }
    return ComparisonRow(**{**fields, **more})


def drawn(*rows: ComparisonRow, total: ComparisonRow | None = None) -> Chart:
    return forest.chart(total, SlicingRows("auc", "new", "old", ("country",), rows))


def marks(chart: Chart, kind: type[Any]) -> dict[str, Any]:
    return {mark.role: mark for mark in chart.marks if isinstance(mark, kind)}


# --- the forest plot ------------------------------------------------------------------------------
def test_the_total_is_first_then_slices_found_by_what_they_add_then_the_others() -> None:
    chart = drawn(
        row("a", 0.4, q=0.5),
        row("b", 0.1, q=0.1, share=0.5),
        row("c", -0.3, q=0.01, share=0.5),
        row("d", 0.5, q=None),
        total=row(None, 0.2),
    )
    assert chart.y.names == ("total", "c", "b", "a", "d")
    assert chart.y.beside == ("+0.20", "−0.30", "+0.10", "+0.40", "+0.50")
    points, spans = marks(chart, Points), marks(chart, IntervalBars)
    assert points["total-points"].x.tolist() == [0.2]
    assert points["found-points"].x.tolist() == [-0.3, 0.1]
    assert points["found-points"].y.tolist() == [1, 2]
    assert points["rest-points"].x.tolist() == [0.4, 0.5]
    assert spans["found-intervals"].low == pytest.approx([-0.4, 0.0])
    assert spans["rest-intervals"].high == pytest.approx([0.5, 0.6])
    colours = [points[f"{kind}-points"].colour for kind in ("total", "found", "rest")]
    assert colours[2] is None
    assert len(set(colours)) == 3


def test_the_line_of_no_difference_is_on_the_axis() -> None:
    for differences in ([0.5, 0.6], [-0.5, -0.6], [-0.1, 0.3]):
        chart = drawn(*(row(str(each), each, 0.05) for each in differences))
        assert [mark.x for mark in chart.marks if isinstance(mark, Rule)] == [0.0]
        assert chart.x.low < 0 < chart.x.high
        assert chart.x.low < min(differences)
        assert chart.x.high > max(differences)


def test_one_wide_interval_does_not_hide_the_others() -> None:
    rows = [row(name, 0.01, 0.01) for name in "abcde"]
    chart = drawn(*rows, row("tiny", 0.02, 5.0))
    assert chart.x.high < 0.2
    assert "an interval goes on beyond the edge" in chart.notes[0]
    assert not drawn(*rows).notes


def test_the_intervals_of_slices_found_are_shown_whole() -> None:
    rows = [row(name, 0.01, 0.01) for name in "abcde"]
    chart = drawn(*rows, row("few", -0.4, 0.35, q=0.01), row("tiny", 0.02, 5.0))
    assert chart.x.low < -0.75
    assert chart.x.high < 1
    assert "an interval goes on beyond the edge" in chart.notes[0]


def test_slices_without_a_difference_or_an_interval_keep_their_line() -> None:
    chart = drawn(row("a", None), row("b", 0.1, float("nan")), row("c", 0.2))
    assert chart.y.names == ("a", "b", "c")
    assert chart.y.beside == ("–", "+0.100000", "+0.20")
    spans = marks(chart, IntervalBars)["rest-intervals"]
    assert np.isnan(spans.low).tolist() == [True, True, False]
    assert draw(chart).count("NaN") == draw(chart).count("nan") == 0


def test_of_many_slices_the_first_are_shown() -> None:
    rows = [row(f"s{place}", place / 100, q=0.01 if place > 38 else 0.9) for place in range(41)]
    chart = drawn(*rows, total=row(None, 0.2))
    assert len(chart.y.names) == 1 + forest.MOST
    assert chart.y.names[1:3] == ("s40", "s39")
    assert "the first 30 of 41 slices" in [mark.name for mark in chart.marks]


def test_a_metric_without_a_direction_does_not_say_what_is_better() -> None:
    assert drawn(row("a", 0.1)).x.label == "Difference in auc, + is better"
    assert drawn(row("a", 0.1, outcome=None)).x.label == "Difference in auc"


def test_no_slice_and_equal_values_can_be_drawn() -> None:
    for chart in (drawn(total=row(None, 0.0, 0.0)), drawn(row("a", 0.0, 0.0))):
        assert chart.x.low < 0 < chart.x.high
        draw(chart)


def test_hostile_names_stay_text() -> None:
    names = ("<script>alert(1)</script>", "\"'&", "x" * 10_000, "\u202e", "")
    text = draw(drawn(*(row(name, 0.1) for name in names)), standalone=True)
    ElementTree.fromstring(text)
    assert "<script" not in text
    assert len(text) < 20_000


def test_a_comparison_is_drawn_by_matplotlib() -> None:
    found = sy.compare(LOG, score=["old", "new"], **ROLES)
    ax = found.plot("forest", metric="auc", by="country", linewidth=3, ax=Figure().subplots())
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert (names[0], sorted(names[1:])) == ("total", ["DE", "FR", "US"])
    points = [place for each in ax.collections for place in each.get_offsets().tolist()]
    rows = [each for each in found.rows if each.metric == "auc"]
    for each in rows:
        assert any(x == each.difference for x, _ in points)
    assert [line.get_linewidth()[0] for line in ax.collections[:1]] == [3]
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said[-1] == "95 % intervals, rows of one user taken as dependent"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "forrest"}, "did you mean 'forest'"),
        ({"metric": "ks"}, "has no ks: it holds auc"),
        ({"by": "device"}, "no slices by 'device', but by country"),
        ({"score": "old"}, "no score 'old'"),
    ],
)
def test_what_a_comparison_does_not_have(options: dict[str, Any], words: str) -> None:
    found = sy.compare(LOG, score=["old", "new"], **ROLES)
    with pytest.raises(SteelyardError, match=words):
        found.plot(**{"kind": "forest", **options})


def test_a_comparison_without_slices_has_no_forest() -> None:
    found = sy.compare(LOG, score=["old", "new"], **{**ROLES, "by": None})
    with pytest.raises(SteelyardError, match="the total alone"):
        found.plot("forest")


# --- slices ---------------------------------------------------------------------------------------
def test_bars_of_slices_have_the_intervals_of_their_values() -> None:
    result = sy.evaluate(LOG, score=["old", "new"], **ROLES)
    chart = chart_of(result, "slices")
    spans = [mark for mark in chart.marks if isinstance(mark, IntervalBars)]
    assert len(spans) == 2
    bars = [mark for mark in chart.marks if isinstance(mark, Bars)]
    for score, span, bar in zip(("old", "new"), spans, bars, strict=True):
        assert span.y == pytest.approx((bar.low + bar.high) / 2)
        for place, name in enumerate(chart.y.names):
            found = result.row("auc", score, country=name)
            assert (span.low[place], span.high[place]) == (found.low, found.high)
            assert bar.lengths[place] == found.value
    assert chart.marks[-1].name == "95 % intervals, rows of one user taken as dependent"
    assert chart.x.high > max(span.high.max() for span in spans)


def test_bars_without_intervals_are_as_before() -> None:
    result = sy.evaluate(LOG, score="new", **{**ROLES, "cluster": None})
    assert not any(isinstance(mark, IntervalBars) for mark in chart_of(result, "slices").marks)


def test_a_slice_without_an_interval_has_a_bar_alone() -> None:
    rows = list(sy.evaluate(LOG, score="new", **ROLES).rows)
    rows[-1] = replace(rows[-1], low=None, high=None)
    (spans,) = [m for m in slices.chart(rows, scores=["new"]).marks if isinstance(m, IntervalBars)]
    assert np.isnan(spans.low).sum() == 1


# --- drawn ----------------------------------------------------------------------------------------
SPANS = IntervalBars(
    low=np.array([0.2, -1.0, np.nan, 2.0]),
    high=np.array([0.6, 0.5, np.nan, 3.0]),
    y=np.arange(4.0),
    role="spans",
)
FOUR = Chart(
    kind="forest",
    title="t",
    summary="s",
    x=Axis(label="x"),
    y=Axis(label="", names=tuple("abcd"), beside=tuple("1234")),
    marks=(SPANS,),
)


def test_intervals_are_lines_with_caps_and_one_beyond_the_axis_is_cut_off() -> None:
    svg = ElementTree.fromstring(draw(FOUR))
    left, _, right, _ = map(float, svg.attrib["data-frame"].split())
    (path,) = svg.findall(".//*[@data-role='spans']")
    first, cap, other, second, arrow, last = path.attrib["d"].split("M")[1:]
    assert float(first.split()[0]) == pytest.approx(left + 0.2 * (right - left), abs=0.006)
    assert float(first.split("H")[1]) == pytest.approx(left + 0.6 * (right - left), abs=0.006)
    assert cap.endswith("v6")
    assert other.endswith("v6")
    assert float(second.split()[0]) == left  # of -1 to 0.5 on an axis from 0: an arrow to the left
    (back, above), (tip, middle), (again, below) = (
        map(float, point.split()) for point in arrow.split("L")
    )
    assert tip == left < back == again
    assert above < middle < below
    assert last.endswith("v6")
    assert [text.text for text in svg.iter("text")][4:8] == list("1234")


def test_matplotlib_draws_the_same_intervals() -> None:
    ax = draw_with_matplotlib(FOUR, Figure().subplots())
    ends = [line.tolist() for line in ax.collections[0].get_segments()]
    assert ends == [[[0.2, 0], [0.6, 0]], [[-1, 1], [0.5, 1]], [[2, 3], [3, 3]]]
    (arrows,) = (each for each in ax.collections if isinstance(each, PathCollection))
    assert np.asarray(arrows.get_offsets()).tolist() == [
        [0, 1]
    ]  # to the left; none of what is not on the axis
    assert [text.get_text() for text in ax.texts] == list("1234")
