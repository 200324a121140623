"""Ranges of keys: neither their size nor other slices in them change a bit of any value.

A curve metric sees ranges of a score table that is keyed by slice and score. Its parts are joined
in the order of keys, and can be pickled for other processes.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import groupby
from random import Random
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard import plan
from steelyard.engines import run
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.evaluation.saved_state import State
from steelyard.metrics import catalogue, fold
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.curve_metrics import AreaMetric, CurveMetric
from steelyard.metrics.fold import Pass
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue, Array
from steelyard.reading.arrays import read_arrays
from steelyard.reading.batch import Batch
from steelyard.reading.slices import KeyNumbers, Slices
from steelyard.request.options import Request
from steelyard.states import ScoreTable
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.score_table import SortedTable
from steelyard.views.context import Context
from steelyard.views.curve import AreaView, CurveView
from steelyard.views.ranges import ranges, sides
from steelyard.views.row_curves import RowCurves
from tests.laws.state_makers import MAKE
from tests.laws.state_rows import Entry, state_of
from tests.tables.binary import SPECS
from tests.tables.harness import same

PLACE = StateSpec(ScoreTable)


def curve_bounds() -> list[BoundMetric]:
    """Every curve metric, with each of the parameters that the table of cases has."""
    found = {
        bound.name: bound
        for bound in map(catalogue.resolve, SPECS)
        if isinstance(bound.metric, CurveMetric)
    }
    for metric in catalogue.every():
        if isinstance(metric, CurveMetric):
            needed = {p.name: 0.5 for p in metric.parameters if p.default is REQUIRED}
            bound = catalogue.bind(metric, needed)
            found.setdefault(bound.name, bound)
    return list(found.values())


BOUNDS = curve_bounds()

# What each set of slices tests. A slice is (label, score, weight) of its rows.
Slice = list[tuple[int, float, float]]


def some(seed: int, count: int, levels: int, weights: Sequence[float] = (1.0,)) -> Slice:
    dice = Random(seed)
    return [
        (int(dice.random() < 0.4), dice.randrange(levels) / levels, dice.choice(weights))
        for _ in range(count)
    ]


UP, DOWN = (1, 0.5, 1.0), (0, 0.5, 1.0)
SLICES: dict[str, list[Slice]] = {
    "one slice": [some(1, 30, 12)],
    "two, one of them tied throughout": [some(2, 20, 9), [UP, DOWN, UP, DOWN]],
    "an empty one first, between and last": [[], some(3, 9, 5), [], [], some(4, 12, 99)],
    "slices of one class": [[UP, UP], some(5, 15, 6), [DOWN], [DOWN, DOWN], [UP]],
    "one score throughout": [[UP, DOWN], [DOWN, UP], [UP], [DOWN], [UP, DOWN, DOWN]],
    "weights of far units": [
        some(6, 14, 7, (0.5, 3.0, 2.0**-40)),
        some(7, 11, 4, (2.0**31 - 1, 1.0)),
        some(8, 9, 9),
    ],
    "weights beyond int64": [some(9, 13, 5, (1e300, 1e-300, 1.0)), some(10, 12, 6)],
    "weights whose products go beyond int64": [some(11, 13, 5, (2.0**40, 1.0)), some(12, 9, 6)],
    "weights whose sums go beyond int64": [some(16, 60, 999, (1.0, *[2.0**62 - 1024] * 5))],
    "a long one among short ones": [some(13, 3, 3), some(14, 60, 25), some(15, 2, 2)],
    "nothing but empty ones": [[], []],
}


def batch_of(slices: Sequence[Slice], *, keyed: bool = True) -> Batch:
    rows = [row for each in slices for row in each]
    label, score, weight = (np.array([row[i] for row in rows], float) for i in range(3))
    codes = np.repeat(np.arange(len(slices), dtype=np.uint8), [len(each) for each in slices])
    if not keyed:
        return read_arrays(label.astype(int), score, weight)
    order = np.random.default_rng(1).permutation(len(rows))
    keys = KeyNumbers()
    keys.number([(number,) for number in range(len(slices))])
    by = (Slices(keys, codes[order], np.zeros(len(slices), np.int64)),)
    batch = read_arrays(label[order].astype(int), score[order], weight[order])
    return replace(batch, slices=by)


def keyed_state(slices: Sequence[Slice]) -> ScoreTable:
    state = ScoreTable(tables=2)
    state.update(batch_of(slices))
    return state


def values(
    state: ScoreTable, number: int, size: int, slices: Array, rows: int | None
) -> list[list[AnyValue]]:
    table = Table({PLACE.identity: state}, number, size, slices, rows)
    return [list(column) for column in run.values(BOUNDS, table, IN_MEMORY)]


@cache
def alone(name: str) -> list[list[AnyValue]]:
    """For each slice, every metric's value, of the slice alone in one range."""
    found = []
    for each in SLICES[name]:
        state = ScoreTable()
        state.update(batch_of([each], keyed=False))
        found.append([value for [value] in values(state, 0, 1, TOTAL_SLICE, None)])
    return found


FULL = pytest.mark.full


@pytest.mark.parametrize(
    "rows", [1, pytest.param(2, marks=FULL), 3, pytest.param(7, marks=FULL), None]
)
@pytest.mark.parametrize("name", SLICES)
def test_neither_ranges_nor_other_slices_change_a_value(name: str, rows: int | None) -> None:
    slices = SLICES[name]
    state = keyed_state(slices)
    size = len(slices)
    for order in (np.arange(size), np.arange(size)[::-1], np.arange(0, size, 2)):
        found = values(state, 1, size, order, rows)
        for bound, column in zip(BOUNDS, found, strict=True):
            expected = [alone(name)[number][BOUNDS.index(bound)] for number in order.tolist()]
            assert len(column) == len(expected)
            for value, other in zip(column, expected, strict=True):
                assert same(value, other), bound.name


@pytest.mark.parametrize("name", SLICES)
def test_the_total_is_that_of_all_rows(name: str) -> None:
    whole = ScoreTable()
    whole.update(batch_of([[row for each in SLICES[name] for row in each]], keyed=False))
    expected = values(whole, 0, 1, TOTAL_SLICE, None)
    state = keyed_state(SLICES[name])
    for rows in (1, 3, None):
        for mine, other in zip(values(state, 0, 1, TOTAL_SLICE, rows), expected, strict=True):
            assert same(mine[0], other[0])


NUMBERS = [b for b in BOUNDS if b.metric.shape is None]


@pytest.mark.parametrize("slices", [1, 2, 5])
def test_evaluated_by_so_many_slices(slices: int) -> None:
    """Also crossed with a column that most of them have no rows of."""
    rows = [(k, *row) for k in range(slices) for row in some(40 + k, 15 + k, 6, (1.0, 0.5))]
    Random(slices).shuffle(rows)
    columns = {n: np.array([row[i] for row in rows]) for i, n in enumerate("kysw")}
    columns["other"] = (columns["k"] * 7 + columns["y"] * (columns["k"] == 1)) % 3
    roles: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "positive": 1}
    names = [bound.name for bound in NUMBERS]
    result = sy.evaluate(columns, by=["k", ("k", "other")], metrics=names, **roles)
    for _, of_slice in groupby(result.rows, key=lambda row: row.slice):
        found = list(of_slice)
        chosen = np.ones(len(rows), bool)
        for name, key in found[0].slice.items():
            chosen &= columns[name] == key
        part = {name: column[chosen] for name, column in columns.items()}
        for row, alone in zip(found, sy.evaluate(part, metrics=names, **roles), strict=True):
            assert (repr(row.value), row.why) == (repr(alone.value), alone.why), row


# --- parts ---------------------------------------------------------------------------------------


def parts_of(bound: BoundMetric, views: Sequence[AreaView | CurveView]) -> list[Any]:
    """The parts of each range, of a table with one slice."""
    assert isinstance(bound.metric, CurveMetric)
    return [bound.metric.make(view, bound.params, Pass(view.slices)) for view in views]


def right_to_left(join: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    return reduce(lambda above, below: join(below, above), reversed(parts))


def as_a_tree(join: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return join(as_a_tree(join, parts[:middle]), as_a_tree(join, parts[middle:]))


def plain(part: Any) -> Any:
    """Arrays as lists, so that parts compare."""
    if isinstance(part, np.ndarray):
        return part.dtype.str, [plain(each) for each in part.tolist()]
    if isinstance(part, dict):
        return {key: plain(value) for key, value in part.items()}
    if isinstance(part, tuple | list):
        return type(part).__name__, [plain(each) for each in part]
    if hasattr(part, "__dict__"):
        return type(part).__name__, plain(vars(part))
    return repr(part)


def curves_of_ranges(table: SortedTable, rows: int) -> Iterator[RowCurves]:
    """Ranges of rows, as engines see them: these rows alone, and what lies below and above."""
    of_slice = RowCurves(table, 1, table.unit).totals
    for bounds, below in ranges(table, rows):
        part = SortedTable(*sides(table, bounds), table.unit)
        above = table.negatives.scores[bounds.negatives[1] :]
        context = Context(of_slice, below, np.append(above, np.inf)[:1].astype(np.float64))
        yield RowCurves(part, 1, table.unit, context)


def areas_of_ranges(table: SortedTable, rows: int) -> Iterator[AreaView]:
    for curves in curves_of_ranges(table, rows):
        yield from curves.areas()


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("name", SLICES)
def test_areas_of_ranges_add_up(name: str, rows: int) -> None:
    state = ScoreTable()
    state.update(batch_of([[row for each in SLICES[name] for row in each]], keyed=False))
    table = state.sorted()
    [whole] = RowCurves(table, 1, table.unit).areas()
    parts = list(areas_of_ranges(table, rows))
    assert sum(part.doubled_area[0] for part in parts) == whole.doubled_area[0]
    assert sum(part.tied_pairs[0] for part in parts) == whole.tied_pairs[0]


@pytest.mark.parametrize("rows", [1, 2, 5])
@pytest.mark.parametrize("name", SLICES)
def test_a_range_of_rows_with_what_is_below_it_is_a_range_of_points(name: str, rows: int) -> None:
    """As engines see ranges: its points count its own negatives alone, the others are `below`."""
    state = ScoreTable()
    state.update(batch_of([[row for each in SLICES[name] for row in each]], keyed=False))
    table = state.sorted()
    whole = RowCurves(table, 1, table.unit)
    every: dict[str, list[Any]] = {name: [] for name in COLUMNS_OF_ENTRIES}
    for curves in curves_of_ranges(table, rows):
        for view in curves.ranges():
            for column, found in every.items():
                found += getattr(view, column).tolist()
    for view in whole.ranges(10**6):
        for column, found in every.items():
            assert getattr(view, column).tolist() == found, column
            every[column] = []
    assert not any(every.values())


COLUMNS_OF_ENTRIES = ("scores", "pos", "tp", "fp", "tp_above", "fp_above")


ONE_SLICE = {
    name: [row for each in slices for row in each]
    for name, slices in SLICES.items()
    if any(row[0] for each in slices for row in each)
}


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("name", ONE_SLICE)
def test_parts_join_in_any_grouping_and_can_be_pickled(name: str, rows: int) -> None:
    state = ScoreTable()
    state.update(batch_of([ONE_SLICE[name]], keyed=False))
    curves = list(RowCurves(state.sorted(), 1, state.sorted().unit).ranges(rows))
    areas = list(areas_of_ranges(state.sorted(), rows))
    for bound in BOUNDS:
        assert isinstance(bound.metric, CurveMetric)
        views = areas if isinstance(bound.metric, AreaMetric) else curves
        parts, join = parts_of(bound, views), partial(fold.join, bound.metric)

        def copies(parts: list[Any] = parts) -> list[Any]:
            copied: list[Any] = pickle.loads(pickle.dumps(parts))
            return copied

        for part, again in zip(parts, copies(), strict=True):
            assert plain(again) == plain(part), bound.name
        before = plain(parts)
        left = plain(reduce(join, parts))
        assert plain(right_to_left(join, copies())) == left, bound.name
        assert plain(as_a_tree(join, copies())) == left, bound.name
        assert plain(parts) == before, f"{bound.name} changes what it joins"


# --- to other processes --------------------------------------------------------------------------


def travelled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


ROWS = [Entry(True, 0.5, 1.0), Entry(False, 0.25, 1.0)]


@pytest.mark.parametrize("name", MAKE)
def test_states_can_be_pickled(name: str) -> None:
    for state in (MAKE[name](), state_of(name, ROWS), state_of(name, ROWS, ROWS)):
        again = travelled(state)
        assert again == state
        again.add(state)  # and go on adding
        assert again == state.merge(state)


COLUMNS: dict[str, Any] = {
    "y": np.array([1, 0, 0, 1, 1, 0, 1]),
    "s": np.array([0.5, 0.25, 0.5, 1.0, 0.0, 0.75, 0.5]),
    "w": np.array([0.5, 1, 3, 2, 1, 1, 0.25]),
    "k": np.array(["a", "b", "a", "c", "b", "a", "c"]),
    "g": np.array([1, 1, 2, 2, 3, 3, 3]),
}
ROLES: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "group": "g", "by": ["k"]}
METRICS = [
    *("auc", "logloss", "precision(0.3)", "field_ece(k)", "ece(3, kind=width)", "gauc"),
    *("ndcg@2", "partial_auc(0.5)", "best_threshold(f1)"),
]


def test_states_requests_and_jobs_can_be_pickled() -> None:
    state = sy.state(COLUMNS, metrics=METRICS, **ROLES)
    again = travelled(state)
    assert again == state
    assert again.result().rows == state.result().rows
    assert sy.merge(again, state) == sy.merge(state, state)
    request = Request(source="log.parquet", metrics=METRICS, **ROLES)
    assert travelled(request) == request
    job = plan.make_job(request)
    assert travelled(job) == job


# --- many states --------------------------------------------------------------------------------


def test_fifty_states_at_once_and_one_by_one() -> None:
    dice = np.random.default_rng(50)
    rows = 400
    columns = {
        "y": dice.integers(0, 2, rows),
        "s": dice.integers(0, 64, rows) / 64,
        "w": dice.choice([0.1, 0.5, 1.0, 3.0, 1e10], rows),
        "k": dice.choice(["a", "b", "c", "d", "e"], rows),
        "g": dice.integers(0, 30, rows),
    }
    owner = dice.integers(0, 50, rows)
    states = [
        sy.state({n: c[owner == part] for n, c in columns.items()}, metrics=METRICS, **ROLES)
        for part in range(50)
    ]
    whole = sy.state(columns, metrics=METRICS, **ROLES).dumps()
    at_once = sy.merge(*states)
    assert at_once.dumps() == whole
    for seed in (1, 2):
        order = Random(seed).sample(states, len(states))
        one_by_one: State = reduce(sy.merge, order)
        assert one_by_one.dumps() == sy.merge(*order).dumps() == whole
