"""Every source gives the state that the same rows as arrays give, to the byte.

A state's bytes hold all that a metric can see of the rows, and the tables of metrics show what
arrays give.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.evaluation.saved_state import State
from tests.sources.every_source import SOURCES, Rows

ROWS = 40
DICE = Random(1)


def chosen(*values: Any, dtype: Any = None) -> Any:
    """A column in which each of these values occurs, in no order."""
    every = [*values, *DICE.choices(values, k=ROWS)][: max(ROWS, len(values))]
    return np.array(DICE.sample(every, len(every)), dtype)


CLICK = chosen(0, 0, 1)
CHANCE = chosen(0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
ANY_SCORE = chosen(-0.0, 0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 0.5, 0.5 + 2**-53, 0.1, 3.0)
UGLY = chosen(0.1, 0.2, 0.3, 0.7, 0.0)
COUNTRY = chosen("de", "fr", "né", "New York", "a,b")
DEVICE = chosen("phone", "pc")
GRADE = chosen(0, 0, 1, 2, 4)
BINARY = ["auc", "precision(0.25)", "prevalence"]
RANKING = ["ndcg@3", "map"]


@dataclass(frozen=True)
class Log:
    """Columns and the roles they are read in."""

    why: str
    columns: dict[str, Any]
    roles: dict[str, Any]
    casts: dict[str, str] = field(default_factory=dict)  # types that a text file does not say
    holds: Rows | None = None  # what not every source can hold


LOGS = {
    "any scores": Log(
        "the ends of float64, -0.0 and 0.0, weights from 1e-300 to 1e300; slices alone, crossed",
        {
            "y": CLICK,
            "s": ANY_SCORE,
            "w": chosen(1e-300, 1e300, 0.1, 5e-324, 0.0),
            "country": COUNTRY,
            "device": DEVICE,
        },
        {
            "label": "y",
            "score": {"s": "s"},
            "weight": "w",
            "by": ["country", ("device", "country")],
            "metrics": BINARY,
        },
    ),
    "chances": Log(
        "metrics of calibration, with columns of their own; two scores",
        {"y": CLICK, "s": CHANCE, "t": CHANCE[::-1], "bid": UGLY, "country": COUNTRY},
        {
            "label": "y",
            "score": {"old": "s", "new": "t"},
            "by": "country",
            "metrics": ["copc", "logloss", "ece(3)", "ecpm(bid)", "field_ece(country)"],
        },
    ),
    "float32": Log(
        "scores and weights that have values of their own in float32",
        {"y": CLICK, "s": ANY_SCORE.clip(-1, 1).astype("f4"), "w": UGLY.astype("f4")},
        {"label": "y", "score": {"s": "s"}, "weight": "w", "metrics": BINARY},
        casts={"s": "FLOAT", "w": "FLOAT"},
    ),
    "booleans": Log(
        "labels that are booleans, weights that are whole",
        {"y": CLICK == 1, "s": CHANCE, "w": chosen(0, 1, 2, 255)},
        {"label": "y", "score": {"s": "s"}, "weight": "w", "metrics": BINARY},
    ),
    "signs": Log(
        "labels -1 and +1, slices that are whole numbers",
        {"y": 2 * CLICK - 1, "s": CHANCE, "hour": chosen(0, 9, 10, -1)},
        {"label": "y", "score": {"s": "s"}, "by": "hour", "metrics": BINARY},
        casts={"hour": "BIGINT"},
    ),
    "text labels": Log(
        "labels that are text, one of which is the positive one",
        {"y": np.array(["no", "yes"])[CLICK], "s": CHANCE},
        {"label": "y", "score": {"s": "s"}, "positive": "yes", "metrics": BINARY},
    ),
    "wide weights": Log(
        "whole weights that float64 does not hold",
        {"y": CLICK, "s": CHANCE, "w": chosen(2**62, 2**62 + 1, 2**63 - 1, 2**53 + 1, 3)},
        {"label": "y", "score": {"s": "s"}, "weight": "w", "metrics": BINARY},
        casts={"w": "BIGINT"},
    ),
    "unsigned weights": Log(
        "whole weights beyond int64",
        {"y": CLICK, "s": CHANCE, "w": chosen(2**64 - 1, 2**63, 7, dtype=np.uint64)},
        {"label": "y", "score": {"s": "s"}, "weight": "w", "metrics": BINARY},
        casts={"w": "UBIGINT"},
    ),
    "trials": Log(
        "aggregated rows",
        {"clicks": CLICK + GRADE, "views": CLICK + GRADE + chosen(0, 3, 17), "s": CHANCE},
        {"label": "clicks", "trials": "views", "score": {"s": "s"}, "metrics": BINARY},
    ),
    "no rows": Log(
        "columns without a row",
        {"y": np.zeros(0, np.int64), "s": np.zeros(0), "u": np.zeros(0, "U3")},
        {"label": "y", "score": {"s": "s"}, "by": "u", "group": "u", "metrics": [*BINARY, "gauc"]},
        holds="no rows",
    ),
    "text keys": Log(
        "groups by text, with documents, weights of groups and slices",
        {
            "y": GRADE,
            "s": chosen(0.0, 0.5, 0.5, 1.0),
            "u": COUNTRY,
            "d": np.array([f"d{place * 7 % ROWS}" for place in range(ROWS)]),
            "per": np.char.str_len(COUNTRY) * 0.3,
            "device": DEVICE,
        },
        {
            "label": "y",
            "score": {"s": "s"},
            "group": "u",
            "document": "d",
            "by": "device",
            "metrics": [*RANKING, "map(ties=trec)", "map(group_weight=per)", "ndcg(ties=stable)"],
        },
    ),
    "empty text": Log(
        "slices and groups by text that may be empty",
        {"y": CLICK, "s": CHANCE, "u": chosen("", "a", " ", "NULL", "nan")},
        {"label": "y", "score": {"s": "s"}, "by": "u", "group": "u", "metrics": [*BINARY, "gauc"]},
    ),
    "two keys": Log(
        "groups by text and number, which one alone does not distinguish; row weights",
        {"y": CLICK, "s": CHANCE, "w": UGLY, "u": COUNTRY, "part": chosen(1, 2, 12)},
        {
            "label": "y",
            "score": {"s": "s"},
            "weight": "w",
            "group": ["u", "part"],
            "metrics": ["gauc", *RANKING],
        },
        casts={"part": "BIGINT"},
    ),
    "wide keys": Log(
        "groups by the ends of int64, and by neighbours that float64 would not distinguish",
        {"y": GRADE, "s": CHANCE, "u": chosen(-(2**63), 2**63 - 1, 2**53, 2**53 + 1, 0)},
        {"label": "y", "score": {"s": "s"}, "group": "u", "metrics": RANKING},
        casts={"u": "BIGINT"},
    ),
    "unsigned keys": Log(
        "groups by whole numbers beyond int64",
        {"y": GRADE, "s": CHANCE, "u": chosen(2**64 - 1, 2**63, 1, dtype=np.uint64)},
        {"label": "y", "score": {"s": "s"}, "group": "u", "metrics": RANKING},
        casts={"u": "UBIGINT"},
    ),
    "float keys": Log(
        "groups by whole floats, which are whole numbers",
        {"y": GRADE, "s": CHANCE, "u": chosen(-0.0, 0.0, 1.0, 2.0**53)},
        {"label": "y", "score": {"s": "s"}, "group": "u", "metrics": RANKING},
        casts={"u": "DOUBLE"},
    ),
    "not retrieved": Log(
        "rows without a score that were judged",
        {"y": GRADE, "s": chosen(np.nan, 0.5, 0.25, 1.0), "u": COUNTRY},
        {
            "label": "y",
            "score": {"s": "s"},
            "group": "u",
            "unscored": "not_retrieved",
            "metrics": RANKING,
        },
        holds="NaN",
    ),
    "dropped": Log(
        "rows without a score that are left out, and counted in their slices",
        {"y": CLICK, "s": chosen(np.nan, 0.5, 0.25, 1.0), "country": COUNTRY},
        {"label": "y", "score": {"s": "s"}, "by": "country", "nan": "drop", "metrics": BINARY},
        holds="NaN",
    ),
    "classes": Log(
        "true and predicted classes",
        {"y": COUNTRY, "p": chosen("de", "fr", "né", "at"), "w": UGLY, "device": DEVICE},
        {
            "label": "y",
            "prediction": {"p": "p"},
            "weight": "w",
            "by": "device",
            "metrics": ["accuracy", "mcc"],
        },
    ),
    "class scores": Log(
        "a score per class",
        {"y": chosen("x", "y"), "a": CHANCE, "b": 1 - CHANCE, "w": UGLY, "device": DEVICE},
        {
            "label": "y",
            "score": ["a", "b"],
            "classes": ["x", "y"],
            "weight": "w",
            "by": "device",
            "metrics": ["auc", "logloss", "top_k_accuracy(1)"],
        },
    ),
    "numbers": Log(
        "true and predicted numbers, with slices",
        {"y": ANY_SCORE.clip(-9, 9), "p": UGLY + GRADE, "w": UGLY, "country": COUNTRY},
        {
            "label": "y",
            "prediction": {"p": "p"},
            "weight": "w",
            "by": "country",
            "metrics": ["r2", "mae", "max_error", "spearman", "bias"],
        },
    ),
}


CASTABLE = ("label", "score", "prediction", "weight", "trials", "group", "document", "by")


def with_casts(role: Any, casts: Mapping[str, str]) -> Any:
    """A role, each column of it that has a cast as an SQL expression."""
    if isinstance(role, str):
        return f"CAST({role} AS {casts[role]})" if role in casts else role
    if isinstance(role, dict):
        return {name: with_casts(column, casts) for name, column in role.items()}
    return type(role)(with_casts(column, casts) for column in role)


def under_the_names_of(other: State, state: State) -> State:
    """A state that calls source and columns as another does, which knows them without casts."""
    names = {name: getattr(other.conventions, name) for name in ("roles", "scores", "by", "group")}
    conventions = replace(state.conventions, **names)
    return State(state.plan, replace(state.kept, conventions=conventions))


@pytest.mark.parametrize("source", [name for name in SOURCES if name != "mapping"])
@pytest.mark.parametrize("name", LOGS)
def test_every_source_gives_the_bytes_of_arrays(name: str, source: str, tmp_path: Path) -> None:
    log, way = LOGS[name], SOURCES[source]
    if log.holds and log.holds in way.cannot_hold:
        pytest.skip(way.cannot_hold[log.holds])
    casts = {} if way.keeps_types else log.casts
    cast = {role: with_casts(log.roles[role], casts) for role in CASTABLE if role in log.roles}
    found = sy.state(way.make(log.columns, tmp_path), **log.roles | cast)
    expected = sy.state(log.columns, **log.roles)
    assert under_the_names_of(expected, found).dumps() == expected.dumps()


def test_the_day_of_a_path_is_a_column(tmp_path: Path) -> None:
    columns = {"y": np.arange(40) % 3 == 0, "s": np.arange(40) % 7, "u": np.arange(40) % 5}
    roles: dict[str, Any] = {"label": "y", "score": "s", "group": ["u", "day"], "by": "day"}
    days = (np.arange(40) // 11).astype(str)  # a path is text
    expected = sy.state({**columns, "day": days}, **roles)
    found = sy.state(SOURCES["partitioned"].make(columns, tmp_path), **roles)
    assert under_the_names_of(expected, found).dumps() == expected.dumps()
    assert found.result().row("gauc").details["groups"] == 20
