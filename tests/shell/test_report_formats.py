"""Markdown, HTML, CSV and JSON lines."""

import csv as python_csv
import io
import json
from html.parser import HTMLParser
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import given

import steelyard as sy
from steelyard.model import Conventions
from steelyard.report import csv, html, markdown
from steelyard.report.formats import FORMATS
from steelyard.result.result import Result
from tests.shell.result_rows import NONE, PLAIN, SLICED, line, results, row


@pytest.mark.parametrize("name", FORMATS)
@given(result=results)
def test_every_format_takes_every_result(name: str, result: Result) -> None:
    """Any rows in any order give a text, without a line end at its end."""
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
    """The cells of an HTML table, their titles, and whether every tag is closed."""

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


def test_csv_of_groups_keeps_a_line_feed_in_a_key() -> None:
    rows = {"y": [0, 1, 0, 1], "old": [0.1, 0.2, 0.3, 0.4], "new": [0.4, 0.3, 0.2, 0.1]}
    rows |= {"u": ["a\nb", "a\nb", "c", "c"]}
    result = sy.evaluate(rows, label="y", score=["old", "new"], group="u", metrics="gauc")
    lines = list(python_csv.reader(io.StringIO(result.groups_csv()), strict=True))
    assert [line[:2] for line in lines] == [
        ["score", "u"],
        *([score, key] for score in ("old", "new") for key in ("a\nb", "c")),
    ]


def test_csv_distinguishes_empty_text_from_none(tmp_path: Any) -> None:
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
