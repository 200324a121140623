"""Text of the user in messages and tables: no terminal escapes, and no rewriting."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

import steelyard
from steelyard.cli import terminal
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
RED = "\x1b[31m"


def lines_of(text: str) -> None:
    Path("log.csv").write_text(text)


def test_a_message_has_no_escapes_of_the_data(
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


def test_recognised_columns_are_named_without_escapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines_of(f"label,score,{RED}\n1,0.9,a\n0,0.1,a\n")
    done = run("eval", "log.csv", "-m", "auc", "--by", f'"{RED}"')
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout + done.stderr


def test_a_terminal_gets_no_escapes_and_a_pipe_gets_every_byte(
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


def test_options_are_named_in_our_words_and_never_in_the_users(
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


def test_a_skipped_file_is_named_without_escapes(folder: Path) -> None:
    Path("log").mkdir()
    Path("log/a.csv").write_text("y,s\n0,0.1\n1,0.9\n")
    Path(f"log/notes{RED}.txt").touch()
    done = run("eval", "log", "--label", "y", "--score", "s", "-m", "auc")
    assert done.exit_code == 0
    assert r"notes\x1b[31m.txt" in done.stderr
