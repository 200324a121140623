"""Ways to reach the values of calibration, many classes and regression, and what is right.

The plain function, a table of all metrics at once, and states of parts that are merged in two
orders and sent over the wire: the oracle's value, and the same bits from all of them.
"""

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import isinf, isnan, ulp
from random import Random
from typing import Any

import numpy as np

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import Array, Row, Undefined, Value
from steelyard.tally import Tally
from tests.oracles.answers import Number, Why
from tests.oracles.binary import rounded
from tests.oracles.calibration import Near

UNIT = Fraction(1, 2**53)  # what one rounding may do, relative to a value
Answer = Number | Near | Why


@dataclass(frozen=True)
class Sample:
    """Columns by name, what each is, and why they are here."""

    why: str
    columns: Mapping[str, Array]
    roles: Mapping[str, Any]
    beside: Mapping[str, Any] = field(default_factory=dict)  # what the oracle alone needs

    def __len__(self) -> int:
        return len(self.columns["label"])

    def take(self, rows: Sequence[int]) -> "Sample":
        chosen = np.array(rows, np.intp)
        return replace(self, columns={name: c[chosen] for name, c in self.columns.items()})


@cache
def split(spec: str) -> tuple[str, dict[str, Any]]:
    """`name(key=value, …)@k` read by Python's own parser, not by the library's."""
    written, _, k = spec.partition("@")
    call = ast.parse(written, mode="eval").body
    cut = {"k": int(k)} if k else {}
    if isinstance(call, ast.Name):
        return call.id, cut
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    return call.func.id, {word.arg or "": _value(word.value) for word in call.keywords} | cut


def _value(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


# --- what is right -------------------------------------------------------------------------------


def is_right(value: Value, expected: Answer, roundings: int = 0) -> bool:
    """Whether a value is the oracle's: to the bit, or within so many roundings of its size."""
    if isinstance(expected, Why):
        return isinstance(value, Undefined) and is_reason(value.why, expected.text)
    exact: Number = expected.value if isinstance(expected, Near) else expected
    if isinstance(value, Undefined) or isinf(value):
        return isinf(rounded(exact)) and value == Undefined("it is beyond the largest float64")
    if roundings == 0:
        return repr(value) == repr(rounded(exact))
    size = Fraction(expected.size if isinstance(expected, Near) else exact)
    slack = roundings * UNIT * abs(size) + Fraction(ulp(value))
    return abs(Fraction(value) - Fraction(exact)) <= slack


def is_reason(why: str, expected: str) -> bool:
    """The same words; "…" stands for the rest, which has counts of its own."""
    start, more, _ = expected.partition("…")
    return why.startswith(start) if more else why == expected


def is_close(value: float, expected: Answer, bound: float, least: float = 1e-290) -> bool:
    """Whether a p-value, or what an iteration ends at, is within `bound` of the oracle's.

    least: what is smaller is compared as if it were so large
    """
    if isinstance(expected, Why):
        return False
    exact = float(expected.value if isinstance(expected, Near) else expected)
    return abs(value - exact) <= bound * max(abs(exact), least)


# --- ways to a value -----------------------------------------------------------------------------


def called(function: Callable[..., Any], *given: Any, **more: Any) -> Value:
    """A plain function's number; NaN and exactly one warning stand for no value."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value: float = function(*given, **more)
    if not caught:
        return value
    (warning,) = caught
    assert warning.category is sy.UndefinedWarning, warning.message
    assert isnan(value)
    return Undefined(str(warning.message).partition(" has no value: ")[2])


def table(specs: Sequence[str], data: Sample, **more: Any) -> dict[str, Row]:
    """sy.evaluate, all metrics at once: the row of each spec."""
    result = sy.evaluate(dict(data.columns), metrics=list(specs), **data.roles, **more)
    rows = {row.metric: row for row in result}
    role = next(role for role in ("prediction", "score") if role in data.roles)
    return {spec: rows[printed(spec, role, data)] for spec in specs}


def printed(spec: str, role: str, data: Sample) -> str:
    reads = "prediction" if role == "prediction" or "classes" in data.roles else "score"
    return catalogue.resolve(spec, reads=reads).name


def state_of(specs: Sequence[str], data: Sample, **more: Any) -> Tally:
    return sy.state(dict(data.columns), metrics=list(specs), **data.roles, **more)


def splits(count: int) -> Iterator[list[list[int]]]:
    """Thirds in turn; shuffled, uneven and with an empty part."""
    rows = list(range(count))
    yield [rows[start::3] for start in range(3)]
    shuffled = Random(count).sample(rows, count)
    yield [shuffled[: count // 4], [], shuffled[count // 4 :]]


def tree_by_wire(tallies: Sequence[Tally]) -> Tally:
    """Halves of halves, from the right, each to bytes and back."""
    if len(tallies) == 1:
        return Tally.loads(tallies[0].dumps())
    middle = len(tallies) // 2
    merged = sy.merge(tree_by_wire(tallies[middle:]), tree_by_wire(tallies[:middle]))
    return Tally.loads(merged.dumps())


def assert_merges(
    specs: Sequence[str], data: Sample, ways: Sequence[list[list[int]]], **more: Any
) -> None:
    """The same bytes and the same rows, however the rows came."""
    whole = state_of(specs, data, **more)
    expected = whole.result().rows
    for parts in ways:
        tallies = [state_of(specs, data.take(part), **more) for part in parts]
        for merge in (lambda each: sy.merge(*each), tree_by_wire):
            merged = merge(tallies)
            assert merged.dumps() == whole.dumps(), parts
            assert repr(merged.result().rows) == repr(expected), parts
