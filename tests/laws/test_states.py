"""Laws of every state: a commutative monoid whose bytes depend on the rows alone.

A law is stated once and driven through every kind in `states.STATE_KINDS`, and through sums of
every shape; a kind without an entry in MAKE is a red test.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from steelyard.errors import StateError
from steelyard.kernels.interface import ExactSums
from steelyard.metrics import catalogue
from steelyard.metrics.count_metrics import CountMetric
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.parameter import REQUIRED
from steelyard.model import AnyValue, Reading, RequiredColumns, Undefined
from steelyard.reading.arrays import read_arrays
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import (
    ClassPredictions,
    ClassScores,
    CodedClasses,
    NumericPredictions,
)
from steelyard.states import STATE_KINDS, ScoreTable, Sums
from steelyard.views.totals import totals
from tests.laws.state_makers import MAKE, OF_CHANCES, OF_PREDICTIONS, OF_SCORES, SAMPLE
from tests.tables.harness import from_state

each_kind = pytest.mark.parametrize("name", MAKE)
of_scores = pytest.mark.parametrize("name", OF_SCORES)


def test_every_kind_obeys_these_laws() -> None:
    assert {make().kind for make in MAKE.values()} == set(STATE_KINDS)


class Entry(NamedTuple):
    """A row: its values are exact in every type that a batch may choose for it."""

    positive: bool
    score: float
    weight: float


SCORES = [-1.5, -0.0, 0.0, 0.25, 0.5, 1e-30, 3.0]
CHANCES = dict(zip(SCORES, [0.875, 0.5, 0.5, 0.25, 0.0625, 1.0, 0.0], strict=True))
# Ones for unweighted batches; halves that add up to one; units far apart; a sum with 31 zeros.
ONES = st.just(1.0)
WHOLE = st.sampled_from([1.0, 2.0, 3.0, 2.0**31 - 1, 2.0**40])
ANY = st.sampled_from([0.5, 1.0, 3.0, 2.0**-40, 1 - 2.0**-40, 0.1, 2.0**31 - 1, 1e300, 1e-300])


def rows(weight: st.SearchStrategy[float], most: int = 9) -> st.SearchStrategy[list[Entry]]:
    return st.lists(st.builds(Entry, st.booleans(), st.sampled_from(SCORES), weight), max_size=most)


any_rows = st.one_of(rows(ONES), rows(WHOLE), rows(ANY))


def weight_columns(weights: Sequence[float]) -> list[Any]:
    """Every way to hand over these weights without changing one."""
    ways: list[Any] = [np.array(weights, np.float64)]
    if all(weight == 1 for weight in weights):
        ways.append(None)
    if all(weight == int(weight) and weight < 2**63 for weight in weights):
        ways += [np.array(weights, dtype) for dtype in (np.int64, np.uint64)]
    if all(float(np.float32(min(weight, 1e38))) == weight for weight in weights):
        ways.append(np.array(weights, np.float32))
    return ways


def chances(entries: Sequence[Entry], way: int = 0) -> Batch:
    """The same rows with probabilities for scores, a field and a bid."""
    ways = weight_columns([entry.weight for entry in entries])
    columns = {
        "field": [f"f{entry.score}" for entry in entries],
        "bid": np.array([abs(entry.score) for entry in entries], np.float64),
    }
    return read_arrays(
        np.array([entry.positive for entry in entries], bool),
        np.array([CHANCES[entry.score] for entry in entries], np.float64),
        ways[way % len(ways)],
        columns=columns,
        required_columns=RequiredColumns(probability=True, fields=("field",), amounts=("bid",)),
    )


def batch(entries: Sequence[Entry], way: int = 0, dtype: str = "float64", **how: Any) -> Batch:
    ways = weight_columns([entry.weight for entry in entries])
    labels = np.array([entry.positive for entry in entries], bool)
    scores = np.array([entry.score for entry in entries], dtype)
    return read(labels, scores, ways[way % len(ways)], **how)


def read(label: Any, score: Any, weight: Any = None, **how: Any) -> Batch:
    """Rows with groups of a number and a word, so that states meet dictionaries of their own."""
    group = {"user": [str(s) > "0" for s in score], "day": [f"d{s}" for s in score]}
    return read_arrays(
        label, score, weight, group=group, required_columns=RequiredColumns(group=True), **how
    )


def predicted(entries: Sequence[Entry], way: int = 0) -> Batch:
    """The same rows as a prediction: of numbers, of classes, and with a score for each of two."""
    ways = weight_columns([entry.weight for entry in entries])
    truth = np.array([entry.positive for entry in entries], np.uint8)
    score = np.array([entry.score for entry in entries], np.float64)
    called = CodedClasses((score > 0).astype(np.uint8), ["no", "yes"])
    chance = np.array([CHANCES[entry.score] for entry in entries], np.float64)
    return Batch(
        len(entries),
        Reading(),
        numbers=NumericPredictions(truth.astype(np.float64), score),
        classes=ClassPredictions(CodedClasses(truth, ["no", "yes"]), called),
        class_scores=ClassScores(("no", "yes"), (1 - chance, chance), truth),
        weight=ways[way % len(ways)],
    )


def state_of(name: str, *parts: Sequence[Entry], ways: Sequence[int] = ()) -> Any:
    state = MAKE[name]()
    of: Callable[..., Batch] = batch
    if name in OF_PREDICTIONS:
        of = predicted
    elif name in OF_CHANCES:
        of = chances
    for i, part in enumerate(parts):
        state.update(of(part, ways[i] if ways else 0))
    return state


# --- the monoid ----------------------------------------------------------------------------------


@each_kind
@given(a=any_rows)
def test_identity(name: str, a: list[Entry]) -> None:
    state = state_of(name, a)
    assert state.merge(MAKE[name]()).dumps() == state.dumps() == MAKE[name]().merge(state).dumps()
    assert state.merge(MAKE[name]()) == state


@each_kind
@given(a=any_rows, b=any_rows, c=any_rows)
@example(a=[Entry(True, 0.5, 0.5)], b=[Entry(True, 0.5, 0.5)], c=[])
def test_associativity_and_commutativity(
    name: str, a: list[Entry], b: list[Entry], c: list[Entry]
) -> None:
    x, y, z = (state_of(name, part) for part in (a, b, c))
    before = [state.dumps() for state in (x, y, z)]
    left, right = x.merge(y).merge(z), x.merge(y.merge(z))
    assert left.dumps() == right.dumps() == state_of(name, a + b + c).dumps()
    assert x.merge(y).dumps() == y.merge(x).dumps()
    assert [state.dumps() for state in (x, y, z)] == before  # nobody was changed


@each_kind
@given(a=any_rows)
@example(a=[Entry(True, 0.5, 0.5)] * 2)  # halves that make one: no weights, fewer scores than rows
@example(a=[Entry(True, 0.5, 1.0), Entry(True, 0.5, 2.0**31 - 1)])  # the unit jumps a whole digit
@example(a=[Entry(False, 0.5, 2.0**-40), Entry(False, 0.5, 1 - 2.0**-40)])
@example(a=[])
def test_round_trip(name: str, a: list[Entry]) -> None:
    state = state_of(name, a)
    data = state.dumps()
    again = type(state).loads(data)
    assert again == state
    assert again.dumps() == data
    assert again.merge(state) == state.merge(state)  # what was loaded can go on adding
    assert type(state).loads(memoryview(bytearray(data))) == state


@st.composite
def splits(draw: st.DrawFn) -> tuple[list[Entry], list[list[Entry]], list[int]]:
    """Rows, and the same rows shuffled, in batches whose weights come in various types."""
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
@settings(max_examples=50)  # each is a whole history of batches and merges
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


# --- against literal sums ------------------------------------------------------------------------


def total(levels: ExactSums) -> Fraction:
    """What the digits of the one line add up to, by Python's own numbers."""
    digits = [digit.tolist() for digit in levels.values()]
    assert all(len(digit) == 1 for digit in digits)
    powers = [Fraction(2) ** power for power in levels]
    return sum((d[0] * p for d, p in zip(digits, powers, strict=True)), Fraction(0))


def sums_of(state: Sums) -> dict[str, Fraction]:
    return {term: total(levels) for term, levels in state.table(0).columns.items()}


@given(any_rows)
def test_cells_add_weights(entries: list[Entry]) -> None:
    called = [e for e in entries if e.score >= 0.25]
    chosen = {
        "weight": entries,
        "weighted_positives": [e for e in entries if e.positive],
        "called 0.25": called,
        "hit 0.25": [e for e in called if e.positive],
    }
    expected = {term: sum(Fraction(e.weight) for e in some) for term, some in chosen.items()}
    assert sums_of(state_of("cells", entries)) == expected


@given(any_rows)
def test_sample_adds_rows_weights_and_scores(entries: list[Entry]) -> None:
    positives = [e for e in entries if e.positive]
    assert sums_of(state_of("sample", entries)) == {
        "rows": len(entries),
        "positives": len(positives),
        "dropped": 0,
        "weight": sum(Fraction(e.weight) for e in entries),
        "weighted_positives": sum(Fraction(e.weight) for e in positives),
        "prediction_sum": sum(Fraction(e.score) for e in entries),
        "weighted_prediction_sum": sum(Fraction(e.score) * Fraction(e.weight) for e in entries),
    }


@given(any_rows)
def test_sums_of_a_field_are_those_of_its_rows(entries: list[Entry]) -> None:
    state = state_of("fields", entries)
    table = state.table(0)
    _, of_key = table.parts()
    found = {
        state.key_names.keys[key][0]: {
            term: total({power: digit[line : line + 1] for power, digit in levels.items()})
            for term, levels in table.columns.items()
        }
        for line, key in enumerate(of_key.tolist())
    }
    expected: dict[Any, dict[str, Fraction]] = {}
    for entry in entries:
        sums = expected.setdefault(
            f"f{entry.score}",
            dict.fromkeys(("expected", "weight", "weighted_positives"), Fraction()),
        )
        sums["weight"] += Fraction(entry.weight)
        sums["expected"] += Fraction(CHANCES[entry.score]) * Fraction(entry.weight)
        sums["weighted_positives"] += entry.positive * Fraction(entry.weight)
    assert found == expected


def literal_auc(entries: Sequence[Entry]) -> float | None:
    """The weight of pairs in the right order, ties half, over the weight of all pairs."""
    area, pairs = Fraction(0), Fraction(0)
    for up in (entry for entry in entries if entry.positive):
        for down in (entry for entry in entries if not entry.positive):
            pair = Fraction(up.weight) * Fraction(down.weight)
            pairs += pair
            area += pair * Fraction((up.score > down.score) + (up.score >= down.score), 2)
    return float(area / pairs) if pairs else None


@given(any_rows, st.integers(1, 4))
def test_the_area_is_that_of_all_pairs_in_ranges_of_any_size(
    entries: list[Entry], rows: int
) -> None:
    value = from_state(catalogue.resolve("auc"), state_of("score_table", entries), rows)
    expected = literal_auc(entries)
    assert isinstance(value, Undefined) if expected is None else value == expected


@given(any_rows)
def test_totals_are_the_weights(entries: list[Entry]) -> None:
    table = state_of("score_table", entries).sorted()
    found = totals(table).at(0)
    for count, side in ((found.positives, True), (found.negatives, False)):
        weights = [Fraction(entry.weight) for entry in entries if entry.positive == side]
        assert count * Fraction(2) ** table.unit == sum(weights)


# --- what refuses to merge -----------------------------------------------------------------------

ROWS = [Entry(True, 0.5, 1.0), Entry(False, 0.25, 1.0)]

# Why two states do not belong together, and the field that the message must name.
UNLIKE: list[tuple[str, Batch, Batch]] = [
    ("score_type", batch(ROWS), batch(ROWS, dtype="float32")),
    ("nan", batch(ROWS), batch(ROWS, nan="drop")),
    ("positive", batch(ROWS), batch(ROWS, positive=0)),
    ("the negative label", read([0, 1], [0, 1]), read([-1, 1], [0, 1])),
    (
        "the negative label",
        read(["yes", "no"], [0, 1], positive="yes"),
        read(["yes", "maybe"], [0, 1], positive="yes"),
    ),
]


@of_scores
@pytest.mark.parametrize(("field", "left", "right"), UNLIKE)
def test_rows_read_differently_do_not_merge(
    name: str, field: str, left: Batch, right: Batch
) -> None:
    a, b = MAKE[name](), MAKE[name]()
    a.update(left)
    b.update(right)
    bytes_ = a.dumps()
    with pytest.raises(StateError, match=f"cannot be merged: {field} is "):
        a.merge(b)
    with pytest.raises(StateError, match=f"cannot be merged: {field} is "):
        b.merge(a)
    with pytest.raises(StateError, match=f"cannot be merged: {field} is "):
        a.update(right)
    assert a.dumps() == bytes_  # a refused batch leaves no trace
    assert MAKE[name]().merge(a) == a


def test_other_thresholds_do_not_merge() -> None:
    with pytest.raises(StateError, match=r"terms is \['called 0\.25'\] in one and .* in the other"):
        Sums(("called 0.25",)).merge(Sums(("called 0.5",)))


def test_other_keys_do_not_merge() -> None:
    with pytest.raises(StateError, match="key is 'bin 3' in one and 'bin 4' in the other"):
        Sums(("weight",), "bin 3").merge(Sums(("weight",), "bin 4"))


def test_two_spellings_of_zero_are_one_threshold() -> None:
    precision = catalogue.find("precision")
    assert isinstance(precision, CountMetric)
    state_specs = [precision.state_spec({"threshold": zero}) for zero in (0, 0.0, -0.0)]
    assert state_specs[0] == state_specs[1] == state_specs[2]


@pytest.mark.parametrize("term", ["called", "hit"])
@pytest.mark.parametrize("threshold", ["nan", "inf", "-inf", "-0.0", "0.50", "1", " 0.5", "x", ""])
def test_a_threshold_is_finite_and_has_one_spelling(term: str, threshold: str) -> None:
    with pytest.raises(ValueError, match=r"threshold|could not convert|no term"):
        Sums((f"{term} {threshold}",))


@pytest.mark.parametrize("left", MAKE)
@pytest.mark.parametrize("right", MAKE)
def test_other_kinds_do_not_merge(left: str, right: str) -> None:
    a, b = MAKE[left](), MAKE[right]()
    if left == right:
        assert a.merge(b) == a
    elif a.kind == b.kind:
        with pytest.raises(StateError, match=r"(terms|key) is"):
            a.merge(b)
        assert type(a).loads(b.dumps()) == b
    else:
        with pytest.raises(StateError, match="the kind is"):
            a.merge(b)
        with pytest.raises(StateError, match="of kind"):
            type(a).loads(b.dumps())


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
def test_equal_labels_have_one_spelling(name: str) -> None:
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
def test_words_as_labels_survive_the_trip(name: str) -> None:
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
    whole.update(many(name, label, score, weight))
    order = random.permutation(len(label))
    parts = MAKE[name]()
    for rows_ in np.array_split(order, 1000):
        parts.update(many(name, label[rows_], score[rows_], weight[rows_]))
    assert parts.dumps() == whole.dumps()


def many(name: str, label: Any, score: Any, weight: Any) -> Batch:
    """Many rows as a state of that name reads them."""
    chance = (score.clip(-4, 4) + 4) / 8
    if name in OF_PREDICTIONS:
        truth = label.astype(np.uint8)
        called = CodedClasses((score > 0).astype(np.uint8), ["no", "yes"])
        return Batch(
            len(label),
            Reading(),
            numbers=NumericPredictions(truth.astype(np.float64), score),
            classes=ClassPredictions(CodedClasses(truth, ["no", "yes"]), called),
            class_scores=ClassScores(("no", "yes"), (1 - chance, chance), truth),
            weight=weight,
        )
    if name in OF_CHANCES:
        columns = {"field": (score * 10).astype(np.int64), "bid": np.abs(score)}
        required_columns = RequiredColumns(probability=True, fields=("field",), amounts=("bid",))
        return read_arrays(
            label, chance, weight, columns=columns, required_columns=required_columns
        )
    return read(label, score, weight)
