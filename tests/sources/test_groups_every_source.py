"""Means over groups from every source: the bits that the oracles have shown of arrays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.result import Result
from tests.sources.every_source import SOURCES, TEXT
from tests.tables.group_data import COLUMN, DATA, GroupData

RANKING = ["ndcg@3", "cg", "map@4", "mrr", "hit_rate@2", "recall(micro)@2", "r_precision", "rbp"]
CLASSES = ["gauc", "gauc(pairs)", "uauc(single_class=0.5)"]


# Words with commas that the writer does not quote; 1.0 is a word, and -0.0 another than 0.0; whole
# numbers beyond 2**53.
OTHERWISE = ("words", "float_keys", "heavy_weights")
IN_TEXT = {"csv": OTHERWISE, "tsv": OTHERWISE, "jsonl": ("unsigned_keys",)}


def metrics_of(data: GroupData) -> list[str]:
    found = RANKING + (CLASSES if data.binary and not data.unscored else [])
    found += [f"map(group_weight={COLUMN})"] if data.group_weight is not None else []
    return found + (["map(ties=trec)"] if data.document is not None else ["map(ties=stable)"])


def weighed(source: Any, data: GroupData, text: bool) -> Result:
    narrow = data.score_type == "float32" and text
    return sy.evaluate(
        source,
        label="label",
        score={"score": "CAST(score AS FLOAT)" if narrow else "score"},
        weight=None if data.weight is None else "weight",
        document=None if data.document is None else "document",
        group=data.key_names,
        unscored="not_retrieved" if data.unscored else "error",
        metrics=metrics_of(data),
    )


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", [name for name, data in DATA.items() if data.group])
def test_every_source_has_the_same_groups(name: str, source: str, tmp_path: Path) -> None:
    data = DATA[name]
    columns = data.columns()
    if source == "jsonl" and (not len(data) or data.unscored):
        pytest.skip("JSON has no NaN, and without a line no columns")
    if source in TEXT and name in IN_TEXT.get(source, ()):
        pytest.skip("text spells these otherwise, or gives them as the nearest float64")
    expected = weighed(columns, data, text=False)
    found = weighed(SOURCES[source](columns, tmp_path), data, text=source in TEXT)
    for row, other in zip(expected, found, strict=True):
        assert repr((row.metric, row.value, row.why)) == repr(
            (other.metric, other.value, other.why)
        )
        assert row.details == other.details
    for mine, theirs in zip(tables(expected), tables(found), strict=True):
        assert mine == theirs


def tables(result: Result) -> list[list[str]]:
    """Keys by their text, since a file without types has words where arrays have numbers."""
    table = result.groups()
    keys = len(table.columns) - len(table.metrics) - 3
    lines = [
        [*map(str, list(group.values())[:keys]), *map(repr, list(group.values())[keys:])]
        for group in table
    ]
    return sorted(lines)


def test_the_day_of_a_path_makes_a_group(tmp_path: Path) -> None:
    """A Hive partition is a column like others."""
    columns = {"y": np.arange(40) % 3 == 0, "s": np.arange(40) % 7, "u": np.arange(40) % 5}
    made = SOURCES["partitioned"](columns, tmp_path)
    days = np.arange(40) // 11
    of_arrays = sy.evaluate({**columns, "day": days}, label="y", score="s", group=["u", "day"])
    of_files = sy.evaluate(made, label="y", score="s", group=["u", "day"])
    assert of_files["gauc"] == of_arrays["gauc"]
    assert of_files.row("gauc").details["groups"] == 20
