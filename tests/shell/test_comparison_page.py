"""The report page with intervals and with a comparison, as data and as text."""

import copy
import pickle
import re
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, patch

import numpy as np
import pytest

import steelyard as sy
from steelyard.comparison.page import Comparison
from steelyard.report import display
from steelyard.report.report_page.comparison_section import MOST, comparison_section
from steelyard.report.report_page.page import page_of
from steelyard.sources.duck.connection import write_parquet
from tests.shell.run import run
from tests.shell.test_report_page import Reader, data_of

DICE = np.random.default_rng(3)
ROWS = 1200
LABEL = (np.arange(ROWS) % 3 == 0).astype(int)
NEW = ((DICE.random(ROWS) + 0.5 * LABEL) / 1.5).round(3)
LOG: dict[str, Any] = {
    "click": LABEL,
    "old": ((DICE.random(ROWS) + 0.2 * LABEL) / 1.2).round(3),
    "new": NEW,
    "user": DICE.integers(0, 100, ROWS),
    "country": DICE.choice(["DE", "FR", "US"], ROWS),
}
ROLES: dict[str, Any] = {
    "label": "click",
    "cluster": "user",
    "by": "country",
    "metrics": ["auc", "logloss", "ks"],
}
ONE = sy.evaluate(LOG, score="new", **ROLES)
TWO = sy.evaluate(LOG, score=["old", "new"], **ROLES)
COMPARED = sy.compare(LOG, score=["old", "new"], **ROLES)
HOSTILE = ("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "x" * 10_000)


def cells(page: str) -> list[str]:
    """The texts of numbers in cells, without tags."""
    found = re.findall(r'<td class="number[^"]*"[^>]*>(.*?)</td>', page)
    return [re.sub("<[^>]*>", "", each) for each in found]


# --- intervals -----------------------------------------------------------------------------------
def test_headline_numbers_have_their_intervals() -> None:
    shown = {each.metric: each.numbers[0] for each in page_of(ONE).headlines}
    for name in ("auc", "logloss"):
        row = ONE.row(name)
        number = shown[name]
        assert f"{number.text} {number.interval}" == display.cell(row)
        assert number.interval not in number.note
    assert shown["ks"].interval == ""
    assert f'{shown["auc"].text} <span class="interval">{shown["auc"].interval}</span>' in (
        ONE.to_html()
    )


def test_the_numbers_of_several_scores_have_their_intervals() -> None:
    page = TWO.to_html()
    for score in ("old", "new"):
        assert display.cell(TWO.row("auc", score)) in " | ".join(cells(page)).replace(" (best)", "")


def test_slices_have_their_intervals_and_are_sorted_by_value() -> None:
    page = ONE.to_html()
    (table,) = page_of(ONE).slices
    values = {name: ONE.value("auc", country=name) for name in ("DE", "FR", "US")}
    assert [line.name for line in table.lines("auc")] == sorted(values, key=values.__getitem__)
    stored = data_of(page)["slices"][0]
    for place, name in enumerate(stored["names"]):
        wanted = display.cell(ONE.row("auc", country=name))
        assert " ".join(stored["texts"]["auc"][0][place]) == wanted
        assert wanted in cells(page)
        assert stored["values"]["auc"][0][place] == values[name]
        assert stored["texts"]["ks"][0][place][1] == ""


def test_the_page_says_what_intervals_rest_on() -> None:
    page = ONE.to_html()
    assert page.count("95 % intervals, rows of one user taken as dependent") == 2
    assert "no interval: ks (it is a maximum" in page


def test_a_page_without_intervals_has_nothing_of_them() -> None:
    page = sy.evaluate(LOG, score="new", **{**ROLES, "cluster": None}).to_html()
    for word in ("interval", "comparison", "forest", "texts"):
        assert word not in page.lower()


def test_a_score_that_lacks_slices_has_dashes_there() -> None:
    """A result of two parts: the second score has one of the slices."""
    rows = [row for row in TWO.rows if row.score == "old" or row.slice in ({}, {"country": "DE"})]
    (table,) = page_of(sy.Result(rows, TWO.conventions)).slices
    texts = dict(zip(table.names, table.texts["auc"][1], strict=True))
    assert texts["DE"].interval
    assert texts["FR"] == texts["US"] == (display.DASH, "")


# --- the comparison ------------------------------------------------------------------------------
def test_the_section_has_the_totals_and_a_forest_for_each_metric_with_intervals() -> None:
    section = comparison_section(COMPARED)
    assert section.lead.startswith("new is compared with old.")
    assert section.totals.header == ("metric", "outcome", "difference", "p", "old", "new")
    lines = [line for block in section.totals.blocks for line in block]
    assert [line[0].text for line in lines] == ["auc", "logloss", "ks"]
    for line in lines:
        row = COMPARED.row(line[0].text)
        assert line[2].hint == repr(row.difference)
        assert line[1].text == (row.outcome or display.DASH)
    assert [each.figure.title for each in section.forests] == [
        "auc by country",
        "logloss by country",
    ]
    table = section.forests[0].table
    assert table.header == ("country", "outcome", "difference", "q", "old", "new", "rows")
    assert sorted(line[0].text for block in table.blocks for line in block) == ["DE", "FR", "US"]
    assert any(
        "do slices of country differ in the change of auc?" in n
        for n in section.forests[0].figure.notes
    )


def test_the_page_of_a_comparison_is_that_of_its_scores_with_a_section_more() -> None:
    page = COMPARED.to_html()
    assert data_of(page) == data_of(TWO.to_html())
    assert page.index('<section id="comparison"') < page.index('<section id="numbers"')
    assert page.count('data-kind="forest"') == 2
    reader = Reader(page)
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "#comparison" in [attributes["href"] for attributes in reader.found("a")]
    (difference,) = {
        text for text in cells(page) if text.startswith("+") and text.endswith("]")
    } & {shown(COMPARED, "auc")}
    assert "[" in difference


def test_a_difference_has_one_sign_everywhere() -> None:
    """Of logloss the comparison has +, and second less first is −: + is better on every page."""
    difference = COMPARED.row("logloss").difference
    assert difference is not None
    assert difference > 0 > TWO.value("logloss", "new") - TWO.value("logloss", "old")
    numbers = COMPARED.to_html().partition('<section id="numbers"')[2].partition("</section>")[0]
    assert ">difference " not in numbers
    assert 'difference <span class="sign">+ is better</span>' in TWO.to_html()
    (headline,) = [each for each in page_of(TWO).headlines if each.metric == "logloss"]
    assert headline.difference == f"+{difference:.4f}"


def shown(comparison: Comparison, metric: str) -> str:
    """The difference of a total, as the page has it."""
    table = comparison_section(comparison).totals
    return next(line[2].text for block in table.blocks for line in block if line[0].text == metric)


def test_several_candidates_and_several_bys() -> None:
    log = LOG | {"other": LOG["old"][::-1], "device": np.arange(ROWS) // 3 % 2}
    roles = {**ROLES, "by": ["country", ("country", "device")]}
    found = sy.compare(log, score=["old", "new", "other"], baseline="new", **roles)
    section = comparison_section(found)
    assert section.lead.startswith("old, other are compared with new.")
    assert section.totals.header[:5] == ("metric", "score", "outcome", "difference", "p")
    assert len(section.forests) == 2 * 2 * 2
    crossed = next(e for e in section.forests if e.figure.title == "auc by country, device: other")
    assert crossed.table.header[:3] == ("country", "device", "outcome")
    assert crossed.narrow == {5, 6, 7}
    assert "country=DE device=0" in crossed.figure.svg
    found.to_html()


def test_many_forests_are_not_all_on_the_page() -> None:
    log = LOG | {f"c{place}": np.arange(ROWS) // 3 % (2 + place % 3) for place in range(MOST + 2)}
    by = [f"c{place}" for place in range(MOST + 2)]
    section = comparison_section(
        sy.compare(log, score=["old", "new"], **{**ROLES, "by": by, "metrics": "auc"})
    )
    assert len(section.forests) == MOST
    assert section.notes[-1].startswith("40 of 42 tables of slices are on this page")


def test_two_logs_have_the_page_of_the_second() -> None:
    half = ROWS // 2
    before, after = (
        {name: column[part] for name, column in LOG.items()}
        for part in (slice(half), slice(half, None))
    )
    found = sy.compare(before, after, score="new", **ROLES)
    page = found.to_html()
    assert "after is compared with before." in re.sub("<[^>]*>", "", page)
    assert data_of(page) == data_of(sy.evaluate(after, score="new", **ROLES).to_html())
    assert "clusters are in both logs" in page


def test_two_logs_are_named(tmp_path: Path) -> None:
    half = ROWS // 2
    paths = [str(tmp_path / name) for name in ("mon.parquet", "tue.parquet")]
    for path, part in zip(paths, (slice(half), slice(half, None)), strict=True):
        write_parquet(path, {name: column[part] for name, column in LOG.items()})
    found = sy.compare(*paths, score="new", **ROLES)
    named = f"before: {paths[0]} · after: {paths[1]}"
    assert named in str(found)
    assert "tue.parquet" in found.to_html()
    assert "mon.parquet" in found.to_html()


def test_a_negative_key_keeps_its_sign() -> None:
    log = LOG | {"hour": np.arange(ROWS) // 3 % 2 - 1}
    section = comparison_section(sy.compare(log, score=["old", "new"], **{**ROLES, "by": "hour"}))
    keys = [line[0].text for block in section.forests[0].table.blocks for line in block]
    assert sorted(keys) == ["-1", "0"]


def test_hostile_names_stay_text() -> None:
    values = np.array(HOSTILE, dtype=object)[np.arange(ROWS) // 3 % 3]
    log = {"click": LABEL, HOSTILE[0]: LOG["old"], HOSTILE[1]: NEW, "user": LOG["user"]}
    log[HOSTILE[2]] = values
    roles = {**ROLES, "by": HOSTILE[2]}
    page = sy.compare(log, score=list(HOSTILE[:2]), **roles).to_html()
    reader = Reader(page)
    assert len(reader.found("script")) == 2
    assert not reader.found("img")
    assert HOSTILE[0] in "".join(reader.texts)
    assert len(page) < 600_000


def test_a_copy_and_a_pickle_are_equal_and_have_the_page() -> None:
    for shapes in (True, False):
        found = sy.compare(LOG, score=["old", "new"], shapes=shapes, **ROLES)
        again = pickle.loads(pickle.dumps(found))
        assert again == found
        assert "<svg" in found.to_html()
        assert again.to_html() == found.to_html()
        assert pickle.loads(pickle.dumps(again)).to_html() == found.to_html()
        assert copy.deepcopy(found) == found


def test_the_result_is_made_when_the_page_is() -> None:
    evaluated = MagicMock(return_value=TWO)
    rows, tests = COMPARED.rows, COMPARED.tests
    found = Comparison(rows, tests, "old", COMPARED.conventions, evaluated=evaluated)
    assert found == COMPARED
    evaluated.assert_not_called()
    assert found.to_html() == found.to_html()
    evaluated.assert_called_once_with()


def test_the_page_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    text = COMPARED.to_html(path)
    assert path.read_text(encoding="utf-8") == text + "\n"


# --- the command ---------------------------------------------------------------------------------
@pytest.fixture
def log_file(tmp_path: Path) -> str:
    path = tmp_path / "log.csv"
    lines = [",".join(map(str, each)) for each in zip(*LOG.values(), strict=True)]
    path.write_text("\n".join([",".join(LOG), *lines]))
    return str(path)


def page_of_command(*options: str) -> str:
    done = run("report", *options, "-q", "-o", "-")
    assert done.exit_code == 0, done.stderr
    return done.stdout


SCORES = ("--label", "click", "--score", "old", "--score", "new", "-m", "auc")


def test_the_command_compares_scores_if_there_is_a_cluster(log_file: str) -> None:
    page = page_of_command(log_file, *SCORES, "--cluster", "user", "--by", "country")
    assert '<section id="comparison"' in page
    assert "new is compared with old." in re.sub("<[^>]*>", "", page)
    roles = {**ROLES, "metrics": "auc", "by": ["country"], "shapes": True}
    found = sy.compare(log_file, score=["old", "new"], **roles)
    assert data_of(page) == data_of(found.to_html())


@pytest.mark.parametrize(
    ("options", "intervals"),
    [
        (SCORES, False),
        (("--label", "click", "--score", "new", "--cluster", "user", "-m", "auc"), True),
        ((*SCORES, "--cluster", "user", "--rows", "own"), True),
    ],
)
def test_the_command_has_the_page_as_before_otherwise(
    options: tuple[str, ...], intervals: bool, log_file: str
) -> None:
    page = page_of_command(log_file, *options)
    assert '<section id="comparison"' not in page
    assert ('class="interval"' in page) is intervals


def test_a_notebook_shows_the_page_of_the_comparison() -> None:
    display = MagicMock()
    with patch.dict(sys.modules, {"IPython": MagicMock(), "IPython.display": display}):
        COMPARED.show(height=400)
    (frame,) = display.display.call_args.args
    assert (frame.page, frame.height) == (COMPARED.to_html(), 400)
