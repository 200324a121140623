"""Text tables, and numbers as people read them."""

import io
import os
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.model import Conventions
from steelyard.report import display, text
from steelyard.report.fitting import width_of
from steelyard.report.formats import FORMATS
from steelyard.result.result import LIMIT, Result
from tests.shell.result_rows import NONE, PLAIN, SLICED, line, row

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
            "preset=sklearn · positive='yes' · nan=drop",
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
    """A slice that one score lacks keeps the place that it has in the other."""
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


def test_samples_are_shown_separately_where_they_differ() -> None:
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
            "each score has its own rows: values may differ because the rows differ",
        ]
    )


def test_metrics_that_do_not_fit_go_below() -> None:
    """The parts are of similar width, repeat the keys and keep all decimals."""
    metrics: dict[str, Any] = {"auc": 0.75, "average_precision": 0.5, "calibration_slope": 1.5}
    rows = [
        *line(10, 4, {}, **metrics),
        *line(6, 3, {"country": "a" * 30}, **metrics),
    ]
    assert text.render(rows, PLAIN, width=60) == "\n".join(
        [
            "country           rows  positives       auc",
            "───────────────────────────────────────────",
            "total               10          4  0.750000",
            "",
            "aaaaaaaaaaaaaaa…     6          3  0.750000",
            "",
            "country           average_precision  calibration_slope",
            "──────────────────────────────────────────────────────",
            "total                      0.500000           1.500000",
            "",
            "aaaaaaaaaaaaaaa…           0.500000           1.500000",
            "",
            "10 rows · 4 positive · 6 negative · predictions sum to 3.50",
        ]
    )
    assert text.render(rows, PLAIN, width=1).count("country ") == 5  # a column at least
    assert "a" * 30 in text.render(rows, PLAIN, width=100)  # nothing is cut that fits
    assert "a" * 30 in text.render(rows, PLAIN)


def test_decimals_are_cut_before_a_table_is() -> None:
    rows = line(10, 4, {}, auc=0.123456, ks=0.99999999) + line(6, 3, {"id": 7}, auc=1e-7, ks=NONE)
    assert text.render(rows, PLAIN, width=38).splitlines()[:5] == [
        "id     rows  positives     auc      ks",
        "──────────────────────────────────────",
        "total    10          4  0.1235  0.9999",
        "",
        "7         6          3   1e-07       –",
    ]
    assert "shown with 4 decimals to fit" in text.render(rows, PLAIN, width=38)
    assert "shown with" not in text.render(rows, PLAIN, width=42)


def test_scores_that_do_not_fit_become_columns() -> None:
    rows = [
        *line(10, 4, {}, "new", auc=0.9, ks=0.5),
        *line(10, 4, {}, "old", auc=0.7, ks=0.4),
    ]
    assert text.render(rows, PLAIN, width=35).partition("\n\n")[0].splitlines() == [
        "score           new       old",
        "─────────────────────────────",
        "rows             10        10",
        "positives         4         4",
        "auc        0.900000  0.700000",
        "ks         0.500000  0.400000",
    ]


def test_remarks_and_notes_continue_on_the_next_line() -> None:
    details = {"groups": 300, "groups_used": 239, "rows_used": 5}
    said = text.render([row("gauc", details=details)], PLAIN, width=40)
    assert said == "\n".join(
        [
            "metric     value",
            "────────────────",
            "gauc    0.500000  239 of 300 groups, 5",
            "                  of 10 rows",
            "",
            "10 rows · 4 positive · 6 negative ·",
            "  predictions sum to 3.50",
        ]
    )


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


def test_notes_and_remarks_are_as_wide_as_they_look() -> None:
    names = [f"点击率模型{number}" for number in "一二三四五"]
    rows = {"真": names, "预测": names[:1] * 5}
    for by in (None, "预测"):  # a remark of the metric; a note on the total
        result = sy.evaluate(rows, label="真", prediction="预测", by=by, metrics=["f1(macro)"])
        lines = text.render(result.rows, result.conventions, width=60).splitlines()
        assert any("点击率模型二" in line for line in lines)
        assert max(map(width_of, lines)) <= 60


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


def test_a_terminal_without_unicode_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert text.encodable("─ é 中") == "- é \\u4e2d"


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
def test_how_numbers_are_shown(value: float, said: str, why: str) -> None:
    assert display.number(value) == said, why


def test_groups_used_are_those_of_the_total() -> None:
    """A slice has groups of its own, and its line does not say how many."""
    counts = {"groups": 3, "groups_used": 2, "rows_used": 8}
    total, slice_ = (row("gauc", slice=s, details=counts) for s in ({}, {"country": "DE"}))
    others = [row("gauc", score=score, details=counts) for score in ("old", "new")]
    note = "gauc: 2 of 3 groups, 8 of 10 rows"
    assert f"{note} in total" in text.render([total, slice_], Conventions()).splitlines()
    assert note in text.render(others, Conventions()).splitlines()


@pytest.mark.parametrize(
    ("groups", "used", "rows_used", "details", "said"),
    [
        (17963, 2580, 8, {}, "2,580 of 17,963 groups, 8 of 10 rows"),
        (1, 0, 0, {}, "0 of 1 group, 0 of 10 rows"),
        (1200, 1200, 10, {}, "all 1,200 groups"),
        (1, 1, 10, {}, "1 group"),
        (0, 0, 0, {}, ""),
        (3, 2, 8, {"weights": "unused"}, "2 of 3 groups, 8 of 10 rows, weights unused"),
    ],
)
def test_groups_used(
    groups: int, used: int, rows_used: int, details: dict[str, Any], said: str
) -> None:
    counts = {"groups": groups, "groups_used": used, "rows_used": rows_used}
    assert display.details_text(row("ndcg", details={**counts, **details})) == said
    assert display.details_text(row("auc")) == ""


def read(said: str) -> float:
    return float(said.replace(",", ""))


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite | finite.map(lambda value: 1 + value * 1e-300) | st.floats(-2, 2))
def test_a_shown_number_is_near_and_is_whole_only_if_the_value_is(value: float) -> None:
    near = read(display.number(value))
    assert abs(near - value) <= max(1e-6 if abs(value) >= 0.001 else 0, 5.001e-4 * abs(value))
    for whole in (-1, 0, 1):
        assert (near == whole) == (value == whole)


@given(finite, st.floats(-2, 2), st.floats(-2, 2))
def test_numbers_keep_their_order(far: float, left: float, right: float) -> None:
    for one, other in ((far, left), (left, right)):
        low, high = sorted((one, other))
        assert read(display.number(low)) <= read(display.number(high))


@given(finite, finite)
def test_bounds_are_never_shown_narrower(one: float, other: float) -> None:
    low, high = sorted((one, other))
    said = display.bounds(row(low=low, high=high))
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
    assert display.amount(value) == said


def test_every_slice_says_how_many_groups_its_means_are_of() -> None:
    """Metrics of the same groups share a column; where none was left out, one number will do."""
    result = sy.evaluate(
        {"y": [1, 0, 1, 0], "s": [2, 1, 1, 2], "u": [1, 1, 2, 3], "c": ["a", "a", "b", "b"]},
        label="y",
        score="s",
        group="u",
        by="c",
        metrics=["ndcg@2", "map", "auc", "gauc"],
    )
    table = str(result).split("\n\n")
    assert [line.split() for line in (*table[0].splitlines(), *table[1].splitlines())] == [
        ["c", "rows", "positives", "ndcg@2", "map", "groups", "auc", "gauc", "groups"],
        ["─" * 78],
        [*("total", "4", "2"), *("1.000000", "1.000000", "2", "of", "3"),
         *("0.500000", "1.000000", "1", "of", "3")],
        ["a", "2", "1", "1.000000", "1.000000", "1", "1.000000", "1.000000", "1"],
        [*("b", "2", "1", "1.000000", "1.000000", "1", "of", "2"),
         *("0.000000", "–", "0", "of", "2")],
    ]  # fmt: skip
