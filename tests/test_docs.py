"""The pages say what is so: the names of metrics, and what the commands print."""

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import Conventions, Row
from steelyard.result import Result

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


def test_the_page_of_the_result_names_every_field_and_its_example_is_one() -> None:
    page = (ROOT / "docs" / "result.md").read_text(encoding="utf-8")
    rows, how = page.split("### A row")[1].split("### The conventions")
    for record, section in ((Row, rows), (Conventions, how.split("### Slices")[0])):
        named = {
            name
            for line in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", line)
        }
        assert named == {field.name for field in dataclasses.fields(record)}
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    result = Result.from_json(example)
    assert result.to_dict() == json.loads(example)
    label, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    total, germany = result
    assert total == dataclasses.replace(
        sy.evaluate(label=label, score=score, metrics="auc").row("auc"), score="pctr"
    )
    assert germany == dataclasses.replace(
        sy.evaluate(label=label[:2], score=score[:2], metrics="auc").row("auc"),
        score="pctr",
        slice={"country": "DE"},
    )


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_paths_and_targets_that_pages_name_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|tools)/[\w/.]*)`", text):
        assert (ROOT / name).exists(), name
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)\b(?=`|  )", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
