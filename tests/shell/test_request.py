"""A request: one record an option, from which everything that speaks of options follows."""

import inspect
import json
import pickle
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import plan, presets
from steelyard.cli import request_options
from steelyard.cli.commands import eval as command
from steelyard.engines import merging
from steelyard.engines.protocol import Kept
from steelyard.metrics import catalogue
from steelyard.model import Conventions
from steelyard.report import schema
from steelyard.request.options import (
    EQUAL,
    NAN_CHOICES,
    OPTIONS,
    ROLES,
    ROWS_CHOICES,
    SECTIONS,
    UNSCORED_CHOICES,
    OptionInfo,
    RecordedOptions,
    Request,
)
from steelyard.sources import opening
from steelyard.sources.blocks import ColumnRequest
from steelyard.sources.duck.connection import write_parquet
from tools import stubs

FIELDS = [each.name for each in fields(Request)]
# Files are arguments of the command, and its progress is a line of its own.
# Sizes of groups count rows in order, which those of files do not have.
NOT_TYPED = {"source", "progress", "group_sizes"}
COMMAND_OPTIONS = {
    *("no_weight", "format", "output", "groups", "quiet", "fail_under", "fail_over", "debug"),
    *("sort", "top", "min_rows", "each_slice"),
}
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize("name", FIELDS)
def test_an_option_is_everywhere(name: str) -> None:
    (each,) = (field for field in fields(Request) if field.name == name)
    stub = stubs.STUB.read_text(encoding="utf-8")
    default = f" = {each.default!r}".replace("'", '"')
    for function in (sy.evaluate, sy.state):
        parameter = inspect.signature(function).parameters[name]
        assert (parameter.default, parameter.annotation) == (each.default, each.type)
        said = " ".join((function.__doc__ or "").split())
        assert f" {name}: {OPTIONS[name].help}" in said
        _, _, mine = stub.partition(f"def {function.__name__}(\n")
        head, _, text = mine.partition(") -> ")
        (line,) = (line for line in head.splitlines() if line.startswith(f"    {name}: "))
        assert line.endswith(f"{default},")
        assert f"\n    {name}: " in text.partition("\ndef ")[0]
    assert (name in request_options.CLI_OPTIONS) == (name not in NOT_TYPED)


def test_every_option_of_the_command_is_a_field_or_the_terminal_s() -> None:
    names = [option.name for option in command.OPTIONS]
    assert len(names) == len(set(names))
    assert {option.name for option in command.COMMAND_OPTIONS} == COMMAND_OPTIONS
    assert {*names} == {*FIELDS} - NOT_TYPED | COMMAND_OPTIONS


@pytest.mark.parametrize("name", request_options.CLI_OPTIONS)
def test_an_option_has_the_command_line_name_of_its_record(name: str) -> None:
    (option,) = (option for option in command.OPTIONS if option.name == name)
    typed = request_options.CLI_OPTIONS[name]
    assert typed.kind in request_options.VALUE_KINDS
    assert option.section == typed.section
    assert typed.section in SECTIONS
    assert f"--{name.replace('_', '-')}" in option.opts or tuple(option.opts) == typed.names
    if typed.kind == "choice":
        assert tuple(getattr(option.type, "choices", ())) == typed.choices
        assert option.default == typed.choices[0]
    assert typed.help != request_options.help_line(name) or typed.help[-1] == "."


def test_choices_are_written_once() -> None:
    choices = {name: typed.choices for name, typed in request_options.CLI_OPTIONS.items()}
    known = {
        "nan": NAN_CHOICES,
        "rows": ROWS_CHOICES,
        "unscored": UNSCORED_CHOICES,
        "preset": presets.names(),
    }
    assert {name: some for name, some in choices.items() if some} == known


def test_what_is_recorded_and_compared() -> None:
    conventions = {each.name for each in fields(Conventions)}
    assert {each.name for each in fields(RecordedOptions)} <= conventions
    assert conventions == set(schema.CONVENTION_FIELDS)
    assert {*EQUAL} <= conventions
    assert ("reads", "pictures", *EQUAL) == merging.SAME
    result = sy.evaluate({"y": Y, "s": S}, label="y", score="s", metrics="auc", where="s < 9")
    assert {*result.conventions.roles} <= {*ROLES}
    assert {*json.loads(result.to_json())["conventions"]} == conventions


def test_a_new_option_is_one_field() -> None:
    """Every field has its record, and the record says something."""
    for each in fields(Request):
        about = each.metadata["option"]
        assert isinstance(about, OptionInfo)
        assert about.help
        assert about.help[-1] != "."
        assert each.kw_only


def test_numpy_is_not_needed_to_read_the_options() -> None:
    code = (
        "import sys, steelyard.cli.commands.eval, steelyard.request.options\n"
        "sys.exit('numpy' in sys.modules or 'duckdb' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize("function", [sy.evaluate, sy.state])
def test_wrong_keywords_are_refused_as_python_does(function: Any) -> None:
    name = function.__name__
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected keyword argument 'lable'"):
        function(lable=Y, score=S)
    with pytest.raises(
        TypeError, match=rf"{name}\(\) missing 1 required keyword-only argument: 'label'"
    ):
        function(score=S)
    with pytest.raises(TypeError, match="positional argument"):
        function({}, "y", "s", "auc")


def test_source_label_and_score_may_be_given_by_position() -> None:
    log = {"y": Y, "s": S}
    assert sy.evaluate(log, "y", "s", metrics="auc")["auc"] == 0.75
    assert sy.state(log, "y", "s", metrics="auc").result()["auc"] == 0.75


# --- the job -------------------------------------------------------------------------------------

REQUESTS: dict[str, dict[str, Any]] = {
    "scores": {"score": "s", "weight": "w", "by": ["g"], "where": "w > 0", "preset": "sklearn"},
    "groups": {"score": {"a": "s"}, "group": "g", "metrics": ["gauc", "ndcg(gain=exp2)@10"]},
    "columns of metrics": {"score": "s", "metrics": ["field_ece(g)", "ecpm(bid=w)", "fbeta(2)"]},
    "classes": {"score": ["s", "w"], "classes": ["a", "b"], "metrics": ["auc", "f1"]},
    "numbers": {"prediction": "s", "metrics": ["mae", "pinball(0.3)"]},
}


@pytest.mark.parametrize("options", REQUESTS.values(), ids=REQUESTS)
def test_requests_and_jobs_can_be_pickled(options: dict[str, Any]) -> None:
    request = Request(source="log.parquet", label="y", **options)
    job = plan.make_job(request)
    assert pickle.loads(pickle.dumps(request)) == request
    again = pickle.loads(pickle.dumps(job))
    assert again == job
    assert [bound.name for bound in again.plan.metrics] == list(job.conventions.metrics)
    assert again.reader().roles == job.roles


def test_every_metric_is_pickled_by_name() -> None:
    for metric in catalogue.every():
        bound = catalogue.BoundMetric(metric, {"k": 3})
        assert pickle.loads(pickle.dumps(bound)) == bound


def test_a_job_knows_nothing_of_the_source() -> None:
    request = plan.as_columns(Request(label=Y, score=S, group=[1, 1, 2, 2]))
    assert request.source == {"label": Y, "score": S, "group": [1, 1, 2, 2]}
    job = plan.make_job(request)
    assert job == plan.make_job(replace(request, source="elsewhere.parquet"))
    assert "source" not in job.conventions.roles
    assert job.carried == ("group",)


# --- conventions are complete before a row is folded ---------------------------------------------


def test_the_state_has_its_conventions_before_the_first_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    real = Kept.empty

    def made(todo: plan.Plan, conventions: Conventions, *more: Any) -> Kept:
        seen.append(conventions)
        return real(todo, conventions, *more)

    monkeypatch.setattr(Kept, "empty", made)
    source = {"y": np.array(Y), "s": np.array(S)}
    given = sy.state(source, label="y", score="s", positive="1", downsampled=1, metrics="auc")
    assert seen == [given.conventions]
    assert (given.conventions.positive, given.conventions.downsampled) == (1, None)


@pytest.mark.parametrize("block", [1, 1 << 20])
def test_types_do_not_depend_on_where_blocks_are_cut(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first block of labels is all missing: their type is known all the same."""
    monkeypatch.setattr("steelyard.sources.duck.table.BLOCK", block)
    gone = np.full(122_880, np.nan)  # a whole batch of DuckDB's
    label = np.concatenate([gone, np.tile([1.0, 2.0], 1000)])
    write_parquet(tmp_path / "a.parquet", {"y": label, "a": label * 0 + 0.5, "b": label * 0 + 0.5})
    given: dict[str, Any] = {"label": "y", "nan": "drop"}
    classes = sy.state(
        str(tmp_path / "a.parquet"), **given, score=["a", "b"], classes=["1", "2"], metrics="auc"
    )
    assert classes.conventions.classes == (1, 2)
    assert classes.result()["auc"] == 0.5
    positive = sy.state(str(tmp_path / "a.parquet"), **given, score="a", positive="2")
    assert positive.conventions.positive == 2


@pytest.mark.parametrize("where", ["true", "false"])
def test_a_source_without_rows_has_types(tmp_path: Path, where: str) -> None:
    """An empty day merges with a full one: what "1" means follows from the column alone."""
    path = tmp_path / "log.parquet"
    write_parquet(path, {"y": np.array(Y), "s": np.array(S), "t": 1 - np.array(S)})
    binary: dict[str, Any] = {"label": "y", "score": "s", "positive": "1", "metrics": "auc"}
    many: dict[str, Any] = {
        "label": "y",
        "score": ["t", "s"],
        "classes": ["0", "1"],
        "metrics": "accuracy",
    }
    for given in (binary, many):
        full = sy.state(str(path), **given)
        part = sy.state(str(path), **given, where=where)
        merged = sy.merge(full, part)
        assert merged.conventions.positive == full.conventions.positive
        assert merged.conventions.classes == full.conventions.classes
        assert merged.result().rows[0].n == (8 if where == "true" else 4)
    assert sy.state(str(path), **binary, where="false").conventions.positive == 1
    assert sy.state(str(path), **many, where="false").conventions.classes == (0, 1)


def test_an_empty_answer_still_has_columns(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("y,s,k\n", encoding="utf-8")
    source = opening.open_source(str(path))
    wanted = [ColumnRequest(*each) for each in (("y", "label"), ("s", "number"), ("k", "key"))]
    (block,) = source.blocks(wanted, None)
    source.close()
    assert block.rows == 0
    assert [len(column.values) for column in block.columns.values()] == [0, 0, 0]


LEFT = {"y": [0, 1], "s": [0.1, 0.2], "user": [1, 2], "day": ["fri", "sat"], "w": [1.0, 2.0]}


def test_options_of_another_type() -> None:
    for option, value in {"metrics": 5, "where": 5, "by": 5, "sql": ["x"], "nan": []}.items():
        roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc", option: value}
        with pytest.raises(sy.InputError, match=f"{option} is of type"):
            sy.evaluate(LEFT, **roles)
