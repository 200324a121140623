"""The whole table on every source: the same bits, from wherever the rows come."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.result import Result
from tests.sources.every_source import SOURCES, TEXT
from tests.tables.binary_data import DATA, Data
from tests.tables.binary_table import NUMBERS, answer, split
from tests.tables.harness import is_right, value_of

TOO_WIDE = ("wide_integers", "unsigned_weights")  # integers that text gives as the nearest float64


def columns_of(data: Data) -> dict[str, Any]:
    labels = np.array(data.label) if len(data) else np.zeros(0, np.int64)
    columns = {"y": labels, "s": data.scores}
    return columns if data.weights is None else {**columns, "w": data.weights}


def roles(data: Data, source: str) -> dict[str, Any]:
    """Text knows float64 only: float32 is an expression there."""
    narrow = data.score_type == "float32" and source in TEXT
    light = data.weight_type == "float32" and source in TEXT
    weight = "CAST(w AS FLOAT)" if light else "w"
    return {
        "label": "y",
        "score": "CAST(s AS FLOAT)" if narrow else "s",
        "weight": None if data.weights is None else weight,
        "positive": data.positive,
    }


def check(result: Result, name: str) -> None:
    """Every total is the oracle's."""
    rows = {row.metric: row for row in result if not row.slice}
    for spec in NUMBERS:
        value = value_of(rows[catalogue.resolve(spec).name])
        assert is_right(split(spec)[0], value, answer(spec, name)), (spec, value)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", DATA)
def test_the_whole_table(name: str, source: str, tmp_path: Path) -> None:
    data = DATA[name]
    if source in TEXT and name in TOO_WIDE:
        pytest.skip("text gives whole numbers beyond 2**53 as the nearest float64")
    if source == "jsonl" and not len(data):
        pytest.skip("JSON lines without a line have no columns")
    made = SOURCES[source](columns_of(data), tmp_path)
    check(sy.evaluate(made, metrics=NUMBERS, **roles(data, source)), name)
