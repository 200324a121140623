"""Every family on random rows: the oracles' values, order, parts and copies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from steelyard.model import Undefined
from tests.effort import random_cases
from tests.tables import binary, calibration, classes, groups, regression
from tests.tables.binary_data import scored
from tests.tables.case import Family, Sample, parsed
from tests.tables.group_data import grouped
from tests.tables.harness import (
    assert_merges,
    by_function,
    check,
    evaluated,
    is_number,
    ranges_of,
    shown,
    state_of,
)

# Few examples, as each evaluates a family; a failing one is not made smaller for the same reason.
LAW = settings(max_examples=random_cases(8, 25), phases=[Phase.explicit, Phase.generate])

finite = st.floats(allow_nan=False, allow_infinity=False)
any_scores = st.one_of(st.sampled_from([0.0, -0.0, 0.25, 0.5, 0.75, 1.0]), finite)
chances = st.one_of(st.sampled_from([0.25, 0.5, 1e-17, 1 - 2.0**-53]), st.floats(1e-300, 0.9999))
numbers = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, 2.5, -1.0, 0.1, 1e-3, 7.0]), st.floats(-1e6, 1e6)
)
weights = st.one_of(st.sampled_from([0.1, 0.25, 1.5, 3e-7]), st.floats(1e-9, 1e9))
labels = st.integers(0, 1)
class_names = st.sampled_from(["a", "b", "c", "né"])
class_scores = st.sampled_from(
    [(1.0, 0.0, 0.0), (0.5, 0.25, 0.25), (0.25, 0.5, 0.25), (0.0, 0.5, 0.5), (0.125, 0.25, 0.625)]
)

Columns = Sequence[Any]
# The rows of each family without their weights, and how columns become a data set.
ROWS: dict[str, tuple[st.SearchStrategy[Any], Callable[..., Sample]]] = {
    "binary": (st.tuples(labels, any_scores), lambda y, s, w: scored("", y, s, w)),
    "calibration": (
        st.tuples(labels, chances),
        lambda y, s, w: calibration.with_columns(scored("", y, s, w)),
    ),
    "groups": (
        st.tuples(st.integers(0, 3), st.integers(0, 2), any_scores),
        lambda key, y, s, w: grouped("", (key,), y, s),
    ),
    "clicks": (
        st.tuples(st.integers(0, 3), labels, any_scores),
        lambda key, y, s, w: grouped("", (key,), y, s, w),
    ),
    "predictions": (
        st.tuples(class_names, class_names),
        lambda y, p, w: classes.predicted("", y, p, w),
    ),
    "class_scores": (
        st.tuples(st.sampled_from("abc"), class_scores),
        lambda y, m, w: classes.scored("", y, np.array(m), list("abc"), w),
    ),
    "regression": (st.tuples(numbers, numbers), lambda y, p, w: regression.numbers("", y, p, w)),
}
FAMILIES: dict[str, Family] = {
    "binary": binary.FAMILY,
    "calibration": calibration.FAMILY,
    "groups": groups.FAMILY,
    "clicks": groups.FAMILY,
    "predictions": classes.PREDICTIONS,
    "class_scores": classes.CLASS_SCORES,
    "regression": regression.FAMILY,
}
each_family = pytest.mark.parametrize("name", FAMILIES)


def sample_of(name: str, rows: Sequence[Any], weight: Sequence[float] | None) -> Sample:
    columns = (list(column) for column in zip(*rows, strict=True))
    return ROWS[name][1](*columns, weight)


def some_specs(name: str, data: Sample) -> list[str]:
    """Of each metric the first and the last spec that fit and have no order of rows.

    Fits to rows that are all but separable are a matter of hundreds of digits.
    """
    family = FAMILIES[name]
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for spec in family.specs:
        fitted = parsed(spec)[0] in calibration.ITERATED
        if family.fits(spec, data) and family.splits(spec) and not fitted:
            first.setdefault(parsed(spec)[0], spec)
            last[parsed(spec)[0]] = spec
    return list(dict.fromkeys([*first.values(), *last.values()]))


@each_family
@LAW
@given(st.data())
def test_oracles_on_any_rows(name: str, data: Any) -> None:
    rows = data.draw(st.lists(ROWS[name][0], min_size=1, max_size=10))
    weight = data.draw(st.lists(weights, min_size=len(rows), max_size=len(rows)))
    sample = sample_of(name, rows, weight)
    family, specs = FAMILIES[name], some_specs(name, sample)
    check(family, specs, sample, {spec: family.answer_on(spec, sample) for spec in specs})


@each_family
@LAW
@given(st.data())
def test_any_order_parts_and_ranges_give_the_same_bits(name: str, data: Any) -> None:
    rows = data.draw(st.lists(ROWS[name][0], min_size=1, max_size=20))
    weight = data.draw(st.lists(weights, min_size=len(rows), max_size=len(rows)))
    sample = sample_of(name, rows, weight)
    specs = [spec for spec in some_specs(name, sample) if is_number(spec, sample)]
    order, cut = data.draw(st.permutations(range(len(rows)))), data.draw(st.integers(0, 20))
    merged = assert_merges(specs, sample, [[list(order[:cut]), list(order[cut:])]])
    with ranges_of(data.draw(st.integers(1, 5))):
        assert shown(merged.result(), sample) == shown(state_of(specs, sample).result(), sample)
    assert shown(merged.result(), sample) == shown(evaluated(specs, sample), sample)


@each_family
@LAW
@given(st.data())
def test_a_slice_is_what_its_rows_alone_are(name: str, data: Any) -> None:
    rows = data.draw(st.lists(ROWS[name][0], min_size=1, max_size=12))
    weight = data.draw(st.lists(weights, min_size=len(rows), max_size=len(rows)))
    keys = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(rows), max_size=len(rows)))
    sample = sample_of(name, rows, weight)
    specs = [spec for spec in some_specs(name, sample) if is_number(spec, sample)]
    sliced = evaluated(specs, with_key(sample, keys), by="part")
    for key in set(keys):
        alone = sample.take([place for place, one in enumerate(keys) if one == key])
        for row in evaluated(specs, alone):
            mine = sliced.row(row.metric, slice={"part": key})
            assert repr((mine.value, mine.why)) == repr((row.value, row.why)), row.metric


def with_key(sample: Sample, keys: Sequence[str]) -> Sample:
    return replace(sample, columns={**sample.columns, "part": np.array(keys)})


@pytest.mark.parametrize("name", [name for name in FAMILIES if name not in ("groups", "clicks")])
@LAW
@given(st.data())
def test_a_whole_weight_is_that_many_rows(name: str, data: Any) -> None:
    """Of weights as integers and as floats; a reason may count rows."""
    rows = data.draw(st.lists(ROWS[name][0], min_size=1, max_size=8))
    times = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    copies = [row for row, count in zip(rows, times, strict=True) for _ in range(count)]
    assume(copies)
    one, many = sample_of(name, rows, times), sample_of(name, copies, None)
    as_floats = sample_of(name, rows, [float(count) for count in times])
    for spec in some_specs(name, one):
        if spec.startswith(("field", "ecpm")) or not is_number(spec, one):
            continue
        value = by_function(spec, many)
        for other in (by_function(spec, one), by_function(spec, as_floats)):
            if isinstance(value, Undefined):
                assert isinstance(other, Undefined), spec
            else:
                assert repr(other) == repr(value), spec
