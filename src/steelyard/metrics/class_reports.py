"""The class report, of predicted classes or of two classes at a threshold."""

from collections.abc import Callable, Sequence
from typing import Any

from steelyard.metrics.binary.f1 import f1
from steelyard.metrics.binary.precision import precision
from steelyard.metrics.binary.recall import recall
from steelyard.metrics.class_metrics import NO_VALUE, OneVsRest, Quotient, class_mean, filled
from steelyard.metrics.division import ratio, weights_of
from steelyard.model import Averages, ClassReport, Key, Undefined, Value

RATIOS: tuple[Callable[..., Quotient], ...] = (precision, recall, f1)


def class_report(
    labels: tuple[Key, ...],
    cells: Sequence[OneVsRest],
    power: int,
    accuracy: Value,
    zero_division: Any,
) -> ClassReport:
    """The values of each class and their means; a class without a value is left out of the mean."""
    support = [each.tp + each.fn for each in cells]
    values = [
        [filled(ratio(*quotient(each), NO_VALUE), zero_division) for each in cells]
        for quotient in RATIOS
    ]
    macro, weighted = (
        [class_mean(column, weights, labels) for column in values] for weights in (None, support)
    )
    precisions, recalls, f1s = (each.class_values for each in macro)
    return ClassReport(
        labels,
        precisions,
        recalls,
        f1s,
        weights_of(support, power),
        _or_nan(accuracy),
        Averages(*(_or_nan(each.value) for each in macro)),
        Averages(*(_or_nan(each.value) for each in weighted)),
    )


def _or_nan(value: Value) -> float:
    return float("nan") if isinstance(value, Undefined) else float(value)
