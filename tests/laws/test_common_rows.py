"""Several scores: their states are those of each score alone, on the rows that all of them have."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import steelyard as sy
from steelyard.evaluation.saved_state import State
from steelyard.sources.duck.connection import open_table
from tests.effort import random_cases
from tests.laws.test_several_blocks import Cut
from tests.shell.run import run

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


NAN = float("nan")


GAPS = {
    "y": [1, 0, 1, 0, 1, 0],
    "whole": [0.9, 0.1, 0.8, 0.2, 0.3, 0.7],
    "gaps": [0.9, 0.1, 0.8, 0.2, NAN, NAN],  # equal, but not scored where `whole` is wrong
    "country": ["DE", "DE", "US", "US", "US", "US"],
}


TWO: dict[str, Any] = {"label": "y", "score": ["whole", "gaps"], "nan": "drop", "metrics": "auc"}


def test_equal_models_have_equal_values() -> None:
    """On rows of their own, one would have 8 of 9 pairs in order, the other 4 of 4."""
    result = sy.evaluate(GAPS, **TWO, by="country")
    for score in ("whole", "gaps"):
        assert result.value("auc", score=score) == 1.0
        assert [row.n for row in result if row.score == score] == [4, 2, 2]
        assert [row.dropped for row in result if row.score == score] == [2, 0, 2]


def test_the_table_says_so_in_every_format() -> None:
    result = sy.evaluate(GAPS, **TWO)
    said = "a row that one score lacks is left out for all: all have the same rows"
    for text in (str(result), result.to_markdown(), result._repr_html_()):
        assert said in text
        assert "2 rows left out for missing values" in text
    assert json.loads(result.to_json())["conventions"]["rows"] == "common"


def test_own_rows_by_choice() -> None:
    result = sy.evaluate(GAPS, **TWO, rows="own")
    assert [result.value("auc", score=score) for score in ("whole", "gaps")] == [8 / 9, 1.0]
    assert "each score has its own rows: values may differ because the rows differ" in str(result)
    assert "rows=own" in str(result)


def test_nothing_is_said_where_nothing_is_missing() -> None:
    for score in ("whole", ["whole", "whole * 2"]):
        assert "rows differ" not in str(sy.evaluate(GAPS, **TWO | {"score": score}, rows="own"))
        assert "same rows" not in str(sy.evaluate(GAPS, **TWO | {"score": score}))


def test_predictions_have_common_rows_too() -> None:
    columns = {"y": [1.0, 2.0, 3.0], "a": [1.0, 2.0, 5.0], "b": [2.0, 2.0, None]}
    result = sy.evaluate(columns, label="y", prediction=["a", "b"], nan="drop", metrics="mae")
    assert [row.value for row in result] == [0.0, 0.5]
    assert "a row that one prediction lacks is left out for all" in str(result)


def test_a_row_that_was_not_retrieved_stays() -> None:
    """The first model retrieves both relevant rows, the second only one; both have two."""
    columns = {"y": [1, 0, 1], "q": [1, 1, 1], "a": [0.9, 0.8, 0.7], "b": [0.9, 0.8, None]}
    result = sy.evaluate(
        columns,
        label="y",
        score=["a", "b"],
        group="q",
        nan="drop",
        unscored="not_retrieved",
        metrics="recall@3",
    )
    assert [(row.value, row.n, row.dropped) for row in result] == [(1.0, 3, 0), (0.5, 3, 0)]


def test_states_merge_only_if_they_agree_on_rows() -> None:
    common, own = (sy.state(GAPS, **TWO, rows=rows) for rows in ("common", "own"))
    assert [row.dropped for row in sy.merge(common, common).result()] == [4, 4]
    with pytest.raises(sy.StateError, match="rows"):
        sy.merge(common, own)


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text("y,a,b\n1,0.9,0.9\n0,0.1,0.1\n1,0.3,\n0,0.7,\n")
    call = ["eval", str(tmp_path / "gaps.csv"), "--label", "y", "--score", "a", "--score", "b"]
    call += ["-m", "auc", "--nan", "drop", "--format", "json"]
    values = [row["value"] for row in json.loads(run(*call).stdout)["rows"]]
    assert values == [1.0, 1.0]
    values = [row["value"] for row in json.loads(run(*call, "--rows", "own").stdout)["rows"]]
    assert values == [0.75, 1.0]
