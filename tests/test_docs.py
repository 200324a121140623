"""The pages say what is so: the names of metrics, and what the commands print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.metrics import catalogue

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_names_every_metric_and_no_other() -> None:
    section = README.split("## Metrics")[1].split("`help(")[0]
    lists = section.partition("**Counts")[2]
    named = set(re.findall(r"`(\w+)(?:\([\w\s,]*\))?`", lists))
    assert named == set(catalogue.by_any_name())


def test_the_commands_print_what_the_readme_shows(tmp_path: Path) -> None:
    blocks = re.findall(r"```console\n(\$ .*?)```", README, re.DOTALL)
    assert len(blocks) == README.count("```console")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for block in blocks:
        command, shown = re.split(r"(?<!\\)\n", block.removeprefix("$ "), maxsplit=1)
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=os.environ | {"PATH": path, "PYTHONUTF8": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert done.stdout == shown, command


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_paths_and_targets_that_pages_name_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|tools)/[\w/.]*)`", text):
        assert (ROOT / name).exists(), name
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)\b(?=`|  )", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
