"""The class report, of predicted classes or of two classes at a threshold."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from steelyard.metrics.class_metrics import NO_VALUE, OneVsRest, Quotient, class_mean
from steelyard.metrics.division import ratio, weights_of
from steelyard.metrics.multiclass.f1 import f1
from steelyard.metrics.multiclass.precision import precision
from steelyard.metrics.multiclass.recall import recall
from steelyard.model import Averages, ClassReport, Floats, Key, Undefined, Value

RATIOS: tuple[Callable[[OneVsRest], Quotient], ...] = (precision, recall, f1)


def class_report(
    labels: tuple[Key, ...],
    cells: Sequence[OneVsRest],
    power: int,
    accuracy: Value,
    zero_division: Any,
) -> ClassReport:
    """The values of each class and their means; a class without a value is left out of the mean."""
    support = [each.tp + each.fn for each in cells]
    values = [[_value(quotient(each), zero_division) for each in cells] for quotient in RATIOS]
    macro, weighted = (
        Averages(*(_or_nan(class_mean(column, weights, labels).value) for column in values))
        for weights in (None, support)
    )
    precisions, recalls, f1s = map(_column, values)
    return ClassReport(
        labels,
        precisions,
        recalls,
        f1s,
        weights_of(support, power),
        _or_nan(accuracy),
        macro,
        weighted,
    )


def _value(quotient: Quotient, zero_division: Any) -> Value:
    found = ratio(*quotient, NO_VALUE)
    return zero_division if isinstance(found, Undefined) and zero_division != "skip" else found


def _or_nan(value: Value) -> float:
    return float("nan") if isinstance(value, Undefined) else float(value)


def _column(values: Sequence[Value]) -> Floats:
    return np.array([_or_nan(value) for value in values], np.float64)
