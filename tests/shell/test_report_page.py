"""The report page as data and as text; tests/browser opens it."""

import base64
import hashlib
import json
import math
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, patch

import numpy as np
import pytest
from sklearn import metrics as sklearn

import steelyard as sy
from steelyard.model import Roc
from steelyard.report.report_page.crossings import compare, sentences
from steelyard.report.report_page.operating_points import FourCells
from steelyard.report.report_page.page import page_of
from steelyard.report.report_page.render import script_json
from steelyard.report.report_page.slice_table import MOST
from steelyard.report.slice_order import badness
from tests.shell.run import run

DICE = np.random.default_rng(7)
ROWS = 3000
SCORE = DICE.random(ROWS).round(3)
LABEL = (DICE.random(ROWS) < SCORE**2).astype(int)
OTHER = (SCORE + DICE.normal(0, 0.3, ROWS)).clip(0, 1)
COUNTRY = DICE.choice(["DE", "FR", "US"], ROWS)
METRICS = ["auc", "ap", "copc", "logloss"]
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"'`&amp;",
    "😀",
    "\u202egnp.exe",
    "x" * 10_000,
    "\u2028",
    "عربي",
)


class Reader(HTMLParser):
    """The elements of a page, and the text in each kind."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self._in = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in = tag

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        (self.scripts if self._in in ("script", "style") else self.texts).append(data)

    def found(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def evaluated(**others: Any) -> sy.Result:
    arguments = {"label": LABEL, "score": SCORE, "metrics": METRICS, "shapes": True}
    return sy.evaluate(**{**arguments, **others})


ONE = evaluated(by={"country": COUNTRY})
TWO = evaluated(score={"new": SCORE, "old": OTHER}, by={"country": COUNTRY})


def data_of(page: str) -> dict[str, Any]:
    """What the script reads."""
    (text,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL
    )
    found: dict[str, Any] = json.loads(text)
    return found


# --- numbers -------------------------------------------------------------------------------------
def test_headline_numbers_are_those_of_the_functions() -> None:
    shown = {each.metric: each.numbers[0] for each in page_of(ONE).headlines}
    assert list(shown) == METRICS
    for name, function in (("auc", sy.auc), ("ap", sy.ap), ("copc", sy.copc)):
        value = function(LABEL, SCORE)
        assert shown[name].hint == repr(value)
        assert shown[name].text == f"{value:.4f}"


def test_every_operating_point_is_exact() -> None:
    (points,) = page_of(ONE).points
    data = points.as_json
    for place, threshold in enumerate(data["thresholds"]):
        called = (np.inf if threshold is None else threshold) <= SCORE
        tn, fp, fn, tp = sklearn.confusion_matrix(LABEL, called, labels=[0, 1]).ravel()
        assert (tp, fp, fn, tn) == tuple(data[name][place] for name in ("tp", "fp", "fn", "tn"))
    rising = [math.inf if each is None else each for each in data["thresholds"]]
    assert rising == sorted(rising)
    assert data["shown"][-1] == "above every score"


def test_ratios_are_those_of_scikit_learn() -> None:
    (points,) = page_of(ONE).points
    for place in (0, len(points.cells) // 3, points.start, len(points.cells) - 2):
        called = points.thresholds[place] <= SCORE
        wanted = (
            sklearn.precision_score(LABEL, called),
            sklearn.recall_score(LABEL, called),
            sklearn.f1_score(LABEL, called),
            sklearn.recall_score(LABEL, called, pos_label=0),
        )
        assert points.cells[place].ratios[:4] == pytest.approx(wanted, rel=1e-14)
        if called.any() and not called.all():
            mcc = sklearn.matthews_corrcoef(LABEL, called)
            assert points.cells[place].ratios[4] == pytest.approx(mcc, rel=1e-12)


def test_the_page_starts_at_the_best_f1() -> None:
    (points,) = page_of(ONE).points
    assert points.now.ratios[2] == max(cells.ratios[2] for cells in points.cells[:-1])
    page = ONE.to_html()
    assert f'id="threshold-value" for="threshold">{points.shown[points.start]}<' in page


def test_slices_have_their_values_and_the_worst_is_first() -> None:
    (table,) = page_of(ONE).slices
    values = {
        country: sy.auc(LABEL[country == COUNTRY], SCORE[country == COUNTRY])
        for country in ("DE", "FR", "US")
    }
    assert dict(zip(table.names, table.values["auc"][0], strict=True)) == values
    assert [line.name for line in table.lines("auc")] == sorted(values, key=values.__getitem__)
    loss = {c: sy.logloss(LABEL[c == COUNTRY], SCORE[c == COUNTRY]) for c in values}
    assert [line.name for line in table.lines("logloss")] == sorted(loss, key=lambda c: -loss[c])


def test_requested_bins_are_drawn_as_in_plots() -> None:
    """A table of few thresholds is for reading, though: the slider has the usual ones."""
    metrics = ["auc", "calibration_curve(bins=4)", "thresholds(5)"]
    result = sy.evaluate(label=LABEL, score=SCORE, metrics=metrics)
    page = page_of(result)
    assert [len(bins) for _, bins in page.bins] == [4]
    assert len(page.points[0].cells) > 50


def test_the_worst_slice_of_each_metric_is_said() -> None:
    """Of two countries with equal ranks, one is predicted twice too high: copc shows it."""
    y = [0, 1] * 400
    rows = {"y": y, "c": ["DE"] * 400 + ["BR"] * 400}
    rows["s"] = [0.4, 0.6] * 200 + [0.8, 1.0] * 200
    page = sy.evaluate(rows, label="y", score="s", by="c", metrics=["copc", "accuracy"]).to_html()
    assert "Worst: copc <bdi>BR</bdi> 0.5556; accuracy <bdi>BR</bdi> 0.5000</p>" in page


def test_the_difference_by_slice_is_second_less_first() -> None:
    (table,) = page_of(TWO).slices
    first = table.lines("auc")[0]
    chosen = first.name == COUNTRY
    difference = sy.auc(LABEL[chosen], OTHER[chosen]) - sy.auc(LABEL[chosen], SCORE[chosen])
    assert first.difference == f"−{abs(difference):.4f}"
    assert difference < 0


@pytest.mark.parametrize(
    ("better", "worst_first"),
    [
        ("higher", [0.5, 1.0, 2.0]),
        ("depends", [0.5, 1.0, 2.0]),
        ("lower", [2.0, 1.0, 0.5]),
        ("nearer 1", [0.4, 2.0, 1.1]),
        ("nearer 0", [-3.0, 2.0, 0.1]),
    ],
)
def test_which_value_is_worst(better: str, worst_first: list[float]) -> None:
    assert sorted(worst_first, key=lambda v: -badness(v, better)) == worst_first


def test_small_slices_are_marked_and_last() -> None:
    by = np.where(np.arange(ROWS) < 50, "few", COUNTRY)
    (table,) = page_of(evaluated(by={"country": by})).slices
    assert [line.small for line in table.lines("auc")] == [False, False, False, True]


def test_of_many_slices_the_largest_and_the_worst_are_shown() -> None:
    by = np.arange(ROWS) % 1000 + (np.arange(ROWS) > ROWS - 100) * 1000
    result = evaluated(by={"advertiser": by}, metrics=["copc"])
    (table,) = page_of(result).slices
    assert len(table.names) == MOST
    assert table.count == 1099
    assert "300 of 1,099 slices are on this page" in result.to_html()


# --- crossing curves -----------------------------------------------------------------------------
def roc(*points: tuple[float, float]) -> Roc:
    x, y = np.array(points).T
    return Roc(x, y, np.arange(len(x), dtype=float)[::-1])


LOW = roc((0, 0), (0.5, 0.5), (1, 1))
HIGH = roc((0, 0), (0.5, 0.75), (1, 1))
EARLY = roc((0, 0), (0, 0.4), (1, 1))
LATE = roc((0, 0), (0.5, 0.9), (1, 1))


def test_a_curve_that_is_above_dominates() -> None:
    found = compare(LOW, HIGH)
    assert (found.crossings, found.first_above) == ((), False)
    assert (found.largest, found.at) == (0.25, 0.5)
    said, resolution = sentences(["a", "b"], [LOW, HIGH])
    assert said.startswith("b is nowhere below a:")
    assert "by up to 0.250 of recall at a rate of 0.5" in said
    assert "below 0.002" in resolution


def test_where_two_curves_cross() -> None:
    # 0.4 + 0.6 x = 1.8 x at x = 1/3.
    found = compare(EARLY, LATE)
    assert list(found.crossings) == pytest.approx([1 / 3])
    assert found.first_above
    said = sentences(["a", "b"], [EARLY, LATE])[0]
    assert "cross once, at a false positive rate of 0.333" in said
    assert "before the first, a finds more positives; after it, b" in said


def test_steps_are_compared_at_both_ends() -> None:
    # a has 0.5 of the positives above all negatives, and the rest below them.
    steps = roc((0, 0), (0, 0.5), (1, 0.5), (1, 1))
    found = compare(steps, LATE)
    assert list(found.crossings) == pytest.approx([0.5 / 1.8])
    assert (found.largest, found.at) == (-0.5, 0.0)
    under = compare(steps, roc((0, 0), (0, 0.5), (1, 0.75), (1, 1)))
    assert (under.crossings, under.first_above, under.largest) == ((), False, 0.25)


def test_curves_of_few_rows_against_every_false_positive_rate() -> None:
    dice = np.random.default_rng(0)
    for _ in range(200):
        y = np.append([0, 1], dice.integers(0, 2, dice.integers(4, 30)))
        one, other = (sy.roc(y, dice.integers(0, 10, len(y)) / 10) for _ in range(2))
        places = np.linspace(0, 1, 2 * 3 * 5 * 7 * 11 + 1)
        gaps = [recall_at(other, place) - recall_at(one, place) for place in places.tolist()]
        found = compare(one, other, 0.01)
        assert abs(found.largest) == pytest.approx(max(map(abs, gaps)), abs=0.005)
        if max(gaps) > 0.02 and min(gaps) < -0.02:
            assert found.crossings
        if not max(gaps) > 0 or not min(gaps) < 0:
            assert not found.crossings


def recall_at(curve: Roc, place: float) -> float:
    """The recall at a false positive rate: the highest, where the curve is upright."""
    below = np.flatnonzero(curve.fpr <= place)[-1]
    if curve.fpr[below] == place:
        return float(curve.tpr[below])
    (a, b), (c, d) = curve.fpr[below : below + 2], curve.tpr[below : below + 2]
    return float(c + (d - c) * (place - a) / (b - a))


def test_equal_curves_are_not_told_apart() -> None:
    assert sentences(["a", "b"], [LOW, LOW])[0] == "a and b are nowhere told apart."
    assert sentences(["a"], [LOW]) == []


def test_of_many_curves_some_pairs_are_compared_and_the_rest_is_counted() -> None:
    said = sentences([*"abcde"], [LOW, HIGH, EARLY, LATE, LOW])
    assert [each.split()[0] for each in said[:4]] == ["b", "c", "d", "a"]
    assert said[4] == "6 more pairs of scores are not compared in words."


# --- safe ----------------------------------------------------------------------------------------
def test_hostile_names_stay_text() -> None:
    by = np.array(HOSTILE)[np.arange(ROWS) % len(HOSTILE)]
    name = HOSTILE[1]
    result = sy.evaluate(
        {"y": LABEL, name: SCORE, HOSTILE[0]: OTHER, "by": by},
        label="y",
        score=[name, HOSTILE[0]],
        by="by",
        metrics=["auc", "copc"],
        shapes=True,
    )
    page = result.to_html()
    reader = Reader(page)
    assert not reader.found("img")
    assert len(reader.found("script")) == 2
    assert not [a for _, a in reader.tags if any(key.startswith("on") for key in a)]
    assert HOSTILE[0] in "".join(reader.texts)
    assert "\u202e" not in page
    assert "x" * 10_000 in page  # the title of the slice
    assert "x" * 100 not in "".join(reader.texts)
    shown = data_of(page)["slices"][0]
    assert HOSTILE[0] in shown["names"]
    assert shown["titles"][str(shown["names"].index("x" * 60 + "…"))] == "x" * 10_000


def test_the_name_of_a_score_does_not_fill_the_page() -> None:
    name = "x" * 10_000
    result = sy.evaluate(
        {"y": LABEL, name: SCORE, "s": OTHER}, label="y", score=[name, "s"], metrics=["auc"]
    )
    page = result.to_html()
    assert len(page) < 400_000
    assert f'title="{name}"' in page


def test_json_in_the_page_is_escaped() -> None:
    text = script_json({"a": "</script>&\u2028\u2029"})
    assert text == '{"a":"\\u003c/script\\u003e\\u0026\\u2028\\u2029"}'
    assert json.loads(text) == {"a": "</script>&\u2028\u2029"}


def test_the_policy_allows_the_one_style_and_the_one_script() -> None:
    page = ONE.to_html()
    reader = Reader(page)
    (policy,) = [
        each["content"]
        for each in reader.found("meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not [a for _, a in reader.tags if "style" in a]  # the policy would block them


def test_nothing_is_loaded_from_elsewhere() -> None:
    page = TWO.to_html()
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # a name, which nothing fetches
    for tag, attributes in Reader(page).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page
    assert "@import" not in page


def test_ids_are_unique_and_labels_name_a_control() -> None:
    tags = Reader(TWO.to_html()).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [a[key] for _, a in tags for key in ("for", "aria-labelledby") if key in a]
    assert targets
    assert set(targets) <= set(ids)


# --- the file ------------------------------------------------------------------------------------
def test_the_page_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    text = ONE.to_html(path)
    assert path.read_text(encoding="utf-8") == text + "\n"
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(sy.errors.SourceError):
        ONE.to_html(tmp_path / "missing" / "report.html")


def test_the_size_does_not_grow_with_rows() -> None:
    by = {"slice": np.arange(ROWS) % 50}
    small = len(evaluated(by=by).to_html())
    many = {
        "label": np.tile(LABEL, 20),
        "score": np.tile(SCORE, 20),
        "by": {"slice": np.tile(by["slice"], 20)},
    }
    large = len(evaluated(**many).to_html())
    assert small < 300_000
    assert abs(large - small) < 12_000  # counts have more digits


def test_the_same_result_gives_the_same_bytes() -> None:
    assert ONE.to_html() == ONE.to_html()


def test_a_result_without_curves_says_what_to_add() -> None:
    loaded = sy.Result.from_json(sy.evaluate(label=LABEL, score=SCORE, metrics=["auc"]).to_json())
    page = loaded.to_html()
    assert "Evaluate with shapes=True" in page
    assert 'id="threshold"' not in page
    assert "<h2" in page
    assert page_of(loaded).headlines[0].numbers[0].text == f"{sy.auc(LABEL, SCORE):.4f}"


def test_a_result_of_one_class_has_reasons_for_its_dashes() -> None:
    result = sy.evaluate(label=[1, 1, 1], score=[0.1, 0.2, 0.3], metrics=["auc"], shapes=True)
    page = result.to_html()
    assert "there are no negatives" in page


def test_the_page_does_not_load_matplotlib_and_import_does_not_load_jinja() -> None:
    code = (
        "import sys, steelyard as sy\n"
        "assert 'jinja2' not in sys.modules\n"
        "sy.evaluate(label=[0, 1, 1], score=[.1, .2, .3], metrics=['auc']).to_html()\n"
        "assert 'jinja2' in sys.modules and 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_notebook_shows_the_page_in_a_frame_of_its_own() -> None:
    display = MagicMock()
    with patch.dict(sys.modules, {"IPython": MagicMock(), "IPython.display": display}):
        ONE.show(height=500)
    (frame,) = display.display.call_args.args
    (attributes,) = Reader(frame._repr_html_()).found("iframe")
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["height"] == "500"
    assert attributes["srcdoc"] == ONE.to_html()
    display.display.assert_called_once()


# --- the command ---------------------------------------------------------------------------------
def test_the_command_writes_the_page_of_evaluate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{y},{s},{c}" for y, s, c in zip(LABEL, SCORE, COUNTRY, strict=True)]
    Path("log.csv").write_text("\n".join(["click,pctr,country", *lines]))
    done = run("report", "log.csv", "--by", "country", "-m", "auc,copc")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith("wrote report.html\n")
    page = Path("report.html").read_text(encoding="utf-8")
    options: dict[str, Any] = {"by": ["country"], "metrics": ["auc", "copc"], "shapes": True}
    result = sy.evaluate("log.csv", label="click", score="pctr", **options)
    assert data_of(page) == data_of(result.to_html())
    printed = run("report", "log.csv", "--by", "country", "-m", "auc,copc", "-q", "-o", "-")
    assert (printed.stdout, printed.stderr) == (page, "")


def test_the_command_has_calibration_of_probabilities_without_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{y},{s},{9 * s - 4},u{n % 3}" for n, (y, s) in enumerate(zip(LABEL, SCORE, strict=True))
    ]
    Path("log.csv").write_text("\n".join(["click,pctr,margin,who", *lines]))

    def metrics(*options: str) -> list[str]:
        done = run("report", "log.csv", "--label", "click", "-o", "-", *options)
        assert done.exit_code == 0, done.stderr
        return re.findall(r"<dt[^>]*>(?:<bdi>)?(\w+)", done.stdout.split('class="tiles"')[1])[:8]

    ranking, calibration = ["auc", "ap", "best_f1"], ["logloss", "ne", "copc", "ece"]
    assert metrics("--score", "pctr")[:7] == ranking + calibration
    assert metrics("--score", "margin")[:3] == ranking
    assert "copc" not in metrics("--score", "margin")
    assert metrics("--score", "pctr", "--group", "who") == [
        "auc",
        "gauc",
        *ranking[1:],
        *calibration,
    ]


@pytest.mark.parametrize("name", ["report.pdf", "report.png", "report.csv"])
def test_the_command_refuses_a_name_that_is_not_of_a_page(name: str, tmp_path: Path) -> None:
    done = run("report", "log.csv", "-o", str(tmp_path / name))
    assert done.exit_code == 2
    assert "in .html" in done.stderr
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1e-80, 1e80, 1e200, 2e307])
def test_ratios_do_not_depend_on_the_unit_of_weights(unit: float) -> None:
    """Products of cells are beyond float64, or nothing."""
    cells = (3, 1, 2, 0)
    expected = pytest.approx(FourCells(*cells).ratios, rel=1e-15, nan_ok=True)
    assert FourCells(*(cell * unit for cell in cells)).ratios == expected
