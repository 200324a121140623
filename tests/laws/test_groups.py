"""Laws of group and ranking metrics that hold on any rows: order, split, scale, names, bounds."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.model import Value
from tests.tables.case import Sample, parsed
from tests.tables.group_data import grouped
from tests.tables.groups import FAMILY, cuts
from tests.tables.groups import LISTS as METRICS
from tests.tables.harness import check, evaluated, result_rows, state_of, value_of

# One cut list and one whole list a metric.
LISTS = [
    *(f"{name}()@3" for name in METRICS if "@3" in cuts(name)),
    *(f"{name}()" for name in METRICS if "" in cuts(name)),
    "ndcg(gain=exp2)@2",
    "map(denominator=min)@2",
    "precision(denominator=min)@4",
    "recall(average=micro)@2",
]
CLICKS = [
    "gauc()",
    *(f"gauc(group_weight={weight})" for weight in ("positives", "pairs", "equal")),
    "gauc(single_class=0.5)",
    "gauc(min_rows=4)",
    "uauc()",
]
RATIOS = ("precision", "recall", "f1", "r_precision")  # of whole numbers
ROUNDED_SUMS = 1e-14  # what adding rounded terms may do to an inequality

finite = st.floats(allow_nan=False, allow_infinity=False)
scores = st.one_of(st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0]), finite)
coarse = st.sampled_from([0.0, 0.25, 0.5])
keys = st.integers(0, 3)
clicks = st.integers(0, 1)
grades = st.integers(0, 4)
One = tuple[int, Any, float, Any]  # key, label, score, weight
Rows = list[One]


def rows_of(labels: st.SearchStrategy[Any], most: int = 14, **kwargs: Any) -> Any:
    weights = kwargs.get("weights", st.just(1))
    some_scores = kwargs.get("scores", scores)
    return st.lists(st.tuples(keys, labels, some_scores, weights), min_size=1, max_size=most)


def data_of(rows: Sequence[One], names: Any = range(10)) -> Sample:
    """The rows as a data set; names: what the groups are called."""
    key, label, score, weight = (list(column) for column in zip(*rows, strict=True))
    return grouped("any rows", ([names[one] for one in key],), label, score, weight)


def values_of(specs: Sequence[str], data: Sample) -> list[Value]:
    rows = result_rows(evaluated(specs, data), specs, data)
    return [value_of(rows[spec]) for spec in specs]


def bits(rows: Sequence[One], specs: Sequence[str]) -> list[str]:
    return [repr(value) for value in values_of(specs, data_of(rows))]


def state_bytes(rows: Sequence[One]) -> bytes:
    """The state of which every list metric and GAUC are read: equal bytes are equal metrics."""
    two_classes = all(label in (0, 1) for _, label, _, _ in rows)
    return state_of(["map()", *(["gauc()"] if two_classes else [])], data_of(rows)).dumps()


def numbers(rows: Sequence[One], specs: Sequence[str]) -> list[float]:
    """The values, of rows where all have one."""
    found = values_of(specs, data_of(rows))
    assert all(isinstance(value, float) for value in found)
    return [value for value in found if isinstance(value, float)]


def relevant(rows: Sequence[One], least: float = 1) -> bool:
    return any(label >= least and weight for _, label, _, weight in rows)


# --- what does not matter ------------------------------------------------------------------------


@given(rows_of(st.one_of(clicks, grades), weights=st.floats(1e-9, 1e9)), st.randoms())
def test_any_order_of_rows_gives_the_same_bytes(rows: Rows, dice: Any) -> None:
    assert state_bytes(dice.sample(rows, len(rows))) == state_bytes(rows)


@given(rows_of(clicks), st.lists(st.integers(0, 14), max_size=3), st.randoms())
def test_any_split_merged_in_any_order_gives_the_same_bytes(
    rows: Rows, cuts: list[int], dice: Any
) -> None:
    """And so do numbers and group tables, of the merged state as it is in memory."""
    specs = ["gauc()", "uauc(single_class=0.5)", "ndcg()@3", "recall(average=micro)@2"]
    ends = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    data = data_of(rows)
    parts = [range(a, b) for a, b in pairwise(ends)]
    states = [state_of(specs, data.take(part)) for part in parts]
    dice.shuffle(states)
    merged, whole = sy.merge(*states), state_of(specs, data)
    assert merged.dumps() == whole.dumps()
    assert merged.result().to_json() == whole.result().to_json()


@given(rows_of(clicks))
def test_only_the_order_of_scores_matters(rows: Rows) -> None:
    """Any rising transform: here the rank, then a line."""
    specs = [*CLICKS, *LISTS]
    ranks = {score: place for place, score in enumerate(sorted({score for _, _, score, _ in rows}))}
    moved = [(key, label, ranks[score] * 1.5 - 7, weight) for key, label, score, weight in rows]
    assert bits(moved, specs) == bits(rows, specs)


@given(rows_of(clicks), st.permutations(range(4)))
def test_the_keys_of_groups_do_not_matter(rows: Rows, names: list[int]) -> None:
    specs = ["gauc()", "uauc()", "ndcg()@3", "recall(average=micro)@2"]
    expected = [repr(value) for value in values_of(specs, data_of(rows))]
    for called in (names, [2**62 - name for name in names], [f"user {name}" for name in names]):
        renamed = data_of(rows, called)
        assert [repr(value) for value in values_of(specs, renamed)] == expected


@given(rows_of(grades, weights=st.floats(1e-9, 1e9)))
def test_row_weights_do_not_enter_lists(rows: Rows) -> None:
    assert bits(rows, LISTS) == bits([(*row[:3], 1) for row in rows], LISTS)


@given(rows_of(clicks, weights=st.integers(0, 4)))
def test_integer_weight_is_that_many_copies(rows: Rows) -> None:
    """For GAUC; only `min_rows` differs, as it counts rows."""
    copies = [(*row[:3], 1) for row in rows for _ in range(row[3])]
    assume(copies)
    specs = [spec for spec in CLICKS if "min_rows" not in spec]
    assert bits(rows, specs) == bits(copies, specs)


@given(rows_of(clicks), rows_of(clicks, most=5), st.randoms())
def test_weight_zero_is_absence(rows: Rows, absent: Rows, dice: Any) -> None:
    """Of rows, and of whole groups."""
    more = [*rows, *((key + 2, label, score, 0) for key, label, score, _ in absent)]
    dice.shuffle(more)
    assert state_bytes(more) == state_bytes(rows)


@given(rows_of(grades))
def test_a_cut_beyond_every_list_changes_nothing(rows: Rows) -> None:
    """Where @k does nothing but cut: not in precision, whose denominator it is."""
    names = [name for name in METRICS if {"", "@3"} <= {*cuts(name)}]
    whole = [*(f"{name}()" for name in names), "map(denominator=min)"]
    cut = [f"{spec}@{len(rows)}" for spec in whole]
    assert bits(rows, cut) == bits(rows, whole)


# --- values that are known -----------------------------------------------------------------------


@given(rows_of(grades, scores=coarse))
def test_pessimistic_is_at_most_expected_is_at_most_optimistic(rows: Rows) -> None:
    """Higher grades first is the best order of a block, for every ranking metric.

    Swapping two neighbours so that the higher grade comes first never lowers a value: the sums have
    falling discounts, and ERR changes by (a − b)(1/i − 1/(i+1)). Ratios are ordered to the bit.
    """
    assume(relevant(rows))
    found = {
        ties: numbers(rows, [with_ties(spec, ties) for spec in LISTS])
        for ties in ("pessimistic", "expected", "optimistic")
    }
    for spec, low, middle, high in zip(LISTS, *found.values(), strict=True):
        slack = 0 if parsed(spec)[0] in RATIOS else ROUNDED_SUMS * high
        assert low <= middle + slack, spec
        assert middle <= high + slack, spec


def with_ties(spec: str, ties: str) -> str:
    before, _, after = spec.partition(")")
    comma = "" if before.endswith("(") else ", "
    return f"{before}{comma}ties={ties}){after}"


@given(rows_of(clicks, scores=coarse), st.integers(1, 6))
def test_with_two_grades_both_gains_are_equal(rows: Rows, k: int) -> None:
    """2^1 − 1 = 1 and 2^0 − 1 = 0."""
    for name in ("cg", "dcg", "ndcg"):
        for cut in ("", f"@{k}"):
            assert bits(rows, [f"{name}(){cut}"]) == bits(rows, [f"{name}(gain=exp2){cut}"])


# A tied block's mean gain is rounded; next to 1 it may round up to the best gain there is.
NEARLY_ONE = [1.0, 1 + 2**-52, 1 - 2**-53, 1 + 2**-51, 3.0, 0.1, 0.0]


@given(rows_of(st.sampled_from(NEARLY_ONE), scores=coarse), st.sampled_from(["", "@1", "@3"]))
def test_shares_lie_between_0_and_1(rows: Rows, cut: str) -> None:
    assume(relevant(rows))
    names = ("ndcg", "map", "mrr", "hit_rate", "rbp")
    for value in numbers(rows, [f"{name}(){cut}" for name in names]):
        assert 0 <= value <= 1


@given(rows_of(grades, scores=coarse))
def test_the_best_order_has_ndcg_1(rows: Rows) -> None:
    assume(relevant(rows))
    best = [(key, label, float(label), weight) for key, label, _, weight in rows]
    specs = ["ndcg()", "ndcg()@3", "ndcg(gain=exp2)@2", "map()", "mrr()@1", "r_precision()"]
    binary = [(key, min(label, 1), float(label), weight) for key, label, _, weight in rows]
    assert numbers(best, specs[:3]) == [1.0] * 3
    assert numbers(binary, specs[3:]) == [1.0] * 3


@given(rows_of(clicks, weights=st.floats(1e-9, 1e9)))
def test_gauc_of_one_group_is_auc(rows: Rows) -> None:
    assume(len({label for _, label, _, _ in rows}) == 2)
    one = [(7, *row[1:]) for row in rows]
    label, score, weight = (list(column) for column in list(zip(*rows, strict=True))[1:])
    auc = sy.auc(label, score, sample_weight=weight)
    weights = ("rows", "positives", "pairs", "equal")
    assert numbers(one, [f"gauc(group_weight={name})" for name in weights]) == [auc] * 4


@given(rows_of(grades), rows_of(grades, most=5))
def test_one_more_group_moves_the_mean_by_its_share(rows: Rows, more: Rows) -> None:
    """Mean of n + 1 = (n · mean of n + the new value)/(n + 1)."""
    added = [(9, *row[1:]) for row in more]
    assume(relevant(rows))
    assume(relevant(added))
    count = len({key for key, label, _, _ in rows if label >= 1})
    specs = [spec for spec in LISTS if "micro" not in spec]
    before, alone, after = (numbers(some, specs) for some in (rows, added, [*rows, *added]))
    for spec, mean, value, both in zip(specs, before, alone, after, strict=True):
        expected = (count * Fraction(mean) + Fraction(value)) / (count + 1)
        assert abs(Fraction(both) - expected) <= expected * 2**-51, spec


@given(rows_of(clicks))
def test_groups_without_relevant_rows_are_counted_and_left_out(rows: Rows) -> None:
    assume(relevant(rows))
    empty = [(8, 0, 0.5, 1), (9, 0, 0.25, 1)]
    assert bits([*rows, *empty], LISTS) == bits(rows, LISTS)
    with_zeros = numbers([*rows, *empty], ["map(empty=0)", "map()"])
    count = len({key for key, label, _, _ in rows if label})
    total = len({key for key, *_ in rows}) + 2
    assert with_zeros[0] == pytest.approx(with_zeros[1] * count / total, rel=1e-15)


@given(rows_of(grades, scores=coarse), st.randoms())
def test_expected_is_the_mean_of_shuffled_input(rows: Rows, dice: Any) -> None:
    """ties=stable on many shuffles lies between the bounds, and not always on one of them."""
    assume(relevant(rows))
    specs = ["ndcg(ties=pessimistic)", "ndcg(ties=optimistic)"]
    low, high = numbers(rows, specs)
    for _ in range(3):
        dice.shuffle(rows)
        (value,) = numbers(rows, ["ndcg(ties=stable)"])
        assert low - ROUNDED_SUMS <= value <= high + ROUNDED_SUMS


# --- one tied block of many rows -----------------------------------------------------------------


@pytest.mark.parametrize("size", [100, 400])
def test_large_blocks_by_the_closed_forms(size: int) -> None:
    """Binomials beyond float64, chances of ERR down to nothing."""
    dice = Random(size)
    label = [dice.choice([0, 0, 0, 0, 1, 4]) for _ in range(size)]
    data = grouped("one block", ([1] * size,), label, [0.5] * size)
    names = [f"{name}()@{size // 2}" for name in ("map", "mrr", "hit_rate", "ndcg", "precision")]
    specs = [*names, "mrr()", "map()", "r_precision()", "err()"]
    check(FAMILY, specs, data, {spec: FAMILY.answer_on(spec, data) for spec in specs})
