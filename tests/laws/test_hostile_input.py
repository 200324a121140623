"""Input that nobody sends on purpose: no rows left, extreme weights, options of any type.

Every call ends in a value, in a reason for having none, or in an error of ours.
"""

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from math import inf, isfinite
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

import steelyard as sy
from steelyard import plan
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.request import OPTIONS, Request
from steelyard.tally import Tally
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
        tally = sy.state(source, label="y", metrics=metrics, **slices)
        result = tally.result()
        assert {row.value for row in result} == {None}
        assert all(row.why for row in result)
        assert Tally.loads(tally.dumps()).result().to_json() == result.to_json()
        assert sy.merge(tally, tally).result().to_dict()["rows"]
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
