"""Habits of results that are more than one number: several outputs, matrices and reports."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.evaluation.multi_label import matrices
from steelyard.metrics.parameter import count, flag
from steelyard.model import Array
from steelyard.reading.class_scores import is_matrix, named_classes
from steelyard.scikit_learn.habits import (
    Y_PRED,
    Y_TRUE,
    Call,
    Given,
    Habit,
    exact_sum,
    quietly,
    second,
)
from steelyard.scikit_learn.results import (
    ACCURACY,
    ReportRow,
    ReportText,
    confusion_matrix,
    report_text,
)
from steelyard.sources.arrays import as_array

UNIFORM, RAW, BY_VARIANCE = "uniform_average", "raw_values", "variance_weighted"
NAMES = "target_names"
DIGITS = count("digits", 2, least=0, most=100)
RATIOS = ("precision_score", "recall_score", "f1_score")


def _multioutput(given: Given, call: Call) -> Any:
    """The value of each column of a matrix of numbers, and their mean."""
    how = given.pop("multioutput", UNIFORM)
    if isinstance(how, str) and how not in (UNIFORM, RAW, BY_VARIANCE):
        choices = f"{UNIFORM}, {RAW}, {BY_VARIANCE} or weights"
        raise errors.BAD_CHOICE(name="multioutput", value=how, choices=choices)
    if Y_PRED not in given or not (is_matrix(given[Y_TRUE]) or is_matrix(given[Y_PRED])):
        value = call.onward(given)
        return np.array([value]) if isinstance(how, str) and how == RAW else value
    truth, predicted = matrices(given.pop(Y_TRUE), given.pop(Y_PRED))
    columns = [
        {**given, Y_TRUE: truth[:, place], Y_PRED: predicted[:, place]}
        for place in range(truth.shape[1])
    ]
    values = np.array([call.onward(dict(each)) for each in columns])
    if isinstance(how, str) and how == RAW:
        return values
    if isinstance(how, str) and how == UNIFORM:
        return _mean(values, np.ones(len(values)))
    weights = as_array(how) if not isinstance(how, str) else _variances(columns, call)
    if weights.shape != values.shape or weights.dtype.kind not in "biuf":
        raise errors.OUTPUT_WEIGHTS(columns=len(values), shape=weights.shape)
    return _mean(values, weights)


def _mean(values: Array, weights: Array) -> float:
    """The weighted mean of a few values, rounded once."""
    if not (np.isfinite(values).all() and np.isfinite(weights).all()):
        return math.nan
    shares = [Fraction(each) for each in weights.tolist()]
    total = sum(shares)
    if not total:
        return math.nan
    pairs = zip(shares, values.tolist(), strict=True)
    return float(sum(share * Fraction(value) for share, value in pairs) / total)


def _variances(columns: list[Given], call: Call) -> Any:
    """The mean squared distance of each column of y_true from its mean."""
    found = []
    for each in columns:
        weight = each.get("sample_weight")
        mean = np.average(each[Y_TRUE], weights=None if weight is None else as_array(weight))
        flat = np.full(len(each[Y_TRUE]), mean)
        found.append(call.function("mse", {**each, Y_PRED: flat}))
    return np.array(found)


def _matrix(given: Given, call: Call) -> Any:
    return confusion_matrix(call.onward(given))


def _report(given: Given, call: Call) -> Any:
    """The report as a text, or (output_dict) its numbers by name."""
    names = given.pop(NAMES, None)
    as_dictionary = flag("output_dict").take(given.pop("output_dict", False), call.name)
    digits = DIGITS.take(given.pop("digits", 2), call.name)
    if is_matrix(given[Y_TRUE]):
        found, labels, columns, means = _of_labels(given, call)
    else:
        found = call.onward(dict(given))
        labels = found.labels
        columns = [found.precision, found.recall, found.f1, found.support]
        means = _means(found, given, call)
    names = [str(label) for label in (labels if names is None else named_classes(names, NAMES))]
    if len(names) != len(labels):
        shown = ", ".join(map(str, labels))
        raise errors.TARGET_NAMES(count=len(names), classes=len(labels), labels=shown)
    classes = [ReportRow(*row) for row in zip(names, *columns, strict=True)]
    if not as_dictionary:
        return ReportText(report_text(classes, means, digits), found)
    dictionary = {row.name: row.value for row in (*classes, *means)}
    if len(dictionary) < len(classes) + len(means):
        twice = next(name for name in names if [*names, *(m.name for m in means)].count(name) > 1)
        raise errors.CLASS_TWICE(role=NAMES, name=repr(twice))
    return dictionary


def _means(found: Any, given: Given, call: Call) -> list[ReportRow]:
    """Accuracy, which is the micro average of all classes; micro where some are chosen."""
    support = found.support.sum()
    first = ReportRow(ACCURACY, None, None, found.accuracy, support)
    if given.get("labels") is not None:
        every = quietly(call.onward, {**given, "labels": None})
        if not {*every.labels} <= {*found.labels}:
            first = ReportRow.of("micro avg", _averaged("micro", given, call), support)
    return [
        first,
        ReportRow.of("macro avg", found.macro, support),
        ReportRow.of("weighted avg", found.weighted, support),
    ]


def _averaged(average: str | None, given: Given, call: Call) -> list[Any]:
    return [call.function(ratio, {**given, "average": average}) for ratio in RATIOS]


def _of_labels(given: Given, call: Call) -> tuple[None, Any, list[Any], list[ReportRow]]:
    """The parts of the report of a matrix of labels."""
    truth = np.asarray(matrices(given[Y_TRUE], second(given))[0])
    weight = given.get("sample_weight")
    support = truth.sum(axis=0)
    total = support.sum()
    if weight is not None:
        column = as_array(weight)
        support = np.array([exact_sum(column[has == 1].tolist()) for has in truth.T])
        total = exact_sum(support.tolist())
    columns = [*_averaged(None, given, call), support]
    means = [
        ReportRow.of(f"{average} avg", _averaged(average, given, call), total)
        for average in ("micro", "macro", "weighted", "samples")
    ]
    return None, range(truth.shape[1]), columns, means


MULTIOUTPUT = Habit(_multioutput, {"multioutput": UNIFORM}, {"multioutput": "str | _Column"})
MATRIX = Habit(_matrix)
REPORT = Habit(
    _report,
    {NAMES: None, "digits": 2, "output_dict": False},
    {NAMES: "_Column | None", "digits": "int", "output_dict": "bool"},
)
