"""Plain functions with a cluster: the interval that a table has, bit by bit."""

import copy
import math
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard.errors import SpecError
from steelyard.metrics.catalogue import BoundMetric, resolve
from steelyard.metrics.influence import INFLUENCE
from tests.every_spec import specs
from tests.laws.clustered_log import make_log

sy: Any = steelyard
LOG = make_log(30, seed=2).columns
LOG["bid"] = 1.0 + LOG["list"] % 3  # a weight of groups too, so that it is constant within them
ARRAYS: dict[str, tuple[str, str]] = {"score": ("click", "score"), "prediction": ("truth", "guess")}


def of_function(bound: BoundMetric, cluster: Any, **more: Any) -> Any:
    """The value of a plain function, with the columns that its metric reads."""
    needed = bound.required_columns
    numbers = needed.numbers or bound.metric.reads == "score"
    truth, found = (LOG[name] for name in ARRAYS[bound.metric.reads])
    if not numbers:
        truth, found = LOG["click"], (LOG["score"] > 0.5).astype(int)
    params = {p.name: bound.params[p.name] for p in bound.metric.parameters}
    for parameter in bound.metric.parameters:
        if parameter.column and params[parameter.name] not in (None, *parameter.choices):
            params[parameter.name] = LOG[params[parameter.name]]
    group = {"group": LOG["list"]} if needed.group else {}
    name = "y_pred" if bound.metric.reads == "prediction" else "y_score"
    function = getattr(sy, bound.metric.function)
    return function(truth, **{name: found}, **params, **group, cluster=cluster, **more)


def _is_read(name: str, *, rows: bool) -> bool:
    """Whether a metric can be computed here; rows: whether each row is a cluster."""
    try:
        bound = resolve(name, reads="score")
        needed = bound.required_columns, bound.state_spec
    except SpecError:  # some parameters need another one
        return False
    return not (needed[0].document or (rows and needed[0].group))


@pytest.mark.parametrize("cluster", ["user", "row"])
def test_a_plain_function_has_the_interval_of_a_table(cluster: str) -> None:
    """For every metric of scores, with each of its parameters, bit by bit."""
    names = [name for name in specs("score", "bid") if _is_read(name, rows=cluster == "row")]
    rows = sy.evaluate(
        LOG,
        label="click",
        score="score",
        group="list",
        cluster=cluster,
        metrics=names,
        confidence=0.9,
    ).rows
    key = LOG["user"] if cluster == "user" else "row"
    compared = 0
    for row in rows:
        bound = resolve(row.metric, reads="score")
        if bound.metric.interval.kind != INFLUENCE:
            with pytest.raises(sy.InputError, match=r"has no interval, since "):
                of_function(bound, key)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sy.UndefinedWarning)
            found = of_function(bound, key, confidence=0.9)
        ends = [math.nan if each is None else each for each in (row.value, row.low, row.high)]
        assert np.array_equal([found, found.low, found.high], ends, equal_nan=True), row.metric
        compared += row.low is not None
    assert compared > 50


def test_an_estimate_is_a_float() -> None:
    found = sy.auc(LOG["click"], LOG["score"], cluster=LOG["user"])
    assert isinstance(found, sy.EstimatedValue)
    assert found == sy.auc(LOG["click"], LOG["score"])
    assert found.low < found < found.high
    assert (f"{found:.3f}", type(found - 0.1)) == (f"{float(found):.3f}", float)
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (again, again.low, again.high, again.confidence) == (
            *(found, found.low, found.high, 0.95),
        )
    assert repr(found).startswith(f"EstimatedValue({float(found)!r}, low=")


def test_classes_and_numbers_have_intervals_too() -> None:
    called = LOG["score"] > 0.5
    macro = sy.f1(LOG["click"] > 0, called, average="macro", cluster=LOG["user"])
    rmse = sy.rmse(LOG["truth"], LOG["guess"], cluster=LOG["user"])
    source: dict[str, Any] = {**LOG, "y": LOG["click"] > 0, "called": called}
    for found, metric, roles in (
        (macro, "f1(macro)", {"label": "y", "prediction": "called"}),
        (rmse, "rmse", {"label": "truth", "prediction": "guess"}),
    ):
        row = sy.evaluate(source, **roles, cluster="user", metrics=metric).row(metric)
        assert (row.value, row.low, row.high) == (found, found.low, found.high)


def test_what_has_no_interval_says_so() -> None:
    y, s = LOG["click"], LOG["score"]
    with pytest.warns(sy.UndefinedWarning, match="auc has no interval: .* two clusters"):
        found = sy.auc(y, s, cluster=np.zeros(len(y), int))
    assert isinstance(found, sy.EstimatedValue)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found == sy.auc(y, s)
    with pytest.warns(sy.UndefinedWarning, match="auc has no value: there are no negatives"):
        assert math.isnan(sy.auc([1, 1], [0.1, 0.2], cluster=[1, 2]))
    for options, said in (
        ({"confidence": 0.9}, r"confidence=\.\.\. needs cluster="),
        ({"cluster": LOG["user"], "confidence": 2}, "confidence=2 is out of range"),
        ({"cluster": [1, 2]}, "cluster has 2 rows but y_true has"),
    ):
        with pytest.raises(sy.InputError, match=said):
            sy.auc(y, s, **options)
    with pytest.raises(sy.InputError, match="roc has no interval, since it is more than one"):
        sy.roc(y, s, cluster=LOG["user"])
    with pytest.raises(TypeError, match="takes 'cluster' only for one label per row"):
        sy.f1(y, y_pred=y, average=None, cluster=LOG["user"])
