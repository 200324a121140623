"""The ways a group metric's value can be reached, and what it means that a value is right."""

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isnan
from typing import Any, NamedTuple

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import Row, Undefined, Value
from steelyard.result import Result
from tests.oracles.answers import Number, Why
from tests.oracles.group_rows import Key, Line, Lines, nearest
from tests.tables.group_data import COLUMN, GroupData
from tests.tables.group_table import CUT, EXACT, GROUPED, answer_on, parse
from tests.tables.harness import value_of

UNIT = Fraction(1, 2**53)  # what one rounding may do, relative to a value

# A sum of n terms that are none below zero is off by at most n − 1 roundings, and by those of the
# worst term. `a·n + b` is how many a metric's group may have; n is how many rows have a rank
# within the cut. What other metrics have is the exact value, rounded once.
ROUNDINGS = {
    "cg": (1, 3),  # the block's mean, each sum
    "dcg": (1, 5),  # the discount and its product too
    "ndcg": (2, 11),  # two such sums, one division
    "map": (1, 8),  # r/n, the share of those above, the precision; R at the end
    "mrr": (3, 4),  # each chance comes of the one before by two roundings
    "hit_rate": (3, 4),
    "rbp": (2, 5),  # p^i is a product of i factors
    "err": (6, 8),  # the block's symmetric means, each from those of a row less
}


class Reported(NamedTuple):
    """A line of the group table, as the library has it."""

    rows: int
    positives: int
    weight: int | float  # a whole weight as it is, however large
    value: float | None


# --- (a) the plain function ----------------------------------------------------------------------


def by_function(spec: str, data: GroupData) -> Value:
    """sy.<metric>; NaN and exactly one warning stand for no value."""
    found = parse(spec)
    if found.name not in GROUPED and data.weight is not None:
        # A list takes no weights; those of zero are what is absent.
        data = data.take([place for place, weight in enumerate(data.weight) if weight])
    name = f"{found.name}_at_k" if found.name in CUT else found.name
    function = getattr(sy, name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value: float = function(
            data.columns()["label"], data.columns()["score"], **arguments(spec, data)
        )
    if not caught:
        return value
    (warning,) = caught
    assert warning.category is sy.UndefinedWarning, warning.message
    assert isnan(value)
    return Undefined(str(warning.message).partition(" has no value: ")[2])


def arguments(spec: str, data: GroupData) -> dict[str, Any]:
    """What the function takes beside label and score: columns are arrays."""
    found, columns = parse(spec), data.columns()
    given = dict(found.params)
    if found.k is not None:
        given["k"] = found.k
    if data.group:
        keys = {name: columns[name] for name in data.key_names}
        given["group"] = keys["key0"] if len(keys) == 1 else keys
    if given.get("group_weight") == COLUMN:
        given["group_weight"] = columns[COLUMN]
    if data.weight is not None and found.name in GROUPED:
        given["sample_weight"] = columns["weight"]
    if given.get("ties") == "trec":
        given["document"] = columns["document"]
    if data.unscored and found.name not in GROUPED:
        given["unscored"] = "not_retrieved"
    return given


# --- (b) the table, (c) tallies ------------------------------------------------------------------


def roles(data: GroupData) -> dict[str, Any]:
    """What evaluate and state are told: columns are names."""
    given: dict[str, Any] = {"label": "label", "score": "score"}
    names = data.key_names
    given["group"] = names[0] if len(names) == 1 else names
    if data.weight is not None:
        given["weight"] = "weight"
    if data.document is not None:
        given["document"] = "document"
    if data.unscored:
        given["unscored"] = "not_retrieved"
    return given


def result_of(specs: Sequence[str], data: GroupData) -> Result:
    return sy.evaluate(data.columns(), metrics=list(specs), **roles(data))


def state_of(specs: Sequence[str], data: GroupData, whole: GroupData | None = None) -> Any:
    """The tally of some rows, read as the whole is read."""
    return sy.state(data.columns(), metrics=list(specs), **roles(whole or data))


def values_of(specs: Sequence[str], data: GroupData) -> list[Value]:
    rows = {row.metric: row for row in result_of(specs, data)}
    return [value_of(rows[printed(spec)]) for spec in specs]


def printed(spec: str) -> str:
    return catalogue.resolve(spec).name


def group_table(result: Result, spec: str, data: GroupData) -> dict[Key, Reported]:
    """(d) The lines of `result.groups`, by key."""
    table = result.groups(printed(spec))
    found = {}
    for line in table:
        key = tuple(line[name] for name in data.key_names)
        value = line[printed(spec)]
        found[key] = Reported(line["n"], line["positives"], line["weight"], value)
    assert len(found) == len(table)
    return found


# --- what is right -------------------------------------------------------------------------------


def check(specs: Sequence[str], data: GroupData) -> None:
    """Every spec's value, its details and its group table are the oracle's."""
    result, rows = result_of(specs, data), data.rows()
    by_name = {row.metric: row for row in result}
    for spec in specs:
        lines, table = answer_on(spec, rows), group_table(result, spec, data)
        assert_right(spec, by_name[printed(spec)], table, lines, data.weight is not None)


def assert_right(
    spec: str, row: Row, table: Mapping[Key, Reported], lines: Lines, weighted: bool
) -> None:
    assert table.keys() == {line.key for line in lines.lines}, spec
    for line in lines.lines:
        assert_line(spec, table[line.key], line)
    assert_details(spec, row, lines, weighted)
    mean = lines.mean_of({key: line.value for key, line in table.items() if line.value is not None})
    assert is_mean(value_of(row), mean), (spec, row.value, row.why, mean)


def assert_line(spec: str, found: Reported, line: Line) -> None:
    where = (spec, found, line)
    assert found.rows == line.rows, where
    assert found.positives == line.positives, where
    if line.value is None:
        assert found.value is None, where
        return
    assert found.value is not None, where
    exact = line.weight if isinstance(found.weight, int) else nearest(line.weight)
    assert found.weight == exact, where
    assert is_near(spec, found.value, line), where


def is_near(spec: str, value: float, line: Line) -> bool:
    assert line.value is not None
    found = parse(spec)
    if found.name in EXACT:
        return repr(value) == repr(nearest(line.value))
    ranks = min(line.rows, found.k or line.rows)
    a, b = ROUNDINGS[found.name]
    return roundings(value, line.value) <= a * ranks + b


def roundings(value: float, exact: Number) -> Fraction:
    """How far a value is from the exact one, in roundings of that size."""
    expected = Fraction(exact)
    if not expected:
        return Fraction(value != 0) * 10**9
    return abs(Fraction(value) - expected) / expected / UNIT


def is_mean(value: Value, mean: Fraction | Why) -> bool:
    if isinstance(mean, Why):
        return value == Undefined(mean.text)
    return repr(value) == repr(nearest(mean))


def assert_details(spec: str, row: Row, lines: Lines, weighted: bool) -> None:
    """Groups and rows, used and in all; and that a list has no use for weights."""
    expected: dict[str, Any] = {
        "groups": len(lines.lines),
        "groups_used": len(lines.used),
        "rows_used": sum(line.rows for line in lines.used),
    }
    if weighted and lines.lines and parse(spec).name not in GROUPED:
        expected["weights"] = "unused"
    assert row.details == expected, spec
    assert row.n == sum(line.rows for line in lines.lines), spec
