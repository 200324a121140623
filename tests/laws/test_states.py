"""Laws of every state: a commutative monoid whose bytes depend on the rows alone.

A law is stated once and driven through every kind in `STATE_KINDS`, and through sums of
every shape; a kind without an entry in MAKE is a red test.
"""

from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.metrics import catalogue
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.parameter import REQUIRED
from steelyard.model import AnyValue
from steelyard.states import ScoreTable
from tests.laws.state_makers import MAKE, OF_SCORES, SAMPLE, STATE_KINDS
from tests.laws.state_rows import Entry, any_rows, batch_for, read, state_of, sums_of
from tests.tables.harness import from_state

each_kind = pytest.mark.parametrize("name", MAKE)
of_scores = pytest.mark.parametrize("name", OF_SCORES)


def test_every_kind_obeys_these_laws() -> None:
    assert {make().kind for make in MAKE.values()} == set(STATE_KINDS)


# --- the monoid ----------------------------------------------------------------------------------


@each_kind
@given(a=any_rows, b=any_rows, c=any_rows)
@example(a=[Entry(True, 0.5, 0.5)], b=[Entry(True, 0.5, 0.5)], c=[])
def test_merging_is_associative_and_commutative_and_has_an_identity(
    name: str, a: list[Entry], b: list[Entry], c: list[Entry]
) -> None:
    x, y, z = (state_of(name, part) for part in (a, b, c))
    before = [state.dumps() for state in (x, y, z)]
    left, right = x.merge(y).merge(z), x.merge(y.merge(z))
    assert left.dumps() == right.dumps() == state_of(name, a + b + c).dumps()
    assert x.merge(y).dumps() == y.merge(x).dumps()
    assert x.merge(MAKE[name]()).dumps() == MAKE[name]().merge(x).dumps() == before[0]
    assert [state.dumps() for state in (x, y, z)] == before  # none was changed


@each_kind
@given(a=any_rows)
@example(a=[Entry(True, 0.5, 0.5)] * 2)  # halves that make one: no weights, fewer scores than rows
@example(a=[Entry(True, 0.5, 1.0), Entry(True, 0.5, 2.0**31 - 1)])  # the unit jumps a whole digit
@example(a=[Entry(False, 0.5, 2.0**-40), Entry(False, 0.5, 1 - 2.0**-40)])
@example(a=[])
def test_bytes_give_the_state_back(name: str, a: list[Entry]) -> None:
    state = state_of(name, a)
    data = state.dumps()
    again = type(state).loads(data)
    assert again == state
    assert again.dumps() == data
    assert again.merge(state) == state.merge(state)  # what was loaded can go on adding
    assert type(state).loads(memoryview(bytearray(data))) == state


@st.composite
def splits(draw: st.DrawFn) -> tuple[list[Entry], list[list[Entry]], list[int]]:
    """Rows, and the same rows shuffled, in batches whose weights have various types."""
    entries = draw(any_rows)
    shuffled = draw(st.permutations(entries))
    cuts = sorted(draw(st.lists(st.integers(0, len(entries)), max_size=4)))
    parts = [list(shuffled[i:j]) for i, j in zip([0, *cuts], [*cuts, len(entries)], strict=True)]
    ways = draw(st.lists(st.integers(0, 5), min_size=len(parts), max_size=len(parts)))
    return entries, parts, ways


def numbers(table: ScoreTable) -> dict[str, AnyValue]:
    """Every curve metric that is one number."""
    values = {}
    for metric in catalogue.every():
        if isinstance(metric, CurveMetric) and metric.shape is None:
            needed = {p.name: 0.5 for p in metric.parameters if p.default is REQUIRED}
            values[metric.name] = from_state(catalogue.bind(metric, needed), table)
    return values


@each_kind
@given(split=splits())
def test_any_split_and_order_gives_the_same_bytes(
    name: str, split: tuple[list[Entry], list[list[Entry]], list[int]]
) -> None:
    entries, parts, ways = split
    whole = state_of(name, entries)
    batches = state_of(name, *parts, ways=ways)
    merged = reduce(
        lambda left, right: left.merge(right),
        [state_of(name, part, ways=[way]) for part, way in zip(parts, ways, strict=True)],
    )
    assert batches.dumps() == merged.dumps() == whole.dumps()
    if isinstance(whole, ScoreTable):
        assert numbers(batches) == numbers(merged) == numbers(whole)
        assert numbers(ScoreTable.loads(whole.dumps())) == numbers(whole)


# --- labels from batch to batch ------------------------------------------------------------------


@of_scores
def test_a_batch_of_positives_alone_fits_either_negative_label(name: str) -> None:
    for negative in (0, -1):
        state = MAKE[name]()
        state.update(read([1, 1], [0.1, 0.2]))
        assert state.negative_label is None
        state.update(read([negative, 1], [0.3, 0.4]))
        assert state.negative_label == negative


@of_scores
def test_equal_labels_give_equal_bytes(name: str) -> None:
    """True, 1, 1.0 and np.int8(1) are one label: no order of batches may show in the bytes."""
    labels: list[Any] = [[True, False], [1, 0], [1.0, -0.0], np.array([1, 0], np.int8)]
    positives: list[Any] = [True, 1, 1.0, np.int64(1)]
    found = set()
    for label in labels:
        for positive in positives:
            state = MAKE[name]()
            state.update(read(label, [0.5, 0.25], positive=positive))
            found.add(state.dumps())
    assert len(found) == 1


@of_scores
def test_labels_that_are_text_come_back_from_bytes(name: str) -> None:
    state = MAKE[name]()
    state.update(read(["oui", "né\ud800"], [0.5, 0.25], positive="oui"))
    again = type(state).loads(state.dumps())
    assert (again.reading, again.negative_label) == (state.reading, "né\ud800")


@of_scores
def test_dropped_rows_alone_are_remembered_or_harmless(name: str) -> None:
    state = MAKE[name]()
    state.update(read([1, 0], [np.nan, np.nan], nan="drop"))
    assert type(state).loads(state.dumps()) == state
    if name == "sample":
        assert sums_of(state) == dict.fromkeys(SAMPLE, 0) | {"dropped": 2}


@each_kind
def test_a_state_has_no_hash_and_equals_only_its_kind(name: str) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(MAKE[name]())
    assert MAKE[name]() == MAKE[name]()
    assert MAKE[name]() != b"something else"


@of_scores
def test_weight_zero_is_absence(name: str) -> None:
    with_zero, without = MAKE[name](), MAKE[name]()
    with_zero.update(read([1, 0, 5], [0.5, 0.25, 0.1], [1, 2, 0]))
    without.update(read([1, 0], [0.5, 0.25], [1, 2]))
    assert with_zero == without


@pytest.mark.full
@each_kind
def test_many_batches_of_many_rows(name: str) -> None:
    """A thousand batches, 300,000 rows: runs join again and again, chunks are many."""
    random = np.random.default_rng(5)
    label = random.random(300_000) < 0.1
    score = random.normal(size=len(label)).round(4)
    weight = random.gamma(1.0, size=len(label)) + 1e-9
    whole = MAKE[name]()
    chance = (score.clip(-4, 4) + 4) / 8
    whole.update(batch_for(name, label, score, chance, weight))
    order = random.permutation(len(label))
    parts = MAKE[name]()
    for some in np.array_split(order, 1000):
        parts.update(batch_for(name, label[some], score[some], chance[some], weight[some]))
    assert parts.dumps() == whole.dumps()
