"""Columns of values: exact quotients, and the reasons for no value."""

from collections.abc import Mapping, Sequence
from math import isinf, nan
from typing import Any

import numpy as np

from steelyard.kernels.quotients import quotient
from steelyard.metrics.division import (
    FEW,
    NO_NEGATIVES,
    NO_POSITIVES,
    NO_ROWS,
    TOO_LARGE,
    ratios,
    root_quotient,
)
from steelyard.model import AnyValue, Array, Floats
from steelyard.result.metric_column import ABSENT, MetricColumn
from steelyard.views.digit_column import DigitColumn

# A list, of metrics that are computed slice by slice.
ValueColumn = MetricColumn | Sequence[AnyValue]


def quotient_values(
    numerators: Array, denominators: Array, why: str, known: Mapping[int, str] | None = None
) -> MetricColumn:
    """Exact quotients, each rounded once, and no value where a denominator is 0.

    why: the reason where it is 0; known: reasons that come before it, by position
    """
    if len(numerators) <= FEW and np.ndim(denominators):
        return _few_quotients(numerators.tolist(), denominators.tolist(), why, known or {})
    zeros = np.flatnonzero(denominators == 0).tolist()
    if zeros:
        denominators = np.where(denominators == 0, 1, denominators)
    numbers = ratios(numerators, denominators)
    whys = dict.fromkeys(np.flatnonzero(np.isinf(numbers)).tolist(), TOO_LARGE)
    whys |= dict.fromkeys(zeros, why) | dict(known or {})
    if whys:
        numbers[list(whys)] = np.nan
    return MetricColumn(numbers, whys)


def _few_quotients(
    numerators: list[Any], denominators: list[Any], why: str, known: Mapping[int, str]
) -> MetricColumn:
    """The same one by one: of few slices, five calls of NumPy take longer."""
    numbers, whys, zeros = [], dict[int, str](), dict[int, str]()
    for place, (above, below) in enumerate(zip(numerators, denominators, strict=True)):
        if below == 0:
            zeros[place] = why
        number = float(quotient(above, below or 1))
        if isinf(number):
            whys[place] = TOO_LARGE
        numbers.append(number)
    whys |= zeros | dict(known)
    for place in whys:
        numbers[place] = nan
    return MetricColumn(np.array(numbers, np.float64), whys)


def root_quotient_values(
    numerators: Array, squares: Array, whys: Mapping[int, str]
) -> MetricColumn:
    """Exact numerator / √square of each slice, rounded once; whys: reasons, where a square is 0."""
    safe = np.where(squares == 0, 1, squares)
    numbers = np.asarray(np.frompyfunc(root_quotient, 2, 1)(numerators, safe), np.float64)
    infinite = dict.fromkeys(np.flatnonzero(np.isinf(numbers)).tolist(), TOO_LARGE)
    return without(MetricColumn(numbers), infinite | dict(whys))


def without(column: MetricColumn, whys: Mapping[int, str]) -> MetricColumn:
    """The same values, but none at some positions, for these reasons."""
    if not whys:
        return column
    numbers = column.numbers.copy()
    numbers[list(whys)] = np.nan
    return MetricColumn(numbers, {**column.whys, **whys}, column.details)


def digit_ratios(numerators: DigitColumn, denominators: DigitColumn) -> Floats:
    """Quotients of exact numbers, each rounded once; infinite beyond float64."""
    power = min(numerators.power, denominators.power)
    return ratios(numerators.integers(power), denominators.integers(power))


def digit_quotients(numerators: DigitColumn, denominators: DigitColumn, why: str) -> MetricColumn:
    """The same as values, and no value where a denominator is 0, which is the reason `why`."""
    power = min(numerators.power, denominators.power)
    return quotient_values(numerators.integers(power), denominators.integers(power), why)


def at_places(parts: Sequence[tuple[Array, ValueColumn]], count: int) -> ValueColumn:
    """Values of some places each, which are all places, as one column.

    The last value of a place counts.
    """
    if len(parts) == 1:
        return parts[0][1]
    if not all(isinstance(values, MetricColumn) for _, values in parts):
        found: list[Any] = [None] * count
        for places, values in parts:
            for place, value in zip(places.tolist(), values, strict=True):
                found[place] = value
        return found
    numbers, whys = np.full(count, np.nan), dict[int, str]()
    details: dict[str, list[Any]] = {}
    for places, values in parts:
        assert isinstance(values, MetricColumn)
        numbers[places] = values.numbers
        whys |= {int(places[place]): why for place, why in values.whys.items()}
        for name, column in values.details.items():
            known = details.setdefault(name, [ABSENT] * count)
            for place, detail in zip(places.tolist(), column, strict=True):
                known[place] = detail
    return MetricColumn(numbers, whys, details)


def missing_classes(positives: Array, negatives: Array, required: tuple[str, ...]) -> Array:
    """For each slice the reason for no value, if a required class has no rows; else None."""
    no_positives, no_negatives = positives == 0, negatives == 0
    found = np.full(len(positives), None, object)
    if "negatives" in required:
        found[no_negatives] = NO_NEGATIVES
    if "positives" in required:
        found[no_positives] = NO_POSITIVES
    found[no_positives & no_negatives] = NO_ROWS
    return found
