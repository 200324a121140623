"""Many classes: cases worked out by hand, fractions, another tool, and laws."""

import struct
import warnings
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as theirs

import steelyard as sy
from steelyard.errors import InputError, SpecError, StateError
from steelyard.metrics.catalogue import bind
from steelyard.metrics.multiclass import (
    accuracy,
    auc,
    balanced_accuracy,
    confusion,
    f1,
    fbeta,
    kappa,
    logloss,
    mcc,
    precision,
    recall,
    top_k_accuracy,
)
from steelyard.metrics.record import Metric
from steelyard.model import ClassMean, Detailed, Reading, Undefined
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import ClassPredictions, CodedClasses
from steelyard.states import ClassScoreTable, Sums
from steelyard.states.base import TOTAL_SLICE
from steelyard.views.classes import ClassCells
from steelyard.views.sums import view_of_sums
from tests.laws.class_rows import READING, class_cells, class_losses, class_ranks, rows, scored
from tests.laws.state_bytes import forge
from tests.tables.harness import from_state


def value(metric: Metric, *batches: Batch, **given_: Any) -> Any:
    """What a metric has for some rows."""
    bound = bind(metric, given_)
    state: Any = bound.metric.state_spec(dict(bound.params)).empty()
    for batch in batches:
        state.update(batch)
    return from_state(bound, state)


def cells_of(state: Sums) -> ClassCells:
    """What metrics see of cells of classes."""
    (cells,) = view_of_sums(state, 0, TOTAL_SLICE).each()
    assert isinstance(cells, ClassCells)
    return cells


def number(metric: Metric, *batches: Batch, **given_: Any) -> Any:
    found = value(metric, *batches, **given_)
    return found.value if isinstance(found, ClassMean | Detailed) else found


# --- by hand -------------------------------------------------------------------------------------

# Article 004's table has the prediction going down: here it is the other way round.
ARTICLE = np.array([[500, 20, 100], [10, 480, 200], [10, 50, 370]]).T
ARTICLE_ROWS = rows(
    [true for true in range(3) for _ in range(3)],
    [called for _ in range(3) for called in range(3)],
    ARTICLE.ravel(),
)


@pytest.mark.parametrize(
    ("metric", "given_", "wanted"),
    [
        (accuracy, {}, 0.7758620690),
        (balanced_accuracy, {}, 0.7955015134),
        (precision, {}, 0.7875229677),
        (recall, {}, 0.7955015134),
        (f1, {}, 0.7747046012),
        (precision, {"average": "micro"}, 0.7758620690),
        (recall, {"average": "micro"}, 0.7758620690),
        (f1, {"average": "micro"}, 0.7758620690),
        (accuracy, {"average": "macro"}, 0.8505747126),
        (accuracy, {"average": "micro"}, 0.8505747126),
    ],
)
def test_the_article_s_numbers(metric: Any, given_: dict[str, Any], wanted: float) -> None:
    assert number(metric.METRIC, ARTICLE_ROWS, **given_) == pytest.approx(wanted, abs=5e-11)


def test_the_article_s_matrix() -> None:
    found = value(confusion.METRIC, ARTICLE_ROWS)
    assert found.labels == (0, 1, 2)
    assert found.matrix.dtype == np.int64
    assert (found.matrix == ARTICLE).all()


def test_weights_that_are_no_whole_numbers() -> None:
    found = value(confusion.METRIC, rows("aab", "aba", [0.1, 0.25, 2.0]))
    assert found.matrix.tolist() == [[0.1, 0.25], [2.0, 0.0]]
    large = value(confusion.METRIC, rows("ab", "aa", [2.0**70, 1.0]))
    assert large.matrix.tolist() == [[2.0**70, 0.0], [1.0, 0.0]]


def test_classes_that_are_on_one_side_only() -> None:
    """ "x" is predicted and never true, "c" true and never predicted."""
    batch = rows("aabc", "axbb")
    found = value(precision.METRIC, batch)
    assert found.labels == ("a", "b", "c", "x")
    assert found.class_values.tolist()[:2] + found.class_values.tolist()[3:] == [1.0, 0.5, 0.0]
    assert np.isnan(found.class_values[2])
    assert found.value == 0.5  # of three classes
    assert found.details == {
        "classes": 4,
        "classes_used": 3,
        "left_out": ["c"],
        "never_true": {"classes": 1, "first": ["x"]},
        "never_predicted": {"classes": 1, "first": ["c"]},
    }
    assert number(precision.METRIC, batch, zero_division=0) == 0.375
    assert number(precision.METRIC, batch, zero_division=1) == 0.625
    assert number(precision.METRIC, batch, average="weighted") == pytest.approx(2.5 / 3)
    assert number(recall.METRIC, batch) == 0.5  # 1/2, 1, 0; x has none
    assert number(f1.METRIC, batch) == pytest.approx((2 / 3 + 2 / 3) / 4)
    micro = value(precision.METRIC, batch, average="micro")
    assert (micro.value, micro.details["classes_used"]) == (0.5, 4)
    assert "left_out" not in micro.details
    assert value(accuracy.METRIC, batch).details["never_true"]["first"] == ["x"]


def test_no_value() -> None:
    nothing = rows("", "")
    for module in (accuracy, precision, recall, f1, mcc, kappa, balanced_accuracy):
        assert number(module.METRIC, nothing) == Undefined("there are no rows")
    assert number(precision.METRIC, nothing, average="micro") == Undefined("there are no rows")
    assert value(confusion.METRIC, nothing).matrix.shape == (0, 0)
    assert number(mcc.METRIC, rows("aa", "ab")) == Undefined("every row is of one class")
    assert number(mcc.METRIC, rows("ab", "aa")) == Undefined("every row is called the same class")
    assert isinstance(number(kappa.METRIC, rows("aa", "aa")), Undefined)
    assert number(kappa.METRIC, rows("aa", "ab")) == 0.0
    weightless = Undefined("the classes that count have no weight")
    assert number(precision.METRIC, rows("ab", "xx"), average="weighted") == weightless
    for module in (auc, top_k_accuracy, logloss):
        assert isinstance(number(module.METRIC, scored("ab", [], np.zeros((0, 2)))), Undefined)


def test_labels_of_several_types() -> None:
    """1, 1.0 and True are one class, with one spelling whatever comes first; "1" is another."""
    state = class_cells()
    state.update(rows([True, 1.0, "1", 0.5], [1, "1", 1, True]))
    table = cells_of(state).table
    assert table.labels == (0.5, 1, "1")
    assert [type(label) for label in table.labels] == [float, int, str]
    assert table.truth == [1, 2, 1]
    assert table.hits == [0, 1, 0]
    words = value(confusion.METRIC, rows(["10", "9", "b"], ["9", "9", "a"]))
    assert words.labels == ("9", "10", "a", "b")


def test_micro_has_no_pairs_and_a_matrix_has_its_limits() -> None:
    with pytest.raises(SpecError, match="no micro average"):
        value(auc.METRIC, multi_class="ovo", average="micro")
    many = list(range(confusion.MOST + 1))
    with pytest.raises(InputError, match="4097 classes"):
        value(confusion.METRIC, rows(many, many))
    assert number(f1.METRIC, rows(many, many)) == 1.0


def test_top_k_by_hand() -> None:
    """The true class first; tied with one other; tied with all; last."""
    matrix = [[3.0, 2.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0], [1.0, 2.0, 3.0]]
    batch = scored("abc", [0, 0, 0, 0], matrix)
    first = Fraction(1) + Fraction(1, 2) + Fraction(1, 3)
    assert number(top_k_accuracy.METRIC, batch, k=1) == float(first / 4)
    second = Fraction(1) + 1 + Fraction(2, 3)
    assert number(top_k_accuracy.METRIC, batch) == float(second / 4)
    assert number(top_k_accuracy.METRIC, batch, k=3) == 1.0
    assert number(top_k_accuracy.METRIC, batch, k=9) == 1.0


def test_a_class_without_rows_has_no_area() -> None:
    matrix = [[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.3, 0.3, 0.4]]
    batch = scored(["a", "b", "z"], [0, 1, 1], matrix)
    found = value(auc.METRIC, batch)
    assert (found.labels, found.value) == (("a", "b", "z"), 1.0)
    assert found.details == {"classes": 3, "classes_used": 2, "left_out": ["z"]}
    pairs = value(auc.METRIC, batch, multi_class="ovo")
    assert pairs.details == {"pairs": 3, "pairs_used": 1, "left_out": [["a", "z"], ["b", "z"]]}
    assert pairs.labels == (("a", "b"), ("a", "z"), ("b", "z"))


def test_log_loss_by_hand() -> None:
    """ln 2, ln 4 and, twice as heavy, 0."""
    matrix = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]
    found = value(logloss.METRIC, scored("abc", [0, 1, 0], matrix, [1, 1, 2]))
    assert found == pytest.approx(np.log(8) / 4, rel=1e-15)
    impossible = value(logloss.METRIC, scored("abc", [0, 1, 2], matrix))
    assert isinstance(impossible, Undefined)
    assert "1 row has a probability of 0" in impossible.why
    clipped = Reading(clip=2.0**-10)
    cut = replace(scored("abc", [0, 1, 2], matrix), reading=clipped)
    assert number(logloss.METRIC, cut) == pytest.approx(np.log(2) * 13 / 3, rel=1e-15)
    sure = replace(scored("abc", [0], [[1.0, 0.0, 0.0]]), reading=clipped)
    assert number(logloss.METRIC, sure) == pytest.approx(-np.log1p(-(2.0**-10)), rel=1e-12)


# --- fractions -----------------------------------------------------------------------------------

LABELS = st.sampled_from(["a", "b", "c", 7, 0.5])
WEIGHTS = st.sampled_from([1, 2, 5]) | st.sampled_from([0.5, 0.1, 3.0, 1e-30, 2.0**60])
ROWS = st.lists(st.tuples(LABELS, LABELS, WEIGHTS), min_size=1, max_size=30)
Row = tuple[Any, Any, float]


def batch_of(some: Sequence[Row]) -> Batch:
    truth, called, weights = zip(*some, strict=True)
    return rows(truth, called, np.array(weights, np.float64))


def sums_of(some: Sequence[Row]) -> tuple[list[Any], dict[tuple[Any, Any], Fraction], Fraction]:
    labels = sorted({label for row in some for label in row[:2]}, key=repr)
    cells: dict[tuple[Any, Any], Fraction] = {}
    for true, called, weight in some:
        cells[true, called] = cells.get((true, called), Fraction(0)) + Fraction(weight)
    return labels, cells, sum(cells.values(), Fraction(0))


def by_class(some: Sequence[Row], label: Any) -> tuple[Fraction, Fraction, Fraction]:
    """True, predicted, and both."""
    _, cells, _ = sums_of(some)
    true = sum((w for (t, _), w in cells.items() if t == label), Fraction(0))
    called = sum((w for (_, p), w in cells.items() if p == label), Fraction(0))
    return true, called, cells.get((label, label), Fraction(0))


@given(ROWS)
def test_macro_means_are_means_of_rounded_values(some: list[Row]) -> None:
    labels, _, _ = sums_of(some)
    parts: dict[Any, Any] = {
        precision: lambda t, p, hits: (hits, p),
        recall: lambda t, p, hits: (hits, t),
        f1: lambda t, p, hits: (2 * hits, t + p),
    }
    for module, part in parts.items():
        quotients = [part(*by_class(some, label)) for label in labels]
        values = [Fraction(float(up / down)) for up, down in quotients if down]
        assert number(module.METRIC, batch_of(some)) == float(sum(values) / len(values))


@given(ROWS)
def test_micro_and_accuracy_are_one_quotient(some: list[Row]) -> None:
    labels, cells, all_ = sums_of(some)
    hits = sum((w for (t, p), w in cells.items() if t == p), Fraction(0))
    for module in (precision, recall, f1):
        assert number(module.METRIC, batch_of(some), average="micro") == float(hits / all_)
    assert number(fbeta.METRIC, batch_of(some), beta=2, average="micro") == float(hits / all_)
    assert number(accuracy.METRIC, batch_of(some)) == float(hits / all_)
    pooled = 1 - 2 * (all_ - hits) / (len(labels) * all_)
    assert number(accuracy.METRIC, batch_of(some), average="micro") == float(pooled)


@given(ROWS)
def test_kappa_is_the_definition(some: list[Row]) -> None:
    order = {7: 1, 0.5: 0, "a": 2, "b": 3, "c": 4}
    labels = sorted({label for row in some for label in row[:2]}, key=lambda label: order[label])
    _, cells, all_ = sums_of(some)
    place = {label: i for i, label in enumerate(labels)}
    distances: dict[str, Any] = {
        "none": lambda i, j: int(i != j),
        "linear": lambda i, j: abs(i - j),
        "quadratic": lambda i, j: (i - j) ** 2,
    }
    for weights, distance in distances.items():
        seen = sum(distance(place[t], place[p]) * w for (t, p), w in cells.items())
        chance = sum(
            distance(place[t], place[p]) * by_class(some, t)[0] * by_class(some, p)[1]
            for t in labels
            for p in labels
        )
        found = number(kappa.METRIC, batch_of(some), weights=weights)
        if chance == 0:
            assert isinstance(found, Undefined)
        else:
            assert found == float(1 - all_ * seen / chance)


SCORES = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0])
SCORED = st.lists(
    st.tuples(st.integers(0, 2), st.tuples(SCORES, SCORES, SCORES), WEIGHTS),
    min_size=1,
    max_size=20,
)
Scored = tuple[int, tuple[float, float, float], float]


def scores_of(some: Sequence[Scored]) -> Batch:
    true, matrix, weights = zip(*some, strict=True)
    return scored("abc", true, matrix, np.array(weights, np.float64))


def share(pairs: Sequence[tuple[float, Fraction, float, Fraction]]) -> Fraction | None:
    """The weight of the pairs in order over that of all."""
    all_ = sum((w * v for _, w, _, v in pairs), Fraction(0))
    right = sum((w * v * (Fraction(a > b) + Fraction(a == b) / 2) for a, w, b, v in pairs))
    return right / all_ if all_ else None


def against(
    some: Sequence[Scored], column: int, others: Sequence[int]
) -> list[tuple[float, Fraction, float, Fraction]]:
    return [
        (mine[1][column], Fraction(mine[2]), yours[1][column], Fraction(yours[2]))
        for mine in some
        for yours in some
        if mine[0] == column and yours[0] in others
    ]


@settings(max_examples=50)
@given(SCORED)
def test_areas_are_shares_of_pairs(some: list[Scored]) -> None:
    classes = range(3)
    areas = [share(against(some, c, [d for d in classes if d != c])) for c in classes]
    known = [Fraction(float(a)) for a in areas if a is not None]
    found = number(auc.METRIC, scores_of(some))
    if not known:
        assert isinstance(found, Undefined)
        return
    assert found == float(sum(known) / len(known))
    pairs = [
        (share(against(some, a, [b])), share(against(some, b, [a])))
        for a, b in combinations(classes, 2)
    ]
    means = [Fraction(float((a + b) / 2)) for a, b in pairs if a is not None and b is not None]
    assert number(auc.METRIC, scores_of(some), multi_class="ovo") == float(sum(means) / len(means))
    pooled = [
        (mine[1][mine[0]], Fraction(mine[2]), yours[1][c], Fraction(yours[2]))
        for mine in some
        for yours in some
        for c in classes
        if c != yours[0]
    ]
    assert number(auc.METRIC, scores_of(some), average="micro") == float(share(pooled) or 0)


@given(SCORED, st.integers(1, 4))
def test_top_k_is_the_mean_over_all_orders(some: list[Scored], k: int) -> None:
    found, all_ = Fraction(0), Fraction(0)
    for true, line, weight in some:
        above = sum(score > line[true] for score in line)
        level = sum(score == line[true] for score in line)
        inside = sum(1 for place in range(above, above + level) if place < k)
        found += Fraction(weight) * inside / level
        all_ += Fraction(weight)
    assert number(top_k_accuracy.METRIC, scores_of(some), k=k) == float(found / all_)


# --- another tool --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    dice = np.random.default_rng(4)
    truth = dice.choice(6, 2000, p=[0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
    matrix = dice.dirichlet(np.ones(6), 2000) + 0.5 * np.eye(6)[truth] * dice.random((2000, 1))
    matrix /= matrix.sum(axis=1, keepdims=True)
    return {"y": truth, "p": matrix.argmax(axis=1), "m": matrix, "w": dice.random(2000)}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_scikit_learn_s_averages(data: dict[str, Any], average: str, weighted: bool) -> None:
    weight = data["w"] if weighted else None
    batch = rows(data["y"].tolist(), data["p"].tolist(), weight)
    for module, function, more in (
        (precision, theirs.precision_score, {}),
        (recall, theirs.recall_score, {}),
        (f1, theirs.f1_score, {}),
        (fbeta, theirs.fbeta_score, {"beta": 0.5}),
    ):
        wanted = function(data["y"], data["p"], average=average, sample_weight=weight, **more)
        found = number(module.METRIC, batch, average=average, **more)
        assert found == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn_s_other_numbers(data: dict[str, Any], weighted: bool) -> None:
    weight = data["w"] if weighted else None
    y, p, m = data["y"], data["p"], data["m"]
    batch = rows(y.tolist(), p.tolist(), weight)
    wanted = {
        accuracy: theirs.accuracy_score(y, p, sample_weight=weight),
        balanced_accuracy: theirs.balanced_accuracy_score(y, p, sample_weight=weight),
        mcc: theirs.matthews_corrcoef(y, p, sample_weight=weight),
        kappa: theirs.cohen_kappa_score(y, p, sample_weight=weight),
    }
    for module, theirs_ in wanted.items():
        assert number(module.METRIC, batch) == pytest.approx(theirs_, rel=1e-12)
    for form in ("linear", "quadratic"):
        other = theirs.cohen_kappa_score(y, p, weights=form, sample_weight=weight)
        assert number(kappa.METRIC, batch, weights=form) == pytest.approx(other, rel=1e-12)
    for k in (1, 2, 5):
        other = theirs.top_k_accuracy_score(y, m, k=k, sample_weight=weight)
        found = number(top_k_accuracy.METRIC, scored(range(6), y, m, weight), k=k)
        assert found == pytest.approx(other, rel=1e-12)
    other = theirs.log_loss(y, m, sample_weight=weight)
    found = number(logloss.METRIC, scored(range(6), y, m, weight))
    assert found == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize(
    ("form", "average"), [("ovr", "macro"), ("ovr", "weighted"), ("ovr", "micro"), ("ovo", "macro")]
)
def test_scikit_learn_s_areas(data: dict[str, Any], form: str, average: str) -> None:
    batch = scored(range(6), data["y"], data["m"])
    wanted = theirs.roc_auc_score(data["y"], data["m"], multi_class=form, average=average)
    found = number(auc.METRIC, batch, multi_class=form, average=average)
    assert found == pytest.approx(wanted, rel=1e-12)
    if average != "weighted":
        return
    other = theirs.roc_auc_score(data["y"], data["m"], multi_class="ovo", average="weighted")
    found = number(auc.METRIC, batch, multi_class="ovo", average="weighted")
    assert found == pytest.approx(other, rel=1e-12)


def test_zero_division_as_scikit_learn_has_it() -> None:
    y, p = ["a", "a", "b", "c"], ["a", "x", "b", "b"]
    for module, function in ((precision, theirs.precision_score), (recall, theirs.recall_score)):
        for average in ("macro", "weighted"):
            for ours, mine in ((0, 0), (1, 1), ("skip", np.nan)):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    wanted = function(y, p, average=average, zero_division=mine)
                found = number(module.METRIC, rows(y, p), average=average, zero_division=ours)
                assert found == pytest.approx(wanted, rel=1e-12)


# --- laws ----------------------------------------------------------------------------------------


@given(ROWS, st.randoms(use_true_random=False), st.integers(0, 30))
def test_cells_go_by_the_rows_alone(some: list[Row], dice: Any, cut: int) -> None:
    whole = class_cells()
    whole.update(batch_of(some))
    other = list(some)
    dice.shuffle(other)
    parts = []
    for part in (other[:cut], other[cut:]):
        state = class_cells()
        if part:
            state.update(batch_of(part))
        parts.append(state)
    merged = parts[0].merge(parts[1])
    assert merged.dumps() == whole.dumps() == parts[1].merge(parts[0]).dumps()
    again = Sums.loads(merged.dumps())
    assert again.dumps() == merged.dumps()
    _, cells, all_ = sums_of(some)
    for state in (again, merged):
        seen = cells_of(state)
        unit = Fraction(2) ** seen.power
        assert {cell: unit * amount for cell, amount in seen.weights.items()} == cells
        assert unit * seen.table.all == all_


@given(SCORED, st.randoms(use_true_random=False), st.integers(0, 20))
@pytest.mark.parametrize("empty", [class_losses, class_ranks, ClassScoreTable])
def test_scores_go_by_the_rows_alone(empty: Any, some: list[Scored], dice: Any, cut: int) -> None:
    whole = empty()
    whole.update(scores_of(some))
    other = list(some)
    dice.shuffle(other)
    parts = []
    for part in (other[:cut], other[cut:]):
        state = empty()
        if part:
            state.update(scores_of(part))
        parts.append(state)
    merged = parts[0].merge(parts[1])
    assert merged.dumps() == whole.dumps() == parts[1].merge(parts[0]).dumps()
    assert type(merged).loads(merged.dumps()).dumps() == merged.dumps()


@given(st.lists(st.tuples(LABELS, LABELS, st.integers(1, 4)), min_size=1, max_size=12))
def test_a_weight_is_so_many_rows(some: list[Row]) -> None:
    copies = [(true, called, 1) for true, called, m in some for _ in range(int(m))]
    heavy, long = class_cells(), class_cells()
    heavy.update(batch_of(some))
    long.update(rows(*list(zip(*copies, strict=True))[:2]))
    assert heavy.dumps() == long.dumps()


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.tuples(SCORES, SCORES, SCORES), st.integers(1, 4)),
        min_size=1,
        max_size=12,
    )
)
def test_a_weight_is_so_many_scored_rows(some: list[Scored]) -> None:
    copies = [(true, line, 1.0) for true, line, m in some for _ in range(int(m))]
    for params in ({}, {"average": "micro"}, {"average": "weighted"}, {"multi_class": "ovo"}):
        heavy = value(auc.METRIC, scores_of(some), **params)
        assert heavy.value == value(auc.METRIC, scores_of(copies), **params).value
    assert number(top_k_accuracy.METRIC, scores_of(some)) == number(
        top_k_accuracy.METRIC, scores_of(copies)
    )


def test_thousands_of_classes() -> None:
    dice = np.random.default_rng(1)
    codes = [dice.integers(0, 10_000, 200_000).astype(np.uint16) for _ in range(2)]
    words = [f"w{i}" for i in range(10_000)]
    batch = Batch(
        200_000,
        READING,
        classes=ClassPredictions(CodedClasses(codes[0], words), CodedClasses(codes[1], words)),
    )
    state = class_cells()
    state.update(batch)
    cells = cells_of(state)
    right = int((codes[0] == codes[1]).sum())
    assert sum(cells.table.hits) == right
    assert sum(cells.weights.values()) == 200_000
    assert cells_of(Sums.loads(state.dumps())).weights == cells.weights
    pairs = np.unique(codes[0].astype(np.int64) * 10_000 + codes[1])
    assert len(cells.weights) == len(pairs)


def test_other_classes_do_not_merge() -> None:
    one, other = ClassScoreTable(), ClassScoreTable()
    one.update(scored("ab", [0], [[1.0, 0.0]]))
    other.update(scored("ba", [0], [[1.0, 0.0]]))
    with pytest.raises(StateError, match="the classes"):
        one.merge(other)


# --- forged bytes: valid checksums around what no rows could have made ---------------------------


def u4(*numbers: int) -> tuple[str, bytes]:
    return "<u4", struct.pack(f"<{len(numbers)}I", *numbers)


def f8(*numbers: float) -> tuple[str, bytes]:
    return "<f8", struct.pack(f"<{len(numbers)}d", *numbers)


def head(kind: str, **more: Any) -> dict[str, Any]:
    reading = {"nan": "error", "positive": None, "score_type": "float64"}
    return {"kind": kind, "config": {}, "reading": reading, "negative_label": None} | more


def u1(*numbers: int) -> tuple[str, bytes]:
    return "|u1", bytes(numbers)


def keyed(key: str, keys: list[Any], power: int) -> dict[str, Any]:
    config = {"key": key, "terms": ["weight"]}
    return head("sums", config=config, keys=keys, powers=[{"weight": power}])


# Half a row and a row and a half, in digits of 31 bits: of halves, 2**30/2**31 and 1 + 2**30/2**31.
CELLS = keyed("class_pair", [[2, 0.5], ["a", "a"]], -31)
CELLS_SECTIONS = {
    "0.slice": u4(0, 0),
    "0.key": u4(0, 1),
    "0.weight.0": u4(1 << 30, 1 << 30),
    "0.weight.1": u1(0, 1),
}
RANKS = keyed("rank", [[0, 1], [1, 0]], 0)
RANKS_SECTIONS = {"0.slice": u4(0, 0), "0.key": u4(0, 1), "0.weight.0": u1(1, 3)}
SCORES_ = head("class_scores", unit=0, classes=["b", "a"])
SCORES_SECTIONS = {"true": u4(0, 1), "score.0": f8(0.5, 0.25), "score.1": f8(0.5, 0.75)}


def test_golden_bytes() -> None:
    """Written by hand: 2 was called 0.5 (half a row), "a" was called "a" (a row and a half)."""
    cells = Sums.loads(forge(CELLS, CELLS_SECTIONS))
    seen = cells_of(cells)
    scale = Fraction(2) ** seen.power
    assert {cell: scale * weight for cell, weight in seen.weights.items()} == {
        (2, 0.5): Fraction(1, 2),
        ("a", "a"): Fraction(3, 2),
    }
    made = class_cells()
    made.update(rows(["a", 2, "a"], ["a", 0.5, "a"], [1.0, 0.5, 0.5]))
    assert made.dumps() == cells.dumps() == forge(CELLS, CELLS_SECTIONS)
    ranks = Sums.loads(forge(RANKS, RANKS_SECTIONS))
    (lines,) = view_of_sums(ranks, 0, TOTAL_SLICE).each()
    assert [(line.key, line["weight"]) for line in lines] == [((0, 1), 1), ((1, 0), 3)]
    scores = ClassScoreTable()
    scores.update(scored(["b", "a"], [1, 0], [[0.25, 0.75], [0.5, 0.5]]))
    assert scores.dumps() == forge(SCORES_, SCORES_SECTIONS)
    assert ClassScoreTable.loads(scores.dumps()) == scores


Changes = dict[str, Any]
FORGED_CELLS: dict[str, tuple[Changes, Changes]] = {
    "a pair of classes twice": ({"keys": [[2, 0.5], [2, 0.5]]}, {}),
    "classes out of order": ({"keys": [["a", "a"], [2, 0.5]]}, {}),
    "classes that no row has": ({"keys": [[2, 0.5], ["a", "a"], ["b", "b"]]}, {}),
    "too few classes": ({"keys": [[2, 0.5]]}, {}),
    "no classes": ({"keys": []}, {}),
    "a true class": ({"keys": [[True, 0.5], ["a", "a"]]}, {}),
    "1.0 as a class": ({"keys": [[1.0, 0.5], ["a", "a"]]}, {}),
    "no class as a class": ({"keys": [[2, 0.5], ["a", None]]}, {}),
    "NaN as a class": ({"keys": [[2, float("nan")], ["a", "a"]]}, {}),
    "a list as a class": ({"keys": [[2, [0.5]], ["a", "a"]]}, {}),
    "a class alone": ({"keys": [[2], ["a", "a"]]}, {}),
    "three classes": ({"keys": [[2, 0.5, 1], ["a", "a"]]}, {}),
    "a word as classes": ({"keys": "abcd"}, {}),
    "a pair twice": ({}, {"0.key": u4(0, 0)}),
    "pairs out of order": ({}, {"0.key": u4(1, 0)}),
    "a pair beyond": ({}, {"0.key": u4(0, 2)}),
    "a pair below": ({}, {"0.key": ("<i8", struct.pack("<2q", 0, -1))}),
    "pairs as floats": ({}, {"0.key": f8(0, 1)}),
    "a pair too few": ({}, {"0.key": u4(0)}),
    "a slice beyond": ({}, {"0.slice": u4(0, 1)}),
    "no slices": ({}, {"0.slice": None}),
    "a weight too few": ({}, {"0.weight.1": u1(0)}),
    "a weight too many": ({}, {"0.weight.1": u1(0, 1, 1)}),
    "weights in wide numbers": ({}, {"0.weight.1": u4(0, 1)}),
    "a digit too large": ({}, {"0.weight.0": u4(1 << 30, 1 << 31)}),
    "weights as floats": ({}, {"0.weight.0": f8(1, 3)}),
    "a weight below zero": ({}, {"0.weight.negative": u1(0, 1)}),
    "another section": ({}, {"x": u4(1, 2)}),
    "rows nobody read": ({"reading": None}, {}),
    "a power of its own": ({"powers": [{"weight": -31.0}]}, {}),
    "a power off the grid": ({"powers": [{"weight": -1}]}, {}),
    "another key": ({"config": {"key": "class_pairs", "terms": ["weight"]}}, {}),
}
FORGED_RANKS: dict[str, tuple[Changes, Changes]] = {
    "ranks out of order": ({"keys": [[1, 0], [0, 1]]}, {}),
    "ranks twice": ({"keys": [[0, 1], [0, 1]]}, {}),
    "ranks nobody read": ({"reading": None}, {}),
    "ranks below": ({"keys": [[-1, 1], [1, 0]]}, {}),
    "ranks that are true": ({"keys": [[0, True], [1, 0]]}, {}),
    "ranks as floats": ({"keys": [[0, 1.0], [1, 0]]}, {}),
    "a rank alone": ({"keys": [[0], [1, 0]]}, {}),
}
FORGED_ROWS: dict[str, tuple[Changes, Changes]] = {
    "a scored class twice": ({"classes": ["a", "a"]}, {}),
    "1.0 as a scored class": ({"classes": ["b", 1.0]}, {}),
    "a score column too few": ({}, {"score.1": None}),
    "a score column too many": ({}, {"score.2": f8(0.5, 0.75)}),
    "a score too few": ({}, {"score.1": f8(0.5)}),
    "scores out of order": (
        {},
        {"true": u4(1, 0), "score.0": f8(0.25, 0.5), "score.1": f8(0.75, 0.5)},
    ),
    "a score that is infinite": ({}, {"score.1": f8(0.5, float("inf"))}),
    "a score that is -0.0": ({}, {"score.1": f8(0.5, -0.0)}),
    "scores of another type": (
        {},
        {name: ("<f4", struct.pack("<2f", 0.5, 0.25)) for name in ("score.0", "score.1")},
    ),
    "a row of no class": ({}, {"true": u4(0, 2)}),
    "scored rows nobody read": ({"reading": None}, {}),
    "scored rows of weight zero": ({}, {"weight.0": u1(1, 0)}),
    "weights of 1 spelled out": ({}, {"weight.0": u1(1, 1)}),
    "a weight of a row too few": ({}, {"weight.0": u1(3)}),
    "a unit without weights": ({"unit": -1}, {}),
}
FORGED = {
    name: (kind, header | fields, sections | changes)
    for kind, header, sections, forged in (
        (Sums, CELLS, CELLS_SECTIONS, FORGED_CELLS),
        (Sums, RANKS, RANKS_SECTIONS, FORGED_RANKS),
        (ClassScoreTable, SCORES_, SCORES_SECTIONS, FORGED_ROWS),
    )
    for name, (fields, changes) in forged.items()
}


@pytest.mark.parametrize(("kind", "header", "sections"), FORGED.values(), ids=FORGED)
def test_forged_classes(kind: Any, header: Changes, sections: Changes) -> None:
    kept = {name: part for name, part in sections.items() if part is not None}
    with pytest.raises(StateError):
        kind.loads(forge(header, kept))


def test_a_slice_whose_rows_were_all_left_out_has_no_classes() -> None:
    columns = {"y": list("aba"), "k": list("xyy"), "c0": [np.nan, 0.5, 0.6], "c1": [0.5, 0.5, 0.4]}
    result = sy.evaluate(
        columns,
        label="y",
        score=["c0", "c1"],
        classes=["a", "b"],
        by="k",
        nan="drop",
        metrics=["auc", "auc(ovo)", "auc(average=micro)"],
    )
    for name, what in (
        ("auc", "classes"),
        ("auc(ovo)", "pairs"),
        ("auc(average=micro)", "classes"),
    ):
        row = result.row(name, k="x")
        assert row.why == "there are no rows"
        assert row.details == {what: 0, f"{what}_used": 0}
    assert len(result.classes(k="x")) == 0
    assert len(result.classes("auc", k="y")) == 2


def test_no_row_is_left() -> None:
    with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
        found = sy.auc([0, 1], np.full((2, 2), np.nan), labels=[0, 1], nan="drop")
    assert np.isnan(found)
