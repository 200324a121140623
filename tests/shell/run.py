"""The command line as tests run it: in this process, or as a process of its own."""

import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest

from steelyard.cli.main import main

CLICK = [0, 0, 1, 1]  # the columns of the fixture `log`
PCTR = [0.1, 0.4, 0.35, 0.8]
ROLES = ("--label", "click", "--score", "pctr")
COMMAND = str(Path(sys.executable).with_name("steelyard"))


class Done(NamedTuple):
    """The exit code of a command line, and what it wrote."""

    exit_code: int
    stdout: str
    stderr: str


def run(*words: str) -> Done:
    """A command line in this process, with the handling of mistakes."""
    stdout, stderr = (TextIOWrapper(BytesIO(), "utf-8", newline="") for _ in range(2))
    with redirect_stdout(stdout), redirect_stderr(stderr), pytest.raises(SystemExit) as stop:
        main(list(words))
    return Done(int(stop.value.code or 0), *map(_written, (stdout, stderr)))


def _written(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def spawn(*words: str, cwd: Path | None = None) -> Done:
    """A command line in a process of its own."""
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, cwd=cwd)
    return Done(done.returncode, done.stdout, done.stderr)
