"""Differences → the rows of a comparison: intervals, tests and outcomes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steelyard.comparison.rows import ComparisonRow, SliceTest
from steelyard.comparison.sides import Measured, MeasuredTable, PairedTables, Side
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import Influences
from steelyard.model import Floats, Mask
from steelyard.sections import or_none
from steelyard.stats.bootstrap import NOT_REQUESTED, Replicates, percentiles
from steelyard.stats.corrections import benjamini_hochberg, holm
from steelyard.stats.differences import (
    CANNOT_TELL,
    DEPENDS,
    TARGETS,
    Goodness,
    TestedDifferences,
    combined,
    goodness,
    outcomes,
    tested,
)
from steelyard.stats.intervals import intervals
from steelyard.stats.slices_differ import slices_differ
from steelyard.stats.variance import Spread, spread_of
from steelyard.views.group_rows import GroupNumbers

FEWEST_CLUSTERS = 30  # of a slice that is tested
NO_VALUE, NEITHER = "{side} has no value, since {why}", "neither side has a value, since {why}"
SIDES = ("the baseline", "the candidate")
AT_ZERO = "a value of 0 has no logarithm, so that its distance from the target is not known"
FEW_CLUSTERS = "a value rests on fewer than two clusters"
FEW_OF_CLASS = "fewer than two clusters have rows of a class that a value needs"
AT_TARGET = "the interval of a value contains the target, so that its distance is not known"
ROUNDING = 1e-12  # of the standard errors of both values


class Compared(NamedTuple):
    """The rows of a comparison, and the tests whether slices differ."""

    rows: list[ComparisonRow]
    tests: list[SliceTest]


class ComparisonOptions(NamedTuple):
    """confidence: of intervals; min_rows: of slices that are tested; margins: by metric."""

    confidence: float
    min_rows: int
    margins: Mapping[str, float]


def compared(pairs: Sequence[tuple[Side, Side]], options: ComparisonOptions) -> Compared:
    """The second of each pair against the first: metric by metric, the total and then its slices.

    Tables are read one after the other: what was sorted for one is released before the next, since
    new memory takes longer than memory that is used again.
    """
    first, _ = pairs[0]
    metrics = [bound for bound in first.evaluation.plan.metrics if bound.metric.shape is None]
    found: dict[tuple[int, int], list[Compared]] = {}
    for own in first.tables:
        for number, tables in enumerate(_paired(pairs, own.names, metrics)):
            for place, bound in enumerate(metrics):
                found.setdefault((number, place), []).append(_compare(tables, bound, options))
    ordered = [each for place in sorted(found) for each in found[place]]
    return Compared(
        _with_holm([row for each in ordered for row in each.rows]),
        [test for each in ordered for test in each.tests],
    )


def _paired(
    pairs: Sequence[tuple[Side, Side]], names: tuple[str, ...], metrics: Sequence[BoundMetric]
) -> Iterator[PairedTables]:
    """The tables of each pair for one `by`; a side is measured once, and kept until its last."""
    held: dict[str, MeasuredTable] = {}
    groups: GroupNumbers | None = None
    for place, pair in enumerate(pairs):
        for side in pair:
            if side.name not in held:
                held[side.name] = MeasuredTable(side, side.table(names), metrics, groups)
                groups = groups or held[side.name].groups
        yield PairedTables(*(held[side.name] for side in pair))
        later = {side.name for pair in pairs[place + 1 :] for side in pair}
        held = {name: each for name, each in held.items() if name in later}


def _with_holm(rows: list[ComparisonRow]) -> list[ComparisonRow]:
    """The rows; of several pairs the totals of each metric have p corrected for their number."""
    found: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if not row.slice:
            found.setdefault(row.metric, []).append(place)
    for places in found.values():
        if len(places) > 1:
            p = np.array([rows[place].p for place in places], float)  # None is NaN: no test
            for place, adjusted in zip(places, or_none(holm(p)), strict=True):
                rows[place] = replace(rows[place], holm=adjusted)
    return rows


def _compare(tables: PairedTables, bound: BoundMetric, options: ComparisonOptions) -> Compared:
    """The rows of one metric and one `by`, and the test of its slices."""
    metric = bound.metric
    both = [tables.measured(side, bound) for side in (0, 1)]
    good = [goodness(each.values, metric.better, metric.scale) for each in both]
    amount = good[1].amount - good[0].amount
    if both[0].influences is None or both[1].influences is None:
        judged = _of_replicates(bound, both, amount, options.confidence)
        return Compared(list(_rows(tables, bound, both, judged, options)), [])
    change = combined([both[1].influences, both[0].influences], [good[1].slope, -good[0].slope])
    unknown = _contains_target(bound, both, options.confidence)
    spread = _spread(change, both, good, unknown)
    told = tested(amount, spread, options.confidence)
    tried = np.isfinite(amount) & _is_tested(tables, both, options) & (spread.error > 0)
    q, tests = np.full(len(amount), np.nan), []
    if tables.names:
        q = benjamini_hochberg(np.where(tried, told.p, np.nan))
        which = (bound.name, tables.candidate, tables.baseline, tables.names)
        tests = [slices_differ(*which, amount, change, spread, tried)]
    judged = Judged(told, q, unknown, partial(_details, told, spread), {})
    return Compared(list(_rows(tables, bound, both, judged, options)), tests)


def _is_tested(tables: PairedTables, both: Sequence[Measured], options: ComparisonOptions) -> Mask:
    """The slices with enough rows and clusters on both sides."""
    enough = np.ones(len(tables.keys), bool)
    for side, measured in enumerate(both):
        assert measured.spread is not None
        enough &= tables.sample(side, "n") >= options.min_rows
        enough &= measured.spread.clusters >= FEWEST_CLUSTERS
    return enough


def _spread(
    change: Influences, both: Sequence[Measured], good: Sequence[Goodness], unknown: Mask
) -> Spread:
    """The spread of the differences; none where a side has none, or nothing can be told.

    A standard error that is rounding alone is 0: both sides move alike on every resample.
    """
    spread = spread_of(change)
    sizes = np.zeros(len(spread.error))
    for measured, each in zip(both, good, strict=True):
        assert measured.spread is not None
        sizes += np.abs(each.slope) * measured.spread.error
    error = np.where(spread.error <= ROUNDING * sizes, 0.0, spread.error)
    freedom = np.where(error == 0, spread.clusters - 1.0, spread.freedom)
    largest = np.where(error == 0, 0.0, spread.largest)
    missing = ~np.isfinite(sizes)
    if unknown.any():  # only metrics with a target
        missing |= unknown & ~_are_equal(both)
    return Spread(np.where(missing, np.nan, error), freedom, spread.clusters, largest)


def _are_equal(both: Sequence[Measured]) -> Mask:
    """The slices in which both sides have the same value and the same influences."""
    values = [measured.values for measured in both]
    if not (values[0] == values[1]).any():
        return np.zeros(len(values[0]), bool)
    found = [measured.influences for measured in both if measured.influences is not None]
    ones = np.ones(len(values[0]))
    equal: Mask = values[0] == values[1]
    equal &= spread_of(combined(found, [ones, -ones])).error == 0
    return equal


class Judged(NamedTuple):
    """The differences of all slices, tested.

    unknown: where a value's interval contains the metric's target
    details: of the slice at a place; whys: the reason for no interval, where both have a value
    """

    told: TestedDifferences
    q: Floats
    unknown: Mask
    details: Callable[[int], dict[str, Any]]
    whys: Mapping[int, str]


def _of_replicates(
    bound: BoundMetric, both: Sequence[Measured], amount: Floats, confidence: float
) -> Judged:
    """The differences of a metric without influences: percentiles of those of replicates.

    A cluster has the same weight on both sides in each replicate, so that they are paired. No p is
    computed from so few replicates.
    """
    none = np.full(len(amount), np.nan)
    unknown = np.zeros(len(amount), bool)
    old, new = (each.replicates for each in both)
    if old is None or new is None:
        why = bound.metric.interval.why
        why = f"{NOT_REQUESTED}: {why}" if bound.is_resampled else why
        whys = dict.fromkeys(range(len(amount)), why)
        told = TestedDifferences(amount, none, none, none, none)
        return Judged(told, none, unknown, lambda _: {}, whys)
    metric, shape = bound.metric, old.values.shape
    good = [
        goodness(each.values.ravel(), metric.better, metric.scale).amount for each in (old, new)
    ]
    made = Replicates((good[1] - good[0]).reshape(shape), np.minimum(old.clusters, new.clusters))
    ends = percentiles(amount, made, confidence)
    counts = np.count_nonzero(made.values == made.values, axis=1)

    def details(place: int) -> dict[str, Any]:
        return {"clusters": int(made.clusters[place]), "replicates": int(counts[place])}

    told = TestedDifferences(amount, ends.low, ends.high, none, none)
    return Judged(told, none, unknown, details, ends.whys)


def _rows(
    tables: PairedTables,
    bound: BoundMetric,
    both: Sequence[Measured],
    judged: Judged,
    options: ComparisonOptions,
) -> Iterator[ComparisonRow]:
    """The rows of one metric: of every slice."""
    told, q, unknown, details, whys = judged
    margin = options.margins.get(bound.name, 0.0)
    names = outcomes(told, margin)
    before = tables.sample(0, "n")
    n, weight = (tables.sample(1, name) for name in ("n", "weight"))
    total = weight.sum()
    columns = [or_none(each) for each in (both[0].values, both[1].values, *told[:4], q)]
    numbers = zip(*columns, strict=True)
    for place, (old, new, amount, low, high, p, corrected) in enumerate(numbers):
        known = low is not None and high is not None
        directed = bound.metric.better != DEPENDS
        near_target = bool(unknown[place]) and not known and amount is not None
        outcome = names[place] if known and directed else None
        why = AT_TARGET if near_target else None if known else _why(both, whys, place, amount)
        yield ComparisonRow(
            bound.name,
            tables.candidate,
            tables.baseline,
            dict(zip(tables.names, tables.keys[place], strict=True)),
            old,
            new,
            amount,
            low,
            high,
            p,
            corrected,
            CANNOT_TELL if near_target else outcome,
            why,
            int(n[place]),
            float(weight[place] / total) if total else None,
            {"n_baseline": int(before[place])} | (details(place) if known else {}),
        )


def _why(
    both: Sequence[Measured], whys: Mapping[int, str], place: int, amount: float | None
) -> str:
    """The reason for no difference, or for no interval."""
    missing = {
        side: each.whys[place] for side, each in zip(SIDES, both, strict=True) if place in each.whys
    }
    if missing:
        if len(missing) == len(both) and len(set(missing.values())) == 1:
            return NEITHER.format(why=both[0].whys[place])
        return "; ".join(NO_VALUE.format(side=side, why=why) for side, why in missing.items())
    if amount is None:
        return AT_ZERO
    spreads = [each.spread for each in both if each.spread is not None]
    enough = all(spread.clusters[place] > 1 for spread in spreads)
    return whys.get(place, FEW_OF_CLASS if enough else FEW_CLUSTERS)


def _details(told: TestedDifferences, spread: Spread, place: int) -> dict[str, Any]:
    return {
        "standard_error": float(spread.error[place]),
        "freedom": float(spread.freedom[place]),
        "clusters": int(spread.clusters[place]),
        "largest_cluster": float(spread.largest[place]),
        "detectable": float(told.detectable[place]),
    }


def _contains_target(bound: BoundMetric, both: Sequence[Measured], confidence: float) -> Mask:
    """Whether an interval of either side contains the metric's target, if it has one."""
    found = np.zeros(len(both[0].values), bool)
    target = TARGETS.get(bound.metric.better)
    for side in both:
        if target is not None and side.spread is not None:
            ends = intervals(side.values, side.spread, bound.metric.scale, confidence)
            found |= (ends.low <= target) & (target <= ends.high)
    return found
