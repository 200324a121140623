"""Every row of the table, reached every way, on every set of kernels."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from random import Random

import pytest

import steelyard as sy
from steelyard import kernels, plan
from steelyard.engines.memory import ENGINE
from steelyard.metrics import catalogue
from steelyard.metrics.count_metrics import CountMetric
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue, Undefined
from steelyard.states import State
from steelyard.states.base import TOTAL_SLICE
from tests.oracles.binary import ORACLES
from tests.tables import harness
from tests.tables.binary_data import DATA
from tests.tables.binary_table import CASES, SPECS, Case, answer, split
from tests.tables.harness import by_function, by_table, is_right, same, state_of

# The founding design's paragraphs "Counts at a threshold" and "Curves": a name, and its aliases.
NAMES = {
    "confusion": (),
    "accuracy": (),
    "precision": (),
    "recall": ("sensitivity", "tpr"),
    "specificity": ("tnr",),
    "fpr": (),
    "fnr": (),
    "npv": (),
    "fdr": (),
    "f1": (),
    "fbeta": (),
    "mcc": (),
    "balanced_accuracy": (),
    "prevalence": (),
    "roc": (),
    "pr": (),
    "auc": ("roc_auc",),
    "ap": ("average_precision",),
    "pr_auc": (),
    "partial_auc": (),
    "gini": (),
    "ks": (),
    "break_even": (),
    "precision_at_recall": (),
    "recall_at_precision": (),
    "tpr_at_fpr": (),
    "fpr_at_tpr": (),
    "best_f1": (),
    "best_threshold": (),
    "lift": (),
    "capture": (),
    "pnr": (),
}


@pytest.fixture(params=sorted(kernels.available()))
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each set of kernels in turn is the one in use."""
    name: str = request.param
    chosen = kernels.available()[name]
    monkeypatch.setattr(kernels, "active", lambda: chosen)
    return name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_row(case: Case, kernel: str) -> None:
    """By the plain function, and by states: thirds, bytes, chunks of two rows."""
    value = by_function(case.metric, case.columns, case.params)
    assert is_right(case.metric, value, case.expected()), (case.why, value, case.expected())

    bound = catalogue.resolve(case.metric_spec)
    state_spec = bound.state_spec
    folded = harness.from_state(bound, of_thirds(state_spec, case.data, kernel), 2)
    assert same(folded, value), case.why


@cache
def of_thirds(state_spec: StateSpec, data: str, kernel: str) -> State:
    """The state of three batches, each sent over the wire, merged and sent again."""
    count = len(DATA[data])
    parts = [range(start, count, 3) for start in range(3)]
    return state_of(state_spec, DATA[data], parts, harness.by_wire)


@pytest.mark.parametrize("data", DATA)
def test_rows_by_table(data: str, kernel: str) -> None:
    """Every number in one table: metrics do not disturb each other."""
    cases = {
        case.metric_spec: case
        for case in CASES
        if case.data == data and catalogue.resolve(case.metric_spec).metric.shape is None
    }
    values = by_table(list(cases), DATA[data])
    for case, value in zip(cases.values(), values, strict=True):
        assert is_right(case.metric, value, case.expected()), (case, value)


# --- the full product ----------------------------------------------------------------------------


def orders(count: int) -> Iterator[list[int]]:
    yield list(range(count))
    yield list(range(count))[::-1]
    yield Random(count).sample(range(count), count)


def splits(order: Sequence[int], data: str) -> Iterator[list[list[int]]]:
    """Whole, row by row, uneven with an empty part, by class, by score."""
    columns = DATA[data]
    yield [list(order)]
    yield [[i] for i in order] or [[]]
    cut = len(order) // 4
    yield [list(order[:cut]), [], list(order[cut:])]
    yield [
        [i for i in order if columns.label[i] == label] for label in sorted(set(columns.label))
    ] or [[]]
    by_score = sorted(order, key=lambda i: columns.score[i])
    yield [by_score[: len(order) // 2], by_score[len(order) // 2 :]]


@pytest.mark.full
@pytest.mark.parametrize("data", DATA)
def test_full_product(data: str, kernel: str) -> None:
    """Any order, split, merge tree, wire trip and chunk size: the same bytes and the same bits."""
    bounds = [catalogue.resolve(spec) for spec in SPECS]
    state_specs = plan.combined(bound.state_spec for bound in bounds)

    def values_of(states: Mapping[StateSpec, State], rows: int | None = None) -> list[AnyValue]:
        by_place = {state_spec.identity: state for state_spec, state in states.items()}
        return [
            value
            for [value] in plan.values(
                bounds, plan.Table(by_place, 0, 1, TOTAL_SLICE, rows), ENGINE
            )
        ]

    whole = [range(len(DATA[data]))]
    first = {
        state_spec: state_of(state_spec, DATA[data], whole, harness.left_to_right)
        for state_spec in state_specs
    }
    expected = values_of(first)
    for spec, value in zip(SPECS, expected, strict=True):
        assert is_right(split(spec)[0], value, answer(spec, data)), spec
    merges = (harness.left_to_right, harness.right_to_left, harness.pairwise, harness.by_wire)
    for order, merge in product(orders(len(DATA[data])), merges):
        for parts in splits(order, data):
            states = {
                state_spec: state_of(state_spec, DATA[data], parts, merge)
                for state_spec in state_specs
            }
            for state_spec in state_specs:
                assert states[state_spec].dumps() == first[state_spec].dumps(), (merge, parts)
            for rows in (1, 2, 3, None):
                values = values_of(states, rows)
                for spec, value, other in zip(SPECS, values, expected, strict=True):
                    assert same(value, other), (spec, merge, parts, rows)


# --- nothing is left out -------------------------------------------------------------------------


def test_every_metric_has_rows_and_an_oracle() -> None:
    binary = {
        metric.function
        for metric in catalogue.every()
        if isinstance(metric, CountMetric | CurveMetric)
    }
    rows = {case.metric for case in CASES}
    assert binary - rows == set(), "metrics without a row in tests/tables/binary_table.py"
    assert binary - set(ORACLES) == set(), "metrics without an oracle"
    assert set(ORACLES) - binary == set(), "oracles without a metric"


def test_every_data_set_and_row_says_why() -> None:
    assert all(data.why for data in DATA.values())
    assert all(case.why for case in CASES)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_design_resolves(name: str) -> None:
    metric = catalogue.find(name)
    assert metric.name == name
    assert metric.aliases == NAMES[name]
    for each in metric.names:
        assert catalogue.find(each) is metric
        assert getattr(sy, each).__name__ == each


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("precision_at_recall(0.95)", "precision_at_recall(0.95)"),
        ("recall_at_precision(precision=0.9)", "recall_at_precision(0.9)"),
        ("tpr_at_fpr(0.1)", "tpr_at_fpr(0.1)"),
        ("best_threshold(youden)", "best_threshold"),
        ("best_threshold(f1)", "best_threshold(f1)"),
        ("lift(0.1)", "lift(0.1)"),
        ("precision(threshold=0.3)", "precision(0.3)"),
        ("roc_auc", "auc"),
        ("tpr(0.5)", "recall"),
        ("partial_auc(standardize=true, max_fpr=0.1)", "partial_auc(0.1, standardize=true)"),
    ],
)
def test_the_printed_name_is_the_identity(spec: str, name: str) -> None:
    assert catalogue.resolve(spec).name == name
    assert catalogue.resolve(name) == catalogue.resolve(spec)


def test_undefined_is_never_a_number() -> None:
    """Every reason of the oracles reaches the user as NaN, one warning and the reason."""
    case = next(case for case in CASES if case.data == "negatives_only" and case.metric == "auc")
    value = by_function(case.metric, case.columns, case.params)
    assert value == Undefined("there are no positives")


def test_sums_beyond_float64_are_infinite_not_an_error() -> None:
    data = DATA["heaviest"]
    (row,) = sy.evaluate(label=data.label, score=data.scores, weight=data.weights, metrics=["auc"])
    assert row.weighted_positives == row.weighted_negatives == float("inf")
