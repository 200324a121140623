"""Rows in several blocks: the same numbers as in one, and errors that count all rows."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import steelyard as sy
from steelyard.sources.blocks import Block, SourceColumn
from steelyard.sources.duck.connection import open_table
from steelyard.sources.opening import Source

NAN, INF = float("nan"), float("inf")


class Cut:
    """A source whose blocks have a few rows only."""

    def __init__(self, source: Source, rows: int) -> None:
        self._source, self._rows = source, rows
        self.name, self.columns, self.rows = source.name, source.columns, source.rows

    def blocks(self, wanted: Any, where: str | None) -> Iterator[Block]:
        for block in self._source.blocks(wanted, where):
            for start in range(0, block.rows, self._rows):
                rows = slice(start, min(start + self._rows, block.rows))
                columns = {one: part(column, rows) for one, column in block.columns.items()}
                yield Block(block.start + start, rows.stop - start, columns)

    def close(self) -> None:
        self._source.close()


def part(column: SourceColumn, rows: slice) -> SourceColumn:
    """Some rows, and the keys that they use."""
    values, missing = column.values[rows], column.missing
    missing = None if missing is None else missing[rows]
    invalid = None if column.invalid is None else (column.invalid[0][rows], column.invalid[1])
    keys = column.keys
    if keys is not None:
        used = np.unique(values if missing is None else values[~missing])
        keys = [keys[code] for code in used.tolist()]
        values = np.minimum(used.searchsorted(values), max(len(used) - 1, 0))
    return replace(column, values=values, missing=missing, keys=keys, invalid=invalid)


def evaluated(source: Any, rows: int, **roles: Any) -> sy.Result:
    opened = open_table(source)
    try:
        return sy.evaluate(Cut(opened, rows), label="y", score="s", metrics="auc", **roles)
    finally:
        opened.close()


ERRORS: dict[str, tuple[dict[str, Any], str | None, str]] = {
    "a gap elsewhere hides no gap": (
        {"y": [0, 1, 0, 1, None, 0], "s": [0.1, NAN, 0.2, NAN, 0.5, NAN]},
        None,
        "s has 3 missing values .* the first at row 1:",
    ),
    "a gap elsewhere hides nothing infinite": (
        {"y": [0, 1, 0, 1, None, 0], "s": [0.1, INF, 0.2, INF, 0.5, INF]},
        None,
        "s has 3 infinite values, the first at row 1:",
    ),
    "a third word": (
        {"y": ["a", "x", "a", "x", "b", "a"], "s": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]},
        "x",
        r"more than two values \('x', 'a', 'b', the third first at row 4\)",
    ),
    "a third label, in a block without the positive one": (
        {"y": ["x", "a", "x", "b", "c", "b"], "s": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]},
        "x",
        r"more than two values \('x', 'a', 'b', the third first at row 3\)",
    ),
}


@pytest.mark.parametrize("why", ERRORS)
def test_an_error_counts_all_rows(why: str) -> None:
    columns, positive, message = ERRORS[why]
    with pytest.raises(sy.InputError, match=message):
        evaluated(pl.DataFrame(columns), 3, positive=positive)


@pytest.mark.parametrize("rows", [1, 2, 9])
def test_text_that_looks_like_numbers_stays_text(rows: int) -> None:
    """A column is text although its first block holds none."""
    frame = pl.DataFrame({"y": [None, None, "1", "0", "1"], "s": [0.1, 0.2, 0.3, 0.4, 0.5]})
    row = evaluated(frame, rows, positive="1", nan="drop").rows[0]
    assert (row.positives, row.negatives, row.dropped, row.value) == (2, 1, 2, 0.5)


@pytest.mark.parametrize("positive", ["1", "01", 1])
@pytest.mark.parametrize("rows", [1, 2, 9])
def test_a_positive_number_among_labels_that_are_text(
    rows: int, positive: Any, tmp_path: Any
) -> None:
    (tmp_path / "t.csv").write_text("y,s\nno,0.4\n1,0.3\nno,0.2\n1,0.5\n")
    row = evaluated(tmp_path / "t.csv", rows, positive=positive).rows[0]
    assert (row.positives, row.negatives, row.value) == (2, 2, 0.75)
