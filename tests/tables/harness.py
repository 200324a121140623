"""The ways to a value, for every family, and what it means that a value is right."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from inspect import signature
from math import isinf, isnan, ulp
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import kernels
from steelyard.engines import run
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.evaluation.saved_state import State
from steelyard.metrics.catalogue import BoundMetric
from steelyard.model import (
    AnyValue,
    CalibrationCurve,
    ClassConfusion,
    ClassCounts,
    ClassReport,
    Confusion,
    Gains,
    GroupValues,
    PrecisionRecall,
    PrecisionRecallOfClasses,
    PredictedVsTrue,
    Residuals,
    Roc,
    RocOfClasses,
    Row,
    ScoreHistogram,
    ShapeRow,
    Thresholds,
    Undefined,
)
from steelyard.result.result import Result
from steelyard.states import KeyedState
from steelyard.states.base import TOTAL_SLICE
from tests.oracles.answers import Near, Why, rounded
from tests.tables.case import Family, Sample, parsed, resolved

UNIT = Fraction(1, 2**53)  # what one rounding may do, relative to a value
# Shapes that are compared field by field; others are points.
BY_FIELD = (
    *(ClassConfusion, ClassCounts, ClassReport),
    *(ScoreHistogram, GroupValues, Residuals, PredictedVsTrue),
)
BEYOND = Undefined("it is beyond the largest float64")

# --- what is right -------------------------------------------------------------------------------


def is_right(value: Any, expected: Any, roundings: int = 0) -> bool:
    """Whether a value is the oracle's answer.

    To the bit, or within so many roundings of its size and the last one; a reason word by word, in
    which "…" is the rest; curves and matrices number by number.
    """
    if expected is None:  # 0/0 in a column of a table
        return isinstance(value, float) and isnan(value)
    if isinstance(expected, Why):
        return isinstance(value, Undefined) and is_reason(value.why, expected.text)
    if isinstance(expected, list | tuple) and not isinstance(expected, Near):
        parts = plain(value)
        return len(parts) == len(expected) and all(map(is_right, parts, expected))
    if isinstance(expected, float | str) or isinstance(value, int):
        return bool(value == expected)
    exact = expected.value if isinstance(expected, Near) else expected
    if isinstance(value, Undefined) or isinf(value):
        return isinf(rounded(exact)) and value in (rounded(exact), BEYOND)
    if roundings == 0:
        return repr(value) == repr(rounded(exact))
    size = abs(Fraction(expected.size if isinstance(expected, Near) else exact))
    slack = roundings * UNIT * size + Fraction(ulp(value)) / 2
    return abs(Fraction(value) - Fraction(exact)) <= slack


def is_reason(why: str, expected: str) -> bool:
    """The same text; "…" stands for the rest, which has counts of its own."""
    start, more, _ = expected.partition("…")
    return why.startswith(start) if more else _is_same_reason(why, expected)


def _is_same_reason(why: str, other: str) -> bool:
    """Weight 0 is absence: to an oracle, and to a state, such rows lack what a metric needs."""
    return why == other or "there are no rows with a weight above 0" in (why, other)


def plain(value: Any) -> Sequence[Any]:
    """A curve as its points, a matrix as its labels and lines."""
    if isinstance(value, Roc | Thresholds | CalibrationCurve | Gains):
        return list(zip(*(column.tolist() for column in value), strict=True))
    if isinstance(value, PrecisionRecall):  # the last point has no threshold
        return list(zip(*(column.tolist() for column in value), strict=False))
    if isinstance(value, RocOfClasses | PrecisionRecallOfClasses):
        return [(label, plain(curve)) for label, curve in value.items()]
    if isinstance(value, BY_FIELD):
        return [part.tolist() if isinstance(part, np.ndarray) else part for part in value]
    return value if isinstance(value, list | tuple) else ()


def same(left: AnyValue, right: AnyValue) -> bool:
    """The same bits, or the same reason."""
    if isinstance(left, Undefined) and isinstance(right, Undefined):
        return _is_same_reason(left.why, right.why)
    if isinstance(left, float | Undefined | Confusion):
        return repr(left) == repr(right)
    return repr(plain(left)) == repr(plain(right))


def is_close(value: float, expected: Any, bound: float, least: float = 1e-290) -> bool:
    """Whether a value is within a relative bound; what is below `least` counts as that large."""
    exact = float(expected)
    return abs(value - exact) <= bound * max(abs(exact), least)


# --- ways to a value -----------------------------------------------------------------------------


def by_function(spec: str, data: Sample, **options: Any) -> AnyValue:
    """The plain function's value; NaN and exactly one warning stand for no value."""
    function = getattr(sy, resolved(spec, data).metric.function)
    takes = signature(function).parameters
    if "sample_weight" not in takes and "weight" in data.roles:
        # Ranked lists take no weights; a row of weight zero is absent.
        data = data.take([row for row, weight in enumerate(data.weights) if weight])
    given = {**_arguments(spec, data), **options}
    given = {key: value for key, value in given.items() if key in takes}
    return called(function, data.columns["label"], **given)


def _arguments(spec: str, data: Sample) -> dict[str, Any]:
    """The arguments after the label; a parameter that names a column takes the array."""
    columns, roles = data.columns, data.roles
    given = {key: roles[key] for key in ("positive", "unscored") if key in roles}
    given |= {"sample_weight": data.column("weight")}
    if "classes" in roles:
        matrix = np.column_stack([columns[name] for name in roles["score"]])
        given |= {"y_score": matrix, "labels": roles["classes"]}
    else:
        second = "y_pred" if "prediction" in roles else "y_score"
        given[second] = columns[roles[data.reads]]
    if "group" in roles:
        keys = {name: columns[name] for name in roles["group"]}
        given["group"] = keys if len(keys) > 1 else next(iter(keys.values()))
    if "document" in roles:
        given["document"] = columns["document"]
    params = parsed(spec)[1]
    return given | {
        key: columns[value] if isinstance(value, str) and value in columns else value
        for key, value in params.items()
    }


def called(function: Callable[..., Any], *args: Any, **given: Any) -> AnyValue:
    """A function's value; NaN, or no curve of any class, and one warning stand for no value."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value: AnyValue = function(*args, **given)
    if not caught:
        return value
    (warning,) = caught
    assert warning.category is sy.UndefinedWarning, warning.message
    first = value[0] if isinstance(value, tuple) else value
    parts = [*first] if isinstance(first, dict) else np.ravel(np.asarray(first))
    assert all(isnan(part) for part in parts)
    return Undefined(str(warning.message).partition(" has no value: ")[2])


def evaluated(specs: Sequence[str], data: Sample, **options: Any) -> Result:
    """The result of `sy.evaluate`, all specs at once."""
    return sy.evaluate(dict(data.columns), metrics=list(specs), **data.roles, **options)


def result_rows(result: Result, specs: Sequence[str], data: Sample) -> dict[str, Row]:
    """The row of each spec."""
    by_name = {row.metric: row for row in (*result, *result.shapes)}
    return {spec: by_name[resolved(spec, data).name] for spec in specs}


def value_of(row: Row) -> Any:
    """The number or shape of a row, or the reason why there is none."""
    if isinstance(row, ShapeRow) and row.shape is not None:
        return row.shape
    return Undefined(row.why or "") if row.value is None else row.value


def is_number(spec: str, data: Sample) -> bool:
    """Whether a spec is one number; a curve is a shape."""
    return resolved(spec, data).metric.shape is None


def from_state(bound: BoundMetric, state: KeyedState, rows: int | None = None) -> AnyValue:
    """The value of a metric from the state that it needs, in ranges of so many rows."""
    place = bound.state_spec.identity
    [[value]] = run.values([bound], Table({place: state}, 0, 1, TOTAL_SLICE, rows), IN_MEMORY)
    return value


@contextmanager
def ranges_of(rows: int) -> Iterator[None]:
    """Views are cut into ranges of so many rows."""
    engine = type(IN_MEMORY)
    exchange = engine.exchange

    def cut(self: Any, table: Table, key: Any) -> Any:
        return exchange(self, table._replace(rows=rows), key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "exchange", cut)
        yield


@contextmanager
def kernels_in_use(name: str) -> Iterator[None]:
    """One set of kernels is the one in use."""
    chosen = kernels.available()[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "active", lambda: chosen)
        yield


# --- parts, merged -------------------------------------------------------------------------------


def state_of(specs: Sequence[str], data: Sample, **options: Any) -> State:
    return sy.state(dict(data.columns), metrics=list(specs), **data.roles, **options)


def left_to_right(states: Sequence[State]) -> State:
    return sy.merge(*states)


def right_to_left(states: Sequence[State]) -> State:
    return sy.merge(*reversed(states))


def tree_by_bytes(states: Sequence[State]) -> State:
    """Halves of halves, from the right, each to bytes and back."""
    if len(states) == 1:
        return State.loads(states[0].dumps())
    middle = len(states) // 2
    merged = sy.merge(tree_by_bytes(states[middle:]), tree_by_bytes(states[:middle]))
    return State.loads(merged.dumps())


Split = list[list[int]]
Merge = Callable[[Sequence[State]], State]


def thirds(count: int) -> Split:
    return [list(range(start, count, 3)) for start in range(3)]


def every_split(data: Sample) -> Iterator[Split]:
    """Whole, row by row, uneven with an empty part, by label, by thirds; in three orders."""
    rows, labels = list(range(len(data))), data.columns["label"].tolist()
    for order in (rows, rows[::-1], Random(len(rows)).sample(rows, len(rows))):
        cut = len(order) // 4
        yield [order]
        yield [[row] for row in order] or [[]]
        yield [order[:cut], [], order[cut:]]
        of_labels = [[row for row in order if labels[row] == one] for one in set(labels)]
        yield of_labels or [[]]
        yield [order[start::3] for start in range(3)]


def assert_merges(
    specs: Sequence[str],
    data: Sample,
    splits: Sequence[Split],
    merges: Sequence[Merge] = (left_to_right, tree_by_bytes),
    **options: Any,
) -> State:
    """The same bytes, however the rows were split and merged; the state of the last merge."""
    whole = merged = state_of(specs, data, **options)
    for parts in splits:
        states = [state_of(specs, data.take(part), **options) for part in parts]
        for merge in merges:
            merged = merge(states)
            assert merged.dumps() == whole.dumps(), (merge, parts)
    return merged


def shown(result: Result, data: Sample) -> str:
    """Every number of a result: its rows and shapes, and its groups where there are any."""
    groups = list(result.groups()) if "group" in data.roles else None
    return repr((result.rows, result.shapes, groups))


# --- one data set of a family --------------------------------------------------------------------


def check(
    family: Family,
    specs: Sequence[str],
    data: Sample,
    answers: Mapping[str, Any],
    **options: Any,
) -> dict[str, AnyValue]:
    """The value of each spec: right in a table of all of them, and the same by its function."""
    values = check_table(family, specs, data, answers, **options)
    for spec in specs:
        assert same(values[spec], by_function(spec, data, **options)), spec
    return values


def check_table(
    family: Family,
    specs: Sequence[str],
    data: Sample,
    answers: Mapping[str, Any],
    **options: Any,
) -> dict[str, AnyValue]:
    """The value of each spec: right in a table of all of them."""
    result = evaluated(specs, data, **options)
    rows = result_rows(result, specs, data)
    values: dict[str, AnyValue] = {spec: value_of(rows[spec]) for spec in specs}
    for spec, value in values.items():
        expected = answers[spec]
        if family.details is not None and is_number(spec, data):
            expected = family.details(spec, data, rows[spec], result, expected, options)
        allowed = family.roundings.get(parsed(spec)[0], 0)
        assert is_right(value, expected, allowed), (spec, value, expected)
    return values


def check_parts(
    family: Family, values: Mapping[str, AnyValue], data: Sample, **options: Any
) -> None:
    """The same values from thirds of the rows, merged through bytes, in ranges of two rows."""
    parts = [spec for spec in values if family.splits(spec)]
    merged = assert_merges(parts, data, [thirds(len(data))], **options)
    known = result_rows(evaluated(parts, data, **options), parts, data)
    with ranges_of(2):
        found = result_rows(merged.result(), parts, data)
        whole = [spec for spec in values if spec not in found]
        if whole:
            found |= result_rows(evaluated(whole, data, **options), whole, data)
        for spec, value in values.items():
            assert same(value, value_of(found[spec])), spec
            assert spec not in known or found[spec].details == known[spec].details, spec
