"""Rows of a prediction: roles, slices, missing values, weights, merges, the command line."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import steelyard
from tests.shell.run import run
from tests.sources.every_source import SOURCES

sy: Any = steelyard
TRUTH = ["cat", "dog", "cat", "bird", "dog", "cat", "dog", "bird"]
CALLED = ["cat", "cat", "cat", "bird", "dog", "dog", "dog", "cat"]
WEIGHT = [1.0, 2.0, 0.5, 1.0, 0.0, 3.0, 1.0, 0.25]
PLACE = ["x", "x", "y", "y", "y", "x", "x", "y"]
REAL = [1.5, 2.0, -3.0, 0.0, 2.5, 8.0, 1.0, 1.0]
GUESS = [1.0, 2.5, -3.0, 1.0, 2.0, 5.0, 1.0, 4.0]
SCORES = [
    *([0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.5, 0.25, 0.25], [0.1, 0.2, 0.7]),
    *([0.2, 0.7, 0.1], [0.3, 0.6, 0.1], [0.1, 0.8, 0.1], [0.5, 0.2, 0.3]),
]
COLUMNS: dict[str, list[Any]] = {
    "truth": TRUTH,
    "called": CALLED,
    "w": WEIGHT,
    "place": PLACE,
    "real": REAL,
    "guess": GUESS,
    "cat": [s[0] for s in SCORES],
    "dog": [s[1] for s in SCORES],
    "bird": [s[2] for s in SCORES],
}
CLASSES = ["accuracy", "f1(macro)", "precision(micro)", "kappa"]
NUMBERS = ["mae", "rmse", "r2", "spearman", "median_ae"]
OF_SCORES = ["accuracy", "auc", "auc(ovo)", "top_k_accuracy", "logloss"]


def bits(result: Any) -> dict[tuple[str, str, str], str]:
    return {(r.metric, r.score, str(dict(r.slice))): repr(r.value) for r in result}


ASKED: dict[str, dict[str, Any]] = {
    "classes": {"label": "truth", "prediction": "called", "metrics": CLASSES},
    "numbers": {"label": "real", "prediction": "guess", "metrics": NUMBERS},
    "scores": {
        "label": "truth",
        "score": ["cat", "dog", "bird"],
        "classes": ["cat", "dog", "bird"],
        "metrics": OF_SCORES,
    },
}


@pytest.mark.parametrize("kind", ASKED)
def test_slices_are_the_rows_of_the_slice(kind: str) -> None:
    result = sy.evaluate(COLUMNS, by="place", **ASKED[kind])
    for place in "xy":
        rows = [i for i, each in enumerate(PLACE) if each == place]
        part = {name: [column[i] for i in rows] for name, column in COLUMNS.items()}
        alone = sy.evaluate(part, **ASKED[kind])
        for metric in alone.metrics:
            assert repr(result.value(metric, place=place)) == repr(alone[metric]), metric


@pytest.mark.parametrize("kind", ASKED)
def test_states_merge_and_come_back_from_bytes(kind: str) -> None:
    whole = sy.state(COLUMNS, weight="w", by="place", **ASKED[kind])
    parts = [
        sy.state({n: c[a:b] for n, c in COLUMNS.items()}, weight="w", by="place", **ASKED[kind])
        for a, b in ((0, 3), (3, 4), (4, 8))
    ]
    merged = sy.merge(*parts)
    assert bits(merged.result()) == bits(whole.result())
    assert bits(sy.merge(*reversed(parts)).result()) == bits(whole.result())
    assert sy.State.loads(whole.dumps()).dumps() == whole.dumps() == merged.dumps()
    again = sy.Result.from_json(whole.result().to_json())
    assert again == whole.result()


def test_several_predictions_have_a_line_each() -> None:
    result = sy.evaluate(
        COLUMNS, label="real", prediction={"old": "guess", "new": "real"}, metrics="mae"
    )
    assert result.value("mae", score="new") == 0
    assert result.value("mae", score="old") == sy.mae(REAL, GUESS)


def test_expressions() -> None:
    result = sy.evaluate(COLUMNS, label="real", prediction="guess + 1", metrics="bias")
    assert result["bias"] == sy.bias(REAL, [guess + 1 for guess in GUESS])


def test_what_does_not_apply_is_null() -> None:
    row = sy.evaluate(COLUMNS, label="truth", prediction="called", metrics="f1(macro)").row(
        "f1(macro)"
    )
    assert (row.n, row.weight, row.positives, row.negatives) == (8, 8, None, None)
    assert (row.prediction_sum, row.weighted_positives) == (None, None)
    row = sy.evaluate(COLUMNS, label="real", prediction="guess", weight="w", metrics="mae").row(
        "mae"
    )
    assert (row.n, row.weight, row.positives) == (7, sum(WEIGHT), None)  # one has no weight
    assert row.prediction_sum == sum(GUESS) - 2.0
    assert row.weighted_prediction_sum == float(np.dot(GUESS, WEIGHT))  # exact here


def test_missing_predictions_are_refused_or_dropped() -> None:
    columns = COLUMNS | {"called": [None, *CALLED[1:]], "guess": [float("nan"), *GUESS[1:]]}
    for kind in ("classes", "numbers"):
        with pytest.raises(sy.InputError, match=r"has 1 missing value .*, the first at row 0"):
            sy.evaluate(columns, **ASKED[kind])
        dropped = sy.evaluate(columns, nan="drop", **ASKED[kind])
        rest = sy.evaluate({n: c[1:] for n, c in COLUMNS.items()}, **ASKED[kind])
        assert bits(dropped) == bits(rest)
        assert {row.dropped for row in dropped} == {1}


def test_a_matrix_is_its_columns() -> None:
    named = sy.evaluate(COLUMNS, **ASKED["scores"])
    order = [SCORES[i] for i in range(8)]
    given = sy.evaluate(
        label=TRUTH, score=np.array(order), classes=["cat", "dog", "bird"], metrics=OF_SCORES
    )
    assert [row.value for row in given] == [row.value for row in named]
    # Without classes the columns are of the sorted labels: bird, cat, dog.
    sorted_ = np.array(order)[:, [2, 0, 1]]
    assert sy.auc(TRUTH, sorted_) == named["auc"]
    assert sy.accuracy(TRUTH, sorted_) == named["accuracy"]


def test_the_columns_of_a_frame_are_called_by_their_classes() -> None:
    """In any order; columns of other names are taken in the order of the sorted labels."""
    named = sy.evaluate(COLUMNS, **ASKED["scores"])
    for frame in (pd.DataFrame, pl.DataFrame):
        columns = frame({name: COLUMNS[name] for name in ("dog", "bird", "cat")})
        assert sy.auc(TRUTH, columns) == named["auc"]
        assert sy.evaluate(label=TRUTH, score=columns, metrics="auc")["auc"] == named["auc"]
        silent = frame({f"p{name}": COLUMNS[name] for name in ("bird", "cat", "dog")})
        assert sy.auc(TRUTH, silent) == named["auc"]


def test_classes_may_be_numbers_of_numpy() -> None:
    matrix = np.array([[0.9, 0.1], [0.2, 0.8]])
    result = sy.evaluate(
        label=[2, 1], score=matrix, classes=list(np.array([2, 1])), metrics="accuracy"
    )
    assert result["accuracy"] == 1
    assert sy.Result.from_json(result.to_json()) == result


def test_the_first_of_equal_scores_is_called() -> None:
    even = [[0.5, 0.5], [0.5, 0.5]]
    assert sy.accuracy(["b", "a"], even, labels=["a", "b"]) == 0.5
    assert sy.recall(["b", "a"], even, labels=["a", "b"], average=None).tolist() == [1.0, 0.0]
    assert sy.recall(["b", "a"], even, labels=["b", "a"], average=None).tolist() == [0.0, 1.0]


def test_labels_that_are_equal_are_one_class() -> None:
    assert sy.accuracy([1, 0, 1], y_pred=[True, False, 1.0]) == 1.0
    assert sy.confusion([1, 0], y_pred=[True, 0.0]).labels == (0, 1)


def test_the_table_of_classes() -> None:
    result = sy.evaluate(
        COLUMNS, label="truth", prediction="called", metrics=["recall(macro)", "f1(macro)"]
    )
    table = result.classes()
    assert table.columns == ("class", "true", "predicted", "hits", "recall", "f1")
    assert [line["class"] for line in table] == ["bird", "cat", "dog"]
    assert (table["true"], table["predicted"], table["hits"]) == ([2, 3, 3], [1, 4, 3], [1, 2, 2])
    assert table["recall"] == [1 / 2, 2 / 3, 2 / 3]
    assert result.classes("f1(macro)").columns[:-1] == table.columns[:-2]
    assert table.to_csv().startswith("class,true,predicted,hits,recall,f1\nbird,2,1,1,0.5,")
    assert table.to_polars().shape == (3, 6)
    with pytest.raises(sy.SpecError, match="no table of groups"):
        result.groups()


def test_the_table_of_pairs() -> None:
    result = sy.evaluate(COLUMNS, **ASKED["scores"])
    assert result.classes().metrics == ("accuracy", "auc")
    pairs = result.classes("auc(ovo)")
    assert pairs.columns == ("class", "other", "auc(ovo)")
    assert len(pairs) == 3


def test_the_command_line(tmp_path: Path) -> None:
    csv = SOURCES["csv"].make(COLUMNS, tmp_path)
    code, out, _ = run(
        *("eval", csv, "--label", "truth", "--prediction", "called"),
        *("-m", "accuracy,f1(macro)", "--by", "place", "--fail-under", "f1(macro)=0.1"),
    )
    assert code == 0
    assert "accuracy" in out
    assert "positives" not in out
    code, out, _ = run(
        *(
            "eval",
            SOURCES["parquet"].make(COLUMNS, tmp_path),
            "--label",
            "truth",
            "--score",
            "cat",
            "--score",
            "dog",
        ),
        *("--score", "bird", "--classes", "cat,dog,bird", "-m", "auc"),
    )
    assert code == 0
    assert f"{sy.evaluate(COLUMNS, **ASKED['scores'])['auc']:.6f}" in out
    code, _, err = run("eval", csv, "--label", "real", "--prediction", "gess", "-m", "mae")
    assert code == 2
    assert "guess" in err


def test_classes_given_as_text_match_a_column_of_numbers(tmp_path: Path) -> None:
    frame = pl.DataFrame({"y": [1, 2, 1], "a": [0.9, 0.2, 0.4], "b": [0.1, 0.8, 0.6]})
    frame.write_parquet(tmp_path / "rows.parquet")
    code, out, _ = run(
        *("eval", str(tmp_path / "rows.parquet"), "--label", "y", "--score", "a", "--score", "b"),
        *("--classes", "1,2", "-m", "accuracy"),
    )
    assert code == 0
    assert "0.666667" in out


def test_a_gate_adds_its_metric_to_the_default_table(tmp_path: Path) -> None:
    """The table that would be shown without it, and the metric of the gate."""
    csv = SOURCES["csv"].make(COLUMNS, tmp_path)
    scores = ("--score", "cat", "--score", "dog", "--score", "bird", "--classes", "cat,dog,bird")
    done = run("eval", csv, "--label", "truth", *scores, "--fail-under", "kappa=0.99")
    assert done.exit_code == 1
    assert "balanced_accuracy" in done.stdout
    done = run(*("eval", csv, "--label", "real", "--prediction", "guess", "--fail-over", "mae=9"))
    assert done.exit_code == 0
    assert done.stdout.startswith("metric     value\n")


# What a function is given, and a part of its error.
OTHERS: list[tuple[str, dict[str, Any], str]] = [
    (
        "precision",
        {"zero_division": 0},
        "takes 'zero_division' only for predicted classes or a matrix",
    ),
    ("auc", {"labels": [0, 1]}, "takes 'labels' only for predicted classes or a matrix"),
    ("f1", {"average": "macro", "threshold": 0.3}, "'threshold' only for a score"),
]


@pytest.mark.parametrize(("name", "given", "message"), OTHERS, ids=[o[0] for o in OTHERS])
def test_what_the_other_metric_of_a_name_takes(
    name: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        getattr(sy, name)([0, 1], [0.2, 0.9], **given)


def test_only_classes_have_values_of_their_own() -> None:
    with pytest.raises(sy.SpecError, match="takes average as one of macro, micro"):
        sy.recall_at_k([0, 1], [0.2, 0.9], k=1, average=None)


def test_rows_that_were_left_out_are_reported() -> None:
    shown = str(sy.evaluate(label=[0, 1], prediction=[1, 1], metrics="mape(skip)"))
    assert "1 left out because the truth is 0" in shown


CLASS_DEFAULTS = ("accuracy", "balanced_accuracy", "precision(macro)", "recall(macro)", "f1(macro)")
NUMBER_DEFAULTS = ("mae", "rmse", "r2", "bias")
DEFAULTS: dict[str, tuple[list[Any], list[Any], tuple[str, ...]]] = {
    "text": (["a", "b"], ["a", "a"], CLASS_DEFAULTS),
    "booleans": ([True, False], [True, True], CLASS_DEFAULTS),
    "whole numbers": ([1, 2], [1, 1], CLASS_DEFAULTS),
    "fractions": ([1.5, 2.0], [1.0, 2.5], NUMBER_DEFAULTS),
    "whole truth": ([1, 2], [1.5, 2.5], NUMBER_DEFAULTS),
}


@pytest.mark.parametrize("case", DEFAULTS)
@pytest.mark.parametrize("kind", SOURCES)
def test_default_metrics_are_those_of_the_type(case: str, kind: str, tmp_path: Path) -> None:
    truth, called, metrics = DEFAULTS[case]
    source = SOURCES[kind].make({"truth": truth, "called": called}, tmp_path)
    result = sy.evaluate(source, label="truth", prediction="called")
    named = sy.evaluate(source, label="truth", prediction="called", metrics=metrics)
    assert result.metrics == metrics
    assert list(result) == list(named)


def test_default_metrics_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("truth,called,far\n" + "1,1,2\n" * 5000 + "2.5,1,2\n")
    shown = run("eval", str(path), "--label", "truth", "--prediction", "called").stdout
    assert [line.split()[0] for line in shown.splitlines()[2:6]] == list(NUMBER_DEFAULTS)
    both = ("--label", "truth", "--prediction", "called", "--prediction", "far")
    compared = run("compare", str(path), *both, "--cluster", "row").stdout
    assert all(name in compared for name in NUMBER_DEFAULTS)
