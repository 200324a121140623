"""Every metric with each value of each of its parameters, for tests that go through all of them."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from steelyard.errors import SpecError
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED, Parameter
from steelyard.metrics.record import Metric

# Values to try: of these a parameter takes what it may. Names of columns are given by the test.
NUMBERS = (0.25, 0.5, 1, 2, 3)


def values(metric: Metric, parameter: Parameter, column: str) -> list[Any]:
    """Some values of a parameter: all choices, a few numbers, a column."""
    listed = parameter.wanted.removeprefix("one of ").replace(" or ", " ").split(",")
    texts = [text.strip() for text in listed if text.strip() != "a column"]
    candidates = [*texts, *parameter.choices, True, False, *NUMBERS]
    if parameter.column:
        candidates = [*parameter.choices, column]
    found = []
    for value in candidates:
        try:
            found.append(parameter.take(value, metric.name))
        except SpecError:
            continue
    return list(dict.fromkeys(found))


@cache
def specs(reads: str, column: str) -> tuple[str, ...]:
    """The specs of all metrics that are one number and read a role: one parameter varied each."""
    found = [metric for metric in catalogue.every() if metric.reads == reads]
    return tuple(s for metric in found if metric.shape is None for s in _specs(metric, column))


def _specs(metric: Metric, column: str) -> Iterator[str]:
    given = {p.name: p.default for p in metric.parameters}
    for parameter in metric.parameters:
        if given[parameter.name] is REQUIRED:
            given[parameter.name] = values(metric, parameter, column)[0]
    varied = [
        given | {parameter.name: value}
        for parameter in metric.parameters
        for value in values(metric, parameter, column)
    ]
    names = {}
    for params in [given, *varied]:
        bound = catalogue.bind(metric, params)
        try:
            names[bound.name] = bound.required_columns
        except SpecError:  # some parameters need another one
            continue
    yield from names
