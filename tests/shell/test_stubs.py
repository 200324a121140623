"""The type stub: current, and of use to a type checker."""

import subprocess
import sys
from pathlib import Path

import pytest

import steelyard
from steelyard import public
from tests.paths import ROOT
from tools import stubs

HEAD = "from array import array\nimport numpy as np, polars as pl\n"
HEAD += "import steelyard as sy\ny, s = [0, 1], [0.1, 0.2]\n"

RIGHT = """
area: float = sy.roc_auc(y, s, sample_weight=[1, 2])
area = sy.roc_auc(np.array(y), pl.Series(s), sample_weight=np.ones(2))
area = sy.roc_auc((0, 1), range(2), sample_weight=array("d", s))
area = sy.gauc(y, np.array(s), group=["ann", "bob"])
some: float = sy.auc([0, 1, None], [0.1, 0.2, 0.3], nan="drop")
share: float = sy.precision_at_recall(y, s, recall=0.95)
cell: int | float = sy.confusion(y, s, threshold=0.3).tp
matrix: int = int(sy.confusion(y, y_pred=y).matrix[0, 0])
macro: float = sy.f1(y, y_pred=y, average="macro")
first: float = float(sy.roc(y, s).fpr[0])
sure = sy.auc(y, s, cluster=["ann", "bob"], confidence=0.9) - sy.ndcg(y, s, cluster="row")
width: float = sure.high - sure.low if isinstance(sure, sy.EstimatedValue) else 0.0
found: float = sy.evaluate("log.parquet", label="click", score="pctr")["auc"]
try:
    sy.best_threshold(y, s, criterion="f1")
except sy.InputError as error:
    assert isinstance(error, sy.SteelyardError)
print(sy.__version__)
"""

WRONG = [
    ("sy.roc_auc(y, s, weight=y)", 'Unexpected keyword argument "weight"'),
    ("sy.auc(y, s, threshold=0.5)", 'Unexpected keyword argument "threshold"'),
    ("sy.precision_at_recall(y, s)", 'Missing named argument "recall"'),
    ("sy.precision(y, s, threshold='x')", 'incompatible type "str"'),
    ("sy.auc(y, {'a': 1})", 'incompatible type "dict[str, int]"'),
    ("sy.auc('no', s)", 'incompatible type "str"'),
    ("sy.auc(y, 3)", 'incompatible type "int"'),
    ("sy.auc(y, b'no')", 'incompatible type "bytes"'),
    ("sy.gauc(y, s, group='user')", 'incompatible type "str"'),
    ("sy.auc(y, s, sample_weight=1.5)", 'incompatible type "float"'),
    ("sy.rok_auc(y, s)", 'no attribute "rok_auc"'),
    ("sy.confusion(y, s).true", 'no attribute "true"'),
]


def check(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """What mypy --strict says of a script outside the project."""
    (folder / "script.py").write_text(script)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "script.py"]
    cache = ROOT / ".mypy_cache"  # NumPy's stubs take 10 s without
    return subprocess.run(
        [*command, f"--cache-dir={cache}/scripts"], cwd=folder, capture_output=True, text=True
    )


def test_the_stub_is_current() -> None:
    assert stubs.STUB.read_text(encoding="utf-8") == stubs.text(), "run `make stubs`"


def test_every_public_name_is_in_the_stub_and_exists() -> None:
    text = stubs.STUB.read_text(encoding="utf-8")
    for name in [*public.names(), "__version__"]:
        assert hasattr(steelyard, name)
        ways = (f"def {name}(", f" as {name}\n", f" as {name},\n", f"{name}: str")
        assert any(way in text for way in ways), name


def test_wrong_lines_are_type_errors_and_right_ones_are_not(tmp_path: Path) -> None:
    """One script, since a check takes seconds: only the lines meant to be wrong have errors."""
    right = HEAD + RIGHT
    said = check(tmp_path, right + "\n".join(line for line, _ in WRONG)).stdout.splitlines()
    known: list[str] = []
    for number, (line, message) in enumerate(WRONG, start=right.count("\n") + 1):
        about = [one for one in said if one.startswith(f"script.py:{number}: ")]
        assert any(message in one for one in about), (line, said)
        known += about
    assert said[:-1] == known, said  # the last line is the count of errors


def test_a_metric_beyond_the_catalogue_has_no_name() -> None:
    with pytest.raises(AttributeError, match="rok_auc"):
        _ = steelyard.rok_auc  # type: ignore[attr-defined]  # what the stub says, too
