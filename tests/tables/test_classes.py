"""Every metric of many classes on every data set, reached every way."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import Value
from tests.oracles import classes as class_oracles
from tests.tables.class_table import (
    CLASSES,
    OF_CLASSES,
    OF_SCORES,
    RATIOS,
    ROUNDINGS,
    SCORES,
    answer,
    answer_of_scores,
    called_rows,
    class_values,
)
from tests.tables.family_harness import (
    Sample,
    assert_merges,
    called,
    is_right,
    split,
    splits,
    table,
)
from tests.tables.harness import value_of


def by_function(spec: str, data: Sample) -> Value:
    name, params = split(spec)
    columns = data.columns
    given = {"sample_weight": columns.get("weight"), **params}
    if "classes" in data.roles:
        matrix = np.column_stack([columns[name] for name in data.roles["score"]])
        given["labels"] = data.roles["classes"]
        return called(getattr(sy, name), columns["label"], matrix, **given)
    return called(getattr(sy, name), columns["label"], y_pred=columns["prediction"], **given)


@pytest.mark.parametrize("data", CLASSES)
def test_classes(data: str) -> None:
    found = table(OF_CLASSES, CLASSES[data])
    for spec in OF_CLASSES:
        value, expected = value_of(found[spec]), answer(spec, data)
        assert is_right(value, expected), (spec, value, expected)
        assert repr(by_function(spec, CLASSES[data])) == repr(value), spec


@pytest.mark.parametrize("data", SCORES)
def test_scores(data: str) -> None:
    found = table(OF_SCORES, SCORES[data])
    for spec in OF_SCORES:
        value, expected = value_of(found[spec]), answer_of_scores(spec, data)
        roundings = ROUNDINGS.get(split(spec)[0], 0)
        assert is_right(value, expected, roundings), (spec, value, expected)
        assert repr(by_function(spec, SCORES[data])) == repr(value), spec


@pytest.mark.parametrize("data", CLASSES)
@pytest.mark.parametrize("name", RATIOS)
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_class_by_class(name: str, data: str) -> None:
    """average=None: the classes in order, NaN for 0/0."""
    columns = CLASSES[data].columns
    values = getattr(sy, name)(
        columns["label"],
        y_pred=columns["prediction"],
        sample_weight=columns.get("weight"),
        average=None,
    )
    assert repr(values.tolist()) == repr(list(class_values(name, data).values()))


@pytest.mark.parametrize("data", CLASSES)
@pytest.mark.parametrize("name", ["precision", "recall"])
def test_what_is_left_out_is_counted(name: str, data: str) -> None:
    row = table([f"{name}(average=macro)"], CLASSES[data])[f"{name}(average=macro)"]
    ratio = getattr(class_oracles, f"{name}_ratio")
    every = class_oracles.cells(called_rows(data))
    skipped = class_oracles.skipped(called_rows(data), ratio)
    assert row.details["classes"] == len(every)
    assert row.details["classes_used"] == len(every) - skipped


@pytest.mark.parametrize("data", CLASSES)
def test_confusion(data: str) -> None:
    columns = CLASSES[data].columns
    found = sy.confusion(
        columns["label"], y_pred=columns["prediction"], sample_weight=columns.get("weight")
    )
    rows = called_rows(data)
    assert list(found.labels) == class_oracles.classes_of(rows)
    expected = class_oracles.confusion(rows)
    matrix = np.asarray(found.matrix).tolist()
    for line, theirs in zip(matrix, expected, strict=True):
        for cell, exact in zip(line, theirs, strict=True):
            assert cell == exact if isinstance(cell, int) else is_right(float(cell), exact)


@pytest.mark.parametrize("data", CLASSES)
def test_classes_split_and_merged(data: str) -> None:
    assert_merges(OF_CLASSES, CLASSES[data], list(splits(len(CLASSES[data]))))


@pytest.mark.parametrize("data", SCORES)
def test_scores_split_and_merged(data: str) -> None:
    assert_merges(OF_SCORES, SCORES[data], list(splits(len(SCORES[data]))))


def test_every_metric_has_rows_and_an_oracle() -> None:
    family = {m.name for m in catalogue.every() if catalogue.family(m) == "multiclass"}
    named = {split(spec)[0] for spec in (*OF_CLASSES, *OF_SCORES)} | {"confusion"}
    assert family == named, "a metric without a row, or a row without a metric"
    assert all(hasattr(class_oracles, name) for name in named)


def test_every_data_set_says_why() -> None:
    assert all(data.why for data in (*CLASSES.values(), *SCORES.values()))
