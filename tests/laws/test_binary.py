"""Laws that hold on any rows: copies, absence, order, imbalance, scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.model import Confusion
from tests.tables.binary import SPECS
from tests.tables.case import parsed
from tests.tables.harness import plain

# One spec a metric, the last in the table: the one with the most parameters.
SCALARS = list(
    {
        parsed(spec)[0]: spec
        for spec in SPECS
        if catalogue.resolve(spec).metric.shape is None and "1e300" not in spec
    }.values()
)
RANKS_ONLY = [
    spec
    for spec in SCALARS
    if isinstance(catalogue.resolve(spec).metric, CurveMetric) and "best_threshold" not in spec
]

finite = st.floats(allow_nan=False, allow_infinity=False)
scores = st.one_of(st.sampled_from([0.0, -0.0, 0.25, 0.5, 0.75, 1.0]), finite)
small = st.one_of(st.sampled_from([0.1, 0.25, 1.5, 3e-7]), st.floats(1e-12, 1e12))
labels = st.integers(0, 1)
One = tuple[int, float, float]
any_rows = st.lists(st.tuples(labels, scores, small), max_size=25)
counted_rows = st.lists(st.tuples(labels, scores, st.integers(0, 4)), max_size=25)


def roles(rows: Sequence[One]) -> dict[str, Any]:
    names = ("label", "score", "weight")
    return {
        name: np.array(list(column)) for name, column in zip(names, _columns(rows), strict=True)
    }


def values(rows: Sequence[One], specs: Sequence[str] = SCALARS) -> list[str]:
    """Every metric's bits, or the reason why there is none."""
    return [
        repr(row.value if row.why is None else row.why)
        for row in sy.evaluate(metrics=specs, **roles(rows))
    ]


def state_bytes(rows: Sequence[One]) -> bytes:
    """The state of which every metric is read: equal bytes are equal metrics."""
    return sy.state(metrics=SCALARS, **roles(rows)).dumps()


def _columns(rows: Sequence[One]) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
    if not rows:
        return [], [], []
    label, score, weight = zip(*rows, strict=True)
    return label, score, weight


def has_both(rows: Sequence[One]) -> bool:
    return len({label for label, _, weight in rows if weight}) == 2


@given(counted_rows)
def test_integer_weight_is_that_many_copies(rows: list[One]) -> None:
    copies = [(label, score, 1) for label, score, times in rows for _ in range(int(times))]
    assert values(rows) == values(copies)


@given(counted_rows)
def test_integer_and_float_weights_give_the_same_bytes(rows: list[One]) -> None:
    floats = [(label, score, float(weight)) for label, score, weight in rows]
    assert state_bytes(rows) == state_bytes(floats)


@given(any_rows, st.lists(st.tuples(labels, scores), max_size=5), st.randoms())
def test_weight_zero_is_absence(
    rows: list[One], absent: list[tuple[int, float]], dice: Any
) -> None:
    more = [*rows, *((label, score, 0.0) for label, score in absent)]
    dice.shuffle(more)
    assert state_bytes(more) == state_bytes(rows)


@given(any_rows, st.randoms())
def test_any_order_of_rows_gives_the_same_bytes(rows: list[One], dice: Any) -> None:
    shuffled = list(rows)
    dice.shuffle(shuffled)
    assert state_bytes(shuffled) == state_bytes(rows)


@given(any_rows, st.integers(-60, 60))
def test_weights_have_no_unit(rows: list[One], power: int) -> None:
    """All weights times a power of two: the same bits."""
    scaled = [(label, score, weight * 2.0**power) for label, score, weight in rows]
    assert values(scaled) == values(rows)


@given(counted_rows)
def test_tripled_weights_change_nothing(rows: list[One]) -> None:
    scaled = [(label, score, 3 * weight) for label, score, weight in rows]
    assert values(scaled) == values(rows)


@given(any_rows)
def test_only_the_order_of_scores_counts(rows: list[One]) -> None:
    """Any rising transform: here the rank, then a line."""
    ranks = {score: place for place, score in enumerate(sorted({score for _, score, _ in rows}))}
    moved = [(label, ranks[score] * 1.5 - 7, weight) for label, score, weight in rows]
    assert values(moved, RANKS_ONLY) == values(rows, RANKS_ONLY)


@given(any_rows)
def test_turning_the_labels_turns_the_curve(rows: list[One]) -> None:
    """AUC(y, s) + AUC(1 − y, s) = 1; as each is rounded once, Gini shows it to the bit."""
    assume(has_both(rows))
    label, score, weight = map(np.array, _columns(rows))
    straight = sy.auc(label, score, sample_weight=weight)
    turned = sy.auc(1 - label, score, sample_weight=weight)
    assert abs(straight + turned - 1) <= 2**-53
    assert sy.gini(label, score, sample_weight=weight) == -sy.gini(
        1 - label, score, sample_weight=weight
    )


@given(any_rows)
def test_turning_labels_and_scores_changes_nothing(rows: list[One]) -> None:
    assume(has_both(rows))
    turned = [(1 - label, -score, weight) for label, score, weight in rows]
    assert values(turned, ["auc", "gini", "ks", "pnr"]) == values(
        rows, ["auc", "gini", "ks", "pnr"]
    )


@given(counted_rows)
def test_ten_times_the_negatives_leave_the_roc_curve(rows: list[One]) -> None:
    """ROC and all that is read off it stay; precision falls wherever there is a false call."""
    assume(has_both(rows))
    more = [(label, score, weight if label else 10 * weight) for label, score, weight in rows]
    off_roc = ["auc", "gini", "ks", "pnr", "partial_auc(0.3)", "tpr_at_fpr(0.1)", "fpr_at_tpr(0.9)"]
    assert values(more, off_roc) == values(rows, off_roc)
    one, ten = (_curve(sy.roc, some) for some in (rows, more))
    assert plain(one) == plain(ten)
    cells = sy.confusion(*_columns(rows)[:2], sample_weight=_columns(rows)[2])
    assert isinstance(cells, Confusion)
    tp, fp, _, _ = cells
    if tp and fp:
        assert float(values(more, ["precision"])[0]) < float(values(rows, ["precision"])[0])


def _curve(function: Any, rows: Sequence[One]) -> Any:
    label, score, weight = _columns(rows)
    return function(label, score, sample_weight=weight)


@given(counted_rows, st.integers(2, 12))
def test_a_thinned_curve_keeps_its_promise(rows: list[One], points: int) -> None:
    """At most the requested points, all of the curve itself, and the area within its bound."""
    assume(has_both(rows))
    label, score, weight = _columns(rows)
    for function, x, y in (
        *((sy.roc, "fpr", "tpr"), (sy.pr, "recall", "precision")),
        (sy.gains, "depth", "capture"),
    ):
        whole = function(label, score, sample_weight=weight)
        thin = function(label, score, sample_weight=weight, points=points)
        assert len(thin.thresholds) <= points
        assert set(map(repr, plain(thin))) <= set(map(repr, plain(whole)))
        assert whole.area_error == 0.0
        areas = [np.trapezoid(getattr(curve, y), getattr(curve, x)) for curve in (whole, thin)]
        assert abs(areas[0] - areas[1]) <= thin.area_error + 1e-15  # the trapezoids' own rounding


@pytest.mark.parametrize("share", [0.4, 0.96])
def test_a_large_tied_block_leaves_the_points_to_the_rest(share: float) -> None:
    """Of the six corners below, the one left out is in a box of one row of ten on each side."""
    label, score = [1, 0, 1, 0, *[1] * 8, *[0] * 8], [0.9, 0.8, 0.7, 0.6, *[0.5] * 16]
    assert sy.roc(label, score, points=5).area_error == pytest.approx(0.01)
    random = np.random.default_rng(7)
    y = random.random(20_000) < 0.2
    s = np.where(random.random(20_000) < share, 0.5, random.random(20_000) + 0.2 * y)
    for function in (sy.roc, sy.pr, sy.gains):
        assert function(y, s, points=200).area_error < 1 / 200


@pytest.mark.parametrize("points", range(2, 7))
def test_a_step_that_rounds_to_nothing_costs_no_extra_point(points: int) -> None:
    """The last rows weigh so little that the curve's end rounds to the point before it."""
    label, score = [1, 0, 1, 0, 1, 0, 1, 0], np.arange(8.0)[::-1]
    weight = [1, 1, 1, 1, 1, 1, 1e-30, 1e-30]
    for function in (sy.roc, sy.pr, sy.gains):
        thin = function(label, score, sample_weight=weight, points=points)
        assert len(thin.thresholds) <= points
        assert min(thin.thresholds) == 0.0


@given(any_rows, st.integers(3, 12))
def test_a_short_threshold_table_has_the_best_thresholds(rows: list[One], points: int) -> None:
    """Lines of the whole table, and always those of the best F1, of Youden, and of calling all."""
    assume(any(label and weight for label, _, weight in rows))
    label, score, weight = _columns(rows)
    whole = sy.thresholds(label, score, sample_weight=weight, points=1000)
    short = sy.thresholds(label, score, sample_weight=weight, points=points)
    assert len(short.thresholds) <= points
    # As floats: a column of cells is of integers if those listed are whole.
    lines = ({repr([*map(float, line)]) for line in plain(table)} for table in (short, whole))
    assert next(lines) <= next(lines)
    assert short.thresholds[-1] == whole.thresholds[-1]
    assert (np.diff(short.thresholds) < 0).all()
    assert sy.best_threshold(label, score, sample_weight=weight, criterion="f1") in short.thresholds
    if has_both(rows):
        youden = sy.best_threshold(label, score, sample_weight=weight)
        assert np.isinf(youden) or youden in short.thresholds


def test_thresholds_are_dense_where_precision_changes() -> None:
    """Up to a recall of 0.1 the ROC curve has a length of 0.1 of 2: ten of 200 equal steps."""
    dice = np.random.default_rng(3)
    y = dice.random(100_000) < 0.01
    s = np.where(y, dice.normal(2, 1, len(y)), dice.normal(0, 1, len(y)))
    table = sy.thresholds(y, s, points=200)
    assert 150 < len(table.thresholds) <= 200
    assert (table.recall < 0.1).sum() > 25
    every = sy.thresholds(y, s, points=10_000)
    short, whole = (np.diff(each.recall) + np.diff(each.fpr) for each in (table, every))
    assert (short > 0.04).sum() == (whole > 0.04).sum()  # where there are negatives alone
    even = sy.break_even(y, s)
    gap = np.abs(table.precision - table.recall).min()
    assert gap < 1.5 / y.sum()  # the lines next to the break-even point
    assert np.abs(table.recall - even).min() <= 1 / y.sum()


@given(any_rows, st.integers(1, 9))
def test_every_row_is_in_one_bin(rows: list[One], bins: int) -> None:
    """NumPy counts the same rows with these edges, and each class has all its rows."""
    assume(rows)
    label, score = (np.array(column) for column in _columns(rows)[:2])
    for kind in (np.float64, np.float32):
        with np.errstate(over="ignore"):
            scores = score.astype(kind)
        if not np.isfinite(scores).all():
            continue
        found = sy.score_histogram(label, scores, bins=bins)
        assert len(found.edges) == bins + 1
        assert (np.diff(found.edges) >= 0).all()
        for side, counts in ((1, found.positives), (0, found.negatives)):
            assert counts.sum() == (label == side).sum()
            if (np.diff(found.edges) > 0).all():  # NumPy puts a row of two equal edges elsewhere
                theirs, _ = np.histogram(scores[label == side].astype(np.float64), found.edges)
                assert counts.tolist() == theirs.tolist()


def test_edges_where_the_width_is_beyond_float64() -> None:
    found = sy.score_histogram([0, 1, 1], [-1e308, 0.0, 1e308], bins=4)
    assert found.edges.tolist() == [-1e308, -5e307, 0.0, 5e307, 1e308]
    assert (found.negatives.tolist(), found.positives.tolist()) == ([1, 0, 0, 0], [0, 0, 1, 1])


def test_a_tenth_is_an_edge() -> None:
    """NumPy's edge is 3 · 0.1 = 0.30000000000000004, so that 0.3 is below it."""
    found = sy.score_histogram([1, 1, 0], [0.0, 0.3, 1.0], bins=10)
    assert found.edges.tolist() == [i / 10 for i in range(11)]
    assert found.positives[3] == 1
