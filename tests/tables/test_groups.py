"""Every group and ranking metric on every data set, reached every way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.tally import Tally
from tests.tables.group_data import DATA, GroupData
from tests.tables.group_harness import (
    assert_right,
    by_function,
    group_table,
    is_near,
    printed,
    result_of,
    state_of,
)
from tests.tables.group_table import RANKING, SPECS, answer, fits, parse, specs_for, splittable
from tests.tables.harness import value_of

# Lists alone are no groups to a table: only the plain functions take them.
TABLES = [name for name in DATA if DATA[name].group]


@pytest.mark.parametrize("data", TABLES)
def test_table(data: str) -> None:
    """sy.evaluate, all metrics at once: the mean, what was left out, and each group's line.

    The plain functions give the same bits.
    """
    specs = specs_for(data)
    result = result_of(specs, DATA[data])
    rows = {row.metric: row for row in result}
    for spec in specs:
        lines, table = answer(spec, data), group_table(result, spec, DATA[data])
        row = rows[printed(spec)]
        assert_right(spec, row, table, lines, DATA[data].weight is not None)
        assert repr(by_function(spec, DATA[data])) == repr(value_of(row)), spec


def test_one_list() -> None:
    """Without keys all rows are one list, to the plain functions."""
    (keyless,) = (name for name in DATA if not DATA[name].group)
    count = len(DATA[keyless])
    keyed = replace(DATA[keyless], group=([7] * count,))
    for spec in specs_for(keyless, RANKING):
        value = by_function(spec, DATA[keyless])
        assert repr(value) == repr(by_function(spec, keyed)), spec
        (line,) = answer(spec, keyless).lines
        assert isinstance(value, float)
        assert line.value is not None
        assert is_near(spec, value, line), spec


# --- split and merged ----------------------------------------------------------------------------


def splits(count: int) -> Iterator[list[list[int]]]:
    """Thirds in turn, halves that cut groups, uneven with an empty part, shuffled rows."""
    rows = list(range(count))
    yield [rows[start::3] for start in range(3)]
    shuffled = Random(count).sample(rows, count)
    yield [shuffled[: count // 4], [], shuffled[count // 4 :]]


def by_key(data: GroupData) -> list[list[int]]:
    """Each group's rows a part of their own, the last group first."""
    keys = list(zip(*data.group, strict=True))
    return [[i for i, key in enumerate(keys) if key == one] for one in dict.fromkeys(keys)][::-1]


def left_to_right(tallies: Sequence[Tally]) -> Tally:
    return sy.merge(*tallies)


def tree_by_wire(tallies: Sequence[Tally]) -> Tally:
    """Halves of halves, from the right, each to bytes and back."""
    if len(tallies) == 1:
        return Tally.loads(tallies[0].dumps())
    middle = len(tallies) // 2
    return Tally.loads(
        sy.merge(tree_by_wire(tallies[middle:]), tree_by_wire(tallies[:middle])).dumps()
    )


@pytest.mark.parametrize("data", TABLES)
def test_split_and_merged(data: str) -> None:
    """The same bytes and the same numbers, however the rows came."""
    few = Random(data).sample(specs_for(data), min(40, len(specs_for(data))))
    specs = [spec for spec in few if splittable(spec)]
    assert_merges(specs, data, [next(splits(len(DATA[data])))])


@pytest.mark.full
@pytest.mark.parametrize("data", TABLES)
def test_split_and_merged_full(data: str) -> None:
    specs = [spec for spec in specs_for(data) if splittable(spec)]
    each_row = [[i] for i in range(len(DATA[data]))] or [[]]
    parts = [*splits(len(DATA[data])), by_key(DATA[data]) or [[]], each_row]
    assert_merges(specs, data, parts)


def assert_merges(specs: Sequence[str], data: str, ways: Sequence[list[list[int]]]) -> None:
    whole = state_of(specs, DATA[data])
    expected = whole.result()
    for parts in ways:
        tallies = [state_of(specs, DATA[data].take(part), DATA[data]) for part in parts]
        for merge in (left_to_right, tree_by_wire):
            merged = merge(tallies)
            assert merged.dumps() == whole.dumps(), (merge, parts)
            result = merged.result()
            assert result.rows == expected.rows, (merge, parts)
            for spec in specs:
                left, right = (group_table(r, spec, DATA[data]) for r in (result, expected))
                assert repr(left) == repr(right), (spec, merge, parts)


# --- nothing is left out -------------------------------------------------------------------------


def test_every_metric_has_rows_and_an_oracle() -> None:
    metrics = catalogue.every()
    over_groups = {metric.name for metric in metrics if isinstance(metric, GroupMetric)}
    rows = {parse(spec).name for spec in SPECS}
    assert over_groups - rows == set(), "metrics without a row in tests/tables/group_table.py"
    assert rows - over_groups == set(), "rows without a metric"


def test_every_data_set_says_why() -> None:
    assert all(data.why for data in DATA.values())


def test_every_spec_fits_some_data() -> None:
    assert all(any(fits(spec, data) for data in DATA.values()) for spec in SPECS)


def test_both_kinds_of_answer_are_in_the_table() -> None:
    """Values and each reason for having none; groups left out and groups used."""
    lines = [answer(spec, data) for data in DATA for spec in specs_for(data)]
    assert len({str(line.mean()) for line in lines if not line.used}) >= 3
    assert any(0 < len(line.used) < len(line.lines) for line in lines)
