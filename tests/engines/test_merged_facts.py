"""A scan in partitions judges rows as one in memory does: what only all rows show has its errors.

Blocks of 100 rows are read by three partitions in turn: the first by the second of them, since a
block of no rows comes before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import api
from steelyard.model import Array
from steelyard.request.calls import make_request
from steelyard.sources.blocks import Block
from tests.engines.parts_engine import PartsEngine
from tests.engines.test_parts_engine import LOG, Blocks, both

ROWS = len(LOG["click"])
PLACE = np.arange(ROWS)
CLICK, SCORE = LOG["click"], LOG["score"]
SCORED: dict[str, Any] = {"label": "click", "score": "score", "metrics": "auc"}
CLASSES: dict[str, Any] = {"label": "click", "prediction": "called", "metrics": "f1"}


class OwnKeys(Blocks):
    """Blocks whose columns of keys have their own keys alone, as those of files do."""

    def blocks(self, wanted: Any, where: str | None = None) -> Iterator[Block]:
        for block in super().blocks(wanted, where):
            columns = {
                request: column if column.keys is None else column.with_used_keys()
                for request, column in block.columns.items()
            }
            yield replace(block, columns=columns)


class TwoTypes(Blocks):
    """Blocks with other types from the fourth on, as files of a folder may have."""

    def __init__(self, columns: dict[str, Any], later: dict[str, Any]) -> None:
        super().__init__(columns)
        self._later = Blocks(columns | later)

    def blocks(self, wanted: Any, where: str | None = None) -> Iterator[Block]:
        yield from islice(super().blocks(wanted, where), 4)
        yield from islice(self._later.blocks(wanted, where), 4, None)


def within(*blocks: int) -> Array:
    """The rows of some blocks."""
    return np.isin(PLACE // 100, blocks)


def words(*chosen: tuple[str, Array]) -> Array:
    """Labels of two words, and other words in some rows."""
    found = np.where(CLICK == 1, "yes", "no").astype("U9")
    for word, rows in chosen:
        found[rows] = word
    return found


def some(rows: Array, value: Any, column: Array = SCORE) -> Array:
    return np.where(rows, value, column)


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "0 here and -1 there": ({"click": some(within(3) & (CLICK == 0), -1, CLICK)}, SCORED),
    "a third label": (
        {"click": words(("maybe", within(2) & (CLICK == 0)), ("never", within(4)))},
        {**SCORED, "positive": "yes"},
    ),
    "two labels, neither positive": (
        {"click": words(("a", within(0, 2)), ("b", within(1, 3, 4, 5, 6, 7, 8, 9)))},
        {**SCORED, "positive": "yes"},
    ),
    "a third label before a bad score": (
        {"click": words(("maybe", PLACE == 250)), "score": some(PLACE > 420, np.inf)},
        {**SCORED, "positive": "yes"},
    ),
    "a bad score before a third label": (
        {"click": words(("maybe", PLACE == 450)), "score": some(PLACE > 320, np.inf)},
        {**SCORED, "positive": "yes"},
    ),
    "missing values": ({"score": some(PLACE % 7 == 6, np.nan)}, SCORED),
    "no probabilities": ({"score": 3 * SCORE}, {**SCORED, "metrics": "logloss"}),
    "no probabilities in either score, each in a block of its own": (
        {"score": some(within(1), 3.0), "half": some(within(2), -1.0)},
        {**SCORED, "score": ["score", "half"], "metrics": "logloss"},
    ),
    "no probability, and infinite": (
        {"score": some(within(4), 3.0), "half": some(PLACE > 430, np.inf)},
        {**SCORED, "score": ["score", "half"], "metrics": "logloss"},
    ),
    "a third class": (
        {"called": some(within(1), 2, CLICK), "click": some(within(4), 3, CLICK)},
        CLASSES,
    ),
    "classes of which none is positive": (
        {"click": words(), "called": words(("no", PLACE >= 0))},
        CLASSES,
    ),
}


def errors_of(source: Any, options: dict[str, Any], folder: Path) -> list[Exception]:
    """The errors of the engine in memory and of that in parts."""
    request = make_request("evaluate", {"source": source, **options})
    found: list[Exception] = []
    for engine in (None, PartsEngine(folder)):
        with pytest.raises(sy.SteelyardError) as caught:
            api._state_of(request, engine).result()
        found.append(caught.value)
    return found


def same(errors: Sequence[Exception]) -> str:
    whole, parts = errors
    assert (type(parts), str(parts)) == (type(whole), str(whole))
    return str(whole)


@pytest.mark.parametrize("name", WRONG)
def test_the_same_errors(name: str, tmp_path: Path) -> None:
    columns, options = WRONG[name]
    same(errors_of(Blocks({**LOG, **columns}), options, tmp_path))


# Of two errors that of the first block is raised.
TWO_ERRORS = {name for name in WRONG if "before" in name or "and infinite" in name}


@pytest.mark.parametrize("name", sorted(WRONG.keys() - TWO_ERRORS))
def test_the_size_of_blocks_changes_no_message(name: str) -> None:
    columns, options = WRONG[name]
    found = []
    for source in ({**LOG, **columns}, Blocks({**LOG, **columns})):
        with pytest.raises(sy.InputError) as caught:
            sy.evaluate(source, **options)
        found.append(caught.value)
    same(found)


def test_columns_of_several_types(tmp_path: Path) -> None:
    text, whole = LOG["list"].astype(str), LOG["list"]
    group = {**SCORED, "group": "list", "metrics": "gauc"}
    cluster = {**SCORED, "cluster": "list"}
    for options in (group, cluster):
        for one, other in ((text, whole), (whole, text)):
            source = TwoTypes({**LOG, "list": one}, {"list": other})
            message = same(errors_of(source, options, tmp_path))
            assert "keys of one type" in message
    rounded = TwoTypes({**LOG, "score": SCORE.astype(np.float32)}, {"score": SCORE})
    assert "score_type" in same(errors_of(rounded, SCORED, tmp_path))
    sliced = TwoTypes(LOG, {"list": text})  # 7 and "7" are two slices
    whole_result, parts = both(tmp_path, source=sliced, **SCORED, by="list")
    assert parts == whole_result


RIGHT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "one score of two is no probability in one partition": (
        {"half": some(within(1, 4, 7), 3.0)},
        {**SCORED, "score": ["score", "half"], "metrics": "logloss"},
    ),
    "each partition has one label": (
        {"click": words(("yes", within(1, 4, 7)), ("no", ~within(1, 4, 7)))},
        {**SCORED, "positive": "yes"},
    ),
    "positive as text, of numbers": ({}, {**CLASSES, "prediction": "click", "positive": "1"}),
    "dropped rows": (
        {"score": some(within(2, 5, 8), np.nan)},
        {**SCORED, "nan": "drop", "by": "country"},
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_results(name: str, tmp_path: Path) -> None:
    columns, options = RIGHT[name]
    whole, parts = both(tmp_path, source=OwnKeys({**LOG, **columns}), **options)
    assert parts == whole
