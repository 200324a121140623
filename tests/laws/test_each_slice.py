"""Which metrics are computed slice by slice: the others are columns from the rows to the value."""

import sys
from collections import Counter
from types import FrameType
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import kernels
from steelyard.metrics import catalogue
from steelyard.metrics.each_slice import EachSlice
from steelyard.metrics.fold import RangeMetric

CURVES = {"roc", "pr", "gains", "thresholds", "partial_auc"}
LEVELS = ["ece", "dsc", "mcb", "ecce", "hosmer_lemeshow", "calibration_slope"]
SHAPES = ["calibration_curve", "score_histogram"]
# Of a function, for reasons other than slices, of which there are 396 more: sums of few slices take
# a way of their own, so that a fit calls the other one for each digit and step, 193 times.
MORE_CALLS = 250


def test_who_is_computed_slice_by_slice() -> None:
    folds = [each for each in catalogue.every() if isinstance(each, RangeMetric)]
    assert len(folds) > 30
    slow = {each.name for each in folds if isinstance(each, EachSlice)}
    assert slow == CURVES | {"group_values"}


@pytest.mark.parametrize("metric", ["auc", "ap", "ks", "copc", "logloss", "gauc", *LEVELS])
def test_values_are_columns(metric: str) -> None:
    """No function of ours is called once a slice between the rows and the columns of a result."""
    options = {"label": "y", "score": "s", "by": "k", "metrics": metric}
    options |= {"group": "u"} if metric == "gauc" else {}
    calls = [calls_of_functions(each, options) for each in logs()]
    assert sum(calls[0].values()) > 100
    assert {name: n for name, n in calls[1].items() if n > calls[0][name] + MORE_CALLS} == {}


PAIRS = ["spearman", "kendall", "normalized_gini", "median_ae"]


@pytest.mark.parametrize("metric", [*PAIRS, "mae", "max_error"])
def test_kernels_see_all_slices_at_once(metric: str) -> None:
    """No function of the kernels is called once a slice."""
    random = np.random.default_rng(6)
    log = {
        "y": random.lognormal(size=4000),
        "p": random.lognormal(size=4000),
        "w": random.random(4000),
        "k": random.integers(0, 400, 4000),
    }
    few = {**log, "k": log["k"] % 4}
    options = {"label": "y", "prediction": "p", "weight": "w", "by": "k", "metrics": metric}
    calls = [calls_of_functions(each, options) for each in (few, log)]
    more = {name: n for name, n in calls[1].items() if n > calls[0][name] + MORE_CALLS}
    assert not [name for name in more if "/kernels/numpy/" in name]


@pytest.mark.parametrize("metric", ["auc", "calibration_intercept", *LEVELS, *SHAPES])
def test_kernel_calls_do_not_depend_on_slices(metric: str) -> None:
    few, many = (calls_of_kernels(each, metric) for each in logs())
    assert sum(few.values()) > 0
    assert many == few


def logs() -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows of 4 slices, and copies of them in 400, so that each fit takes as many steps."""
    random = np.random.default_rng(5)
    log = {
        "y": random.integers(0, 2, 160),
        "s": random.random(160),
        "k": random.integers(0, 4, 160),
        "u": random.integers(0, 30, 160),
    }
    many = {name: np.tile(column, 100) for name, column in log.items()}
    copy = np.repeat(np.arange(100), 160)
    return log, {**many, "k": many["k"] + 4 * copy, "u": many["u"] + 30 * copy}


def calls_of_kernels(log: dict[str, Any], metric: str) -> Counter[str]:
    """How often each kernel is called, while a log is evaluated."""
    found: Counter[str] = Counter()

    class Counted:
        def __getattr__(self, name: str) -> Any:
            found[name] += 1
            return getattr(kernels.numpy, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "active", Counted)
        sy.evaluate(log, label="y", score="s", by="k", metrics=metric)
    return found


def calls_of_functions(log: dict[str, Any], options: dict[str, Any]) -> Counter[str]:
    """How often each function of ours is called, while a log is evaluated."""
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and "steelyard" in frame.f_code.co_filename:
            found[f"{frame.f_code.co_filename} {frame.f_code.co_qualname}"] += 1

    sys.setprofile(note)
    try:
        sy.evaluate(log, **options)
    finally:
        sys.setprofile(None)
    return found
