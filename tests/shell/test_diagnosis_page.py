"""The page of a diagnosis, its waterfall, and its text on a narrow terminal."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.diagnosis.page.html_page import page_of
from steelyard.diagnosis.page.part_tables import chart_of, largest_first, waterfall_of
from steelyard.diagnosis.parts.attribution import Part
from steelyard.diagnosis.parts.part_table import PartTable, SlicePart
from steelyard.report.charts import waterfall
from steelyard.report.charts.chart import Bars, Chart
from steelyard.report.charts.draw_svg import draw
from steelyard.report.charts.waterfall import MOST, WaterfallStep, largest_steps
from steelyard.report.fitting import width_of
from tests.shell.run import run
from tests.shell.test_report_page import HOSTILE, Reader, data_of

ROWS, USERS = 4000, 200
NAMED: dict[str, Any] = {"label": "click", "score": "pctr", "cluster": "user", "group": "user"}
METRICS = ("auc", "copc", "ctr", "logloss", "ne", "gauc")


def log(seed: int, keys: int = 4, broken: bool = False) -> dict[str, Any]:
    """Rows with a dimension of many values; broken: scores of one country do not rank."""
    dice = np.random.default_rng(seed)
    x = dice.normal(size=ROWS)
    country = dice.choice(["DE", "US", "BR"], ROWS, p=[0.5, 0.3, 0.2])
    score = 1 / (1 + np.exp(1.5 - x))
    if broken:
        score = np.where(country == "US", dice.permutation(score), score)
    return {
        "click": (dice.random(ROWS) < 1 / (1 + np.exp(1.5 - x))).astype(int),
        "pctr": score.round(4),
        "user": dice.integers(0, USERS, ROWS),
        "country": country,
        "campaign": np.array([f"campaign {place}" for place in range(keys)])[
            (dice.random(ROWS) ** 2 * keys).astype(int)
        ],
    }


BEFORE, AFTER = log(1, keys=90), log(2, keys=90, broken=True)
OVER = ["country", "campaign"]


@pytest.fixture(scope="module")
def found() -> dict[str, sy.Diagnosis]:
    """A diagnosis for each metric; the campaigns are 64 and all others as one."""
    return {
        metric: sy.diagnose(BEFORE, AFTER, over=OVER, metric=metric, **NAMED) for metric in METRICS
    }


# --- the waterfall -------------------------------------------------------------------------------
@pytest.mark.parametrize("metric", METRICS)
def test_the_steps_add_up_to_the_change_exactly(
    found: dict[str, sy.Diagnosis], metric: str
) -> None:
    each = found[metric]
    for table in each.parts:
        shown = waterfall_of(table, metric)
        assert sum((step.total for step in shown.steps), Fraction(0)) == table.change
        assert sum((step.own for step in shown.steps), Fraction(0)) == table.within
        assert sum((step.mix for step in shown.steps), Fraction(0)) == table.mix
        assert (shown.places()[0], shown.places()[-1]) == (table.before, table.after)
        assert len(shown.steps) <= MOST + 2
        assert (shown.steps[-1].name == "base rate") is (metric == "ne")


def test_values_beyond_the_largest_are_one_step(found: dict[str, sy.Diagnosis]) -> None:
    table = found["auc"].parts[1]
    assert sum(each.is_other for each in table.slices) == 1
    assert len(table.slices) == 65
    *named, rest = waterfall_of(table, "auc").steps
    assert rest.name == "all other values"
    sizes = [abs(step.total) for step in named]
    assert sizes == sorted(sizes, reverse=True)
    assert len(named) == MOST


def step(name: str, own: int, mix: int = 0) -> WaterfallStep:
    return WaterfallStep(name, Fraction(own, 100), Fraction(mix, 100))


def test_the_largest_steps() -> None:
    steps = [step(f"s{place}", place) for place in range(1, 13)]
    kept = largest_steps(steps, [], most=10)
    assert [each.name for each in kept[:2]] == ["s12", "s11"]
    assert kept[-1] == WaterfallStep("2 more values", Fraction(3, 100))
    assert largest_steps(steps[:11], [], most=10) == steps[10::-1]  # one more has its own place
    assert largest_steps(steps[:2], [step("o", 5, -1)])[-1] == replace(
        step("o", 5, -1), name="all other values"
    )


def of_bars(chart: Chart) -> dict[str, Bars]:
    return {mark.role: mark for mark in chart.marks if isinstance(mark, Bars)}


def test_each_bar_starts_where_the_one_before_ends() -> None:
    """Numbers that a double holds, so that sums of places are exact."""
    parts = {"DE": (-4, 1), "US": (2, -1), "BR": (0, -1)}
    slices = [
        SlicePart(name, False, (5, 5), None, None, Part(Fraction(own, 64), Fraction(mix, 64)))
        for name, (own, mix) in parts.items()
    ]
    table = PartTable("country", Fraction(3, 4), Fraction(47, 64), slices, Fraction(2, 64))
    chart = chart_of(table, "ne")
    bars = of_bars(chart)
    assert chart.y.names == ("before", "DE", "US", "BR", "base rate", "after")
    at = 0.75
    for place, (own, mix) in enumerate([*parts.values(), (0, 0)], start=1):
        assert bars["own"].starts is not None
        assert bars["mix"].starts is not None
        assert bars["base"].starts is not None
        assert bars["own"].starts[place] == at
        assert bars["own"].lengths[place] == own / 64
        assert bars["mix"].starts[place] == at + own / 64
        assert bars["mix"].lengths[place] == mix / 64
        assert bars["base"].starts[place] == at
        at += (own + mix) / 64
    assert at + bars["base"].lengths[4] == 0.75 - 1 / 64
    assert chart.x.low < 0.6875  # -4/64, the place farthest away
    assert chart.x.high > 0.75


def test_bars_are_drawn_where_they_start() -> None:
    """The path of the SVG: boxes from the place before a step to the place after it."""
    steps = (step("a", -10), step("b", 4))
    texts = "{:.2f}".format, "{:+.2f}".format
    shown = waterfall.Waterfall("AUC", "key", Fraction(7, 10), steps, *texts)
    chart = waterfall.chart(shown)
    drawn = draw(chart)
    assert "<title>AUC by key, from before to after</title>" in drawn
    assert "<desc>AUC from 0.70 to 0.64, by key: a -0.10; b +0.04.</desc>" in drawn
    left, right = frame_x(drawn)
    boxes = re.findall(r"M([\d.]+) [\d.]+H([\d.]+)V", path_of(drawn, "own"))
    wide = (right - left) / (chart.x.high - chart.x.low)
    for (start, end), (x, length) in zip(boxes, ((0.7, -0.1), (0.6, 0.04)), strict=True):
        assert float(start) == pytest.approx(left + wide * (x - chart.x.low), abs=0.01)
        assert float(end) - float(start) == pytest.approx(wide * length, abs=0.011)


def frame_x(svg: str) -> tuple[float, float]:
    (frame,) = re.findall(r'data-frame="([^"]*)"', svg)
    left, _, right, _ = map(float, frame.split())
    return left, right


def path_of(svg: str, role: str) -> str:
    (found,) = re.finditer(rf'<path d="([^"]*)"[^>]*data-role="{role}"', svg)
    return found[1]


def test_matplotlib_draws_the_same_bars(found: dict[str, sy.Diagnosis]) -> None:
    each = found["ne"]
    axes = each.plot("waterfall", by="campaign", linewidth=2)
    bars = [bar for bar in axes.patches if np.isfinite(bar.get_width()) and bar.get_width()]
    assert {bar.get_linewidth() for bar in bars} == {2}
    total = sum(bar.get_width() for bar in bars)
    assert total == pytest.approx(float(each.parts[1].change), abs=1e-12)
    assert axes.get_xlabel() == "NE"
    assert each.plot().get_yticklabels()[-1].get_text() == "after"
    with pytest.raises(sy.InputError, match="there is no picture of the kind 'forest'"):
        each.plot("forest")


# --- the page ------------------------------------------------------------------------------------
def texts(page: str) -> str:
    return " ".join("".join(Reader(page).texts).split())


@pytest.mark.parametrize("metric", METRICS)
def test_the_page_has_everything(found: dict[str, sy.Diagnosis], metric: str) -> None:
    each = found[metric]
    page = each.to_html()
    shown = texts(page)
    assert " ".join(each.verdict.split()) in shown
    for line in each.lines:
        for answer in line.answers:
            assert " ".join(answer.split()) in shown, line.question
    count = len(each.parts)  # of GAUC also the groups of both logs, those that left and that came
    assert page.count('data-kind="waterfall"') == count
    assert page.count('<table class="parts added">') == count
    assert page.count('<details class="dimension">') == count - 1
    assert ("No slice is accused" in shown) == (not each.causes)
    assert each.notes[0] in shown


def test_the_page_loads_nothing_and_is_well_formed(found: dict[str, sy.Diagnosis]) -> None:
    page = found["auc"].to_html()
    reader = Reader(page)
    assert not reader.found("script")
    assert not reader.found("link")
    assert not reader.found("img")
    assert [a["href"] for a in reader.found("a") if not (a["href"] or "").startswith("#")] == []
    (policy,) = (
        meta["content"]
        for meta in reader.found("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {(a["href"] or "").removeprefix("#") for a in reader.found("a")}
    assert links <= set(ids)
    for tag in ("table", "tr", "td", "section", "details", "figure", "svg", "pre", "div", "p"):
        assert len(re.findall(rf"<{tag}[\s>]", page)) == page.count(f"</{tag}>"), tag


def test_the_tables_hold_every_part_and_their_sums(found: dict[str, sy.Diagnosis]) -> None:
    each = found["copc"]
    parts = page_of(each).parts
    shown = each.parts[each.shown].dimension
    assert parts[0].by == shown
    assert {part.by for part in parts} == set(OVER)
    for table in each.parts:
        (part,) = (p for p in parts if p.by == table.dimension)
        lines, (last,) = part.table.blocks
        assert len(lines) == len(table.slices)
        sizes = [abs(float(line[7].hint)) for line in lines]
        assert all(a >= b for a, b in pairwise(sizes))
        assert {line[0].text: line[5].hint for line in lines} == {
            str(one.key): repr(float(one.part.within)) for one in table.slices
        }
        assert [cell.hint for cell in last[5:]] == [
            repr(float(value)) for value in (table.within, table.mix, table.change)
        ]
        assert [cell.text for cell in last[1:3]] == [f"{ROWS:,}"] * 2


def test_a_cause_is_a_line_of_its_table(found: dict[str, sy.Diagnosis]) -> None:
    each = found["auc"]
    (cause,) = each.causes
    table = page_of(each).causes
    assert table is not None
    ((line,),) = table.blocks
    assert line[0].text == "country = US"
    assert [cell.hint for cell in line[1:]] == [
        repr(value) for value in (cause.before, cause.after, cause.without, cause.share, cause.p)
    ]


def test_no_change_and_a_slice_of_one_log() -> None:
    same = sy.diagnose(BEFORE, BEFORE, over=OVER, **NAMED)
    assert same.kind == "within noise"
    assert "No slice is accused; not searched" in texts(same.to_html())
    kept = BEFORE["country"] != "BR"
    before = {name: column[kept] for name, column in BEFORE.items()}
    page = page_of(sy.diagnose(before, BEFORE, over=OVER, **NAMED))
    (part,) = (each for each in page.parts if each.by == "country")
    (line,) = (line for line in part.table.blocks[0] if line[0].text == "BR")
    assert (line[1].text, line[3].text, line[3].hint) == ("0", "–", "no rows")


def test_hostile_names_stay_text() -> None:
    names = np.array(HOSTILE, dtype=object)
    logs = [
        {**each, HOSTILE[0]: names[np.arange(ROWS) % len(names)], HOSTILE[5]: each["country"]}
        for each in (BEFORE, AFTER)
    ]
    found = sy.diagnose(*logs, over=[HOSTILE[0], HOSTILE[5]], **NAMED)
    page = found.to_html()
    reader = Reader(page)
    assert not reader.found("script")
    assert not reader.found("img")
    assert HOSTILE[0] in "".join(reader.texts)
    assert len(page) < 400_000


def test_files_are_written_whole(found: dict[str, sy.Diagnosis], tmp_path: Path) -> None:
    each = found["auc"]
    for name, write in (("a.html", each.to_html), ("a.md", each.to_markdown)):
        text = write(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") == text + "\n"


def test_the_report_page_is_not_that_of_a_diagnosis(found: dict[str, sy.Diagnosis]) -> None:
    page = sy.evaluate(BEFORE, label="click", score="pctr", shapes=True).to_html()
    assert data_of(page)["scores"]
    assert ".waterfall" not in page
    assert ".waterfall" in found["auc"].to_html()


# --- text ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("width", [50, 60, 80, 100])
@pytest.mark.parametrize("metric", ["auc", "ctr"])
def test_text_fits_its_width(found: dict[str, sy.Diagnosis], metric: str, width: int) -> None:
    """All but the command, which is copied."""
    each = found[metric]
    lines = each.to_text(width).splitlines()
    assert [line for line in lines if width_of(line) > width and "steelyard eval" not in line] == []
    assert sum("steelyard eval" in line for line in lines) == 1
    names = " ".join(lines)
    for one in largest_first(each.parts[each.shown])[:2]:
        assert f"{one.rows[0]:,}" in names


def test_long_keys_are_cut_in_text(found: dict[str, sy.Diagnosis]) -> None:
    each = found["auc"]
    table = each.parts[0]
    long = [replace(one, key=f"{one.key} {'x' * 300}") for one in table.slices]
    lines = replace(each, parts=(replace(table, slices=long),), shown=0, notes=()).to_text(60)
    assert max(map(width_of, lines.partition("what each slice")[2].splitlines())) <= 60


# --- the command ---------------------------------------------------------------------------------
@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    from steelyard.sources.duck.connection import write_parquet

    monkeypatch.chdir(tmp_path)
    write_parquet("mon.parquet", BEFORE)
    write_parquet("tue.parquet", AFTER)
    return "mon.parquet", "tue.parquet"


def test_the_command_writes_the_page(files: tuple[str, str]) -> None:
    options = ("--label", "click", "--score", "pctr", "--cluster", "user", "--over", "country")
    done = run("diagnose", *files, *options, "-o", "found.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "wrote found.html\n"
    page = Path("found.html").read_text(encoding="utf-8")
    found = sy.diagnose(*files, label="click", score="pctr", cluster="user", over=["country"])
    assert page == found.to_html() + "\n"
    assert run("diagnose", *files, *options, "--format", "html", "-q").stdout == page
    done = run("diagnose", *files, *options, "-o", "found.md")
    assert Path("found.md").read_text(encoding="utf-8") == found.to_markdown() + "\n"
    assert "tue.parquet --label click" in texts(page)


def test_notes_are_printed_once(files: tuple[str, str]) -> None:
    options = ("--label", "click", "--score", "pctr", "--cluster", "user")
    note = "looked for a cause in country, campaign"
    done = run("diagnose", *files, *options)
    assert (done.stdout.count(note), done.stderr) == (1, "")
    done = run("diagnose", *files, *options, "--format", "json")
    assert (done.stdout.count(note), done.stderr.count(note)) == (1, 1)  # data, and a message
    assert run("diagnose", *files, *options, "--format", "json", "-q").stderr == ""
