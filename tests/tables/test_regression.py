"""Every metric of regression on every data set, reached every way."""

import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import Value
from tests.oracles import regression as regression_oracles
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
from tests.tables.regression_table import (
    DATA,
    POSITIVE,
    ROUNDINGS,
    SPECS,
    answer,
    rows,
    specs_for,
)


def by_function(spec: str, data: Sample) -> Value:
    name, params = split(spec)
    columns = data.columns
    weight = columns.get("weight")
    given = {"sample_weight": weight, **params}
    return called(getattr(sy, name), columns["label"], columns["prediction"], **given)


@pytest.mark.parametrize("data", DATA)
def test_table(data: str) -> None:
    specs = specs_for(data)
    found = table(specs, DATA[data])
    for spec in specs:
        value, expected = value_of(found[spec]), answer(spec, data)
        roundings = ROUNDINGS.get(split(spec)[0], 0)
        assert is_right(value, expected, roundings), (spec, value, expected)
        assert repr(by_function(spec, DATA[data])) == repr(value), spec


@pytest.mark.parametrize("data", DATA)
def test_split_and_merged(data: str) -> None:
    assert_merges(specs_for(data), DATA[data], list(splits(len(DATA[data]))))


@pytest.mark.full
@pytest.mark.parametrize("data", DATA)
def test_row_by_row(data: str) -> None:
    each_row = [[i] for i in range(len(DATA[data]))] or [[]]
    assert_merges(specs_for(data), DATA[data], [each_row])


@pytest.mark.parametrize("data", ["zeros", "all_zero"])
def test_zeros_are_counted(data: str) -> None:
    """Beside the value that leaves them out."""
    row = table(["mape(zeros=skip)"], DATA[data])["mape(zeros=skip)"]
    assert row.details["skipped"] == regression_oracles.zero_truths(rows(data))


def test_every_metric_has_rows_and_an_oracle() -> None:
    family = {m.name for m in catalogue.every() if catalogue.family(m) == "regression"}
    named = {split(spec)[0] for spec in (*SPECS, *POSITIVE)}
    assert family == named, "a metric without a row, or a row without a metric"
    assert all(hasattr(regression_oracles, name) for name in named)


def test_every_data_set_says_why() -> None:
    assert all(data.why for data in DATA.values())
    assert any(len(specs_for(data)) > len(SPECS) for data in DATA)
