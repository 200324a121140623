"""Reporters: what people and programs get to read."""

import csv as python_csv
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.model import Conventions, Key, Row
from steelyard.report import csv, html, markdown, shown, text
from steelyard.report.formats import FORMATS
from steelyard.result import LIMIT, Result
from tests.test_result import results, row

PLAIN = Conventions()


def line(
    n: int, positives: int, slice_: dict[str, Key], score: str = "pctr", **values: Any
) -> list[Row]:
    """One row a metric; a value that is a word is a reason."""
    return [
        row(
            metric,
            score,
            None if isinstance(value, str) else value,
            why=value if isinstance(value, str) else None,
            slice=slice_,
            n=n,
            positives=positives,
            negatives=n - positives,
            weighted_positives=positives,
            weighted_negatives=n - positives,
        )
        for metric, value in values.items()
    ]


NONE = "there are no positives"
SLICED = [
    *line(1200, 30, {}, auc=0.75, ks=0.5),
    *line(700, 20, {"country": "BR"}, auc=0.8, ks=0.6),
    *line(490, 0, {"country": ""}, auc=NONE, ks=NONE),
    *line(10, 10, {"country": None}, auc=0.7, ks="there are no negatives"),
    *line(1199, 30, {"mobile": False}, auc=0.0001236, ks=-0.25),
    *line(1, 0, {"mobile": True}, auc=NONE, ks=NONE),
]


# --- text ----------------------------------------------------------------------------------------


def test_one_score_is_a_line_a_metric() -> None:
    rows = [
        row(value=0.75, weighted_positives=6.5, dropped=1, prediction_sum=1234.5),
        row("precision(0.9)", value=None, why="no row is called positive"),
        row("auc~", value=0.75, low=0.7499996, high=0.7500001),
    ]
    said = text.render(rows, Conventions(nan="drop", positive="yes", preset="sklearn"))
    assert said == "\n".join(
        [
            "metric             value",
            "────────────────────────",
            "auc             0.750000",
            "precision(0.9)         –  no row is called positive",
            "auc~            0.750000  [0.7499996, 0.7500001]",  # never narrower than it is
            "",
            "10 rows · 4 positive · 6 negative · predictions sum to 1,234.50",
            "weight 6.50 positive, 6 negative · 1 row left out for missing values",
            "positive='yes' · nan=drop · preset=sklearn",
        ]
    )


def test_slices_are_a_pivot() -> None:
    said = text.render(SLICED, Conventions(roles={"label": "click", "where": "hour\n  > 3"}))
    assert said == "\n".join(
        [
            "country  mobile   rows  positives        auc         ks",
            "───────────────────────────────────────────────────────",
            "total            1,200         30   0.750000   0.500000",
            "",
            "BR                 700         20   0.800000   0.600000",
            '""                 490          0          –          –',
            "null                10         10   0.700000          –",
            "",
            "         false   1,199         30  0.0001236  -0.250000",
            "         true        1          0          –          –",
            "",
            "1,200 rows · 30 positive · 1,170 negative · predictions sum to 3.50",
            '– there are no positives: country="", mobile=true',
            "– there are no negatives (ks): country=null",
            "where hour > 3",
        ]
    )


def test_several_scores() -> None:
    """A slice that one score lacks stands where it stands in the other."""
    rows = [
        *line(10, 4, {}, "new", auc=0.9),
        *line(6, 3, {"country": "DE"}, "new", auc=0.8),
        *line(1, 0, {"country": "US"}, "new", auc=NONE),
        *line(10, 4, {}, "old", auc=0.7),
        *line(1, 0, {"country": "AT"}, "old", auc=NONE),
        *line(5, 3, {"country": "DE"}, "old", auc=0.6),
        *line(3, 1, {"country": "FR"}, "old", auc=0.5),
        *line(1, 0, {"country": "US"}, "old", auc=NONE),
    ]
    assert text.render(rows, PLAIN) == "\n".join(
        [
            "country  score  rows  positives       auc",
            "─────────────────────────────────────────",
            "total    new      10          4  0.900000",
            "total    old      10          4  0.700000",
            "",
            "AT       old       1          0         –",
            "DE       new       6          3  0.800000",
            "DE       old       5          3  0.600000",
            "FR       old       3          1  0.500000",
            "US       new       1          0         –",
            "US       old       1          0         –",
            "",
            "10 rows · 4 positive · 6 negative · predictions sum to 3.50",
            "– there are no positives: country=US, country=AT (old)",
        ]
    )


def test_samples_are_told_apart_where_they_differ() -> None:
    rows = [
        row(score="new", prediction_sum=2.5),
        row(score="old", prediction_sum=3.0, n=9, negatives=5, weighted_negatives=5, dropped=1),
    ]
    assert text.render(rows, PLAIN) == "\n".join(
        [
            "score  rows  positives       auc",
            "────────────────────────────────",
            "new      10          4  0.500000",
            "old       9          4  0.500000",
            "",
            "4 positive",
            "new: 10 rows · 6 negative · predictions sum to 2.50",
            (
                "old: 9 rows · 5 negative · predictions sum to 3.00"
                " · 1 row left out for missing values"
            ),
        ]
    )


def test_metrics_that_do_not_fit_go_below() -> None:
    rows = [
        *line(10, 4, {}, auc=0.75, ks=0.5, f1=0.25),
        *line(6, 3, {"country": "a" * 30}, auc=0.8, ks=0.6, f1=0.3),
    ]
    #         "aaaaaaaaaaaaaaa…    10          4  0.750000  0.500000" is 53 wide
    assert text.render(rows, PLAIN, width=53) == "\n".join(
        [
            "country           rows  positives       auc        ks",
            "─────────────────────────────────────────────────────",
            "total               10          4  0.750000  0.500000",
            "",
            "aaaaaaaaaaaaaaa…     6          3  0.800000  0.600000",
            "",
            "country           rows  positives        f1",
            "───────────────────────────────────────────",
            "total               10          4  0.250000",
            "",
            "aaaaaaaaaaaaaaa…     6          3  0.300000",
            "",
            "10 rows · 4 positive · 6 negative · predictions sum to 3.50",
        ]
    )
    assert text.render(rows, PLAIN, width=52).count("country ") == 3
    assert text.render(rows, PLAIN, width=1).count("country ") == 3  # one metric at least
    assert "a" * 30 in text.render(rows, PLAIN)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_no_line_of_a_table_is_too_wide(width: int) -> None:
    metrics: dict[str, Any] = {f"precision(0.{place})": 0.5 for place in range(1, 10)}
    rows = line(10, 4, {}, **metrics) + line(10, 4, {"country": "DE"}, **metrics)
    said = text.render(rows, PLAIN, width=width)
    table = said.rpartition("\n\n")[0].splitlines()
    narrowest = len("country  rows  positives  precision(0.1)")
    assert max(map(len, table)) <= max(width, narrowest)
    assert re.findall(r"precision\(0.\d\)", said) == list(metrics)


def test_many_slices_are_cut_at_a_prompt_and_whole_in_print() -> None:
    rows = line(10, 4, {}, auc=0.5)
    for by in ("a", "b"):
        for key in range(50):
            rows += line(10, 4, {by: key}, auc=0.5 if key else NONE)
    result = Result(rows, PLAIN)
    shown_ = repr(result).partition("\n\n10 rows")[0].splitlines()
    assert len([one for one in shown_[3:] if one.startswith(" ") or one[:1].isdigit()]) == LIMIT
    assert shown_[-1] == "… and 40 more lines; print(result) shows all"
    assert len(str(result).splitlines()) > 100
    assert "more lines" not in str(result)
    assert result._repr_html_().count("<tr>") == 1 + 1 + LIMIT
    assert "40 more lines" in result._repr_html_()


def test_reasons_name_a_few_slices() -> None:
    rows = line(10, 4, {}, auc=0.5)
    for key in range(7):
        rows += line(10, 0, {"id": key}, auc=NONE)
    said = text.render(rows, PLAIN)
    assert said.endswith(f"– {NONE}: id=0, id=1, id=2, id=3, id=4 and 2 more")


def test_signs_of_two_columns_line_up() -> None:
    rows = line(10, 4, {}, auc=0.5) + line(10, 4, {"where": "中国"}, auc=0.5)
    rows += line(10, 4, {"where": "e\u0301t\u00e9"}, auc=0.5)
    total, _, china, summer = text.render(rows, PLAIN).splitlines()[2:6]
    assert total == "total    10          4  0.500000"
    assert china == "中国     10          4  0.500000"
    assert summer == "e\u0301t\u00e9      10          4  0.500000"


def test_keys_stay_on_their_line() -> None:
    rows = line(10, 4, {}, auc=0.5) + line(10, 4, {"a\nb": "c\r\n\x1b[31m"}, auc=0.5)
    for name in ("text", "markdown"):
        said = FORMATS[name](rows, PLAIN)
        assert "\x1b" not in said
        assert "\r" not in said
    assert "c\\r\\n\\x1b[31m" in text.render(rows, PLAIN)


def test_no_metrics() -> None:
    assert str(Result([], PLAIN)) == "no metrics"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_prompt_is_as_wide_as_its_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    result = Result(SLICED, PLAIN)
    assert repr(result) == str(result)
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "50")
    assert repr(result) == text.render(SLICED, PLAIN, width=50)
    assert repr(result).count("country ") == 2
    monkeypatch.setattr(sys, "stdout", None)  # pythonw has none
    assert repr(result) == str(result)


def test_a_terminal_that_lacks_the_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import steelyard as sy\n"
        "print(sy.evaluate(label=[1, 1], score=[0.1, 0.2], metrics=['auc', 'recall']))\n"
    )
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, env=environment, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "metric     value",
        "----------------",
        "auc            -  there are no negatives",
        "recall  0.000000",
        "",
        "2 rows | 2 positive | 0 negative | predictions sum to 0.30",
    ]
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    assert text.printable("─ é 中") == "- é \\u4e2d"


# --- numbers -------------------------------------------------------------------------------------

NUMBERS: list[tuple[float, str, str]] = [
    (0.75, "0.750000", "six decimals"),
    (0.0, "0.000000", "zero"),
    (-0.0, "0.000000", "has no sign"),
    (1.0, "1.000000", "one"),
    (-1.0, "-1.000000", "minus one"),
    (1 - 2**-53, "0.999999", "the float before one"),
    (1 + 2**-52, "1.0000000000000002", "and the one after"),
    (2**-53 - 1, "-0.999999", "and before minus one"),
    (5e-324, "4.941e-324", "the smallest float; 4.94065…e-324 is its exact value"),
    (1e-9, "1e-09", "tiny"),
    (0.00099, "0.00099", "small, all digits"),
    (0.000123456, "0.0001235", "small, four digits"),
    (0.001, "0.001000", "from here on six decimals"),
    (123.4567891, "123.456789", "hundreds"),
    (123456.789, "123,456.79", "large"),
    (-123456.789, "-123,456.79", "large and negative"),
    (1712345678.0, "1,712,345,678.00", "a second of the clock as a threshold"),
    (1.25e18, "1.25e+18", "a size"),
    (float("inf"), "inf", "infinite"),
    (float("-inf"), "-inf", "infinite and negative"),
]


@pytest.mark.parametrize(("value", "said", "why"), NUMBERS)
def test_numbers(value: float, said: str, why: str) -> None:
    assert shown.number(value) == said, why


def read(said: str) -> float:
    return float(said.replace(",", ""))


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite | finite.map(lambda value: 1 + value * 1e-300) | st.floats(-2, 2))
def test_a_number_is_near_and_no_whole_one_that_it_is_not(value: float) -> None:
    near = read(shown.number(value))
    assert abs(near - value) <= max(1e-6 if abs(value) >= 0.001 else 0, 5.001e-4 * abs(value))
    for whole in (-1, 0, 1):
        assert (near == whole) == (value == whole)


@given(finite, st.floats(-2, 2), st.floats(-2, 2))
def test_numbers_keep_their_order(far: float, left: float, right: float) -> None:
    for one, other in ((far, left), (left, right)):
        low, high = sorted((one, other))
        assert read(shown.number(low)) <= read(shown.number(high))


@given(finite, finite)
def test_bounds_are_never_shown_narrower(one: float, other: float) -> None:
    low, high = sorted((one, other))
    said = shown.bounds(row(low=low, high=high))
    left, right = map(read, said.strip("[]").split(", "))
    assert left <= low
    assert right >= high


AMOUNTS: list[tuple[int | float, str]] = [
    (0, "0"),
    (0.0, "0.00"),
    (5712, "5,712"),
    (6470.75, "6,470.75"),
    (0.004, "0.004"),
    (-1e-7, "-1e-07"),
    (2**60, "1.15292e+18"),
    (1e300, "1e+300"),
    (float("inf"), "inf"),
]


@pytest.mark.parametrize(("value", "said"), AMOUNTS)
def test_amounts(value: int | float, said: str) -> None:
    assert shown.amount(value) == said


# --- the other formats ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
@given(result=results)
def test_every_format_takes_every_result(name: str, result: Result) -> None:
    """Whatever a result holds, in whatever order: a text comes out, without a final line end."""
    assert not FORMATS[name](result.rows, result.conventions).endswith("\n")


def test_markdown() -> None:
    rows = line(10, 4, {}, auc=0.75) + line(1, 0, {"a|b": "*x* <b> _y"}, auc=NONE)
    assert markdown.render(rows, PLAIN) == "\n".join(
        [
            r"| a\|b | rows | positives | auc |",
            "| :-- | --: | --: | --: |",
            "| total | 10 | 4 | 0.750000 |",
            r"| \*x\* \<b> \_y | 1 | 0 | – |",
            "",
            "10 rows · 4 positive · 6 negative · predictions sum to 3.50",
            "",
            rf"– {NONE}: a\|b=\*x\* \<b> \_y",
        ]
    )


class Cells(HTMLParser):
    """The words of an HTML table, the hints beside them, and whether every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.hints: list[str] = []
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.hints += [value or "" for name, value in attrs if name == "title"]
        if tag == "tr":
            self.lines.append([])
        if tag in ("th", "td"):
            self.lines[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("th", "td"):
            self.lines[-1][-1] += data


def test_html() -> None:
    evil = '<script>alert("1")</script>'
    rows = line(10, 4, {}, auc=2 / 3) + line(1, 0, {"<i>": evil}, auc=f"{NONE} <b>")
    drawn = html.render(rows, Conventions(roles={"where": "a < 3 & b > 'é'"}))
    assert drawn.isascii()
    cells = Cells()
    cells.feed(drawn)
    cells.close()
    assert cells.open == []
    assert cells.tags == {"div", "style", "table", "thead", "tbody", "tr", "th", "td", "p"}
    assert cells.lines == [
        ["<i>", "rows", "positives", "auc"],
        ["total", "10", "4", "0.666667"],
        [evil, "1", "0", "–"],
    ]
    assert cells.hints == ["0.6666666666666666", f"{NONE} <b>"]
    assert "<p>where a &lt; 3 &amp; b &gt; &#x27;&#233;&#x27;</p>" in drawn
    assert "http" not in drawn


def test_html_of_a_list() -> None:
    cells = Cells()
    cells.feed(Result([row(value=0.75), row("ks", value=None)], PLAIN)._repr_html_())
    assert cells.lines == [
        ["metric", "value", ""],
        ["auc", "0.750000", ""],
        ["ks", "–", NONE],
    ]


ODD = [
    row("precision(0.1, x=2)", value=0.1 + 0.2, slice={"a,b": 'say "hi"', "n": 2**60}),
    row(value=None, slice={"a,b": "two\nlines", "n": None}),
    row(value=5e-324, weighted_positives=10**20, slice={"a,b": "", "n": -1}),
    row(value=1e300, slice={"a,b": None, "n": 0}, details={"used": [1, 2]}),
    row(value=-0.0, slice={"a,b": " x ", "n": 1}),
]


def test_csv_is_read_by_others() -> None:
    said = csv.render(ODD, PLAIN)
    header, *lines = list(python_csv.reader(io.StringIO(said), strict=True))
    assert header[:6] == ["metric", "score", "by", "a,b", "slice_n", "value"]
    table = [dict(zip(header, one, strict=True)) for one in lines]
    assert [one["a,b"] for one in table] == ['say "hi"', "two\nlines", "", "", " x "]
    assert [one["slice_n"] for one in table] == [str(2**60), "", "-1", "0", "1"]
    assert [float(one["value"] or "nan").hex() for one in table] == [
        (0.1 + 0.2).hex(),
        "nan",
        (5e-324).hex(),
        (1e300).hex(),
        (-0.0).hex(),
    ]
    assert table[2]["weighted_positives"] == "1" + 20 * "0"
    assert table[3]["details"] == '{"used": [1, 2]}'


def test_csv_tells_an_empty_word_from_none(tmp_path: Any) -> None:
    path = tmp_path / "r.csv"
    Result(ODD, PLAIN).to_csv(path)
    sql = f"""SELECT "a,b", value FROM read_csv('{path}', nullstr='', allow_quoted_nulls=false)"""
    with duckdb.connect() as connection:
        found = connection.execute(sql).fetchall()
    assert [key for key, _ in found] == ['say "hi"', "two\nlines", "", None, " x "]
    assert [value for _, value in found] == [one.value for one in ODD]
    assert pd.read_csv(path)["slice_n"].tolist()[2:] == [-1, 0, 1]


def test_json_lines() -> None:
    result = Result(SLICED, PLAIN)
    lines = [json.loads(one) for one in FORMATS["jsonl"](result.rows, PLAIN).splitlines()]
    assert lines == result.to_dict()["rows"]
    assert json.loads(FORMATS["json"](result.rows, PLAIN)) == result.to_dict()
