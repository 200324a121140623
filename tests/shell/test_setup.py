"""`make setup`: what it says while it installs, and how it ends; pip is a stand-in."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.paths import ROOT
from tools.oldest import oldest

PYTHON = """#!/bin/sh
case "$*" in
*"import "*) exit 0;;
--version) echo Python 3.11;;
*"-m venv"*) mkdir -p .venv/bin; cp "$0" .venv/bin/python;;
*--editable*)
    echo "Looking in indexes: https://example.org/simple"
    echo "  Installing build dependencies: started"
    echo "Collecting numpy>=2.2 (from steelyard==0.1.0)"
    echo "  Downloading numpy-2.3.whl (16.9 MB)"
    echo "Collecting click"
    echo "  Using cached click-8.whl (98 kB)"
    echo "Installing collected packages: numpy, click"
    exit $FAILS;;
*"pip install"*) exit 0;;
*) exit 3;;
esac
"""


@pytest.mark.parametrize("code", [0, 7])
def test_setup_says_what_it_installs_and_fails_where_pip_fails(tmp_path: Path, code: int) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    python = tmp_path / "python"
    python.write_text(PYTHON.replace("$FAILS", str(code)))
    python.chmod(0o755)
    words = ["make", "--no-print-directory", "setup", f"PYTHON={python}"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()[1:]
    steps = [
        "setup: 1 of 2: a recent pip",
        "setup: 2 of 2: steelyard, and what its tests and pictures need",
        "setup: downloading numpy-2.3.whl (16.9 MB)",
        "setup: installing 2 packages",
    ]
    assert said == [*steps, *([] if code else ["setup: .venv is ready"])]
    assert (done.returncode == 0) == (code == 0)
    assert (tmp_path / ".venv" / ".ready").exists() == (code == 0)


def test_the_oldest_releases_are_tested() -> None:
    """`make test-oldest` pins the lower bounds of pyproject.toml; test-all includes it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = list(oldest(project["project"]["dependencies"]))
    names = ["numpy", "duckdb", "nanoarrow", "click", "jinja2"]
    assert [pin.partition("==")[0] for pin in pins] == names
    assert "duckdb==2" in pins
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\ntest-all:")[2].partition("\n\n")[0]
    assert "test-oldest" in recipe.partition("\n")[2]
