"""The command line: stdout, stderr and exit codes."""

import importlib.metadata
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import steelyard
from steelyard.cli import main as shell
from steelyard.cli import output
from steelyard.cli.commands.eval import command
from steelyard.kernel_names import preferred
from steelyard.model import NAN_CHOICES
from steelyard.sources.duck.connection import write_parquet
from tests.shell.run import CLICK, COMMAND, PCTR, ROLES, run, spawn


def test_the_table_is_on_stdout_and_nothing_on_stderr(log: str) -> None:
    done = run("eval", log, *ROLES)
    assert (done.exit_code, done.stderr) == (0, "")
    words = [line.split() for line in done.stdout.splitlines()]
    metrics = ["auc", "ap", "ks", "best_f1", "accuracy", "precision", "recall", "f1"]
    assert [line[0] for line in words[2:10]] == metrics
    assert words[2] == ["auc", "0.750000"]  # three of four pairs in order
    assert done.stdout.endswith("4 rows · 2 positive · 2 negative · predictions sum to 1.65\n")


def test_weights_metrics_and_the_order_asked_for(log: str) -> None:
    done = run("eval", log, *ROLES, "--weight", "w", "-m", "recall(0.3)", "--metric", "roc_auc")
    shown = [line.split() for line in done.stdout.splitlines()[2:4]]
    theirs = roc_auc_score(CLICK, PCTR, sample_weight=[1, 2, 3, 4])
    assert shown == [["recall(0.3)", "1.000000"], ["auc", f"{theirs:.6f}"]]


def test_the_positive_label_is_a_choice(log: str) -> None:
    done = run(
        "eval", log, "--label", "bought", "--score", "pctr", "--positive", "yes", "-m", "auc"
    )
    assert "auc     0.750000" in done.stdout
    turned = run(
        "eval", log, "--label", "bought", "--score", "pctr", "--positive", "no", "-m", "auc"
    )
    assert "auc     0.250000" in turned.stdout


def test_missing_values_are_dropped_only_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("click,pctr\n0,0.1\n1,\n1,0.8\n")
    refused = run("eval", str(path), *ROLES)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "row 1" in refused.stderr
    done = run("eval", str(path), *ROLES, "--nan", "drop")
    assert done.exit_code == 0
    assert "1 row left out" in done.stdout


def test_no_value_is_a_dash_and_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("click,pctr\n1,0.1\n1,0.8\n")
    done = run("eval", str(path), *ROLES, "-m", "auc")
    assert "auc         –  there are no negatives" in done.stdout


def test_a_gate_is_held_to_every_score(log: str) -> None:
    scores = ("--score", "good=pctr", "--score", "bad=-pctr", "--score", "worse=-2*pctr")
    done = run("eval", log, "--label", "click", *scores, "--fail-under", "auc=0.5")
    assert done.exit_code == 1
    assert done.stderr == (
        "steelyard: auc of bad is 0.25, which is under 0.5.\n"
        "steelyard: auc of worse is 0.25, which is under 0.5.\n"
    )


def words_for(log: str) -> dict[str, tuple[list[str], str]]:
    """Mistakes: the arguments typed, and a part of the error."""
    return {
        "a column mistyped": (["eval", log, "--label", "clik", "--score", "pctr"], "'click'"),
        "no file": (["eval", "none.csv", *ROLES], "no file 'none.csv'"),
        "an unknown metric": (["eval", log, *ROLES, "-m", "aucc"], "did you mean auc"),
        "a metric cut short": (["eval", log, *ROLES, "-m", "precision(0.3"], "precision(0.3"),
        "a parameter too large": (["eval", log, *ROLES, "-m", "tpr_at_fpr(3)"], "up to 1"),
        "not one number": (["eval", log, *ROLES, "--fail-under", "roc=1"], "not a single number"),
        "two tables in CSV": (
            ["eval", log, *ROLES, "-m", "auc,roc", "--format", "csv"],
            "CSV holds one",
        ),
        "a choice that is none": (["eval", log, *ROLES, "--nan", "skip"], "'drop'"),
        "an option mistyped": (["eval", log, "--labl", "click"], "--label"),
        "an option without its value": (["eval", log, "--label"], "--label"),
        "no file named": (["eval", *ROLES], "name files"),
        "a command mistyped": (["evaluate"], "did you mean eval"),
        "a file for a command": ([log], f"did you mean steelyard eval {log}"),
        "neither a command nor a file": (["xyz"], "doctor, eval, explain"),
        "a gate without a number": (["eval", log, *ROLES, "--fail-under", "auc"], "auc=0.75"),
        "a gate of no metric": (["eval", log, *ROLES, "--fail-over", "aucc=1"], "did you mean auc"),
        "an ending that is no format": (["eval", log, *ROLES, "-o", "a.html"], "--format"),
        "a folder that is not there": (["eval", log, *ROLES, "-o", "no/a.txt"], "no folder"),
        "output over the input": (["eval", log, *ROLES, "-o", log], "read from it"),
        "one name for two scores": (["eval", log, "--score", "a=w", "--score", "a=pctr"], "'a'"),
        "a cluster without a name": (["eval", log, *ROLES, "--cluster", ""], "it is empty"),
        "too few replicates": (
            ["eval", log, *ROLES, "--cluster", "w", "--bootstrap", "99"],
            "99 is not in the range x>=100",
        ),
        "no thread": (["eval", log, *ROLES, "--threads", "0"], "--threads"),
        "nothing to explain": (["explain"], "NAME"),
        "an unknown metric to explain": (["explain", "aucc"], "did you mean auc"),
        "a parameter that is none": (["explain", "auc(3)"], "takes 0 parameters"),
        "a pattern that fits nothing": (["list", "precisoin"], "did you mean precision"),
        "an unknown shell": (["completion", "tcsh"], "'bash'"),
        "words as labels": (["eval", log, "--label", "bought", "--score", "pctr"], "'no'"),
        "a positive that is not there": (
            ["eval", log, "--label", "bought", "--score", "pctr", "--positive", "maybe"],
            "maybe",
        ),
        "words as scores": (["eval", log, "--label", "click", "--score", "bought"], "row 0 ('no')"),
    }


@pytest.mark.parametrize("mistake", words_for(""))
def test_a_mistake_is_one_sentence_and_exit_2(log: str, mistake: str) -> None:
    typed, answer = words_for(log)[mistake]
    done = run(*typed)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("steelyard: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(".\n")
    assert "bug in steelyard" not in done.stderr
    assert answer in done.stderr


TYPED = {
    'fill them, or leave those rows out with nan="drop".': "--nan drop.",
    "the positive value with positive=....": "--positive VALUE.",
    "positive='maybe' does not occur": "--positive maybe does",
    "positive=-3 does not occur": "--positive -3 does",
    "positive=0.5.": "--positive 0.5.",
    "request it in metrics=[...].": "-m METRIC.",
    "as in score='...'.": "--score [NAME=]COLUMN.",
    "as in score={'new': ...}.": "--score new=COLUMN.",
    "name one with table='...'.": "--table NAME.",
    "write lift(q=...).": "write lift(q=...).",
    "write gain(label=...).": "write gain(label=...).",
}


@pytest.mark.parametrize("message", TYPED)
def test_errors_name_the_options_that_are_arguments_in_python(message: str) -> None:
    assert TYPED[message] in shell.with_options(message)


def test_advice_names_options_of_the_command_line(tmp_path: Path, log: str) -> None:
    missing = tmp_path / "t.csv"
    missing.write_text("click,pctr\n0,0.1\n1,\n")
    assert "leave those rows out with --nan drop.\n" in run("eval", str(missing), *ROLES).stderr
    words = run("eval", log, "--label", "bought", "--score", "pctr")
    assert words.stderr.endswith("with --positive VALUE.\n")
    extra = run("demo", "more")
    assert "(more). See steelyard demo --help.\n" in extra.stderr


def test_a_broken_file_is_a_mistake_without_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    write_parquet(path, {"click": np.array(CLICK), "pctr": np.array(PCTR)})
    path.write_bytes(path.read_bytes()[:-40])
    done = spawn("eval", str(path), *ROLES)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_debug_shows_where_and_ends_the_same(tmp_path: Path) -> None:
    done = spawn("eval", str(tmp_path / "none.csv"), *ROLES, "--debug")
    assert done.exit_code == 2
    assert "Traceback" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("steelyard: there is no file")


def test_a_bug_is_reported_in_one_sentence(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("steelyard.api.evaluate", fault)
    done = run("eval", log, *ROLES)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "ZeroDivisionError: of ours" in done.stderr
    assert "--debug" in done.stderr


def test_help_and_version() -> None:
    version = spawn("--version")
    assert version == (0, f"steelyard {steelyard.__version__} ({preferred()} kernels)\n", "")
    assert importlib.metadata.version("steelyard") == steelyard.__version__
    for words in (["--help"], ["-h"], []):
        done = run(*words)
        assert (done.exit_code, done.stderr) == (0, "")
        assert "eval" in done.stdout
        assert "demo" in done.stdout
    assert "--positive VALUE" in run("eval", "-h").stdout


def test_the_package_runs_as_the_command() -> None:
    words = [sys.executable, "-m", "steelyard", "--version"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"steelyard {steelyard.__version__} ({preferred()} kernels)\n"


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["eval", "--help"]])
def test_help_and_version_load_neither_numpy_nor_duckdb(words: list[str]) -> None:
    code = (
        "import sys, json\n"
        "from steelyard.cli.main import main\n"
        "try:\n"
        f"    main({words!r})\n"
        "finally:\n"
        "    print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0
    assert not {"numpy", "duckdb"} & set(json.loads(done.stderr))


def test_the_choices_of_nan_are_those_of_the_model() -> None:
    (nan,) = (option for option in command.params if option.name == "nan")
    assert tuple(getattr(nan.type, "choices", ())) == NAN_CHOICES


def test_a_reader_that_left_is_no_error(log: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        for words in (["eval", log, *ROLES], ["--help"], ["--version"]):
            done = subprocess.run([COMMAND, *words], stdout=writing, stderr=subprocess.PIPE)
            assert (done.returncode, done.stderr) == (0, b"")
    finally:
        os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full")
def test_a_full_disk_is_reported_as_such(log: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [COMMAND, "eval", log, *ROLES], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "steelyard: the output cannot be written: No space left on device.\n"


def test_a_pipe_that_takes_one_line(log: str) -> None:
    line = f"'{COMMAND}' eval '{log}' {' '.join(ROLES)} | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["metric", "value"]


def test_an_ascii_terminal_gets_the_table(log: str) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    words = [COMMAND, "eval", log, *ROLES]
    done = subprocess.run(words, capture_output=True, env=environment)
    assert done.returncode == 0
    assert b"auc        0.750000" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "markdown", "table", "html", "trec"])
def test_keys_stay_apart_in_every_encoding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, form: str
) -> None:
    """Data is UTF-8; a table for people has escapes for the letters that the encoding lacks."""
    keys = ["müller", "møller", "東京", "北京", "naïve"]
    log = tmp_path / "log.csv"
    lines = [f"{i % 2},0.{i % 7},{key}\n" for i, key in enumerate([*keys, *keys])]
    log.write_text("click,pctr,k\n" + "".join(lines), encoding="utf-8")
    words = ["eval", str(log), *ROLES, "-m", "auc", "--by", "k", "--format", form]
    if form == "html":
        words = ["report", str(log), *ROLES, "--by", "k", "-o", "-"]
    if form == "trec":
        qrels, ranked = tmp_path / "qrels", tmp_path / "run"
        qrels.write_text("".join(f"{key} 0 d 1\n" for key in keys), encoding="utf-8")
        ranked.write_text("".join(f"{key} Q0 d 1 0.5 t\n" for key in keys), encoding="utf-8")
        words = ["trec", str(qrels), str(ranked), "-q", "-m", "map"]
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    with pytest.raises(SystemExit) as stopped:
        shell.main(words)
    assert stopped.value.code == 0
    text = written.getvalue().decode(encoding if form == "table" else "utf-8")
    for key in keys:
        shown = key.encode(encoding, "backslashreplace").decode(encoding)
        escaped = json.dumps(key)[1:-1]  # JSON may have either
        found = [shown] if form == "table" else [key, escaped] if "json" in form else [key]
        assert any(each in text for each in found), key


def test_data_that_is_not_utf8_is_refused_on_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    with pytest.raises(steelyard.SourceError, match="not UTF-8 text"):
        output.write_stdout("\udcff,0.5", data=True)
    output.write_stdout("\udcff  0.5")


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.usefixtures("default_signals")
def test_ctrl_c_ends_a_long_read_quietly_with_130(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("click,pctr\n" + "1,0.123456789\n0,0.1\n" * 4_000_000)  # seconds to read
    code = (
        "import steelyard.api, steelyard.sources.duck.connection\n"
        "from steelyard.cli.main import main\n"
        "print('ready', flush=True)\n"
        f"main(['eval', {str(path)!r}, *{ROLES!r}])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.5)  # into the midst of DuckDB's first query
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == shell.INTERRUPTED
    assert (stdout, stderr.strip()) == (b"", b"")
    assert time.monotonic() - sent < 5


PYTHON_SPELLINGS = {
    ("--fail_under", "auc=0.7"): "there is no option --fail_under: did you mean --fail-under.",
    ('--by=["bought"]',): "write --by bought.",
    ("--by", "['bought', 'w']"): "write --by bought --by w.",
    ("-m", '["auc","ks"]'): "write -m auc -m ks.",
    ("--score", '{"new": "pctr"}'): "write --score new=pctr.",
    ("--classes", "['a', 'b c']"): "write --classes 'a,b c'.",
    ("by=bought",): "there is no file 'by=bought': did you mean --by bought.",
    ("metrics=auc",): "did you mean -m auc.",
    ("--threshold", "0.3"): "as in -m 'precision(threshold=0.3)'.",
    ("--group_weight", "pairs"): "as in -m 'gauc(group_weight=pairs)'.",
    ("--y_true", "bought"): "there is no option --y_true: did you mean --label.",
    ("--y-pred", "pctr"): "there is no option --y-pred: did you mean --prediction.",
    ("-m", "CTR"): "there is no metric 'CTR': did you mean prevalence, the share of positives.",
    ("-m", "delong"): "--cluster row gives DeLong's variance.",
}


@pytest.mark.parametrize("words", PYTHON_SPELLINGS)
def test_other_spellings_get_the_one_of_the_command_line(log: str, words: tuple[str, ...]) -> None:
    done = run("eval", log, *ROLES, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert PYTHON_SPELLINGS[words] in done.stderr


def test_a_file_whose_name_looks_like_an_option_is_read(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.rename(log, "by=country.csv")
    assert run("eval", "by=country.csv", *ROLES, "-m", "auc").exit_code == 0


def test_an_option_of_one_value_is_given_once(log: str) -> None:
    done = run("eval", log, "--label", "click", "--label", "w", "--score", "pctr")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("steelyard: --label is given 2 times: give it once.")
    assert run("eval", log, *ROLES, "--score", "w", "-m", "auc", "-m", "ks").exit_code == 0


def test_shells_and_features_are_named(folder: Path) -> None:
    said = run("completion", "tcsh").stderr
    assert "invalid value for 'SHELL': 'tcsh' is not one of 'bash', 'zsh', 'fish'" in said
    folder.joinpath("test.txt").write_text("1 qid:1 7:0.5\n", encoding="utf-8")
    said = run("letor", "test.txt", "--score", "99").stderr
    assert said == "steelyard: there is no feature '99' in 'test.txt': the features are 7.\n"
