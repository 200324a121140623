"""The command among other programs: signals, pipes, terminals, and the shell's completion."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from tests.shell.run import COMMAND, ROLES, run, spawn

posix = pytest.mark.skipif(os.name != "posix", reason="signals and terminals")


def python(code: str, *words: str) -> list[str]:
    """A program that does something first, and then is the command."""
    start = "import runpy; runpy.run_module('steelyard', run_name='__main__', alter_sys=True)"
    return [sys.executable, "-c", textwrap.dedent(code) + start, *words]


# --- interrupted --------------------------------------------------------------------------------
@pytest.mark.parametrize("module", ["click", "steelyard.cli.terminal", "steelyard.api"])
def test_ctrl_c_while_it_is_being_loaded(module: str, log: str) -> None:
    code = f"""
        import sys
        class Pressed:
            def find_spec(self, name, *_):
                if name == {module!r}:
                    raise KeyboardInterrupt
        sys.meta_path.insert(0, Pressed())
    """
    done = subprocess.run(python(code, "eval", log, *ROLES), capture_output=True, text=True)
    assert done.returncode == 130
    assert (done.stdout, done.stderr.strip()) == ("", "")


@posix
@pytest.mark.usefixtures("default_signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_while_writing_leaves_the_old_file_and_nothing_else(
    name: str, log: str, tmp_path: Path
) -> None:
    code = """
        import os, time
        real = os.fsync
        def slow(fd):
            print("writing", flush=True)
            time.sleep(60)
        os.fsync = slow
    """
    out = tmp_path / "out" / "numbers.txt"
    out.parent.mkdir()
    out.write_text("the one before")
    words = python(code, "eval", log, *ROLES, "-o", str(out))
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    process.send_signal(getattr(signal, name))
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 128 + getattr(signal, name)
    assert stderr.strip() == b""
    assert [path.read_text() for path in out.parent.iterdir()] == ["the one before"]


@posix
@pytest.mark.usefixtures("default_signals")
def test_what_fails_because_it_was_interrupted_is_not_reported(log: str) -> None:
    code = """
        import os, signal
        import steelyard.api as api
        def evaluate(*_, **__):
            try:
                os.kill(os.getpid(), signal.SIGINT)
                while True: pass
            finally:
                raise ValueError("the connection is busy")
        api.evaluate = evaluate
    """
    done = subprocess.run(python(code, "eval", log, *ROLES), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


@posix
def test_an_ignored_hangup_stays_ignored(log: str) -> None:
    code = """
        import os, signal
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        import steelyard.cli.main as main
        real = main.Commands.get_command
        def hang_up(*words):
            os.kill(os.getpid(), signal.SIGHUP)
            return real(*words)
        main.Commands.get_command = hang_up
    """
    done = subprocess.run(python(code, "eval", log, *ROLES), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.750000" in done.stdout


# --- pipes ----------------------------------------------------------------------------------------
BIG = """
    import steelyard.cli.output as output
    output.rendered = lambda *_: "a line\\n" * 500_000
"""


def piped(words: list[str], reader: str) -> subprocess.CompletedProcess[str]:
    """A program whose stdout is read by another, which may leave early."""
    line = f'"$@" | {reader}'
    shell = ["bash", "-o", "pipefail", "-c", line, "bash", *words]
    return subprocess.run(shell, capture_output=True, text=True)


@posix
def test_a_reader_that_leaves_early_is_no_mistake(log: str) -> None:
    done = piped(python(BIG, "eval", log, *ROLES), "head -1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "a line\n", "")


@posix
def test_a_missed_gate_is_reported_though_the_reader_left(log: str) -> None:
    words = python(BIG, "eval", log, *ROLES, "--fail-under", "auc=0.9")
    done = piped(words, "head -1")
    assert (done.returncode, done.stdout) == (1, "a line\n")
    assert done.stderr == "steelyard: auc of pctr is 0.75, which is under 0.9.\n"


@posix
@pytest.mark.parametrize(("words", "code"), [(["eval", "LOG", *ROLES], 2), (["list"], 2)])
def test_closed_streams_are_a_mistake(words: list[str], code: int, log: str) -> None:
    words = [log if word == "LOG" else word for word in words]
    no_stdout = subprocess.run(
        ["bash", "-c", '"$@" >&-', "bash", COMMAND, *words], stderr=subprocess.PIPE, text=True
    )
    assert no_stdout.returncode == code
    assert no_stdout.stderr.startswith("steelyard: ")
    assert no_stdout.stderr.count("\n") == 1
    neither = subprocess.run(["bash", "-c", '"$@" >&- 2>&-', "bash", COMMAND, *words])
    assert neither.returncode == code


@posix
def test_nothing_is_put_in_the_place_of_a_device(log: str) -> None:
    done = run("eval", log, *ROLES, "-o", "/dev/null")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert not Path("/dev/null").is_file()


# --- a terminal -----------------------------------------------------------------------------------
def on_terminal(words: list[str], **environment: str) -> str:
    """Everything that is written where both stdout and stderr are a terminal of 60 columns."""
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    settings = os.environ | {"TERM": "xterm", "COLUMNS": "60", "NO_COLOR": ""} | environment
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=settings)
    os.close(theirs)
    parts = []
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(ours)
    process.wait(timeout=60)
    return b"".join(parts).decode().replace("\r\n", "\n")


@posix
def test_colour_is_little_and_can_be_refused(log: str) -> None:
    words = [COMMAND, "eval", log, *ROLES, "-m", "auc", "--fail-under", "auc=0.9"]
    coloured = on_terminal(words)
    assert "\x1b[1mmetric     value\x1b[0m\n" in coloured
    assert "\x1b[31msteelyard:\x1b[0m auc of pctr" in coloured
    assert coloured.count("\x1b") == 4
    for refused in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b" not in on_terminal(words, **refused)


@posix
def test_a_table_is_as_wide_as_the_terminal(log: str) -> None:
    code = """
        import steelyard.cli.output as output
        output.rendered = lambda result, format, width: f"{width} columns"
    """
    words = python(code, "eval", log, *ROLES)
    assert "60 columns" in on_terminal(words)
    assert subprocess.run(words, capture_output=True).stdout == b"None columns\n"
    assert max(map(len, on_terminal([COMMAND, "list"]).splitlines())) <= 60


SLOW = """
    import time
    import steelyard.api as api
    from steelyard import phases
    real = api.evaluate
    def evaluate(source, **arguments):
        time.sleep(0.4)
        watcher = phases.watcher()
        if watcher is not None:
            watcher(1_000_000, 2_000_000)
            time.sleep(0.2)
        return real(source, **arguments)
    api.evaluate = evaluate
"""


@posix
def test_progress_is_shown_on_terminals_only(log: str) -> None:
    words = python(SLOW, "eval", log, *ROLES, "-m", "auc")
    shown = on_terminal(words, NO_COLOR="1")
    drawn, *phases, erased, table = shown.split("\r")[1:]
    assert drawn.startswith("1.0 M rows · ")
    assert phases[0].startswith("4 rows")  # of the log itself
    assert erased == " " * len(phases[-1].rstrip())
    assert table.startswith("metric")
    assert "rows/s" not in on_terminal([*words, "--quiet"])
    assert subprocess.run(words, capture_output=True).stderr == b""


# --- completion -----------------------------------------------------------------------------------
OFFERED = {
    "eva": ["eval"],
    "eval --fail-o": ["--fail-over"],
    "eval LOG --label cl": ["click"],
    "eval LOG --label": ["--label"],
    "eval LOG --by click,p": ["click,pctr"],
    "eval none.csv --label cl": [],
    "eval --label cl": [],
    "eval -m roc_": ["roc_auc", "roc_auc_score", "roc_curve"],
    "eval -m ap,best_thr": ["ap,best_threshold"],
    "explain precision_at_r": ["precision_at_recall"],
    "eval --preset s": ["sklearn"],
    "completion z": ["zsh"],
}


@pytest.mark.parametrize("typed", OFFERED)
def test_what_is_offered_after_a_tab(typed: str, log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["steelyard", *typed.replace("LOG", log).split()]
    monkeypatch.setenv("_STEELYARD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    done = spawn() if typed == "eva" else run()
    assert done.stderr == ""
    offered = [line.partition(",")[2] for line in done.stdout.splitlines() if line]
    assert sorted(offered) == OFFERED[typed]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_this_command(shell: str) -> None:
    done = run("completion", shell)
    assert done.exit_code == 0
    assert f"_STEELYARD_COMPLETE={shell}_complete" in done.stdout
    if shell == "bash":
        checked = subprocess.run(["bash", "-n"], input=done.stdout, text=True, capture_output=True)
        assert (checked.returncode, checked.stderr) == (0, "")


# --- doctor ---------------------------------------------------------------------------------------
def test_the_doctor_s_facts() -> None:
    import duckdb
    import numpy as np

    done = run("doctor", "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert said["broken"] == []
    assert said["facts"]["numpy"] == np.__version__
    assert said["facts"]["duckdb"] == duckdb.__version__
    assert said["facts"]["a small sum"] == "right"
    assert "numpy" in said["facts"]["kernels available"]
    assert [line.split()[0] for line in run("doctor").stdout.splitlines()[:2]] == [
        "steelyard",
        "python",
    ]


def test_the_doctor_finds_what_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    monkeypatch.setattr("steelyard.functions.plain_function", lambda _name: lambda *_: 0.5)
    done = run("doctor")
    assert done.exit_code == 2
    broken = [line for line in done.stdout.splitlines() if line.endswith("← broken")]
    assert [line.split("  ")[0] for line in broken] == ["a small sum", "temporary folder"]


def test_the_doctor_does_not_load_frames() -> None:
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    done = subprocess.run(python(code, "doctor"), capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert "duckdb" in loaded
    assert not {"pandas", "polars", "pyarrow"} & loaded


@posix
@pytest.mark.usefixtures("default_signals")
def test_a_second_signal_ends_at_once() -> None:
    """The handler is taken off by the first, so that cleaning up cannot hold the process."""
    code = (
        "import os, signal, time\n"
        "from steelyard.cli.main import _signals\n"
        "with _signals():\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)\n"
        "    except KeyboardInterrupt:\n"
        "        os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)\n"
    )
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code])
    assert done.returncode == -signal.SIGTERM
    assert time.monotonic() - start < 5
