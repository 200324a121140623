"""Input that nobody sends on purpose: no rows left, extreme weights, options of any type.

Every call ends in a value, in a reason for having none, or in an error of ours.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import steelyard as sy
from steelyard import plan
from steelyard.evaluation.saved_state import State
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.report.charts.kinds import EVERY
from steelyard.report.charts.of_result import chart_of
from steelyard.request.diagnose import DiagnoseRequest
from steelyard.request.options import OPTIONS, Request, options_of
from tests.effort import random_cases
from tests.every_spec import specs, values

FRAME = pl.DataFrame(
    {
        "y": [0, 1, 1],
        "s": [0.2, 0.4, 0.7],
        "t": [0.8, 0.6, 0.3],
        "w": [1.0, 2.0, 0.5],
        "zero": [0.0, 0.0, 0.0],
        "nothing": pl.Series([None, None, None], dtype=pl.Float64),
        "user": [1, 2, 1],
        "day": ["fri", "sat", "fri"],
        "page": ["a", "b", "c"],
        "one": [1.0, 1.0, 1.0],
        "n": [3, 4, 5],
        "country": ["DE", "US", None],
    }
)
COLUMN = "one"  # of every metric that names one
NO_ROWS: dict[str, tuple[Any, dict[str, Any]]] = {
    "a condition that no row meets": (FRAME, {"where": "y > 5"}),
    "an empty frame": (FRAME[:0], {}),
    "empty arrays": ({name: FRAME[name].to_numpy()[:0] for name in FRAME.columns}, {}),
    "no weight": (FRAME, {"weight": "zero"}),
    "all missing": (FRAME, {"weight": "nothing", "nan": "drop"}),
}
ROLES: dict[str, dict[str, Any]] = {
    "a group": {"score": "s", "group": "user", "document": "page"},
    "a group of two columns": {"score": ["s", "t"], "group": ["user", "day"], "document": "page"},
    "trials": {"score": "s", "trials": "n"},
    "not retrieved": {
        "score": "s",
        "group": "day",
        "document": "page",
        "unscored": "not_retrieved",
    },
    "numbers": {"prediction": "t"},
    "classes": {"prediction": ["y", "user"]},
    "class scores": {"score": ["s", "t"], "classes": [0, 1]},
}


def that_fit(roles: dict[str, Any]) -> list[str]:
    """The metrics that can be computed with these roles."""
    reads = "prediction" if "prediction" in roles or "classes" in roles else "score"
    found = []
    for spec in specs(reads, COLUMN):
        try:
            plan.make_job(Request(source=FRAME, label="y", metrics=spec, **roles))
        except sy.SteelyardError:
            continue
        found.append(spec)
    return found


@pytest.mark.parametrize("roles", ROLES.values(), ids=ROLES)
def test_no_row_is_left(roles: dict[str, Any]) -> None:
    """For every metric with every parameter: no value, with the reason, however it is read."""
    metrics = that_fit(roles)
    assert metrics
    cases = list(NO_ROWS.values())[: random_cases(2, len(NO_ROWS))]
    for source, how in cases:
        slices = {"by": ["country", ("country", "user")], **roles, **how}
        state = sy.state(source, label="y", metrics=metrics, **slices)
        result = state.result()
        assert {row.value for row in result} == {None}
        assert all(row.why for row in result)
        assert State.loads(state.dumps()).result().to_json() == result.to_json()
        assert sy.merge(state, state).result().to_dict()["rows"]
        assert str(result)
        assert result.to_markdown()
        assert result._repr_html_()
        for score in result.scores:
            if "groups" in result.rows[0].details:
                assert str(result.groups(score=score))


# --- extreme weights and numbers -----------------------------------------------------------------

WEIGHTS = [0.0, 5e-324, 1.5e-323, 1e-300, 1.0, 1e300, 1.7e308]
PROBABILITIES = [0.0, 5e-324, 1e-300, 1e-16, 0.25, 0.5, 1 - 2**-53, 1.0]
NUMBERS = [0.0, -0.0, 5e-324, 1e-300, 1.0, -1.0, 2.5, 1e300, -1.7e308, 1.7e308]
WEIGHTED: dict[str, dict[str, Any]] = {
    "binary": {"label": "y", "score": "p"},
    "groups": {"label": "y", "score": "p", "group": "user", "document": "k"},
    "classes": {"label": "k", "prediction": "j"},
    "class scores": {"label": "y", "score": ["p", "q"], "classes": [0, 1]},
    "numbers": {"label": "x", "prediction": "z"},
}


def extreme(random: Random) -> dict[str, Any]:
    rows = random.randint(1, 6)

    def some(values: list[Any]) -> Any:
        return np.array([random.choice(values) for _ in range(rows)])

    columns = {"y": some([0, 1]), "p": some(PROBABILITIES), "x": some(NUMBERS), "z": some(NUMBERS)}
    columns |= {"user": some([1, 2]), "k": some(["a", "b", "c"]), "j": some(["a", "b", "c"])}
    columns |= {"w": some(WEIGHTS), "q": 1 - columns["p"]}
    weight = [random.choice(WEIGHTS) for _ in range(3)]
    return columns | {COLUMN: np.array([weight[user] for user in columns["user"]])}


@pytest.mark.parametrize("kind", WEIGHTED)
def test_extreme_weights(kind: str) -> None:
    """A finite value, or a reason for having none; a threshold that calls nothing is infinite."""
    roles = WEIGHTED[kind]
    metrics = that_fit({name: role for name, role in roles.items() if name != "label"})
    if "prediction" in roles:
        columns = {m: catalogue.resolve(m, reads="prediction").required_columns for m in metrics}
        metrics = [m for m in metrics if columns[m].numbers == (kind == "numbers")]
        metrics = [m for m in metrics if not columns[m].positive_class]  # three classes
    for seed in range(random_cases(3, 150)):
        result = sy.evaluate(extreme(Random(seed)), **roles, weight="w", metrics=metrics)
        for row in result:
            assert (row.value is None) == bool(row.why), (seed, row)
            threshold = row.metric.startswith("best_threshold") and row.value == inf
            assert row.value is None or threshold or isfinite(row.value), (seed, row)
        assert str(result)
        assert result.to_json()


# --- ordinary and extreme logs, and everything that is made of them ------------------------------
Columns = dict[str, Any]
LOG_WEIGHTS: dict[str, Callable[[Any, int], Any]] = {
    "uniform": lambda random, n: random.random(n) + 0.1,
    "prices": lambda random, n: np.round(random.lognormal(2, 2, n), 2),
    "far apart": lambda random, n: random.random(n) * 10.0 ** random.integers(-6, 6, n),
    "every power of two": lambda random, n: np.ldexp(1.0, random.integers(-1074, 1000, n)),
    "huge": lambda random, n: np.full(n, 1e308),
    "huge or small": lambda random, n: np.where(np.arange(n) % 2, 1e308, random.random(n)),
    "1e200": lambda random, n: random.random(n) * 1e200,
    "one huge": lambda random, n: np.where(np.arange(n) == 0, 1e308, random.random(n)),
    "smallest": lambda random, n: random.integers(0, 5, n) * 5e-324,
    "zeros": lambda random, n: np.zeros(n),
    "some missing": lambda random, n: np.where(random.random(n) < 0.3, np.nan, random.random(n)),
}
LOG_SCORES: dict[str, Callable[[Any, int], Any]] = {
    "uniform": lambda random, n: random.random(n),
    "0 or 1": lambda random, n: random.integers(0, 2, n).astype(float),
    "constant": lambda random, n: np.full(n, random.choice([0.0, 0.3, 1.0, 5e-324, -2.0, 1e308])),
    "0 or 5e-324": lambda random, n: random.integers(0, 2, n) * 5e-324,
    "huge": lambda random, n: random.choice([-1.7e308, 1.7e308, 0.0], n),
    "negative": lambda random, n: -random.random(n),
}
LOG_LABELS: dict[str, Callable[[Any, int], Any]] = {
    "both": lambda random, n: (random.random(n) < 0.3).astype(int),
    "one positive": lambda random, n: (np.arange(n) == 0).astype(int),
    "no positives": lambda random, n: np.zeros(n, int),
    "no negatives": lambda random, n: np.ones(n, int),
}
SIZES = [1, 2, 5, 60, 300]
FIRST = ["auc", "gini", "ap", "ks"]  # of any score
OF_PROBABILITIES = ["copc", "logloss", "ece", "brier"]


def a_log(random: Any, rows: int, labels: str = "") -> Columns:
    def of(kinds: dict[str, Callable[[Any, int], Any]], kind: str = "") -> Any:
        return kinds[kind or random.choice(list(kinds))](random, rows)

    return {
        "y": of(LOG_LABELS, labels),
        "s": of(LOG_SCORES),
        "t": of(LOG_SCORES),
        "w": of(LOG_WEIGHTS),
        "c": random.integers(0, random.choice([1, 4, 60]), rows),
        "k": random.choice(["a", "b", ""], rows),
    }


def made(call: Callable[[], Any]) -> Any:
    """What a call gives; None where we refuse it."""
    with suppress(sy.SteelyardError):
        return call()


def shown(result: Any) -> None:
    """Everything that is made of a result; a picture that it lacks is refused."""
    for how in ("__str__", "to_json", "to_html", "to_markdown", "to_csv", "_repr_html_"):
        if hasattr(result, how):
            assert getattr(result, how)()
    if isinstance(result, sy.Result):
        assert sy.Result.from_json(result.to_json()) == result
        for kind in EVERY:
            made(lambda kind=kind: chart_of(result, kind))  # type: ignore[misc]


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("seed", range(random_cases(8, 1000)))
def test_any_log_ends_in_values_or_in_errors_of_ours(seed: int) -> None:
    """Without a warning of NumPy either, behind which a number may be wrong."""
    random = np.random.default_rng(seed)
    log = a_log(random, random.choice(SIZES))
    roles: Columns = {"label": "y", "positive": 1, "nan": "drop", "weight": "w"}
    roles |= [{}, {"cluster": "c"}, {"cluster": "row"}][seed % 3]
    more = {**roles, "by": "k"}
    metrics = FIRST + OF_PROBABILITIES
    for wanted in (metrics, FIRST):
        result = made(lambda w=wanted: sy.evaluate(log, score="s", metrics=w, **more))  # type: ignore[misc]
        if result is not None:
            shown(result)
            break
    compared = made(lambda: sy.compare(log, score=["s", "t"], metrics=FIRST, **more))
    if compared is not None:
        shown(compared)
    logs = [a_log(random, random.choice([20, 300]), "both") for _ in range(2)]
    for metric in ("auc", "copc"):
        found = made(lambda m=metric: sy.diagnose(*logs, score="s", over="k", metric=m, **roles))  # type: ignore[misc]
        if found is not None:
            shown(found)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("rows", [60, 300])
@pytest.mark.parametrize("kind", LOG_WEIGHTS)
def test_pages_and_pictures_of_any_weights(kind: str, rows: int) -> None:
    """Of few rows, whose bins are merged, and of more; also where a sum is beyond float64."""
    random = np.random.default_rng(1)
    log = a_log(random, rows, "both") | {
        "s": random.random(rows),
        "w": LOG_WEIGHTS[kind](random, rows),
    }
    roles: Columns = {"label": "y", "score": "s", "weight": "w", "nan": "drop", "by": "k"}
    shown(sy.evaluate(log, metrics=FIRST + OF_PROBABILITIES, shapes=True, **roles))


@pytest.mark.parametrize("kind", LOG_WEIGHTS)
def test_shares_of_slices_are_those_of_their_weights(kind: str) -> None:
    """Also below 1, and where the sum is beyond float64."""
    random = np.random.default_rng(0)
    log = a_log(random, 60, "both") | {"w": LOG_WEIGHTS[kind](random, 60), "s": random.random(60)}
    roles: Columns = {"label": "y", "weight": "w", "cluster": "c", "nan": "drop", "by": "k"}
    compared = sy.compare(log, score=["s", "s + 0"], metrics="auc", **roles)
    exact: dict[Any, Fraction] = {key: Fraction(0) for key in ("a", "b", "")}
    for key, weight in zip(log["k"], log["w"], strict=True):
        exact[key] += Fraction(0 if np.isnan(weight) else weight)
    total = sum(exact.values())
    for row in compared:
        if row.slice and row.share is not None:
            assert row.share == pytest.approx(float(exact[row.slice["k"]] / total), rel=1e-15)
        assert (row.share is None) == (kind in ("huge", "huge or small", "zeros"))


# --- options of any type -------------------------------------------------------------------------


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


ANYTHING: list[Any] = [5, 5.5, -1, 0, 2**70, 10**400, 10**5000, float("nan"), 1 + 2j, True, False]
ANYTHING += [Decimal("sNaN"), object(), Unprintable(), type, b"x", "", "\0", "\ud800", "auc,ks"]
ANYTHING += [[], {}, (), set(), [5], [None], [[]], [[5]], [("y", 5)], [b"auc"], {1: 2}, {"a": None}]
ANYTHING += [range(3), np.array([1, 2]), np.array(["auc"]), np.float64(0.1), np.str_("y")]
CALLS: list[dict[str, Any]] = [
    {"source": FRAME, "label": "y", "score": "s", "metrics": "auc"},
    {"source": FRAME, "label": "y", "score": "s", "group": "user", "metrics": "gauc"},
    {"label": [0, 1], "score": [0.2, 0.4], "metrics": "auc"},
    {"source": FRAME, "label": "day", "prediction": "day", "metrics": "kappa"},
    {"source": FRAME, "label": "y", "score": ["s", "t"], "classes": [0, 1], "metrics": "kappa"},
]


def calls() -> Iterator[dict[str, Any]]:
    for place, name in enumerate(name for name in OPTIONS if name != "progress"):
        some = CALLS if random_cases(0, 1) else [CALLS[place % len(CALLS)]]
        yield from (call | {name: value} for call in some for value in ANYTHING)
    yield from (CALLS[0] | {"progress": value} for value in ANYTHING if not callable(value))


def test_options_of_any_type() -> None:
    """An option is used, or refused by us."""
    for call in calls():
        with suppress(sy.SteelyardError):
            assert str(sy.evaluate(**call))


def test_parameters_of_any_type() -> None:
    metrics = [m for m in catalogue.every() if m.reads == "score" and m.family != "groups"]
    for metric, parameter in ((m, p) for m in metrics for p in m.parameters if not m.cut):
        given = {
            p.name: values(metric, p, COLUMN)[0] for p in metric.parameters if p.default is REQUIRED
        }
        for value in ANYTHING:
            with suppress(sy.SteelyardError, sy.UndefinedWarning):
                getattr(sy, metric.function)([0, 1], [0.2, 0.4], **given | {parameter.name: value})


def test_options_of_a_diagnosis_of_any_type() -> None:
    call: dict[str, Any] = {"before": FRAME, "after": FRAME, "label": "y", "score": "s"}
    every, step = [*ANYTHING, pd.NA, None], random_cases(20, 1)
    for place, name in enumerate(options_of(DiagnoseRequest)):
        named = {"where": 5, "group": 5, "earlier": "\0", "over": [[]], "clip": np.float64(0.1)}
        for value in [*every[place % step :: step], named.get(name)]:
            with suppress(sy.SteelyardError):
                assert str(sy.diagnose(**call | {"over": "country", name: value}))


def test_paths_and_names_of_any_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read and written where they are named, or refused by us."""
    monkeypatch.chdir(tmp_path)
    state = sy.state(FRAME, label="y", score="s", metrics="auc")
    result = state.result()
    calls: list[Callable[[Any], Any]] = [sy.load, state.save, sy.Result.from_json]
    calls += [result.to_csv, result.to_html, result.to_json, result.to_markdown, result.plot]
    calls += [lambda value: result[value]]
    scores: dict[str, Any] = {"label": "y", "score": ["s", "t"], "metrics": "accuracy"}
    calls += [lambda value: sy.evaluate(FRAME, classes=[0, value], **scores)]
    for value in [*ANYTHING, "a\0b", b"a\0b", pd.NA, None]:
        for call in calls:
            with suppress(sy.SteelyardError):
                call(value)


@pytest.mark.parametrize("role", ["group", "cluster"])
def test_keys_of_rows_that_are_left_out_may_be_of_any_type(role: str) -> None:
    """Of the rows that are left, or of none at all."""
    keys = np.array([1, "a", 2, 1.5, 2], object)
    for kept in ([], [0, 2, 4], [1]):
        score = np.full(5, np.nan)
        score[kept] = [0.1, 0.5, 0.3][: len(kept)]
        log = {"y": [1, 1, 0, 0, 0], "s": score, "k": keys}
        named: dict[str, Any] = {"label": "y", "score": "s", "nan": "drop", role: "k"}
        result = sy.evaluate(log, metrics="auc", positive=1, **named)
        assert result.rows[0].n == len(kept)


LEFT = {"y": [0, 1], "s": [0.1, 0.2], "user": [1, 2], "day": ["fri", "sat"], "w": [1.0, 2.0]}


@pytest.mark.parametrize("metric", ["gauc", "gauc(w)", "ndcg(group_weight=w)@5"])
@pytest.mark.parametrize("group", ["user", ["user", "day"]])
def test_no_row_of_a_group_is_left(metric: str, group: Any) -> None:
    result = sy.evaluate(LEFT, label="y", score="s", group=group, metrics=metric, where="y > 1")
    assert [(row.value, row.why) for row in result] == [(None, "there are no rows")]
    assert result.groups(metric).to_csv().splitlines()[1:] == []
