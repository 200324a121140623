"""evaluate itself: what it tells while it reads, and what it hands on."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import steelyard as sy
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn
from steelyard.sources.duck import table
from steelyard.sources.duck.connection import write_parquet

ROLES: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc"}
COLUMNS = {"y": np.array([0, 1, 0, 1, 1]), "s": np.array([0.1, 0.4, 0.35, 0.8, 0.2])}


def test_progress_is_told_of_each_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parquet(tmp_path / "log.parquet", COLUMNS)
    monkeypatch.setattr(table, "BLOCK", 1)
    told: list[tuple[int, int | None]] = []
    sy.evaluate(str(tmp_path / "log.parquet"), **ROLES, progress=lambda *far: told.append(far))
    assert told[-1] == (5, 5)


class Uncounted:
    """A source that fails if its rows are counted: for many files that needs a read."""

    name, columns = "uncounted", ("y", "s")

    @property
    def rows(self) -> int | None:
        raise AssertionError("no progress is reported, so rows need no count")

    def blocks(self, wanted: Sequence[ColumnRequest], where: str | None) -> Iterator[Block]:
        yield Block(0, 5, {one: SourceColumn(COLUMNS[one.text]) for one in wanted})

    def close(self) -> None:
        raise AssertionError("the caller opened it, and closes it")


def test_rows_are_counted_only_for_progress() -> None:
    assert sy.evaluate(Uncounted(), **ROLES)["auc"] == sy.auc(COLUMNS["y"], COLUMNS["s"])


@pytest.mark.parametrize("source", [COLUMNS, pd.DataFrame(COLUMNS)], ids=["mapping", "pandas"])
def test_memory_is_that_of_the_duckdb_that_reads_arrays(source: Any) -> None:
    with pytest.raises(sy.InputError, match="memory='lots'"):
        sy.evaluate(source, **ROLES, where="s > 0", memory="lots")


def test_a_table_of_no_metrics_is_empty() -> None:
    assert len(sy.evaluate(COLUMNS, label="y", score="s", metrics=[])) == 0
