"""Input of unusual size: devices without an end, many threads and columns, texts of a megabyte."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import polars
import pytest

import steelyard
from steelyard.report import text as text_table
from steelyard.sources.duck.connection import open_table
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def test_pipes_and_devices_are_refused_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("day").mkdir()
    Path("day/a.csv").write_text("y,s\n1,0.9\n0,0.1\n")
    os.mkfifo("day/b.csv")
    os.symlink("/dev/zero", "zero.csv")
    os.symlink("/dev/zero", "zero.sy")
    readers: list[Callable[[], Any]] = [
        lambda: sy.evaluate("day", label="y", score="s"),
        lambda: sy.evaluate("day/*.csv", label="y", score="s"),
        lambda: sy.evaluate("zero.csv", label="y", score="s"),
        lambda: sy.read_trec("zero.csv", "zero.csv"),
        lambda: sy.read_letor("zero.csv"),
        lambda: sy.load("zero.sy"),
        lambda: sy.Result.from_json(Path("zero.sy")),
        lambda: sy.Result.from_json("/dev/zero"),
    ]
    for read in readers:
        with pytest.raises(sy.SourceError, match=r"(b.csv|zero.*)' cannot be read: it is .* file"):
            read()


def test_files_read_at_once_give_the_same_errors(tmp_path: Path) -> None:
    for read in (sy.load, sy.Result.from_json, sy.read_letor):
        with pytest.raises(sy.SourceError, match=r"there is no file '.*none.json'"):
            read(tmp_path / "none.json")
        with pytest.raises(sy.SourceError, match="cannot be read: is a directory"):
            read(tmp_path)
        with pytest.raises(sy.SourceError, match="cannot be read: embedded null byte"):
            read(tmp_path / "a\0b.json")


def test_a_billion_threads_are_not_started(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("y,s\n1,0.9\n0,0.1\n")
    words = ("eval", str(tmp_path / "log.csv"), "--score", "s", "-m", "auc")
    assert run(*words, "--threads", "1000000000").exit_code == 0


@pytest.mark.parametrize("form", [list, numpy.array])
def test_a_slice_may_have_a_name_of_a_megabyte(
    form: Callable[[list[str]], Any], tmp_path: Path
) -> None:
    long = "x" * 1_000_000
    columns = {"y": [1, 0, 1, 0], "s": [0.9, 0.1, 0.2, 0.3], "g": form([long, long, "b", "b"])}
    polars.DataFrame(columns).write_csv(tmp_path / "log.csv")
    for source in (columns, tmp_path / "log.csv"):
        start = time.perf_counter()
        result = sy.evaluate(source, label="y", score="s", by="g", metrics="auc")
        text = text_table.render(result.rows, result.conventions, width=80)
        assert time.perf_counter() - start < 5
        assert result.value("auc", g=long) == 1
        assert result.value("auc", g="b") == 0
        assert max(map(len, text.splitlines())) <= 80


def test_a_bad_value_of_a_megabyte_is_cut_in_the_message(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(f"y,s\n1,{'x' * 1_000_000}\n")
    for column in ("s", "y"):
        with pytest.raises(sy.InputError, match="xxxxx…") as caught:
            sy.evaluate(tmp_path / "log.csv", label="s", score=column)
        assert len(str(caught.value)) < 1000


def test_of_a_wide_table_only_the_columns_in_use_are_read(tmp_path: Path) -> None:
    """Reading all of 50,000 columns took 27 s, and with SQL minutes."""
    names = [f"c{i}" for i in range(1200)]
    lines = [[*names, "y", "s"], ["1"] * 1201 + ["0.9"], ["0"] * 1201 + ["0.1"]]
    (tmp_path / "log.csv").write_text("\n".join(map(",".join, lines)) + "\n")
    with open_table(tmp_path / "log.csv") as table:
        assert len(table.relation.narrowed({"y", "s"}).columns) == 2
    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc"}
    for options in ({"where": "c7 < 2"}, {"score": "-s + c9 * 0"}, {"by": "c3 + c4"}):
        found = sy.evaluate(tmp_path / "log.csv", **roles | options)
        assert found["auc"] == (0 if "score" in options else 1)
    for sql in ("SELECT y, c8 * s AS s FROM source", "FROM source SELECT y, s;"):
        assert sy.evaluate(tmp_path / "log.csv", sql=sql, **roles)["auc"] == 1
    with pytest.raises(sy.SourceError, match="there is no column 'c1200'"):
        sy.evaluate(tmp_path / "log.csv", **roles, where="c1200 = 1")


def test_one_metric_that_is_too_large_leaves_the_others_their_values() -> None:
    """In group b the chance to stop at a row of grade 1 is 1/16, and rows 1 and 2 are tied.

    ERR = (1/16 · 1/1 + 1/16 · 1/2) / 2 + 15/16 · 1/16 · 1/3.
    """
    n = 400_000
    log = {
        "y": [0, 1] * (n // 2) + [1, 0, 1],
        "s": [0.5] * n + [0.1, 0.2, 0.2],
        "q": ["a"] * n + ["b"] * 3,
    }
    result = sy.evaluate(log, label="y", score="s", group="q", by="q", metrics=["err", "mrr"])
    assert result.value("err", q="b") == (1 / 16 + 1 / 32) / 2 + 15 / 16 / 16 / 3
    assert result.value("mrr", q="b") == 0.75
    rows = [row for row in result if row.metric == "err" and row.value is None]
    assert [row.n for row in rows] == [n + 3, n]
    assert all(row.why and "too many tied rows" in row.why for row in rows)


def test_a_key_of_a_megabyte_is_cut_in_notes() -> None:
    """The cell was cut, and the reason below the table was a megabyte."""
    columns = {"y": [1, 1, 1, 0], "s": [0.9, 0.1, 0.2, 0.3], "g": ["x" * 1_000_000] * 2 + ["b"] * 2}
    result = sy.evaluate(columns, label="y", score="s", by="g", metrics=["auc", "confusion"])
    text = text_table.render(result.rows, result.conventions, width=80)
    assert f"there are no negatives:\n  g={'x' * 58}…" in text
    assert len(text) < 1000
    classes = sy.evaluate(label=["x" * 1_000_000, "a"], prediction=["a", "a"], metrics="f1(macro)")
    assert len(str(classes)) < 1000
