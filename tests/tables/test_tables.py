"""Every row of every table, reached every way, on every set of kernels."""

import pytest

from steelyard import kernels
from steelyard.metrics import catalogue
from tests.tables import binary, calibration, classes, groups, regression
from tests.tables.case import Family, parsed, resolved
from tests.tables.harness import (
    assert_merges,
    by_function,
    check,
    check_parts,
    check_table,
    evaluated,
    every_split,
    is_number,
    is_right,
    kernels_in_use,
    left_to_right,
    ranges_of,
    right_to_left,
    shown,
    tree_by_bytes,
)

FAMILIES = {
    family.name: family
    for family in (
        binary.FAMILY,
        groups.FAMILY,
        calibration.FAMILY,
        classes.PREDICTIONS,
        classes.CLASS_SCORES,
        regression.FAMILY,
    )
}
EVERY = [
    pytest.param(family, data, id=f"{family.name}-{data}")
    for family in FAMILIES.values()
    for data in family.data
]
each_data_set = pytest.mark.parametrize(("family", "data"), EVERY)


@each_data_set
def test_a_data_set_of_the_table(family: Family, data: str) -> None:
    """All metrics in one table: the oracle's answer, on every set of kernels.

    On the kernels that users have, also each metric by its function; and the rows in three parts,
    merged and sent through bytes, in short ranges: the same bits; a ninth of the specs, where
    hundreds read one state. Rows are read without and with all corrections.
    """
    specs, sample, options = family.specs_on(data), family.data[data], family.options
    *others, of_users = kernels.available()
    for option in dict.fromkeys((next(iter(options)), list(options)[-1])):
        given = options[option]
        answers = {spec: family.answer(spec, data, option) for spec in specs}
        for name in others:
            with kernels_in_use(name):
                check_table(family, specs, sample, answers, **given)
        with kernels_in_use(of_users):
            values = check(family, specs, sample, answers, **given)
    with kernels_in_use(of_users):
        step, first = (9, list(family.data).index(data) % 9) if len(specs) > 100 else (1, 0)
        few = dict(list(values.items())[first::step])
        check_parts(family, few, sample, **given)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_rows_by_hand(family: Family) -> None:
    """The known value, by the function and by the oracle."""
    for case in family.by_hand:
        sample = family.data[case.data] if isinstance(case.data, str) else case.data
        allowed = family.roundings.get(parsed(case.spec)[0], 0)
        value = by_function(case.spec, sample)
        assert is_right(value, case.known, allowed), (case, case.why, value)
        if not isinstance(case.data, str):
            answer = family.answer_on(case.spec, sample)
            check(family, [case.spec], sample, {case.spec: answer})


@pytest.mark.full
@each_data_set
def test_every_split_order_merge_and_range(family: Family, data: str) -> None:
    """Any order, split, merge tree, trip through bytes and length of ranges: the same bits."""
    sample = family.data[data]
    specs = [s for s in family.specs_on(data) if is_number(s, sample) and family.splits(s)]
    merges = (left_to_right, right_to_left, tree_by_bytes)
    for name in kernels.available():
        with kernels_in_use(name):
            for option, given in family.options.items():
                answers = {spec: family.answer(spec, data, option) for spec in specs}
                check(family, specs, sample, answers, **given)
                merged = assert_merges(specs, sample, list(every_split(sample)), merges, **given)
                expected = shown(evaluated(specs, sample, **given), sample)
                for size in (1, 2, 3, 1 << 20):
                    with ranges_of(size):
                        assert shown(merged.result(), sample) == expected


# --- nothing is left out -------------------------------------------------------------------------


def test_every_metric_has_a_row_and_an_oracle() -> None:
    """Of its family: the name alone is not enough, as several families have a precision."""
    found = set()
    for family in FAMILIES.values():
        some = next(iter(family.data.values()))
        metrics = {spec: resolved(spec, some).metric for spec in family.specs}
        found |= {(metric.function, metric.reads) for metric in metrics.values()}
        named = {parsed(spec)[0] for spec in family.specs}
        assert named <= family.oracles.keys(), "metrics without an oracle"
    metrics_there_are = {(metric.function, metric.reads) for metric in catalogue.every()}
    assert metrics_there_are - found == set(), "metrics without a row in tests/tables"


def test_every_spec_fits_some_data() -> None:
    for family in FAMILIES.values():
        used = {spec for data in family.data for spec in family.specs_on(data)}
        assert used >= set(family.specs), family.name


def test_every_data_set_and_row_says_why() -> None:
    for family in FAMILIES.values():
        assert all(data.why for data in family.data.values())
        assert all(case.why for case in family.by_hand)
