"""docs/coming-from.md: our calls run, and give the numbers of the tools that are installed."""

import random
import re
from typing import Any

import numpy as np
import pytest
import sklearn.metrics

import steelyard
from tests.parity.peers import package
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
RNG, PYTHON_RNG = np.random.default_rng(25), random.Random(25)
DOCUMENTS = [f"d{i}" for i in range(20)]
TRUTH = RNG.integers(0, 3, 60)
REAL = RNG.random(60)
NAMES: dict[str, Any] = {
    "sy": steelyard,
    "y": (label := RNG.integers(0, 2, 60)),
    "s": (2 * RNG.random(60) + label) / 3,
    "w": RNG.integers(1, 5, 60),
    "truth": TRUTH,
    "guess": np.where(RNG.random(60) < 0.6, TRUTH, RNG.integers(0, 3, 60)),
    "matrix": RNG.dirichlet([1, 1, 1], 60),
    "several": (labels := RNG.integers(0, 2, (60, 3))),
    "called": labels ^ (RNG.random((60, 3)) < 0.2),
    "likely": (RNG.random((60, 3)) + labels) / 2,
    "real": REAL,
    "forecast": REAL + RNG.normal(size=60),
    "grades": RNG.integers(0, 4, 24),
    "scores": RNG.random(24),
    "query": np.repeat(np.arange(4), 6),
    "country": np.repeat(["DE", "CN"], 30),
    "qrels": {q: {d: PYTHON_RNG.randrange(3) for d in DOCUMENTS} for q in ("q1", "q2")},
    "run": {q: {d: PYTHON_RNG.random() for d in DOCUMENTS[5:]} for q in ("q1", "q2")},
}


def calls(tool: str) -> list[tuple[str, str]]:
    """Their calls and ours, of the section of a tool."""
    section = re.split(r"^## ", PAGE.partition(f"\n## {tool}")[2], flags=re.MULTILINE)[0]
    return re.findall(r"^\| (`.*`.*) \| `(.*)` \|$", section, re.MULTILINE)


TOOLS = re.findall(r"^## (\w+)", PAGE, re.MULTILINE)


@pytest.mark.parametrize("tool", TOOLS)
def test_our_calls_give_a_number(tool: str) -> None:
    assert len(calls(tool)) >= 3
    for _, ours in calls(tool):
        assert np.isfinite(eval(ours, dict(NAMES))), ours


def test_scikit_learn_gives_the_same_numbers() -> None:
    for theirs, ours in calls("scikit"):
        wanted = eval(theirs.strip("`"), {**vars(sklearn.metrics), **NAMES})
        assert eval(ours, dict(NAMES)) == pytest.approx(wanted, rel=1e-12), ours


def test_pytrec_eval_gives_the_same_numbers() -> None:
    evaluator = package("pytrec_eval", "pytrec_eval-terrier").RelevanceEvaluator
    found = [pair for pair in calls("pytrec_eval") if "RelevanceEvaluator" in pair[0]]
    assert len(found) == 2
    for theirs, ours in found:
        queries = eval(theirs.strip("`"), {"RelevanceEvaluator": evaluator, **NAMES}).values()
        mean = sum(value for query in queries for value in query.values()) / len(queries)
        assert eval(ours, dict(NAMES)) == pytest.approx(mean, rel=1e-12), ours


def test_a_page_for_those_who_come_from_another_tool() -> None:
    page = ROOT / "docs" / "coming-from.md"
    text = page.read_text(encoding="utf-8")
    for tool in [
        "scikit-learn",
        "ranx",
        "ir_measures",
        "pytrec_eval",
        "torchmetrics",
        "TFMA",
        "Spark",
    ]:
        assert re.search(f"^## .*{tool}", text, re.MULTILINE), tool


sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def test_precision_recall_curve_drops_what_the_page_says() -> None:
    y, s = [0, 1, 0, 0, 0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    theirs = sklearn.metrics.precision_recall_curve(y, s, drop_intermediate=True)
    whole = sklearn.metrics.precision_recall_curve(y, s)
    ours = sy.precision_recall_curve(y, s)
    assert ours.thresholds.tolist() == theirs[2].tolist()
    assert len(ours.thresholds) < len(whole[2])
    page = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
    assert "with `drop_intermediate=True`, which is not its default" in page
