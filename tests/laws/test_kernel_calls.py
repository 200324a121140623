"""Kernel calls of a job: their number does not depend on the number of slices."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import kernels
from steelyard.kernels.interface.elementary import ElementaryKernels
from steelyard.metrics import catalogue
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.parameter import REQUIRED

ROWS = 4000


class CountedKernels:
    """The kernels in use; calls: of each function, how often it was called."""

    def __init__(self) -> None:
        self._kernels, self.calls = kernels.active(), Counter[str]()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self._kernels, name)
        self.calls[name] += 1
        return function


def calls(slices: int, metrics: list[str], **options: Any) -> Counter[str]:
    random = np.random.default_rng(6)
    log = {
        "y": random.integers(0, 2, ROWS),
        "s": random.integers(0, 500, ROWS) / 500,
        "w": random.integers(1, 4, ROWS) / 4,
        "k": np.arange(ROWS) % slices,
        "u": random.integers(0, 900, ROWS),
    }
    counted = CountedKernels()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "active", lambda: counted)
        sy.evaluate(log, label="y", score="s", weight="w", by="k", metrics=metrics, **options)
    return counted.calls


def curve_specs() -> list[str]:
    found = []
    for metric in catalogue.every():
        if isinstance(metric, CurveMetric):
            needed = {p.name: 0.5 for p in metric.parameters if p.default is REQUIRED}
            found.append(catalogue.bind(metric, needed).name)
    return found


@pytest.mark.parametrize("metric", curve_specs())
def test_of_one_curve_metric(metric: str) -> None:
    found = calls(400, [metric])
    assert found == calls(4, [metric])
    assert found["curve_points"] == 2  # of the total, and of the slices


def test_of_all_curve_metrics_at_once() -> None:
    found = calls(400, curve_specs())
    assert found == calls(4, curve_specs())
    assert found["curve_points"] == found["sort_scores"] == 2  # for all of them


def test_of_areas_alone_nothing_is_sorted_and_no_point_is_made() -> None:
    found = calls(400, ["auc", "gini", "pnr"])
    assert found["curve_points"] == 2
    assert not found.keys() & {"sort_scores", "curve_sums", "curve_most", "next_above"}


@pytest.mark.parametrize("metric", ["auc", "gini", "ap"])
def test_of_intervals(metric: str) -> None:
    options = {"cluster": "u", "confidence": 0.9}
    many, few = (calls(slices, [metric], **options) for slices in (400, 4))
    for steps in vars(ElementaryKernels):  # quantiles take steps until none changes a bit
        many.pop(steps, None), few.pop(steps, None)
    assert many == few
    if metric == "ap":
        assert many["sort_scores"] == 2
    else:
        assert many["line_areas"] == many["curve_points"] == 2
        assert "sort_scores" not in many
