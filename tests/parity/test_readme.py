"""What the README says about other tools' AUC: run, where a tool is installed for the tests."""

import math
import re
import warnings

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tests.parity.peers import boosted
from tests.paths import ROOT

ROWS = {
    tool: (ties, alone)
    for tool, ties, alone in re.findall(
        r"^\| (\S+) \| ([^|]+) \| ([^|]+) \| [^|]+ \|$",
        (ROOT / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}


def says(tool: str, label: list[int], score: list[float]) -> float:
    """The AUC by a tool."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of one class only: two tools warn, and so do we
        if tool == "scikit-learn":
            return float(roc_auc_score(label, score))
        objective = "binary:logistic" if tool == "XGBoost" else "binary"
        return boosted(tool.lower(), "auc", objective, np.array(label), np.array(score))


@pytest.mark.parametrize("tool", ["scikit-learn", "LightGBM", "XGBoost"])
def test_ties_and_one_class_only(tool: str) -> None:
    ties, alone = ROWS[tool]
    assert ties == "count ½"
    assert says(tool, [1, 0, 1, 0], [2.0, 1.0, 1.0, 0.0]) == 0.875  # 3 pairs in order, 1 tied
    for label in ([1, 1, 1], [0, 0, 0]):
        value = says(tool, label, [0.5, 1.0, 2.0])
        assert value == float(alone) or (math.isnan(value) and alone == "NaN")
