"""Every calibration metric on every data set of probabilities, reached every way."""

import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.model import Undefined, Value
from tests.oracles import calibration as calibration_oracles
from tests.oracles.answers import Why
from tests.tables.calibration_table import (
    DATA,
    ITERATED,
    LOGARITHMIC,
    OTHER_NAMES,
    READINGS,
    ROUNDINGS,
    SPECS,
    TYPED,
    answer,
    arguments,
    rows,
    specs_for,
)
from tests.tables.family_harness import (
    Answer,
    Sample,
    assert_merges,
    called,
    is_close,
    is_right,
    split,
    splits,
    table,
)
from tests.tables.harness import value_of

CURVE = "calibration_curve"


def is_value(spec: str, value: Value, expected: Answer) -> bool:
    name = split(spec)[0]
    if name in ITERATED and not isinstance(expected, Why):
        return not isinstance(value, Undefined) and is_close(value, expected, ITERATED[name], 1.0)
    return is_right(value, expected, ROUNDINGS.get(name, 0))


def by_function(spec: str, data: Sample, **reading: float) -> Value:
    name, params = split(spec)
    columns = {key: data.columns[key] for key in ("field", "bid", "revenue") if key in params}
    if name not in LOGARITHMIC:
        reading.pop("clip", None)
    return called(
        getattr(sy, name),
        data.columns["label"],
        data.columns["score"],
        sample_weight=data.columns.get("weight"),
        positive=data.roles["positive"],
        **(params | columns),
        **reading,
    )


EXTREME = [data for data in DATA if specs_for(data) != SPECS]
EVERY_READING = [(data, reading) for data in DATA for reading in READINGS]


@pytest.mark.parametrize(("data", "reading"), EVERY_READING)
def test_table(data: str, reading: str) -> None:
    """All at once by sy.evaluate, each by its function: the oracle's value, and the same bits."""
    specs = specs_for(data)
    found = table(specs, DATA[data], **READINGS[reading])
    for spec in specs:
        value, expected = value_of(found[spec]), answer(spec, data, reading)
        assert is_value(spec, value, expected), (spec, value, expected)
        assert repr(by_function(spec, DATA[data], **READINGS[reading])) == repr(value), spec


@pytest.mark.parametrize("reading", ["plain", "downsampled"])
@pytest.mark.parametrize("data", DATA)
def test_what_stands_beside(data: str, reading: str) -> None:
    """Null levels and p-values, within 1e-9 of themselves."""
    specs = specs_for(data)
    found = table(specs, DATA[data], **READINGS[reading])
    for name, key, oracle in OTHER_NAMES:
        for spec in specs:
            if split(spec)[0] != name or found[spec].value is None:
                continue
            _, given, downsampled = arguments(spec, reading)
            expected = getattr(calibration_oracles, oracle)(rows(data, downsampled), **given)
            beside = found[spec].details.get(key)
            if isinstance(expected, Why):
                assert beside is None, (spec, beside)
            else:
                assert beside is not None
                assert is_close(beside, expected, 1e-9), (spec, beside, expected)


@pytest.mark.parametrize("data", DATA)
def test_split_and_merged(data: str) -> None:
    assert_merges(specs_for(data), DATA[data], [next(splits(len(DATA[data])))], downsampled=0.1)


@pytest.mark.full
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("data", DATA)
def test_split_and_merged_full(data: str, reading: str) -> None:
    each_row = [[i] for i in range(len(DATA[data]))] or [[]]
    ways = [*splits(len(DATA[data])), each_row]
    assert_merges(specs_for(data), DATA[data], ways, **READINGS[reading])


@pytest.mark.parametrize("name", ITERATED)
@pytest.mark.parametrize("data", EXTREME)
def test_a_fit_to_extreme_weights_ends(data: str, name: str) -> None:
    """At a number or with a reason; which one is not for 60 digits to say."""
    row = table([f"{name}()"], DATA[data])[f"{name}()"]
    assert (row.value is None) != (row.why is None)


@pytest.mark.parametrize("kind", ["mass", "width"])
@pytest.mark.parametrize("data", DATA)
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_curve(data: str, kind: str) -> None:
    """The bins with rows: their mean probability, what happened, their weight."""
    columns = DATA[data].columns
    curve = sy.calibration_curve(
        columns["label"],
        columns["score"],
        sample_weight=columns.get("weight"),
        positive=DATA[data].roles["positive"],
        bins=4,
        kind=kind,
    )
    expected = calibration_oracles.calibration_curve(rows(data, None), 4, kind)
    if not expected:
        return
    points = zip(curve.predicted.tolist(), curve.observed.tolist(), strict=True)
    for (mean, share), (said, seen, _) in zip(points, expected, strict=True):
        assert is_right(mean, said)
        assert is_right(share, seen)


# --- by hand -------------------------------------------------------------------------------------


def test_by_hand() -> None:
    """A quarter of a quarter is calibrated; ½ for everything is the base rate's own forecast."""
    assert sy.copc([1, 0, 0, 0], [0.25] * 4) == 1
    assert sy.ece([1, 0, 0, 0], [0.25] * 4) == 0
    assert sy.ne([1, 0], [0.5, 0.5]) == 1
    assert sy.rig([1, 0], [0.5, 0.5]) == 0
    assert sy.brier([1, 0], [0.5, 0.5]) == sy.unc([1, 0], [0.5, 0.5]) == 0.25
    assert sy.mcb([1, 0], [0.9, 0.1]) == pytest.approx(0.01, rel=1e-15)
    assert sy.dsc([1, 0], [0.9, 0.1]) == 0.25
    # The numbers of a model trained on a hundredth and a tenth of the negatives.
    assert sy.pcoc([1], [0.1], downsampled=0.01) == pytest.approx(0.00110988, rel=1e-5)
    assert sy.pcoc([1], [0.5], downsampled=0.1) == pytest.approx(1 / 11, rel=1e-15)


# --- nothing is left out -------------------------------------------------------------------------


def test_every_metric_has_rows_and_an_oracle() -> None:
    family = {m.name for m in catalogue.every() if catalogue.family(m) == "calibration"}
    named = {split(spec)[0] for spec in SPECS} | {CURVE}
    assert family == named, "a metric without a row, or a row without a metric"
    assert all(hasattr(calibration_oracles, name) for name in named)


def test_every_data_set_says_why() -> None:
    assert all(data.why for data in TYPED.values())
    assert len(TYPED) > 30
