"""Several scores of which some are no probabilities: calibration is for the others alone."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard.evaluation.table_values import OUTSIDE
from steelyard.metrics import catalogue
from steelyard.model import same_shape
from steelyard.sources.arrays import Arrays
from tests.every_spec import specs
from tests.laws.clustered_log import make_log

sy: Any = steelyard
ROWS = make_log(40, seed=3).columns
PROBABILITY = ROWS["score"]
LOG = {**ROWS, "p": PROBABILITY, "margin": 8.0 * PROBABILITY - 4.0, "odd": 0.5 + PROBABILITY}
ROLES: dict[str, Any] = {"label": "click", "cluster": "user", "by": "country"}


def calibration() -> list[str]:
    """Every metric of probabilities that needs no further column."""
    bounds = [catalogue.resolve(spec, reads="score") for spec in specs("score", "country")]
    needed = [(bound, bound.required_columns) for bound in bounds]
    plain = [b for b, n in needed if n.probability and not (n.fields or n.amounts or n.group)]
    return [bound.name for bound in plain]


METRICS = ["auc", *calibration()]


def rows_of(result: Any, score: str) -> list[Any]:
    return [row for row in (*result.rows, *result.shapes) if row.score == score]


@pytest.mark.parametrize("more", [{}, {"bootstrap": 100}, {"shapes": True}])
def test_values_are_those_of_the_probability_alone(more: dict[str, Any]) -> None:
    alone = sy.evaluate(LOG, **ROLES, score="p", metrics=METRICS, **more)
    both = sy.evaluate(LOG, **ROLES, score=["p", "margin"], metrics=METRICS, **more)
    assert rows_of(both, "p") == rows_of(alone, "p")
    assert len(METRICS) > 10
    for row in rows_of(both, "margin"):
        outside = (
            "probability" if catalogue.resolve(row.metric).required_columns.probability else ""
        )
        assert (row.why == OUTSIDE) == bool(outside)
        assert not outside or (row.value, row.low, row.high) == (None, None, None)
    assert both.conventions.not_probabilities == ("margin",)


def test_a_state_knows_it_in_any_order_and_after_saving() -> None:
    plain: dict[str, Any] = {"label": "click", "score": ["p", "margin"], "metrics": METRICS}
    whole = sy.state(LOG, **plain)
    halves = [
        sy.state({name: column[rows] for name, column in LOG.items()}, **plain)
        for rows in (slice(0, 100), slice(100, None))
    ]
    for merged in (sy.merge(*halves), sy.merge(*reversed(halves))):
        assert merged.dumps() == whole.dumps()
    assert steelyard.State.loads(whole.dumps()).result() == whole.result()
    assert sy.Result.from_json(whole.result().to_json()) == whole.result()


class Blocks(Arrays):
    """Arrays in blocks, of which only the last has scores outside 0 to 1."""

    def blocks(self, wanted: Any, where: str | None = None) -> Any:
        (whole,) = super().blocks(wanted, where)
        for start in range(0, whole.rows, 50):
            rows = slice(start, start + 50)
            columns = {
                request: replace(column, values=column.values[rows])
                for request, column in whole.columns.items()
            }
            yield replace(whole, start=start, rows=len(range(whole.rows)[rows]), columns=columns)


def test_a_score_is_outside_whatever_its_first_rows_are() -> None:
    late = {**LOG, "late": PROBABILITY.copy()}
    late["late"][-1] = 7.0
    roles: dict[str, Any] = {"label": "click", "score": ["p", "late"], "metrics": METRICS}
    assert sy.evaluate(Blocks(late), **roles) == sy.evaluate(late, **roles)


def test_a_weight_of_zero_is_absence() -> None:
    weights = np.ones(len(PROBABILITY))
    weights[-1] = 0.0
    late = {**LOG, "late": PROBABILITY.copy(), "w": weights}
    late["late"][-1] = 7.0
    roles: dict[str, Any] = {"label": "click", "score": ["p", "late"], "metrics": "logloss"}
    result = sy.evaluate(late, **roles, weight="w")
    assert result.value("logloss", score="late") == result.value("logloss", score="p")


@pytest.mark.parametrize("source", [LOG, Blocks(LOG)])
def test_scores_none_of_which_are_probabilities_are_refused(source: Any) -> None:
    count = int(((LOG["margin"] < 0) | (LOG["margin"] > 1)).sum())
    scores = {"a": "margin", "b": "odd", "c": "margin"}
    with pytest.raises(sy.InputError, match=rf"^margin has {count:,} values outside 0 to 1"):
        sy.evaluate(source, label="click", score=scores, metrics=["auc", "logloss"])


def test_a_comparison_with_a_margin_has_no_difference_and_says_why() -> None:
    roles = {**ROLES, "metrics": ["auc", "logloss", "calibration_slope"], "bootstrap": 100}
    found = sy.compare(LOG, **roles, score=["p", "margin", "odd"])
    assert found.row("auc", score="margin").difference == 0.0  # the same order
    for score in ("margin", "odd"):
        for metric in ("logloss", "calibration_slope"):
            row = found.row(metric, score=score)
            assert (row.difference, row.low, row.candidate) == (None, None, None)
            assert OUTSIDE in row.why


def test_a_report_and_pictures_show_the_one_and_the_reason_for_the_other() -> None:
    result = sy.evaluate(LOG, **ROLES, score=["p", "margin"], metrics="auc")
    alone = sy.evaluate(LOG, **ROLES, score="p", metrics="auc")
    curves = (each.picture_shape("calibration_curve", "p") for each in (result, alone))
    assert same_shape(*curves)
    assert result.picture_shape("calibration_curve", "margin").why == OUTSIDE
    for each in (result, sy.compare(LOG, **ROLES, score=["p", "margin"], metrics="auc,copc")):
        assert f"margin: {OUTSIDE}" in each.to_html()
    axes = result.plot("calibration")
    assert any(OUTSIDE in text.get_text() for text in axes.get_legend().get_texts())


@pytest.mark.parametrize(("score", "control"), [("p", "margin"), ("margin", "p")])
def test_a_diagnosis_of_calibration_refuses_margins(score: str, control: str) -> None:
    with pytest.raises(steelyard.InputError, match="margin has 208 values outside 0 to 1"):
        sy.diagnose(LOG, LOG, label="click", score=score, control_score=control, metric="copc")
