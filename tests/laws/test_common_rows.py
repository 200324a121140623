"""Several scores: their states are those of each score alone, on the rows that all of them have."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import steelyard as sy
from steelyard.evaluation.saved_state import State
from steelyard.sources.duck.connection import open_table
from tests.effort import random_cases
from tests.laws.test_several_blocks import Cut

KINDS: dict[str, dict[str, Any]] = {
    "curves": {"metrics": ["auc", "ap", "logloss", "ece(5)", "field_ece(country)"]},
    "weights": {"metrics": ["auc", "f1", "copc"], "weight": "w"},
    "groups": {"metrics": ["gauc", "ndcg@3"], "group": "user", "weight": "w"},
    "crossed": {"metrics": ["auc", "gauc"], "group": "user", "by": [("country", "user")]},
    "numbers": {"metrics": ["mae", "r2", "spearman"], "weight": "w"},
    "trials": {"metrics": ["auc", "logloss"], "trials": "n"},
}
MODELS = ("a", "b", "c")


def log(seed: int) -> dict[str, Any]:
    """Rows with gaps in the label, in the weight and in every score."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 60))

    def gaps(values: Any, share: float) -> list[Any]:
        missing = random.random(rows) < share
        return [None if gap else v for v, gap in zip(values.tolist(), missing, strict=True)]

    columns = {
        "y": gaps(random.integers(0, 2, rows), 0.1),
        "w": gaps(random.integers(0, 4, rows) / 2, 0.1),
        "n": (random.integers(1, 4, rows)).tolist(),
        "user": random.integers(0, 5, rows).tolist(),
        "country": gaps(np.array(["DE", "US", "CN"])[random.integers(0, 3, rows)], 0.1),
    }
    return columns | {name: gaps(random.integers(0, 9, rows) / 8, 0.2) for name in MODELS}


def roles(kind: str, scores: tuple[str, ...], **more: Any) -> dict[str, Any]:
    role = "prediction" if kind == "numbers" else "score"
    given = {"label": "y", role: list(scores), "nan": "drop", "by": ["country", "user"]}
    return given | KINDS[kind] | more


def keyed_states(state: State, score: str) -> Iterator[str]:
    """The content of each state of a score, with the slices in order of their keys."""
    order = [state._order(score, number) for number in range(1 + len(state.conventions.by))]
    for keyed in state.states[score].values():
        header, sections = keyed.content(order)
        yield repr((header, {name: array.tolist() for name, array in sections.items()}))


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_that_one_lacks_is_dropped_for_all(kind: str) -> None:
    """Dropped rows included: those that lack a score are given no label instead."""
    for seed in range(random_cases(4, 60)):
        columns = log(seed)
        lacks = [None in scores for scores in zip(*map(columns.get, MODELS), strict=True)]
        label = [None if gap else y for y, gap in zip(columns["y"], lacks, strict=True)]
        masked = pl.DataFrame({**columns, "y": label}, strict=False)
        together = sy.state(pl.DataFrame(columns), **roles(kind, MODELS))
        for score in MODELS:
            alone = sy.state(masked, **roles(kind, (score,)))
            assert list(keyed_states(together, score)) == list(keyed_states(alone, score)), (
                seed,
                score,
            )


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_the_rows_that_are_left(kind: str) -> None:
    for seed in range(random_cases(2, 30)):
        frame = pl.DataFrame(log(seed))
        kept = frame.drop_nulls(list(MODELS))
        together = sy.evaluate(frame, **roles(kind, MODELS))
        for score in MODELS:
            alone = {
                (r.metric, str(r.slice)): r for r in sy.evaluate(kept, **roles(kind, (score,)))
            }
            for row in together:
                if row.score == score and (row.n or row.slice == {}):
                    mine = alone[row.metric, str(row.slice)]
                    assert repr((row.value, row.why, row.n)) == repr((mine.value, mine.why, mine.n))


@pytest.mark.parametrize("rows", ["common", "own"])
@pytest.mark.parametrize("kind", KINDS)
def test_blocks_merging_and_saving_change_nothing(kind: str, rows: str) -> None:
    for seed in range(random_cases(2, 20)):
        frame, given = pl.DataFrame(log(seed)), roles(kind, MODELS, rows=rows)
        whole = sy.state(frame, **given).dumps()
        opened = open_table(frame)
        try:
            assert sy.state(Cut(opened, 7), **given).dumps() == whole
        finally:
            opened.close()
        halves = [sy.state(part, **given) for part in (frame[::2], frame[1::2])]
        assert sy.merge(*halves).dumps() == whole
        assert State.loads(whole).dumps() == whole


@pytest.mark.parametrize("kind", KINDS)
def test_own_rows_are_those_of_each_score_alone(kind: str) -> None:
    for seed in range(random_cases(2, 30)):
        frame = pl.DataFrame(log(seed))
        together = sy.state(frame, **roles(kind, MODELS, rows="own"))
        for score in MODELS:
            alone = sy.state(frame, **roles(kind, (score,)))
            assert list(keyed_states(together, score)) == list(keyed_states(alone, score)), (
                seed,
                score,
            )
