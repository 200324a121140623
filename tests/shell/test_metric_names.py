"""Names of metrics as people type them, in Python and on the command line."""

import re
from typing import Any

import pytest

import steelyard
from tests.shell.run import ROLES, run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize("name", ["AUC", "Roc_Auc", "ROC-AUC", "ROC 曲线下面积", "roc_auc_score"])
def test_a_name_in_any_case_in_chinese_or_of_scikit_learn(name: str) -> None:
    assert sy.explain(name).pages == sy.explain("auc").pages
    assert sy.evaluate(label=Y, score=S, metrics=name)["auc"] == 0.75
    listed = run("list", name).stdout
    assert "AUC: the probability" in listed


def test_explain_recall_in_chinese() -> None:
    assert run("explain", "召回率").stdout == run("explain", "recall").stdout
    assert run("explain", "查全率").stdout == run("explain", "Recall").stdout


def test_names_on_the_command_line(log: str) -> None:
    done = run("eval", log, *ROLES, "-m", "AUC,召回率(0.3)", "--fail-under", "AUC=0.7")
    assert [line.split() for line in done.stdout.splitlines()[2:4]] == [
        ["auc", "0.750000"],
        ["recall(0.3)", "1.000000"],
    ]


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("f2", "did you mean fbeta(2)."),
        ("recall10", "did you mean recall@10."),
        ("aucc", "did you mean auc, uauc or gauc."),
        ("zzzz", "steelyard list shows every metric."),
    ],
)
def test_an_unknown_metric_gets_the_nearest_few(name: str, suggested: str) -> None:
    with pytest.raises(sy.SpecError, match=re.escape(f"there is no metric {name!r}: {suggested}")):
        sy.evaluate(label=Y, score=S, metrics=name)


def test_several_metrics_in_one_text() -> None:
    result = sy.evaluate(label=Y, score=S, metrics="auc, ks, fbeta(2, threshold=0.3)")
    assert [row.metric for row in result] == ["auc", "ks", "fbeta(2, threshold=0.3)"]
    result = sy.evaluate(label=Y, score=S, metrics=["auc,ks", "ap"])
    assert [row.metric for row in result] == ["auc", "ks", "ap"]


def test_a_gate_is_of_one_metric(log: str) -> None:
    assert "cannot read the gate" in run("eval", log, *ROLES, "--fail-under", "auc,ks=0.5").stderr
