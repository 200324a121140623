"""Shapes of a result: looked up, selected, converted, printed, and read back from JSON."""

import copy
import json
import math
import pickle
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard.model import (
    Gains,
    GroupValues,
    PredictedVsTrue,
    Residuals,
    ScoreHistogram,
    Shape,
    ShapeRow,
    same_shape,
)
from steelyard.report import text
from steelyard.report.shape_columns import shape_columns
from steelyard.report.shape_json import KINDS, NAMES
from steelyard.result.result import Result

sy: Any = steelyard  # roles as a mapping, which the stubs do not follow

DICE = Random(5)
LABEL = [DICE.random() < 0.4 for _ in range(60)]
SCORE = [round(DICE.random() / 2 + 0.3 * y, 2) for y in LABEL]
LOG: dict[str, Any] = {
    "y": LABEL,
    "old": SCORE,
    "new": SCORE[::-1],
    "c": ["DE", "US", "FR"] * 20,
    "w": [0.5, 1, 3] * 20,
    "true": ["cat", "dog", "fox"] * 20,
    "called": ["cat", "cat", "dog", "dog", "fox", "fox"] * 10,
    **{name: [DICE.random() for _ in range(60)] for name in ("cat", "dog", "fox")},
}
OF_SCORES = [
    *("auc", "confusion", 'confusion(0.3, normalize="true")', "class_report", "roc(7)", "pr(7)"),
    *("thresholds", "calibration_curve(5)", "score_histogram(3)", "gains(7)"),
]
OF_CLASSES = ["confusion", "one_vs_rest", "class_report", "roc", "pr"]


def of_scores(**more: Any) -> Result:
    roles = {"label": "y", "score": ["old", "new"], "weight": "w", "by": "c", "metrics": OF_SCORES}
    result: Result = sy.evaluate(LOG, **{**roles, **more})
    return result


def of_classes() -> Result:
    classes = ["cat", "dog", "fox"]
    result: Result = sy.evaluate(
        LOG, label="true", score=classes, classes=classes, by="c", metrics=OF_CLASSES
    )
    return result


EDGES = np.array([-1.0, -0.25, 0.5, 1.25])
GAINS = np.array([[0, 0.5, 1], [0, 0.75, 1], [math.nan, 1.5, 1], [math.inf, 0.5, 0.25]])
NUMBERS: list[Shape] = [
    ScoreHistogram(EDGES, np.array([3, 0, 1]), np.array([0.5, 2.25, 0.0])),
    Gains(GAINS[0], GAINS[1], GAINS[2], GAINS[3], 0.125),
    GroupValues(EDGES, np.array([1, 0, 2]), 3, 4, 2**60, 2**61),
    Residuals(EDGES, np.array([1, 0, 2])),
    PredictedVsTrue(EDGES, np.array([[1, 0, 0], [0, 0, 2], [0, 3, 0]])),
]


def of_numbers() -> Result:
    """The shapes that are made of bins, written down."""
    first = sy.evaluate(LOG, label="y", score="old", metrics=["confusion"])
    rows = [replace(first.shapes[0], metric=NAMES[type(shape)], shape=shape) for shape in NUMBERS]
    return Result(first.rows, first.conventions, shapes=rows)


RESULTS = {
    "numbers": of_numbers(),
    "scores": of_scores(),
    "classes": of_classes(),
    "called": sy.evaluate(LOG, label="true", prediction="called", metrics=OF_CLASSES[:3]),
    "undefined": sy.evaluate(LOG, label="y", score="old", by="y", metrics=["roc", "pr"]),
}
each_result = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


def test_every_kind_is_tried() -> None:
    rows = [row for result in RESULTS.values() for row in result.shapes]
    kinds = {type(row.shape) for row in rows if isinstance(row, ShapeRow)} - {type(None)}
    assert kinds == set(KINDS.values())


@each_result
def test_json_and_back(result: Result) -> None:
    for indent in (None, 2):
        assert Result.from_json(result.to_json(indent=indent)) == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert copy.deepcopy(result) == result


@each_result
def test_damaged_shapes_are_refused_in_words(result: Result) -> None:
    """One value of a shape is replaced; whatever it is, there is an error of ours or a result."""
    dice = Random(3)
    whole = result.to_json()
    for _ in range(150):
        data = json.loads(whole)
        entry = dice.choice(data["shapes"])
        place: Any = entry if dice.random() < 0.3 or entry["shape"] is None else entry["shape"]
        name = dice.choice(list(place))
        place[name] = dice.choice([None, 3, "x", [], [1, None], {}, {"a": 1}, [[1], [2, 3]], True])
        with suppress(sy.SourceError):
            str(Result.from_dict(data))


def test_lines_of_bins_by_hand() -> None:
    table = {
        NAMES[type(shape)]: {n: each.values for n, each in shape_columns(shape).items()}
        for shape in NUMBERS
        if not isinstance(shape, Gains)
    }
    low, high = [-1.0, -0.25, 0.5], [-0.25, 0.5, 1.25]
    assert table["score_histogram"] == {
        "low": low,
        "high": high,
        "positives": [3, 0, 1],
        "negatives": [0.5, 2.25, 0.0],
    }
    assert table["group_values"] == {"low": low, "high": high, "groups": [1, 0, 2]}
    assert table["residuals"] == {"low": low, "high": high, "weight": [1, 0, 2]}
    assert table["predicted_vs_true"] == {
        "true_low": low,
        "true_high": high,
        "predicted_low": [-1.0, 0.5, -0.25],
        "predicted_high": [-0.25, 1.25, 0.5],
        "weight": [1, 2, 3],
    }
    drawn = str(of_numbers())
    assert "group_values: 3 of 4 groups have a value (total)" in drawn
    assert "gains: the points kept change the area by at most 0.12" in drawn


def test_what_is_not_equal() -> None:
    cells = sy.confusion([0, 1], [0.2, 0.8])
    assert same_shape(cells, sy.confusion([0, 1], [0.2, 0.8]))
    assert not same_shape(cells, sy.confusion([0, 1], [0.9, 0.8]))
    thin, whole = (sy.roc(LABEL, SCORE, points=points) for points in (5, None))
    assert not same_shape(thin, whole)
    assert not same_shape(sy.roc(LABEL, SCORE), sy.pr(LABEL, SCORE))


def test_each_shape_is_that_of_the_function() -> None:
    result = of_scores()
    rows = [row for row, country in enumerate(LOG["c"]) if country == "US"]
    y, s, w = ([LOG[name][row] for row in rows] for name in ("y", "new", "w"))
    place: dict[str, Any] = {"score": "new", "c": "US"}
    weight = {"sample_weight": w}
    assert same_shape(result.curve("roc(7)", **place), sy.roc(y, s, points=7, **weight))
    assert same_shape(result.curve("pr(7)", **place), sy.pr(y, s, points=7, **weight))
    assert same_shape(result.shape("thresholds", **place), sy.thresholds(y, s, **weight))
    assert same_shape(result.curve("gains(7)", **place), sy.gains(y, s, points=7, **weight))
    bins = sy.score_histogram(y, s, bins=3, **weight)
    assert same_shape(result.shape("score_histogram(3)", **place), bins)
    assert result.confusion(**place) == sy.confusion(y, s, **weight)
    matrix = np.column_stack([LOG[name] for name in ("cat", "dog", "fox")])
    assert same_shape(of_classes().curve("roc"), sy.roc(LOG["true"], matrix))


def test_slices_are_found_as_those_of_numbers() -> None:
    result = of_scores()
    assert result.confusion(score="old", slice={"c": "DE"}) == result.confusion(score="old", c="DE")
    with pytest.raises(sy.SpecError, match="did you mean c='DE'"):
        result.confusion(score="old", c="de")
    with pytest.raises(sy.SpecError, match="several scores"):
        result.confusion()
    with pytest.raises(sy.SpecError, match="this result has no ks"):
        result.shape("ks", score="old")
    assert "roc(7)" in result
    assert result.metrics == tuple(OF_SCORES)


def test_selected_slices_have_their_shapes_alone() -> None:
    found = of_scores().select(sort="auc", top=1)
    (kept,) = {row.slice["c"] for row in found if row.slice}
    assert {row.slice["c"] for row in found.shapes if row.slice} == {kept}
    assert len(found.shapes) == 2 * 2 * 9
    alone = of_scores(metrics=["roc"]).select(sort="rows", top=2)
    assert len(alone.shapes) == 2 * 3


def test_a_table_of_every_slice_converts() -> None:
    table = of_scores().shape_table("thresholds")
    assert table.columns[:5] == ("metric", "score", "by", "c", "threshold")
    assert {*table["score"]} == {"old", "new"}
    assert table.to_polars().height == len(table) == len(table.to_pandas())
    assert table.to_csv().count("\n") == len(table)
    only = of_scores(metrics=["thresholds"])
    assert only.to_polars().equals(table.to_polars())
    assert only.to_csv() == table.to_csv()


@pytest.mark.parametrize("width", [40, 80, 200])
@each_result
def test_tables_fit(result: Result, width: int) -> None:
    drawn = text.render(result.rows, result.conventions, result.shapes, width=width)
    lines = drawn.split("\n")
    assert all(len(line) <= width for line in lines if "─" in line) or width < 80
    for name in result.metrics:
        if name != "auc":
            assert name in lines
    assert "<caption>roc" in result._repr_html_() or "roc" not in result.metrics


def test_merged_from_files_of_states(tmp_path: Any) -> None:
    """Three files, read back and merged in any order: the same shapes."""
    roles = {"label": "y", "score": ["old", "new"], "weight": "w", "by": "c", "metrics": OF_SCORES}
    for part in range(3):
        rows = {name: column[part::3] for name, column in LOG.items()}
        sy.state(rows, **roles).save(tmp_path / f"{part}.sy")
    for order in ((0, 1, 2), (2, 0, 1)):
        merged = sy.merge(*(sy.load(tmp_path / f"{part}.sy") for part in order)).result()
        assert merged.shapes == of_scores().shapes


def test_points_of_a_table_make_their_cells() -> None:
    """Every line of a threshold table is that of `score >= threshold`, also where it is thinned."""
    table = sy.thresholds(LABEL, SCORE, points=6)
    assert 2 <= len(table.thresholds) <= 6
    for line in zip(*table, strict=True):
        cells = sy.confusion(LABEL, SCORE, threshold=float(line[0]))
        assert tuple(line[1:5]) == cells
        assert line[5] == cells.tp / (cells.tp + cells.fp)
        assert line[7] == 2 * cells.tp / (2 * cells.tp + cells.fp + cells.fn)


def test_a_shape_is_nothing_to_sort_by_and_a_number_is_no_curve() -> None:
    result = of_scores()
    with pytest.raises(sy.SpecError, match="confusion is not a single number"):
        result.select(sort="confusion")
    for look in (result.curve, result.confusion, result.shape, result.shape_table):
        with pytest.raises(sy.SpecError, match=r'^auc is a single number: result\["auc"\] returns'):
            look("auc")
    with pytest.raises(sy.SpecError, match="this result has no brier"):
        result.curve("brier")


def test_no_value_is_a_point_of_nan() -> None:
    result = RESULTS["undefined"]
    assert math.isnan(result.curve("roc", y=True).fpr[0])
    row = next(row for row in result.shapes if row.slice == {"y": False})
    assert (row.why, row.n) == ("there are no positives", LABEL.count(False))
    assert set(NAMES.values()) == set(KINDS)


def test_a_histogram_and_the_lines_of_its_edges_fit_each_other() -> None:
    result = sy.evaluate(label=[0, 1, 0], score=[0.1, 0.4, 0.3], metrics="score_histogram")
    data = json.loads(result.to_json())
    columns = data["shapes"][0]["shape"]["inner"]
    assert len(columns["tp"]) == 49
    for name in columns:
        columns[name] = columns[name][:-1]
    with pytest.raises(sy.SteelyardError, match="score_histogram"):
        Result.from_json(json.dumps(data))
    data["shapes"][0]["shape"].pop("inner")  # as an earlier version wrote it
    assert Result.from_json(json.dumps(data)).to_html()
