"""evaluate, and the plain functions: parse → plan → fold → value."""

import inspect
import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from steelyard import errors, plan
from steelyard.engines import memory
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import Bound
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import Metric
from steelyard.metrics.value import rounded
from steelyard.model import AnyValue, Conventions, Label, PrecisionRecall, Roc, Row, Undefined
from steelyard.result import Result
from steelyard.sources.arrays import read_binary
from steelyard.states import Sample

DEFAULT_METRICS = ("auc", "ap", "ks", "best_f1", "accuracy", "precision", "recall", "f1")


def evaluate(
    source: str | os.PathLike[str] | None = None,
    *,
    label: Any,
    score: Any,
    weight: Any = None,
    metrics: str | Iterable[str] | None = None,
    positive: Label = None,
    nan: str = "error",
) -> Result:
    """A table of metrics of one score: from arrays, or from the named columns of a file.

    >>> evaluate(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics=["auc", "ks"])["auc"]
    0.75
    """
    todo = plan.make(DEFAULT_METRICS if metrics is None else metrics)  # before any row is read
    names = ("label", "score", "weight")
    if source is not None:
        from steelyard.sources import files  # DuckDB takes a tenth of a second to import

        names = (label, score, "weight" if weight is None else weight)
        label, score, weight = files.columns(source, label=label, score=score, weight=weight)
        positive = files.as_written(positive, label)
    batch = read_binary(label, score, weight, positive=positive, nan=nan, names=names)
    states = memory.fold([batch], todo.needs)
    sample = states[plan.SAMPLE]
    assert isinstance(sample, Sample)
    values = plan.values(todo.metrics, states)
    rows = [
        _row(bound.name, names[1], value, sample)
        for bound, value in zip(todo.metrics, values, strict=True)
    ]
    conventions = Conventions(
        nan=batch.reading.nan,
        positive=batch.reading.positive,
        scores={names[1]: names[1]},
        score_types={names[1]: batch.reading.score_type},
        metrics={bound.name: dict(bound.params) for bound in todo.metrics},
    )
    return Result(rows, conventions)


def _row(metric: str, score: str, value: AnyValue, sample: Sample) -> Row:
    return Row(
        metric=metric,
        score=score,
        value=value if isinstance(value, float) else None,
        why=value.why if isinstance(value, Undefined) else None,
        n=int(sample["positives"] + sample["negatives"]),
        positives=int(sample["positives"]),
        negatives=int(sample["negatives"]),
        weighted_positives=rounded(sample["weighted_positives"]),
        weighted_negatives=rounded(sample["weighted_negatives"]),
        prediction_sum=rounded(sample["prediction_sum"]),
        weighted_prediction_sum=rounded(sample["weighted_prediction_sum"]),
        dropped=int(sample["dropped"]),
    )


def plain_function(name: str) -> Callable[..., Any]:
    """The function of a metric's name: `(y_true, y_score, *, sample_weight=None, …)`."""
    metric = catalogue.find(name)

    def function(
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        positive: Label = None,
        nan: str = "error",
        **params: Any,
    ) -> Any:
        _refuse_unknown(name, metric, params)
        bound = catalogue.bind(metric, params)
        batch = read_binary(y_true, y_score, sample_weight, positive=positive, nan=nan)
        states = memory.fold([batch], [plan.need(bound)])
        return _plain(plan.values([bound], states)[0], bound)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "steelyard"
    function.__doc__ = metric.doc
    # inspect looks here first; the type of functions does not know it.
    function.__signature__ = signature(metric)  # type: ignore[attr-defined]
    return function


def signature(metric: Metric) -> inspect.Signature:
    """What the plain function takes; the type stubs are written from it too."""
    parameter, keyword = inspect.Parameter, inspect.Parameter.KEYWORD_ONLY
    empty = inspect.Parameter.empty
    own = [
        parameter(p.name, keyword, default=empty if p.default is REQUIRED else p.default)
        for p in metric.parameters
    ]
    return inspect.Signature(
        [
            parameter("y_true", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            parameter("y_score", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            parameter("sample_weight", keyword, default=None),
            *own,
            parameter("positive", keyword, default=None),
            parameter("nan", keyword, default="error"),
        ]
    )


def _refuse_unknown(name: str, metric: Metric, params: dict[str, Any]) -> None:
    """What Python itself says of a wrong keyword."""
    known = {parameter.name: parameter for parameter in metric.parameters}
    for given in params:
        if given not in known:
            raise errors.unexpected_argument(name, given)
    for parameter in known.values():
        if parameter.default is REQUIRED and parameter.name not in params:
            raise errors.missing_argument(name, parameter.name)


def _plain(value: AnyValue, bound: Bound) -> Any:
    """What users of plain functions get: NaN and one warning where there is no value."""
    if not isinstance(value, Undefined):
        return value
    warnings.warn(errors.no_value(bound.name, value.why), stacklevel=3)
    nan, shape = float("nan"), bound.metric.shape
    if shape in (Roc, PrecisionRecall):
        return shape(np.array([nan]), np.array([nan]), np.array([nan]), nan)
    return nan
