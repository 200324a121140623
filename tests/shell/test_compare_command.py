"""`steelyard compare`: options that have no effect are refused, and what a missing value says."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.cli.comparison_gates import ComparisonGates
from steelyard.cli.gates import Gate
from steelyard.report import text
from tests.laws.clustered_log import make_log
from tests.shell.run import run

sy: Any = steelyard

LOG = make_log(30, seed=5)
SCORES = ("--label", "click", "--score", "score", "--score", "other", "--cluster", "user")


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "log.csv"
    names = list(LOG.columns)
    rows = zip(*(LOG.columns[name].tolist() for name in names), strict=True)
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]))
    return str(path)


def test_a_gate_may_name_its_candidate(log: str) -> None:
    words = ("compare", log, *SCORES, "--score", "far=-score", "-m", "auc")
    missed = run(*words, "--fail-if-worse", "auc=0.1")
    assert (missed.exit_code, missed.stderr.count("auc of far")) == (1, 1)  # it runs backwards
    assert run(*words, "--fail-if-worse", "other.auc=0.1").exit_code == 0
    unknown = run(*words, "--fail-if-worse", "score.auc=0.1")  # the baseline is no candidate
    assert unknown.exit_code == 2
    assert "but the scores are other, far" in unknown.stderr


def test_the_baseline_of_two_logs_is_the_first(log: str) -> None:
    done = run("compare", log, log, *SCORES[:4], "--cluster", "user", "--baseline", "score")
    assert done.exit_code == 2
    assert "--baseline SCORE names a score, but two logs are compared" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--by", "country"), "there is no gate: add --fail-if-worse or --require-not-worse"),
        (("--fail-if-worse", "auc=0.5"), "there is no slice: add --by"),
    ],
)
def test_each_slice_needs_a_gate_and_slices(log: str, words: tuple[str, ...], told: str) -> None:
    done = run("compare", log, *SCORES, "-m", "auc", "--each-slice", *words)
    assert done.exit_code == 2
    assert told in done.stderr
    both = run("compare", log, *SCORES, "-m", "auc", "--each-slice", "--by", "country", *words)
    assert both.exit_code == (2 if "gate" in told else 0)


def test_each_slice_of_eval_needs_a_gate_and_slices(log: str) -> None:
    words = ("eval", log, *SCORES[:4], "-m", "auc", "--each-slice")
    for more, told in (((), "no gate: add --fail-under"), (("--fail-under", "auc=0"), "no slice")):
        done = run(*words, *more)
        assert done.exit_code == 2
        assert told in done.stderr
    assert run(*words, "--fail-under", "auc=0", "--by", "country").exit_code == 0


def test_one_minus_in_all_that_is_read_and_ascii_in_data(log: str) -> None:
    """mcc at 0.9 is below 0 for the reversed score, and the difference too."""
    words = ("compare", log, *SCORES[:4], "--score", "worse=1 - score", "--cluster", "user")
    shown = run(*words, "-m", "mcc", "--by", "country").stdout
    assert "  −0." in shown
    assert "[−0." in shown
    assert "-0." not in shown
    assert "  -0." in shown.translate(text.SIGNS)  # where a terminal has only ASCII
    assert "-0." not in run(*words, "-m", "mcc", "--format", "markdown").stdout
    for format in ("json", "csv"):
        data = run(*words, "-m", "mcc", "--format", format).stdout
        assert "-0." in data
        assert "−" not in data


@pytest.mark.parametrize("candidate", ["other", "score * 0.9", "score + 0", "(score + other) / 2"])
@pytest.mark.parametrize("margin", [0.0, 0.001, 0.02, 0.2])
def test_gates_and_outcomes_agree(margin: float, candidate: str) -> None:
    """A gate is missed if and only if the word in the table says so."""
    metrics = ("auc", "logloss", "copc")
    roles = {"label": "click", "cluster": "user", "by": "country", "metrics": metrics}
    scores = {"old": "score", "new": candidate}
    found = sy.compare(LOG.columns, **roles, score=scores, margins=dict.fromkeys(metrics, margin))
    limits = (("--fail-if-worse", {"worse"}), ("--require-not-worse", {"worse", "cannot tell"}))
    for metric, each_slice, (option, missing) in product(metrics, (False, True), limits):
        rows = [r for r in found if r.metric == metric and (each_slice or not r.slice)]
        gates = ComparisonGates([Gate(metric, margin, option)], each_slice)
        assert len(list(gates.missed(found, 1))) == sum(row.outcome in missing for row in rows)


@pytest.mark.parametrize(
    ("gate", "code"),
    [("--fail-if-worse copc=0.05", 1), ("--require-not-worse copc=0.05", 1), ("", 0)],
)
def test_a_candidate_that_predicts_a_fifth_fails_its_gate(gate: str, code: int, log: str) -> None:
    scores = ("--score", "old=score", "--score", "new=score / 5", "--cluster", "user")
    done = run("compare", log, *SCORES[:2], *scores, "-m", "copc", *gate.split())
    assert done.exit_code == code


def test_a_metric_has_one_margin(log: str) -> None:
    gates = ("--fail-if-worse", "auc=0.01", "--require-not-worse", "auc=0.001")
    done = run("compare", log, *SCORES, "-m", "auc", *gates)
    assert done.exit_code == 2
    assert "auc has the margins 0.001, 0.01" in done.stderr
