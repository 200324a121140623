"""docs/architecture.md: every function that it names is called by the evaluations it describes."""

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import steelyard as sy
from tests.paths import DOCS, ROOT
from tests.tables.harness import kernels_in_use

PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "steelyard"
ROW = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.MULTILINE)
JOURNEYS = {
    "### From the file to the states": "auc",
    "### To a printed AUC": "auc",
    "### To a GAUC": "gauc",
    "### To a calibration slope": "calibration_slope",
}


def called_functions(metric: str, folder: Path) -> set[tuple[str, str]]:
    """File and function of every call that evaluating and printing a Parquet file makes."""
    dice = np.random.default_rng(0)
    rows = {
        "click": dice.integers(0, 2, 200),
        "pctr": dice.random(200),
        "user": dice.integers(0, 20, 200),
        "country": dice.choice(["DE", "US"], 200),
    }
    pq.write_table(pa.table(rows), folder / "log.parquet")
    found: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            found.add((path.relative_to(PACKAGE).as_posix(), frame.f_code.co_qualname))

    threading.setprofile(note)  # the thread that reads ahead
    sys.setprofile(note)
    try:
        result = sy.evaluate(
            str(folder / "log.parquet"),
            label="click",
            score="pctr",
            group="user",
            by="country",
            metrics=[metric],
        )
        repr(result)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


@pytest.mark.parametrize("heading", JOURNEYS)
def test_every_function_of_a_journey_is_called(heading: str, tmp_path: Path) -> None:
    section = PAGE.partition(heading)[2].partition("\n#")[0]
    stops = ROW.findall(section)
    assert len(stops) > 3
    with kernels_in_use("numpy"):
        called = called_functions(JOURNEYS[heading], tmp_path)
    assert [stop for stop in stops if stop not in called] == []


def test_every_file_and_package_exists() -> None:
    table = PAGE.partition("## Where a line of code belongs")[2].partition("\n## ")[0]
    named = re.findall(r"^\| [^|`]+ \| ([^|]+) \|", table, re.MULTILINE)
    paths = [path for cell in named for path in re.findall(r"`([\w/.]+)`", cell)]
    assert len(paths) > 12
    assert [path for path in paths if not (PACKAGE / path).exists()] == []


def test_every_package_and_module_at_the_top_has_a_row() -> None:
    table = PAGE.partition("## Where a line of code belongs")[2].partition("\n## ")[0]
    named = {path.partition("/")[0] for path in re.findall(r"`([\w/.]+)`", table)}
    top = {path.name for path in PACKAGE.iterdir() if re.fullmatch(r"[a-z]\w*(\.py)?", path.name)}
    assert len(top) > 25
    assert top - named == set()
