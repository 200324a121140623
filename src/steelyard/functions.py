"""The plain functions: one for each name of a metric, from arrays to a number.

A name may have two metrics, one of scores and one of predictions: the arguments decide which. In
functions of counts a second argument of floats is a score, one of integers, booleans or text is a
class.
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from steelyard import errors, plan
from steelyard.engines import run
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.evaluation import estimates, multi_label
from steelyard.evaluation.short_way import short_way
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.class_metrics import AVERAGES, AVERAGING, BINARY
from steelyard.metrics.division import of_no_weight
from steelyard.metrics.group_metrics import GROUP_KEYWORDS, GROUP_SIZES
from steelyard.metrics.parameter import REQUIRED, THRESHOLD
from steelyard.metrics.record import PREDICTION, SCORE, Metric
from steelyard.model import (
    AnyValue,
    Array,
    ClassMean,
    Detailed,
    EstimatedValue,
    Undefined,
    missing_shape,
)
from steelyard.reading.arrays import read_arrays, read_predictions
from steelyard.reading.class_scores import are_classes, is_matrix
from steelyard.reading.lent import lent
from steelyard.report.page import Page
from steelyard.report.page_text import brief
from steelyard.request.arguments import NOT_GIVEN, argument_reader
from steelyard.scikit_learn import names as scikit_learn
from steelyard.sources.arrays import as_array, not_array
from steelyard.states.base import TOTAL_SLICE

Y_TRUE, Y_SCORE, Y_PRED = "y_true", "y_score", "y_pred"
Arguments = dict[str, Any]


def plain_function(name: str) -> Callable[..., Any]:
    """The function of a metric's name: `(y_true, y_score, *, sample_weight=None, …)`."""
    if name not in catalogue.functions():
        raise catalogue.unknown(name)
    metrics = catalogue.functions()[name]
    declared = signature(metrics, scikit_learn.keywords(name))
    read = argument_reader(name, declared)
    short = None if name in scikit_learn.HABITS else short_way(metrics[0])

    def function(*args: Any, **keywords: Any) -> Any:
        if short is not None and (found := short(*args, **keywords)) is not None:
            return found
        try:
            arguments = read(*args, **keywords).items()
        except TypeError:
            _suggest(name, keywords, declared)
            raise
        given = {argument: value for argument, value in arguments if value is not NOT_GIVEN}
        clustered = given.get(estimates.CLUSTER) is not None
        value = scikit_learn.called(name, given, _called)
        if clustered and not isinstance(value, EstimatedValue):
            why = "this call changes its value, or takes a mean of several"
            raise errors.NO_INTERVAL(metric=name, why=why, hint="leave out cluster")
        return value

    function.__name__ = function.__qualname__ = name
    function.__module__ = "steelyard"
    interval = [estimates.HELP] if any(map(estimates.has_interval, metrics)) else []
    function.__doc__ = "\n\n".join([*(brief(Page(metric)) for metric in metrics), *interval])
    # inspect looks here first; the type of functions does not know it.
    function.__signature__ = declared  # type: ignore[attr-defined]
    return function


def _called(name: str, given: Arguments) -> Any:
    """The value of a metric's name for arguments by name."""
    metrics = catalogue.functions()[name]
    interval = {each: given.pop(each) for each in estimates.KEYWORDS if each in given}
    interval = {each: value for each, value in interval.items() if value is not None}
    if interval:
        estimates.checked_confidence(interval.get(estimates.CLUSTER), None)
        _refuse_labels(name, given)
    if is_matrix(given.get(Y_TRUE)):
        if multi_label.takes_labels(metrics):
            return _of_labels(name, metrics, given)
        if GROUP_SIZES in _keywords(metrics[0]):
            _lists_of_rows(name, given)
    _drop_average(name, metrics, given)
    metric = _chosen(metrics, given)
    if len(metrics) > 1:
        _refuse_arguments_of_other(name, metric, given)
    return _value(name, metric, given, **interval)


def _suggest(name: str, keywords: Arguments, declared: inspect.Signature) -> None:
    """Refuses an unknown keyword with the nearest name."""
    for keyword in keywords:
        if keyword not in declared.parameters:
            if keyword in estimates.KEYWORDS:
                raise estimates.no_interval(catalogue.functions()[name][0]) from None
            others = [f"{name}_at_{keyword}"]  # recall(k=3) is recall_at_k
            others += [each for each in _same(name) if keyword in scikit_learn.keywords(each)]
            see = next((f"sy.{each}" for each in others if each in catalogue.functions()), "")
            raise errors.unexpected_argument(name, keyword, declared.parameters, see) from None


def _same(name: str) -> Iterable[str]:
    """The other names of a function."""
    metrics = catalogue.functions()[name]
    return (each for each, others in catalogue.functions().items() if others == metrics)


def _lists_of_rows(name: str, given: Arguments) -> None:
    """Matrices of grades and scores: each row is a list, as in scikit-learn's ndcg_score."""
    for argument in GROUP_KEYWORDS:
        if given.get(argument) is not None:
            raise errors.other_argument(name, "lists", argument)
    if Y_SCORE not in given:
        raise errors.missing_argument(name, Y_SCORE)
    grades, scores = multi_label.matrices(given[Y_TRUE], given[Y_SCORE])
    rows, columns = grades.shape
    given |= {Y_TRUE: grades.ravel(), Y_SCORE: scores.ravel(), GROUP_SIZES: [columns] * rows}


def _drop_average(name: str, metrics: tuple[Metric, ...], given: Arguments) -> None:
    """Drop an average that a score of two classes needs not: the value is the same.

    Over one label, macro, micro and weighted averages are the value itself; binary is what a
    metric of scores means.
    """
    average = given.get("average", NOT_GIVEN)
    if average is NOT_GIVEN:
        return
    is_choice = average is None or isinstance(average, str)
    if metrics[0].averages_labels:
        if not is_choice or average not in AVERAGES:
            raise errors.other_argument(name, "labels", "average")
        del given["average"]
    elif is_choice and len(metrics) > 1 and Y_SCORE in given and not is_matrix(given[Y_SCORE]):
        if Y_PRED in metrics[-1].argument_names:
            needless = average == BINARY and _are_scores(given)
        else:
            needless = average in AVERAGES and "multi_class" not in given
        if needless:
            del given["average"]


def _are_scores(given: Arguments) -> bool:
    """Whether the values are scores, since there is a threshold or one of them has a fraction."""
    if THRESHOLD.name in given:
        return True
    values = _array(Y_SCORE, given[Y_SCORE])
    return values.dtype.kind == "f" and bool((values != np.floor(values)).any())


def _array(name: str, values: Any) -> Array:
    try:
        return as_array(values)
    except ValueError as error:  # rows of different lengths
        raise not_array(name, values, error) from error


def _of_labels(name: str, metrics: tuple[Metric, ...], given: Arguments) -> Any:
    """The value where `y_true` is a matrix of labels."""
    metric, names = metrics[0], [each for metric in metrics for each in metric.argument_names]
    y_true, second = given.pop(Y_TRUE), _pop_second(name, names, given)
    weight = given.pop("sample_weight", None)
    how = {each: given.pop(each) for each in AVERAGING if each in given}
    params = {each.name: given.pop(each.name) for each in metric.parameters if each.name in given}
    for argument in given:
        raise errors.other_argument(name, "label", argument)
    bound = catalogue.bind(metric, params)
    counts = THRESHOLD in metric.parameters
    rows = multi_label.label_rows(y_true, second, weight, classes=counts)
    found = multi_label.averaged(metrics, bound, rows, how)
    return _plain(found, bound, weight, per_class=how.get("average", "") is None)


def _chosen(metrics: tuple[Metric, ...], given: Arguments) -> Metric:
    """The metric of scores, unless the arguments mean that of predictions.

    These are y_pred, average or a matrix; and for counts, values of y_score that are classes by
    their type, if no threshold is given.
    """
    if len(metrics) == 1:
        return metrics[0]
    of_scores, of_predictions = metrics
    only_predictions = {*of_predictions.argument_names, "average"} - {*of_scores.argument_names}
    matrix = any(is_matrix(given.get(name)) for name in of_scores.argument_names)
    if matrix or only_predictions & given.keys():
        return of_predictions
    if Y_PRED not in only_predictions or THRESHOLD.name in given or Y_SCORE not in given:
        return of_scores
    if isinstance(given[Y_SCORE], list | tuple):
        given[Y_SCORE] = _array(Y_SCORE, given[Y_SCORE])  # so that a list is converted once
    return of_predictions if are_classes(given[Y_SCORE]) else of_scores


def _refuse_arguments_of_other(name: str, metric: Metric, given: Arguments) -> None:
    """Refuse arguments that only the other metric of that name takes."""
    taken = {Y_TRUE, Y_SCORE, *_keywords(metric), *metric.argument_names}
    for argument in given:
        if argument not in taken:
            raise errors.other_argument(name, metric.reads, argument)


def _refuse_labels(name: str, given: Arguments) -> None:
    """Refuse intervals of several labels, and of the value of each class."""
    several = is_matrix(given.get(Y_TRUE)) or given.get("average", "") is None
    if several:
        raise errors.other_argument(name, "label", estimates.CLUSTER)


def _value(
    name: str,
    metric: Metric,
    given: Arguments,
    cluster: Any = None,
    confidence: float | None = None,
) -> Any:
    y_true, second = given.pop(Y_TRUE), _pop_second(name, metric.argument_names, given)
    params, read = _split(metric, given)
    # average=None means the value of each class, as in scikit-learn.
    per_class = metric.reads == PREDICTION and params.get("average", "") is None
    if per_class:
        params["average"] = AVERAGES[0]
    bound = catalogue.bind(metric, params)
    if metric.reads == PREDICTION and read.get("positive") is not None:
        plan.refuse_unused_positive([bound], read["positive"])
    matrix = is_matrix(second)
    chosen = "labels" if read.get("labels") is not None and not matrix else ""
    plan.check(
        bound,
        # Without groups the rows of a ranking are one list; a mean of AUCs needs them.
        group=bound.required_columns.graded
        or any(read.get(each) is not None for each in GROUP_KEYWORDS),
        document=read.get("document") is not None,
        unscored=read.get("unscored") == "not_retrieved",
        classes=matrix,
        chosen=chosen,
    )
    reader: Callable[..., Any] = read_arrays if metric.reads == SCORE else read_predictions
    if cluster is not None:
        if bound.cluster_spec is None:
            raise estimates.no_interval(metric)
        share = estimates.checked_confidence(cluster, confidence)
        read[estimates.CLUSTER] = cluster
        rows = reader(y_true, second, required_columns=bound.required_columns, **read)
        value, low, high, why = estimates.value_and_ends(bound, rows, share)
        if why:
            warnings.warn(
                errors.without_interval(bound.name, why), stacklevel=errors.caller_level()
            )
        found = _plain(value, bound, read.get("sample_weight"), per_class=False)
        return EstimatedValue(found, low, high, share)
    state = bound.state_spec.empty()
    rows = reader(y_true, second, required_columns=bound.required_columns, **read)
    with lent():  # the state does not outlive the call
        state.update(rows)
    del rows  # frees memory: the state keeps what it needs
    table = Table({bound.state_spec.identity: state}, 0, 1, TOTAL_SLICE)
    [[value]] = run.values([bound], table, IN_MEMORY)
    return _plain(value, bound, read.get("sample_weight"), per_class=per_class)


def _pop_second(name: str, names: Sequence[str], given: Arguments) -> Any:
    """The score or the prediction, under any of its names."""
    taken = dict.fromkeys((Y_SCORE, *names))
    found = {argument: given.pop(argument) for argument in taken if argument in given}
    if not found:
        raise errors.missing_argument(name, names[0])
    if len(found) > 1:
        raise errors.repeated_argument(name, *list(found)[:2])
    return next(iter(found.values()))


def _split(metric: Metric, given: Arguments) -> tuple[Arguments, Arguments]:
    """A metric's parameters, and the arguments of the reader.

    A parameter that names a column may be given as an array, which then is a column to read.
    """
    own = {each.name: each for each in metric.parameters if each.name in given}
    params = {name: given[name] for name in own}
    read = {name: value for name, value in given.items() if name not in own}
    for name, each in own.items():
        array = each.column and params[name] is not None
        if array and not (each.choices and isinstance(params[name], str)):
            read.setdefault("columns", {})[name] = params[name]
            params[name] = name
    return params, read


def signature(
    metrics: tuple[Metric, ...], added: Mapping[str, Any] = MappingProxyType({})
) -> inspect.Signature:
    """The signature of the plain function of one or two metrics; added: further keywords."""
    keywords = dict(_keywords(metrics[0]))
    names = list(dict.fromkeys(name for metric in metrics for name in metric.argument_names))
    more = [name for metric in metrics[1:] for name in _keywords(metric) if name not in keywords]
    keywords |= dict.fromkeys([*names[1:], *more], NOT_GIVEN)
    if any(map(estimates.has_interval, metrics)):
        keywords |= dict.fromkeys(estimates.KEYWORDS)
    keywords |= added
    second = REQUIRED if len(names) == 1 else NOT_GIVEN
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(Y_TRUE, either),
            _parameter(names[0], second, either),
            *(_parameter(*item, inspect.Parameter.KEYWORD_ONLY) for item in keywords.items()),
        ]
    )


def _parameter(name: str, default: Any, kind: Any) -> inspect.Parameter:
    empty = inspect.Parameter.empty
    return inspect.Parameter(name, kind, default=empty if default is REQUIRED else default)


def _keywords(metric: Metric) -> Arguments:
    """The keyword arguments of the plain function, in order, with their defaults."""
    before, after = metric.reading_keywords
    return before | {each.name: each.default for each in metric.parameters} | after


def _is_missing(value: AnyValue) -> bool:
    return isinstance(getattr(value, "value", value), Undefined)


def _are_zero(weights: Any) -> bool:
    found = as_array(weights)
    return len(found) > 0 and not any(found.tolist())


def _plain(value: AnyValue, bound: BoundMetric, weights: Any, *, per_class: bool) -> Any:
    """The value that a plain function returns: NaN, with a warning, where there is none."""
    if per_class and isinstance(value, ClassMean):
        return value.class_values
    if weights is not None and _is_missing(value) and _are_zero(weights):
        value = of_no_weight(value)
    if isinstance(value, ClassMean | Detailed):
        value = value.value
    if not isinstance(value, Undefined):
        return value
    warnings.warn(errors.no_value(bound.name, value.why), stacklevel=errors.caller_level())
    return missing_shape(bound.metric.shape)
