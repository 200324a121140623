"""Other tools' packages and data: a test that lacks one is skipped, and says so."""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steelyard.model import Array
from tests.paths import SHARED


def package(name: str, distribution: str) -> Any:
    """The module; LightGBM and XGBoost without OpenMP raise errors of their own on import."""
    try:
        return import_module(name)
    except Exception as error:
        pytest.skip(
            f"NO {name.upper()}: the package {distribution} cannot be imported ({error}), so that "
            "parity with it was not checked; make setup installs it where it has wheels"
        )


def shared(*parts: str) -> Path:
    """A file of the reference data, which is not part of this repository."""
    path = SHARED.joinpath("data", *parts)
    if not path.exists():
        pytest.skip(
            f"NO REFERENCE DATA: {path.name} is not in {path.parent}, so the numbers of this test "
            f"were not checked; set STEELYARD_SHARED to the folder that holds data/{parts[0]}"
        )
    return path


# --- what LightGBM and XGBoost say of given scores ------------------------------------------------
# Both weigh the raw score before the first tree, which is the one given: init_score, base_margin.


def lightgbm_says(
    label: Array, score: Array, sizes: Array, metric: str, weight: Array | None = None
) -> float:
    """`metric` is "ndcg@5" or "map@5"; `weight` is of rows, and a query has their mean."""
    lightgbm = package("lightgbm", "lightgbm")
    quiet = {"verbose": -1, "num_threads": 1}
    nothing = np.zeros((len(label), 1))
    rows = lightgbm.Dataset(
        nothing, label, group=sizes, init_score=score, weight=weight, params=quiet
    )
    name, k = metric.split("@")
    settings = {"objective": "lambdarank", "metric": name, "eval_at": [int(k)], **quiet}
    ((_, called, value, *_),) = lightgbm.Booster(settings, rows).eval_train()
    assert called == metric
    return float(value)


def xgboost_says(
    label: Array, score: Array, sizes: Array, metric: str, weight: Array | None = None, **more: Any
) -> float:
    """`metric` as XGBoost spells it: "ndcg", "map@5-", "pre@3"; `weight` is of queries."""
    xgboost = package("xgboost", "xgboost-cpu")
    rows = xgboost.DMatrix(np.zeros((len(label), 1)), label, base_margin=score, nthread=1)
    rows.set_group(sizes)
    if weight is not None:
        rows.set_weight(weight)
    settings = {"objective": "rank:ndcg", "eval_metric": metric, "nthread": 1, **more}
    said = xgboost.Booster(settings, [rows]).eval(rows, "x")
    _, value = said.split(f"\tx-{metric}:")
    return float(value)


def boosted(tool: str, metric: str, objective: str, label: Array, raw: Array, **more: Any) -> float:
    """A metric of LightGBM or XGBoost that is not of rankings, of raw scores before any sigmoid."""
    label, raw, nothing = (
        np.asarray(label, float),
        np.asarray(raw, float),
        np.zeros((len(label), 1)),
    )
    if tool == "lightgbm":
        lightgbm = package("lightgbm", "lightgbm")
        quiet = {"verbose": -1, "num_threads": 1}
        rows = lightgbm.Dataset(nothing, label, init_score=raw.ravel(order="F"), params=quiet)
        settings = {"objective": objective, "metric": metric, **quiet, **more}
        return float(lightgbm.Booster(settings, rows).eval_train()[0][2])
    xgboost = package("xgboost", "xgboost-cpu")
    rows = xgboost.DMatrix(nothing, label, base_margin=raw, nthread=1)
    settings = {"objective": objective, "eval_metric": metric, "nthread": 1, **more}
    return float(xgboost.Booster(settings, [rows]).eval(rows, "x").rpartition(":")[2])
