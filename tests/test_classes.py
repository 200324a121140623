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
from steelyard.model import Detailed, OverClasses, Reading, Undefined
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import Classes, Coded
from steelyard.states import ClassCells, ClassLosses, ClassRanks, ClassRows
from tests.class_data import READING, rows, scored
from tests.state_bytes import forge


def value(metric: Metric, *batches: Batch, **given_: Any) -> Any:
    """What a metric has for some rows."""
    bound = bind(metric, given_)
    state: Any = bound.metric.need(dict(bound.params)).empty()
    for batch in batches:
        state.update(batch)
    return metric.compute(state, dict(bound.params))


def number(metric: Metric, *batches: Batch, **given_: Any) -> Any:
    found = value(metric, *batches, **given_)
    return found.value if isinstance(found, OverClasses | Detailed) else found


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
    assert found.of_classes.tolist()[:2] + found.of_classes.tolist()[3:] == [1.0, 0.5, 0.0]
    assert np.isnan(found.of_classes[2])
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
    weightless = Undefined("the classes that count weigh nothing")
    assert number(precision.METRIC, rows("ab", "xx"), average="weighted") == weightless
    for module in (auc, top_k_accuracy, logloss):
        assert isinstance(number(module.METRIC, scored("ab", [], np.zeros((0, 2)))), Undefined)


def test_labels_of_several_types() -> None:
    """1, 1.0 and True are one class, with one spelling whatever comes first; "1" is another."""
    state = ClassCells()
    state.update(rows([True, 1.0, "1", 0.5], [1, "1", 1, True]))
    assert state.table().labels == (0.5, 1, "1")
    assert [type(label) for label in state.table().labels] == [float, int, str]
    assert state.table().truth == [1, 2, 1]
    assert state.table().hits == [0, 1, 0]
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
    whole = ClassCells()
    whole.update(batch_of(some))
    other = list(some)
    dice.shuffle(other)
    parts = []
    for part in (other[:cut], other[cut:]):
        state = ClassCells()
        if part:
            state.update(batch_of(part))
        parts.append(state)
    merged = parts[0].merge(parts[1])
    assert merged.dumps() == whole.dumps() == parts[1].merge(parts[0]).dumps()
    again = ClassCells.loads(merged.dumps())
    assert again.dumps() == merged.dumps()
    assert again.scale * again.table().all == merged.scale * merged.table().all


@given(SCORED, st.randoms(use_true_random=False), st.integers(0, 20))
@pytest.mark.parametrize("kind", [ClassLosses, ClassRanks, ClassRows])
def test_scores_go_by_the_rows_alone(kind: Any, some: list[Scored], dice: Any, cut: int) -> None:
    whole = kind()
    whole.update(scores_of(some))
    other = list(some)
    dice.shuffle(other)
    parts = []
    for part in (other[:cut], other[cut:]):
        state = kind()
        if part:
            state.update(scores_of(part))
        parts.append(state)
    merged = parts[0].merge(parts[1])
    assert merged.dumps() == whole.dumps() == parts[1].merge(parts[0]).dumps()
    assert kind.loads(merged.dumps()).dumps() == merged.dumps()


@given(st.lists(st.tuples(LABELS, LABELS, st.integers(1, 4)), min_size=1, max_size=12))
def test_a_weight_is_so_many_rows(some: list[Row]) -> None:
    copies = [(true, called, 1) for true, called, m in some for _ in range(int(m))]
    heavy, long = ClassCells(), ClassCells()
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
    batch = Batch(200_000, READING, classes=Classes(Coded(codes[0], words), Coded(codes[1], words)))
    state = ClassCells()
    state.update(batch)
    right = int((codes[0] == codes[1]).sum())
    assert sum(state.table().hits) == right
    assert sum(state.weights.values()) == 200_000
    assert ClassCells.loads(state.dumps()).weights == state.weights
    pairs = np.unique(codes[0].astype(np.int64) * 10_000 + codes[1])
    assert len(state.weights) == len(pairs)


def test_other_classes_do_not_merge() -> None:
    one, other = ClassRows(), ClassRows()
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


CELLS = head("class_cells", unit=-1, classes=[0.5, 2, "a"])
CELLS_SECTIONS = {"first": u4(1, 2), "second": u4(0, 2), "weight.0": ("|u1", bytes([1, 3]))}
RANKS = head("class_ranks", unit=0)
RANKS_SECTIONS = {"first": u4(0, 1), "second": u4(1, 0), "weight.0": ("|u1", bytes([1, 3]))}
SCORES_ = head("class_rows", unit=0, classes=["b", "a"])
SCORES_SECTIONS = {"true": u4(0, 1), "score.0": f8(0.5, 0.25), "score.1": f8(0.5, 0.75)}


def test_golden_bytes() -> None:
    """Written by hand: 2 was called 0.5 (half a row), "a" was called "a" (a row and a half)."""
    cells = ClassCells.loads(forge(CELLS, CELLS_SECTIONS))
    assert (cells.weights, cells.unit) == ({(2, 0.5): 1, ("a", "a"): 3}, -1)
    made = ClassCells()
    made.update(rows(["a", 2, "a"], ["a", 0.5, "a"], [1.0, 0.5, 0.5]))
    assert made.dumps() == cells.dumps() == forge(CELLS, CELLS_SECTIONS)
    ranks = ClassRanks.loads(forge(RANKS, RANKS_SECTIONS))
    assert ranks.weights == {(0, 1): 1, (1, 0): 3}
    scores = ClassRows()
    scores.update(scored(["b", "a"], [1, 0], [[0.25, 0.75], [0.5, 0.5]]))
    assert scores.dumps() == forge(SCORES_, SCORES_SECTIONS)
    assert ClassRows.loads(scores.dumps()) == scores


FORGED: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "a class twice": (ClassCells, {"classes": [2, 2, "a"]}, {}),
    "classes out of order": (ClassCells, {"classes": ["a", 0.5, 2]}, {}),
    "a class that no row has": (ClassCells, {"classes": [0.5, 2, "a", "b"]}, {}),
    "too few classes": (ClassCells, {"classes": [0.5, 2]}, {}),
    "a true class": (ClassCells, {"classes": [0.5, True, "a"]}, {}),
    "1.0 as a class": (ClassCells, {"classes": [0.5, 1.0, "a"]}, {}),
    "no class as a class": (ClassCells, {"classes": [0.5, 2, None]}, {}),
    "NaN as a class": (ClassCells, {"classes": [float("nan"), 2, "a"]}, {}),
    "a list as a class": (ClassCells, {"classes": [[0.5], 2, "a"]}, {}),
    "a word as classes": (ClassCells, {"classes": "abc"}, {}),
    "a pair twice": (ClassCells, {}, {"first": u4(1, 1), "second": u4(0, 0)}),
    "pairs out of order": (ClassCells, {}, {"first": u4(2, 1), "second": u4(2, 0)}),
    "a class beyond": (ClassCells, {}, {"second": u4(0, 3)}),
    "a class below": (ClassCells, {}, {"second": ("<i8", struct.pack("<2q", 0, -1))}),
    "classes as floats": (ClassCells, {}, {"first": f8(1, 2), "second": f8(0, 2)}),
    "a pair too few": (ClassCells, {}, {"second": u4(0)}),
    "a weight of zero": (ClassCells, {}, {"weight.0": ("|u1", bytes([1, 0]))}),
    "a weight too few": (ClassCells, {}, {"weight.0": ("|u1", bytes([1]))}),
    "a weight too many": (ClassCells, {}, {"weight.0": ("|u1", bytes([1, 3, 1]))}),
    "weights in wide numbers": (ClassCells, {}, {"weight.0": u4(1, 3)}),
    "weights that are even": (ClassCells, {}, {"weight.0": ("|u1", bytes([2, 4]))}),
    "a digit too large": (ClassCells, {}, {"weight.0": u4(1, 2**31)}),
    "weights as floats": (ClassCells, {}, {"weight.0": f8(1, 3)}),
    "halves without weights": (ClassCells, {}, {"weight.0": None}),
    "another section": (ClassCells, {}, {"x": u4(1, 2)}),
    "rows nobody read": (ClassCells, {"reading": None}, {}),
    "a unit of its own": (ClassCells, {"unit": -1.0}, {}),
    "ranks out of order": (ClassRanks, {}, {"first": u4(1, 0), "second": u4(0, 1)}),
    "ranks twice": (ClassRanks, {}, {"first": u4(0, 0), "second": u4(1, 1)}),
    "ranks nobody read": (ClassRanks, {"reading": None}, {}),
    "ranks below": (ClassRanks, {}, {"first": ("<i8", struct.pack("<2q", -1, 1))}),
    "a scored class twice": (ClassRows, {"classes": ["a", "a"]}, {}),
    "a score column too few": (ClassRows, {}, {"score.1": None}),
    "a score column too many": (ClassRows, {}, {"score.2": f8(0.5, 0.75)}),
    "a score too few": (ClassRows, {}, {"score.1": f8(0.5)}),
    "scores out of order": (
        ClassRows,
        {},
        {"true": u4(1, 0), "score.0": f8(0.25, 0.5), "score.1": f8(0.75, 0.5)},
    ),
    "a score that is infinite": (ClassRows, {}, {"score.1": f8(0.5, float("inf"))}),
    "a score that is -0.0": (ClassRows, {}, {"score.1": f8(0.5, -0.0)}),
    "scores of another type": (
        ClassRows,
        {},
        {name: ("<f4", struct.pack("<2f", 0.5, 0.25)) for name in ("score.0", "score.1")},
    ),
    "a row of no class": (ClassRows, {}, {"true": u4(0, 2)}),
    "scored rows nobody read": (ClassRows, {"reading": None}, {}),
    "scored rows of weight zero": (ClassRows, {}, {"weight.0": ("|u1", bytes([1, 0]))}),
    "weights of 1 spelled out": (ClassRows, {}, {"weight.0": ("|u1", bytes([1, 1]))}),
    "a weight of a row too few": (ClassRows, {}, {"weight.0": ("|u1", bytes([3]))}),
    "a unit without weights": (ClassRows, {"unit": -1}, {}),
}
WHOLE: dict[Any, tuple[dict[str, Any], dict[str, Any]]] = {
    ClassCells: (CELLS, CELLS_SECTIONS),
    ClassRanks: (RANKS, RANKS_SECTIONS),
    ClassRows: (SCORES_, SCORES_SECTIONS),
}


@pytest.mark.parametrize(("kind", "fields", "changes"), FORGED.values(), ids=FORGED)
def test_forged_classes(kind: Any, fields: dict[str, Any], changes: dict[str, Any]) -> None:
    header, sections = WHOLE[kind]
    merged = {n: part for n, part in {**sections, **changes}.items() if part is not None}
    with pytest.raises(StateError):
        kind.loads(forge(header | fields, merged))
