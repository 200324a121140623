"""Crashes, hangs, and what leaks: lines 12 to 18 of the list."""

import json
import multiprocessing
import os
import pickle
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from decimal import Decimal
from math import isnan
from pathlib import Path
from typing import Any

import duckdb
import numpy
import polars
import pytest

import steelyard
from steelyard.cli import terminal
from steelyard.evaluation.saved_state import State
from steelyard.metrics.catalogue import functions
from steelyard.report import text as text_table
from steelyard.sources.duck.connection import CONFIG, open_table
from tests.laws.state_bytes import seal, taken_apart
from tests.paths import ROOT
from tests.shell.run import ROLES, run
from tests.shell.trials.rows import RATES, SOLD, two_rows

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should

NAN = float("nan")
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]

# ---- 12. Input that ended in a bare exception --------------------------------------------------


LEFT = {"y": [0, 1], "s": [0.1, 0.2], "user": [1, 2], "day": ["fri", "sat"], "w": [1.0, 2.0]}


@pytest.mark.parametrize("metric", ["gauc", "gauc(w)", "ndcg(group_weight=w)@5"])
@pytest.mark.parametrize("group", ["user", ["user", "day"]])
def test_12_no_row_is_left(metric: str, group: Any) -> None:
    result = sy.evaluate(LEFT, label="y", score="s", group=group, metrics=metric, where="y > 1")
    assert [(row.value, row.why) for row in result] == [(None, "there are no rows")]
    assert result.groups(metric).to_csv().splitlines()[1:] == []


def test_12_weights_hundreds_of_powers_of_ten_apart() -> None:
    """ECCE: by rising score the difference is 0.8e-300, then 0.2 more. z is beyond 1.8e308."""
    assert sy.ecce([1, 1], [0.8, 0.2], sample_weight=[1, 1e-300]) == pytest.approx(0.2)
    with pytest.warns(sy.UndefinedWarning, match="beyond the largest float64"):
        assert isnan(sy.spiegelhalter([1], [5e-324], sample_weight=[1e300]))
    pairs = sy.evaluate(
        {"y": [1, 1, 0], "s": [3, 1, 2], "w": [1e300, 1e-300, 1]},
        label="y",
        score="s",
        weight="w",
        metrics="pnr",
    )
    assert pairs.rows[0].why == "it is beyond the largest float64"  # 1e600 : 1, once infinite


LONG = 10**5000  # Python refuses to write it


@pytest.mark.parametrize(
    "call",
    [
        lambda: sy.auc([0, LONG], [0.1, 0.2]),
        lambda: sy.auc([0, 1], [0.1, 0.2], positive=LONG),
        lambda: sy.accuracy(["a", LONG], y_pred=["a", LONG]),
        lambda: sy.gauc([0, 1], [0.1, 0.2], group=[LONG, 1]),
        lambda: sy.gauc([0, 1], [0.1, 0.2], group=[Decimal("sNaN"), 1]),
        lambda: sy.accuracy([Decimal("sNaN"), 1], y_pred=[1, 1]),
        lambda: sy.evaluate(label=[0, 1], score=[0, 1], by={"k": [LONG, 1]}, metrics="auc"),
        lambda: sy.evaluate(label=[0, 1], score=[0, 1], clip=LONG, metrics="auc"),
    ],
)
def test_12_values_that_cannot_be_keys(call: Any) -> None:
    with pytest.raises(sy.InputError):
        call()


def test_12_a_label_of_5000_digits_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text(f"y,s\n{'9' * 5000},0.1\n1,0.2\n")
    with pytest.raises(sy.InputError, match="1 value outside"):
        sy.evaluate(tmp_path / "long.csv", label="y", score="s", metrics="auc")


def test_12_options_of_another_type() -> None:
    for option, value in {"metrics": 5, "where": 5, "by": 5, "sql": ["x"], "nan": []}.items():
        roles = {"label": "y", "score": "s", "metrics": "auc", option: value}
        with pytest.raises(sy.InputError, match=f"{option} is of type"):
            sy.evaluate(LEFT, **roles)


def test_12_forged_keys_and_conventions_are_refused() -> None:
    """Before, they were loaded, and `result()` ended in a KeyError or a TypeError."""
    data = sy.state(LEFT, label="y", score="s", by="day", metrics="auc").dumps()
    header, sections = taken_apart(data)
    for name, value in {"by": [[5]], "roles": ["label"], "group": [{}], "clip": "x"}.items():
        other = {**header, "conventions": {**header["conventions"], name: value}}
        with pytest.raises(sy.StateError):
            State.loads(seal(json.dumps(other, sort_keys=True).encode(), *sections))


def test_12_damaged_results_are_refused() -> None:
    """Before, they were loaded, and could not be printed."""
    result = sy.evaluate(LEFT, label="y", score="s", group="user", metrics="gauc", by="day")
    damages: list[Any] = [{"groups": 2}, {"groups": None}, {"classes_used": 1}, {"p_value": []}]
    for details in damages:
        data = result.to_dict()
        data["rows"][0]["details"] = details
        with pytest.raises(sy.SourceError, match="is damaged"):
            sy.Result.from_dict(data)


@pytest.mark.parametrize("sort", [["prevalence"], 5])
def test_12_slices_are_sorted_by_a_name(sort: Any) -> None:
    with pytest.raises(sy.InputError, match=r"^sort is of type (list|int): give it as the name"):
        sy.evaluate(SOLD, **RATES).select(sort=sort)


@pytest.mark.parametrize("classes", [[["a"]], [{}], [([],)], numpy.array([[1, 2]])])
def test_12_a_class_that_is_a_list_is_refused(classes: Any) -> None:
    rows = {"label": ["a", "b"], "prediction": ["a", "b"]}
    with pytest.raises(sy.InputError, match="a text or a number for each class"):
        sy.evaluate(**rows, classes=classes, metrics="kappa")


# ---- 13. Forks and pickles ---------------------------------------------------------------------

FORKS = """
import os, signal, sys, threading, time
from steelyard.cached import cached_property

class Slow:
    def __init__(self, seconds): self.seconds = seconds
    @cached_property
    def value(self):
        started.set()
        time.sleep(self.seconds)
        return 7

started = threading.Event()
threading.Thread(target=lambda: Slow(2).value, daemon=True).start()
started.wait()
child = os.fork()
if not child:
    signal.alarm(5)  # a child that waits for the lock of the other thread is ended
    os._exit(0 if Slow(0).value == 7 else 1)
sys.exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_13_a_fork_while_another_thread_evaluates_does_not_wait_for_it() -> None:
    assert subprocess.run([sys.executable, "-c", FORKS], timeout=60).returncode == 0


def test_13_no_property_has_the_lock_of_functools() -> None:
    """Before Python 3.12 it is shared by all objects of a class, also across a fork."""
    for path in Path(steelyard.__file__).parent.rglob("*.py"):
        assert not re.search(r"functools\b.*\bcached_property", path.read_text(encoding="utf-8"))


N = 30
GRADES, PLACES = [0, 1, 1] * (N // 3), [i % 7 / 8 + 1 / 16 for i in range(N)]
CLASSES = [(i * i) % 3 for i in range(N)]
ROWS_OF_METRICS: dict[str, dict[str, Any]] = {
    "scores": {"label": GRADES, "score": PLACES},
    "classes": {"label": CLASSES, "prediction": [i % 3 for i in range(N)]},
    "class scores": {"label": CLASSES, "score": [[0.5, 0.25, 0.25]] * N, "classes": [0, 1, 2]},
    "numbers": {"label": PLACES, "prediction": PLACES[::-1]},
}


def states_of_every_metric() -> dict[str, Any]:
    """A state of each metric that fits a table, with groups, weights and slices where it can."""
    more = {"weight": [1, 2, 3] * (N // 3), "by": {"half": [0, 1] * (N // 2)}}
    grouped = more | {"group": [i // 6 for i in range(N)]}
    states: dict[str, Any] = {}
    for name in functions():
        spec = name.replace("_at_k", "@3") if name.endswith("_at_k") else name
        for kind, roles in ROWS_OF_METRICS.items():
            for spelled in (spec, f"{spec}(0.5)", f"{spec}(macro)", f"{spec}(h)"):
                for others in (grouped, more):
                    with suppress(sy.SteelyardError, TypeError):
                        key = f"{spelled} of {kind}"
                        states.setdefault(key, sy.state(metrics=[spelled], **roles, **others))
    return states


@pytest.mark.filterwarnings("ignore")
def test_13_a_state_of_any_metric_pickles() -> None:
    states = states_of_every_metric()
    named = {key.split(" of ")[0].split("(")[0].replace("@3", "_at_k") for key in states}
    assert {"accuracy", "ece", "gauc", "ndcg", "map", "recall_at_k", "spearman"} <= named
    assert len(named) > 80
    for state in states.values():
        result = state.result()
        copied = pickle.loads(pickle.dumps(state))
        assert copied.dumps() == state.dumps()
        assert copied.result() == result == pickle.loads(pickle.dumps(result))


def test_13_processes_of_a_pool_take_and_give_states() -> None:
    """Spawned ones, which import everything anew."""
    metrics = ["accuracy", "ece", "gauc", "ndcg", "map"]
    days = [
        sy.state(label=[0, 1, y], score=[0.2, 0.7, 0.4], group=[1, 1, 1], metrics=metrics)
        for y in (0, 1)
    ]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(steelyard.State.result, days)
        again = pool.map(steelyard.State.loads, [day.dumps() for day in days])
    assert results == [day.result() for day in days]
    assert again == days


# ---- 14. Nothing hangs, nothing takes forever --------------------------------------------------


def test_14_pipes_and_devices_are_refused_and_not_waited_for(
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


def test_14_files_read_at_once_give_the_same_errors(tmp_path: Path) -> None:
    for read in (sy.load, sy.Result.from_json, sy.read_letor):
        with pytest.raises(sy.SourceError, match=r"there is no file '.*none.json'"):
            read(tmp_path / "none.json")
        with pytest.raises(sy.SourceError, match="cannot be read: is a directory"):
            read(tmp_path)
        with pytest.raises(sy.SourceError, match="cannot be read: embedded null byte"):
            read(tmp_path / "a\0b.json")


def test_14_a_billion_threads_are_not_started(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("y,s\n1,0.9\n0,0.1\n")
    words = ("eval", str(tmp_path / "log.csv"), "--score", "s", "-m", "auc")
    assert run(*words, "--threads", "1000000000").exit_code == 0


@pytest.mark.parametrize("form", [list, numpy.array])
def test_14_a_slice_may_have_a_name_of_a_megabyte(
    form: Callable[[list[str]], Any], tmp_path: Path
) -> None:
    """It took 12 s: texts were compared eight bytes at a time, the table was cut by one."""
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


def test_14_a_bad_value_of_a_megabyte_is_cut_in_the_message(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(f"y,s\n1,{'x' * 1_000_000}\n")
    for column in ("s", "y"):
        with pytest.raises(sy.InputError, match="xxxxx…") as caught:
            sy.evaluate(tmp_path / "log.csv", label="s", score=column)
        assert len(str(caught.value)) < 1000


def test_14_of_a_wide_table_only_the_columns_in_use_are_read(tmp_path: Path) -> None:
    """50,000 columns took 27 s, and with SQL minutes."""
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


def test_14_one_metric_that_is_too_large_leaves_the_others_their_values() -> None:
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


def test_14_a_key_of_a_megabyte_is_cut_in_notes() -> None:
    """The cell was cut, and the reason below the table was a megabyte."""
    columns = {"y": [1, 1, 1, 0], "s": [0.9, 0.1, 0.2, 0.3], "g": ["x" * 1_000_000] * 2 + ["b"] * 2}
    result = sy.evaluate(columns, label="y", score="s", by="g", metrics=["auc", "confusion"])
    text = text_table.render(result.rows, result.conventions, width=80)
    assert f"there are no negatives:\n  g={'x' * 58}…" in text
    assert len(text) < 1000
    classes = sy.evaluate(label=["x" * 1_000_000, "a"], prediction=["a", "a"], metrics="f1(macro)")
    assert len(str(classes)) < 1000


# ---- 15. The user's text: no terminal escapes, no rewriting ------------------------------------

RED = "\x1b[31m"


def lines_of(text: str) -> None:
    Path("log.csv").write_text(text)


def test_15_a_message_has_no_escapes_of_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines_of(f"y,s{RED},\x9b2J,\u202emoc.exe\n1,0.9,a,b\n")
    with duckdb.connect("log.duckdb") as connection:
        for name in (f"a{RED}", "b"):
            connection.execute(f'CREATE TABLE "{name}" AS SELECT 1 AS y')
    Path(f"log{RED}.csv").write_text("")
    mistakes: list[tuple[str, dict[str, Any]]] = [
        ("log.csv", {"score": "x"}),  # the list of the columns
        ("log.duckdb", {}),  # the list of the tables
        ("log.csv", {"where": "error(chr(27) || '[31m')"}),  # words of DuckDB
        (f"log{RED}.csv", {}),  # the name of the file
    ]
    for source, options in mistakes:
        with pytest.raises(sy.SteelyardError) as caught:
            sy.evaluate(source, **{"label": "y", "score": "y"} | options)
        assert not {"\x1b", "\x9b", "\u202e"} & set(str(caught.value))
        assert "\\x1b[31m" in str(caught.value)
    for words in (["eval", "log.csv", f"--{RED}"], [f"{RED}"], ["eval", "log.duckdb"]):
        assert "\x1b" not in run(*words).stderr


def test_15_recognised_columns_are_named_without_escapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines_of(f"label,score,{RED}\n1,0.9,a\n0,0.1,a\n")
    done = run("eval", "log.csv", "-m", "auc", "--by", f'"{RED}"')
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout + done.stderr


def test_15_a_terminal_gets_no_escapes_and_a_pipe_gets_every_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines_of(f"y,s,g\n1,0.9,{RED}\n0,0.1,{RED}\n")
    words = ["eval", "log.csv", "--label", "y", "--score", "s", "--by", "g", "-q"]
    for format_ in ("csv", "jsonl", "markdown", "table"):
        piped = run(*words, "--format", format_).stdout
        assert (RED in piped) == (format_ == "csv")
        with monkeypatch.context() as patch:
            patch.setenv("NO_COLOR", "1")
            patch.setattr(terminal, "is_terminal", lambda stream: True)
            assert "\x1b" not in run(*words, "--format", format_).stdout


def test_15_options_are_named_in_our_words_and_never_in_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = run("eval", "weight=1/x.csv").stderr
    assert said.startswith("steelyard: there is no file 'weight=1/x.csv'")
    lines_of('"nan=""drop""",s\n1,0.9\n,0.1\n0,0.2\n')
    roles = ("--label", 'nan="drop"', "--score", "s")
    said = run("eval", "log.csv", *roles).stderr
    assert said.startswith('steelyard: nan="drop" has 1 missing value')
    assert said.endswith("leave those rows out with --nan drop.\n")
    said = run("eval", "log.csv", *roles, "--nan", "drop", "--positive", "weight=1").stderr
    assert said.startswith("steelyard: --positive 'weight=1' does not occur in nan=\"drop\"")


def test_15_a_skipped_file_is_named_without_escapes(folder: Path) -> None:
    for path in ("log/a.parquet", f"log/notes{RED}.txt"):
        two_rows(path)
    done = run("eval", "log", "--label", "y", "--score", "s", "-m", "auc")
    assert done.exit_code == 0
    assert r"notes\x1b[31m.txt" in done.stderr


# ---- 16. What SQL may read ---------------------------------------------------------------------

LOG = "y,s\n1,0.9\n0,0.2\n"
SECRET_READERS = (  # files beside the log, and a pattern that finds it
    "read_text('secret.txt')",
    "read_csv('sec*.txt', header = false)",
    "glob('*')",
    "query('FROM read_text(''secret.txt'')')",
)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log and a file that belongs to nobody else's business."""
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(LOG)
    Path("secret.txt").write_text("hunter2")
    return tmp_path


def not_of_the_source(source: Any, **options: Any) -> str:
    with pytest.raises(sy.SourceError, match="which is not a file of the source") as caught:
        sy.evaluate(source, **{"label": "y", "score": "s", "metrics": "auc"} | options)
    return str(caught.value)


@pytest.mark.parametrize("reader", SECRET_READERS)
def test_16_sql_reads_the_source_and_nothing_else(desk: Path, reader: str) -> None:
    count = f"(SELECT count(*) FROM {reader})"
    frame = {"y": [1, 0], "s": [0.9, 0.2]}
    for source in ("log.csv", frame, "SELECT * FROM 'log.csv'"):
        not_of_the_source(source, where=f"{count} > 0")
        not_of_the_source(source, score=f"s + {count}")
        not_of_the_source(source, by=count)
        not_of_the_source(source, sql=f"SELECT *, {count} FROM source")
        allowed = sy.evaluate(
            source, label="y", score="s", metrics="auc", where=f"{count} > 0", allow_files=True
        )
        assert allowed["auc"] == 1


def test_16_a_view_in_a_database_reads_no_other_file(desk: Path) -> None:
    with duckdb.connect("log.duckdb") as connection:
        connection.execute("CREATE TABLE log AS FROM 'log.csv'")
        connection.execute("CREATE VIEW more AS SELECT y, s FROM log, read_text('secret.txt')")
    said = not_of_the_source("log.duckdb", table="more")
    assert said == (
        "'log.duckdb: more' cannot be read: it reads 'secret.txt', which is not a file of the "
        "source; allow_files=True allows that."
    )
    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc"}
    assert sy.evaluate("log.duckdb", table="more", allow_files=True, **roles)["auc"] == 1
    assert sy.evaluate("log.duckdb", sql="SELECT y, -s AS s FROM log", **roles)["auc"] == 0
    not_of_the_source("log.duckdb", sql="SELECT * FROM more")


def test_16_sql_as_the_source_reads_the_files_it_names(desk: Path) -> None:
    Path("log[1].csv").write_text(LOG)
    for sql in (
        "SELECT * FROM 'log.csv'",
        "FROM log.csv",
        "SELECT * FROM read_csv(['log.csv', 'log[[]1].csv'])",
        "WITH t AS (FROM read_csv('l*.csv')) SELECT *, (SELECT count(*) FROM 'log.csv') FROM t",
    ):
        assert sy.evaluate(sql, label="y", score="s", metrics="auc")["auc"] == 1
        assert sy.evaluate(sql=sql, label="y", score="s", metrics="auc")["auc"] == 1
        not_of_the_source(sql, where="(SELECT count(*) FROM read_text('secret.txt')) > 0")
    not_of_the_source("SELECT 1 AS y, content AS s FROM read_text('sec' || 'ret.txt')")


def test_16_the_command_line_has_the_flag(desk: Path) -> None:
    where = "(SELECT count(*) FROM read_text('secret.txt')) > 0"
    words = ["eval", "log.csv", "--score", "s", "--where", where]
    refused = run(*words)
    assert refused.exit_code == 2
    assert "'secret.txt', which is not a file of the source; --allow-files allows" in refused.stderr
    assert run(*words, "--allow-files").exit_code == 0


def test_16_sql_changes_no_setting_and_writes_no_log(desk: Path) -> None:
    """DuckDB 2 refuses to change the setting; DuckDB 1.5 changes it and cannot write."""
    before = sorted(desk.iterdir())
    call = "enable_logging(storage = 'file', storage_path = 'logs')"
    with suppress(sy.SourceError):
        sy.evaluate("log.csv", label="y", score="s", where=f"(SELECT 1 FROM {call}) = 1")
    assert sorted(desk.iterdir()) == before


def test_16_odd_names_of_the_source_are_still_read(desk: Path) -> None:
    for name in ("a[1].csv", "a*b.csv", "it's.csv", "day=1/x.csv", "ä ö.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(LOG)
        assert sy.evaluate(name, label="y", score="s", metrics="auc", where="s > 0")["auc"] == 1


def test_16_a_sort_still_spills_to_disk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """About 200 MB are sorted in 100 MB, which DuckDB refuses without temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(desk))
    rows = "SELECT i % 2 AS y, hash(i) % 9 AS s, hash(i + 1)::VARCHAR AS t FROM range(5000000) r(i)"
    sql = f"SELECT * FROM ({rows}) ORDER BY t"
    modes: list[int] = []

    def look(*_: object) -> None:
        modes.extend(path.stat().st_mode & 0o777 for path in desk.glob("steelyard-*"))

    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc", "memory": "100MB"}
    found = sy.evaluate(sql=sql, threads=2, progress=look, **roles)
    assert found.rows[0].n == 5_000_000
    assert set(modes) == {0o700}
    assert not list(desk.glob("steelyard-*"))


def test_16_the_connection_of_the_user_stays_his(desk: Path) -> None:
    with duckdb.connect() as mine:
        relation = mine.sql("SELECT y, s FROM 'log.csv'")
        sy.evaluate(relation, label="y", score="s", metrics="auc", where="s > 0")
        assert mine.sql("SELECT content FROM read_text('secret.txt')").fetchall()
        not_of_the_source(relation, where="(SELECT count(*) FROM read_text('secret.txt')) > 0")


def test_16_no_extension_is_fetched_because_of_what_a_file_holds(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here fetching fails, and says so; `.db` may be either kind of database."""
    monkeypatch.setitem(CONFIG, "extension_directory", str(desk / "none"))
    monkeypatch.setitem(CONFIG, "custom_extension_repository", str(desk / "none"))
    with closing(sqlite3.connect("log.db")) as connection:
        connection.execute("CREATE TABLE log (y INTEGER)")
        connection.commit()
    for source, said in (
        ("log.db", "is downloaded only where the address asks for it: write sqlite:log.db"),
        ("sqlite:log.db", "could not be downloaded"),
    ):
        with pytest.raises(sy.SourceError, match=said):
            sy.evaluate(source, label="y", score="s")
    not_of_the_source("log.csv", sql="FROM 'https://example.org/log.csv'")


# ---- 17. What memory bounds --------------------------------------------------------------------


def test_17_help_says_what_memory_bounds() -> None:
    said = " ".join(run("eval", "--help").stdout.split())
    assert "--memory SIZE The memory of DuckDB, such as 4GB; what the metrics keep" in said
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert "ulimit -v" in page.split("## Memory")[1]


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread")])
def test_17_memory_that_is_refused_is_one_sentence(
    error: Exception, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own errors where the system gives no memory."""

    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("steelyard.engines.memory.MemoryEngine.scan", refuse)
    done = run("eval", log, *ROLES)
    assert done.exit_code == 2
    assert done.stderr == "steelyard: there is not enough memory for these rows.\n"
    with pytest.raises(type(error)):
        sy.evaluate(log, label="click", score="pctr")


def test_17_memory_that_duckdb_refuses_is_one_sentence() -> None:
    sql = "SELECT range % 2 AS y, random() AS s FROM range(10000000) ORDER BY s"
    done = run("eval", "--sql", sql, "--label", "y", "--score", "s", "--memory", "1MB")
    assert done.exit_code == 2
    assert done.stderr.endswith("more memory than is allowed: allow more, as in --memory 8GB.\n")
    assert done.stderr.count("\n") == 1


def test_17_a_whole_number_of_any_type_is_a_size() -> None:
    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc", "sql": "FROM source"}
    rows = {"y": [0, 1], "s": [0.1, 0.2]}
    assert sy.evaluate(rows, **roles, memory=numpy.int64(10**9))["auc"] == 1.0
    for size in (0, -5, 2**63):
        with pytest.raises(sy.InputError, match="is not a size"):
            sy.evaluate(rows, **roles, memory=size)


# ---- 18. What is shipped: the source distribution and the type stub ----------------------------


def test_18_what_the_tests_read_is_in_the_source_distribution() -> None:
    """`tests/shell/test_sdist.py`, which is slow, builds it and collects the tests from it."""
    shipped = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    for folder in ("tests", "tools", "docs", "bench"):
        assert folder in shipped
    for page in ("CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
        assert page in shipped


def test_18_text_and_numbers_are_no_columns_to_a_type_checker() -> None:
    """`test_stubs.py` has mypy check such calls: NumPy's ArrayLike takes them."""
    stub = (ROOT / "src/steelyard/__init__.pyi").read_text(encoding="utf-8")
    assert "ArrayLike" not in stub
    assert "    y_true: _Column,\n" in stub
