"""The pages say what is so: the names of metrics, and what the commands print."""

import dataclasses
import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

import steelyard as sy
from steelyard.cli import trec_names
from steelyard.cli.main import steelyard
from steelyard.metrics import catalogue
from steelyard.model import Conventions, Row
from steelyard.reading.recognise import ROLES
from steelyard.result.result import Result
from tests.paths import ROOT
from tools import errors_page, intervals_page, presets_page

# Pages that people write; those of docs/metrics have tests of their own.
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}


def pages_with(sign: str) -> list[str]:
    found = [name for name, text in PAGES.items() if sign in text]
    assert "README.md" in found
    return found


def test_the_metrics_that_a_page_names_by_family_exist() -> None:
    section = PAGES["docs/python.md"].split("## Which metric reads what")[1]
    examples = re.findall(r"^\|.*\|(.*)\|$", section, re.MULTILINE)[2:]
    named = [name for cell in examples for name in re.findall(r"`([\w@]+)`", cell)]
    assert len(named) > 30
    for name in set(named) - set(catalogue.functions()):
        catalogue.resolve(name)  # refuses a name that no metric has


@pytest.mark.parametrize("page", pages_with("\n>>> "))
def test_the_examples_in_python_print_what_a_page_shows(page: str) -> None:
    failed, tried = doctest.testfile(
        str(ROOT / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried
    assert not failed, "doctest printed the differences"


@pytest.mark.parametrize("page", pages_with("```console"))
def test_the_commands_print_what_a_page_shows(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```console\n(\$ .*?)```", PAGES[page], re.DOTALL)
    assert len(blocks) == PAGES[page].count("```console")
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


@pytest.mark.parametrize(
    "page",
    ["README.md", "CONTRIBUTING.md", "docs/contributing-reference.md", "docs/architecture.md"],
)
def test_the_paths_and_targets_that_pages_name_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|tests|tools)/[\w/.]*)`", text):
        assert (ROOT / name).exists(), name
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)\b(?=`|  )", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_option_that_contributing_shows_is_one_of_ours() -> None:
    page = (ROOT / "docs" / "contributing-reference.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```python\n(    \w+: .*? = option\(.*?)```", page, re.DOTALL)
    assert shown in (ROOT / "src/steelyard/request/options.py").read_text(encoding="utf-8")


def test_the_architecture_page_lists_the_layers_that_are_checked() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = page.split("## Layers")[1].split("```")[1].splitlines()[1:]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (
        contract["layers"]
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["id"] == "layers"
    )
    checked = [layer.replace("steelyard.", "").replace(" |", ",") for layer in layers]
    assert [re.split(r"  +", line)[0] for line in listed] == [
        layer for layer in checked if not layer.startswith("(")
    ]


def test_every_decision_is_in_the_list() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\S+)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert listed == sorted(page.name for page in folder.glob("0*.md"))


COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
EVERYWHERE = {"--debug", "-h", "--help"}
AS_EVAL = "the options of [`steelyard eval`](#steelyard-eval)"  # they are documented there


def sections() -> dict[str, str]:
    """What the page says about each command."""
    parts = re.split(r"^## (steelyard.*)$", COMMANDS, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def commands() -> dict[str, click.Command]:
    ctx = click.Context(steelyard)
    found: dict[str, click.Command] = {"steelyard": steelyard}
    for name in steelyard.list_commands(ctx):
        command = steelyard.get_command(ctx, name)
        assert command is not None
        found[f"steelyard {name}"] = command
    return found


def documented(section: str) -> set[str]:
    """The options in the tables of a section."""
    rows = re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE)
    return {word for row in rows for word in re.findall(r"(?<![\w-])--?[a-z][\w-]*", row)}


def test_every_command_is_documented_and_no_other() -> None:
    assert set(sections()) == set(commands())


@pytest.mark.parametrize("name", commands())
def test_every_option_is_documented_and_no_other(name: str) -> None:
    ctx = click.Context(commands()[name], help_option_names=["-h", "--help"])
    options = [p for p in ctx.command.get_params(ctx) if isinstance(p, click.Option)]
    known = {word for option in options for word in (*option.opts, *option.secondary_opts)}
    named = documented(sections()[name])
    if AS_EVAL in sections()[name]:
        named |= documented(sections()["steelyard eval"]) & known
    if name == "steelyard":
        named |= set(re.findall(r"`(--[\w-]+)`", sections()[name]))
    assert named == known - EVERYWHERE
    for word in EVERYWHERE:
        assert f"`{word}`" in COMMANDS.partition("## steelyard")[0]


@pytest.mark.parametrize("name", commands())
def test_options_take_what_the_page_says(name: str) -> None:
    for option in commands()[name].params:
        if isinstance(option, click.Option) and option.metavar:
            section = sections()[name]
            section += sections()["steelyard eval"] if AS_EVAL in section else ""
            assert f"{option.opts[-1]} {option.metavar}`" in section


def test_the_names_of_trec_eval() -> None:
    section = sections()["steelyard trec"].partition("| trec_eval |")[2]
    pairs = re.findall(r"`(\w+)` \| `([\w@]+)` ", section)
    named = [(name, ours + ("@10" if cuts else "")) for name, ours, cuts in trec_names.NAMES]
    assert set(pairs) == {(name + ("_10" if "@" in ours else ""), ours) for name, ours in named}
    for name in (trec_names.QUERIES, *trec_names.COUNTS):
        assert f"`{name}`" in section


def test_the_names_that_are_recognised() -> None:
    for role, record in ROLES.items():
        ranks = "; ".join(", ".join(rank) for rank in record.ranks)
        assert f"| {role} | {ranks} |" in COMMANDS


@pytest.mark.parametrize("page", [errors_page, intervals_page, presets_page])
def test_a_generated_page_is_current(page: Any) -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.text(), "make pages writes it"
