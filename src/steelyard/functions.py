"""The plain functions: one for each name of a metric, which gives a number for arrays.

A name may be two metrics, one of scores and one of predictions: what is given decides.
"""

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from steelyard import errors, plan
from steelyard.engines.memory import ENGINE
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import PREDICTION, SCORE, Metric
from steelyard.model import (
    AnyValue,
    CalibrationCurve,
    ClassMean,
    Detailed,
    PrecisionRecall,
    Roc,
    Undefined,
)
from steelyard.reading.arrays import read_arrays, read_predictions
from steelyard.reading.class_scores import is_matrix
from steelyard.report.page import page_of
from steelyard.report.page_text import brief
from steelyard.states.base import TOTAL_SLICE

FIRST, SECOND = "y_true", "y_score"
Arguments = dict[str, Any]
NOT_GIVEN: Any = ...  # of words that may be left out where None would say something


def plain_function(name: str) -> Callable[..., Any]:
    """The function of a metric's name: `(y_true, y_score, *, sample_weight=None, …)`."""
    catalogue.find(name)  # complains of a name that nobody has
    metrics = catalogue.functions()[name]
    shape = signature(metrics)
    known = {each.name: each.default for each in shape.parameters.values()}
    places = list(known)[:2]

    def function(*args: Any, **given: Any) -> Any:
        given = _given(name, places, args, given)
        _refuse_unknown(name, known, given)
        given = {word: value for word, value in given.items() if value is not NOT_GIVEN}
        metric = _chosen(metrics, given)
        if len(metrics) > 1:
            _refuse_others(name, metric, given)
        return _value(name, metric, given)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "steelyard"
    function.__doc__ = _help(metrics)
    # inspect looks here first; the type of functions does not know it.
    function.__signature__ = shape  # type: ignore[attr-defined]
    return function


def _given(name: str, places: list[str], args: tuple[Any, ...], given: Arguments) -> Arguments:
    """What was given, by name."""
    if len(args) > len(places):
        raise errors.too_many_arguments(name, len(places), len(args))
    for place, value in zip(places, args, strict=False):
        if place in given:
            raise errors.argument_twice(name, place)
        given[place] = value
    return given


def _chosen(metrics: tuple[Metric, ...], given: Arguments) -> Metric:
    """Of two metrics the one of scores, unless y_pred, average or a matrix asks for the other."""
    if len(metrics) == 1:
        return metrics[0]
    of_scores, of_predictions = metrics
    said = {*of_predictions.argument_names, "average"} - {*of_scores.argument_names}
    matrix = any(is_matrix(given.get(word)) for word in of_scores.argument_names)
    if matrix or said & given.keys():
        return of_predictions
    if "y_pred" in said and _is_words(given.get(SECOND)):
        raise errors.TEXT_AS_SCORES(metric=of_scores.name)
    return of_scores


def _is_words(values: Any) -> bool:
    """A list or an array that starts with a word."""
    first = next(iter(values), None) if isinstance(values, list | tuple | np.ndarray) else None
    return isinstance(first, str)


def _refuse_others(name: str, metric: Metric, given: Arguments) -> None:
    """What only the other metric of that name takes."""
    for word in given:
        if word not in (FIRST, SECOND) and word not in _takes(metric):
            raise errors.other_argument(name, metric.reads, word)


def _takes(metric: Metric) -> set[str]:
    return {*_keywords(metric), *metric.argument_names}


def _value(name: str, metric: Metric, given: Arguments) -> Any:
    y_true, second = given.pop(FIRST), _second(name, metric, given)
    params, read = _apart(metric, given)
    # The values of the classes, as scikit-learn has it.
    each = metric.reads == PREDICTION and params.get("average", "") is None
    if each:
        del params["average"]
    bound = catalogue.bind(metric, params)
    plan.check(bound, document=read.get("document") is not None, classes=is_matrix(second))
    state = bound.state_spec.empty()
    reader: Callable[..., Any] = read_arrays if metric.reads == SCORE else read_predictions
    rows = reader(y_true, second, required_columns=bound.required_columns, **read)
    state.update(rows)
    del rows  # the state has what it needs of it
    table = plan.Table({bound.state_spec.identity: state}, 0, 1, TOTAL_SLICE)
    [[value]] = plan.values([bound], table, ENGINE)
    return _plain(value, bound, each=each)


def _second(name: str, metric: Metric, given: Arguments) -> Any:
    """The score or the prediction, by whichever of its names it was given."""
    found = {word: given.pop(word) for word in (SECOND, *metric.argument_names) if word in given}
    if not found:
        raise errors.missing_positional(name, [metric.argument_names[0]])
    if len(found) > 1:
        raise errors.repeated_argument(name, *list(found)[:2])
    return next(iter(found.values()))


def _apart(metric: Metric, given: Arguments) -> tuple[Arguments, Arguments]:
    """A metric's parameters, and what is read: where one names a column, that may be the array."""
    own = {each.name: each for each in metric.parameters if each.name in given}
    params = {name: given[name] for name in own}
    read = {name: value for name, value in given.items() if name not in own}
    for name, each in own.items():
        array = each.column and params[name] is not None
        if array and not (each.choices and isinstance(params[name], str)):
            read.setdefault("columns", {})[name] = params[name]
            params[name] = name
    return params, read


def signature(metrics: tuple[Metric, ...]) -> inspect.Signature:
    """What the plain function takes; the type stubs are written from it too."""
    keywords = dict(_keywords(metrics[0]))
    words = list(dict.fromkeys(word for metric in metrics for word in metric.argument_names))
    more = [name for metric in metrics[1:] for name in _keywords(metric) if name not in keywords]
    keywords |= dict.fromkeys([*words[1:], *more], NOT_GIVEN)
    second = REQUIRED if len(words) == 1 else NOT_GIVEN
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(FIRST, either),
            _parameter(words[0], second, either),
            *(_parameter(*item, inspect.Parameter.KEYWORD_ONLY) for item in keywords.items()),
        ]
    )


def _parameter(name: str, default: Any, kind: Any) -> inspect.Parameter:
    empty = inspect.Parameter.empty
    return inspect.Parameter(name, kind, default=empty if default is REQUIRED else default)


def _keywords(metric: Metric) -> Arguments:
    """The keywords of the plain function, in order, and their defaults."""
    before, after = metric.roles_of_function
    return before | {each.name: each.default for each in metric.parameters} | after


def _refuse_unknown(name: str, known: Arguments, given: Arguments) -> None:
    """What Python itself says of a wrong keyword."""
    for word in given:
        if word not in known:
            raise errors.unexpected_argument(name, word)
    needed = [word for word, default in known.items() if default is inspect.Parameter.empty]
    absent = [word for word in needed if word not in given]
    positional = [word for word in absent if word in list(known)[:2]]
    if positional:
        raise errors.missing_positional(name, positional)
    for word in absent:
        raise errors.missing_argument(name, word)


def _plain(value: AnyValue, bound: BoundMetric, *, each: bool) -> Any:
    """What users of plain functions get: NaN and one warning where there is no value."""
    if each and isinstance(value, ClassMean):
        return value.class_values
    if isinstance(value, ClassMean | Detailed):
        value = value.value
    if not isinstance(value, Undefined):
        return value
    warnings.warn(errors.no_value(bound.name, value.why), stacklevel=4)
    nan, shape = float("nan"), bound.metric.shape
    if shape in (Roc, PrecisionRecall):
        return shape(np.array([nan]), np.array([nan]), np.array([nan]), nan)
    if shape is CalibrationCurve:
        return shape(np.array([nan]), np.array([nan]), np.array([nan]))
    return nan


def _help(metrics: tuple[Metric, ...]) -> str:
    """The pages of the metrics, in brief."""
    return "\n\n".join(brief(page_of(metric)) for metric in metrics)
