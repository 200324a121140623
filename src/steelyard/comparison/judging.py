"""Differences → the rows of a comparison: intervals, tests and outcomes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steelyard import phases
from steelyard.comparison.rows import ComparisonRow, SliceTest
from steelyard.comparison.sides import Measured, MeasuredTable, PairedTables, Side
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import LOG, Influences
from steelyard.model import Floats, Mask
from steelyard.sections import or_none
from steelyard.stats.bootstrap import NOT_REQUESTED, Replicates, percentiles
from steelyard.stats.corrections import benjamini_hochberg
from steelyard.stats.differences import (
    DEPENDS,
    TARGETS,
    Limits,
    TestedDifferences,
    combined,
    goodness,
    signed_distances,
    tested,
)
from steelyard.stats.outcomes import CANNOT_TELL, FOUND, outcomes
from steelyard.stats.slices_differ import slices_differ
from steelyard.stats.targets import Combination, tested_distances
from steelyard.stats.variance import Spread, spread_of

FEWEST_CLUSTERS = 30  # of a slice that is tested
NO_VALUE, NEITHER = "{side} has no value, since {why}", "neither side has a value, since {why}"
SIDES = ("the baseline", "the candidate")
AT_ZERO = "a value of 0 has no logarithm, so that its distance from the target is not known"
FEW_CLUSTERS = "a value rests on fewer than two clusters"
FEW_OF_CLASS = "fewer than two clusters have rows of a class that a value needs"
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


def compared(baseline: Side, candidates: Sequence[Side], options: ComparisonOptions) -> Compared:
    """Every candidate against the baseline: metric by metric, the total and then its slices.

    Tables are read one after the other: what was sorted for one is released before the next, since
    new memory takes longer than memory that is used again.
    """
    metrics = [bound for bound in baseline.evaluation.plan.metrics if bound.metric.shape is None]
    found: dict[tuple[int, int], list[Compared]] = {}
    for own in baseline.tables:
        old = MeasuredTable(baseline, own, metrics)
        for number, candidate in enumerate(candidates):
            new = MeasuredTable(candidate, candidate.table(own.names), metrics, old.groups)
            tables = PairedTables(old, new)
            phases.begin("comparing", candidate.name)
            for place, bound in enumerate(metrics):
                found.setdefault((number, place), []).append(_compare(tables, bound, options))
    ordered = [each for place in sorted(found) for each in found[place]]
    return Compared(
        [row for each in ordered for row in each.rows],
        [test for each in ordered for test in each.tests],
    )


def _compare(tables: PairedTables, bound: BoundMetric, options: ComparisonOptions) -> Compared:
    """The rows of one metric and one `by`, and the test of its slices."""
    both = [tables.measured(side, bound) for side in (0, 1)]
    limits = Limits(options.confidence, options.margins.get(bound.name))
    if both[0].influences is None or both[1].influences is None:
        judged = _of_replicates(bound, both, limits, bool(tables.names))
        return Compared(list(_rows(tables, bound, both, judged)), [])
    of_metric = _with_target if bound.metric.better in TARGETS else _directed
    told, change, spread = of_metric(bound, both, limits)
    tests, q, q_worse = [], *np.full((2, len(told.p)), np.nan)
    claimed = spread.error == 0  # exact
    if tables.names:
        known = np.isfinite(told.amount) & _is_tested(tables, both, options)
        tried = np.where(known & (spread.error > 0), (told.p, told.p_worse), np.nan)
        q, q_worse = map(benjamini_hochberg, tried)
        name = tables.candidate
        tests = [slices_differ(bound.name, name, tables.names, told.amount, change, spread, known)]
    else:
        claimed = np.ones(len(told.p), bool)
    names = outcomes(told, limits.margin, claimed | (q <= FOUND), claimed | (q_worse <= FOUND))
    judged = Judged(told, q, limits, names, partial(_details, bound, told, spread), {})
    return Compared(list(_rows(tables, bound, both, judged)), tests)


class TestedChange(NamedTuple):
    """The differences of a metric, tested; the influences on them and their spread."""

    told: TestedDifferences
    change: Influences
    spread: Spread


def _directed(bound: BoundMetric, both: Sequence[Measured], limits: Limits) -> TestedChange:
    """The differences of a metric that is better if it is higher, or if it is lower."""
    good = [goodness(each.values, bound.metric.better, bound.metric.scale) for each in both]
    change = _combined(both, [good[1].slope, -good[0].slope])
    spread = _spread(change, both, [each.slope for each in good])
    return TestedChange(tested(good[1].amount - good[0].amount, spread, limits), change, spread)


def _with_target(bound: BoundMetric, both: Sequence[Measured], limits: Limits) -> TestedChange:
    """The differences of a metric that is best at its target, such as COPC at 1."""
    old, new = (signed_distances(m.values, bound.metric.better, bound.metric.scale) for m in both)
    minus, plus = (_combined(both, [new.slope, sign * old.slope]) for sign in (-1.0, 1.0))
    amounts = new.amount - old.amount, new.amount + old.amount
    spreads = [_spread(each, both, [old.slope, new.slope]) for each in (minus, plus)]
    # |a| − |b| is one of both combinations, times a sign.
    alike = old.amount * new.amount >= 0
    sign = -np.where(new.amount == 0, np.sign(old.amount), np.sign(new.amount))
    spread = Spread(*(np.where(alike, *columns) for columns in zip(*spreads, strict=True)))
    change = _chosen(minus, plus, alike, sign)
    both_ways = Combination(amounts[0], spreads[0]), Combination(amounts[1], spreads[1])
    amount = np.abs(old.amount) - np.abs(new.amount)
    return TestedChange(tested_distances(amount, spread, both_ways, limits), change, spread)


def _combined(both: Sequence[Measured], factors: Sequence[Floats]) -> Influences:
    """The influences on the candidate and on the baseline, each times its factor, added up."""
    found = [each.influences for each in reversed(both) if each.influences is not None]
    return combined(found, factors)


def _chosen(minus: Influences, plus: Influences, alike: Mask, sign: Floats) -> Influences:
    """For each slice one of two influences, times its sign; both have the same lines."""
    lines = minus.lines
    first, signs = lines.spread(alike), lines.spread(sign)
    columns = (
        signs * np.where(first, *each) for each in zip(minus.columns, plus.columns, strict=True)
    )
    return minus._replace(columns=tuple(columns))


def _is_tested(tables: PairedTables, both: Sequence[Measured], options: ComparisonOptions) -> Mask:
    """The slices with enough rows and clusters on both sides."""
    enough = np.ones(len(tables.keys), bool)
    for side, measured in enumerate(both):
        assert measured.spread is not None
        enough &= tables.sample(side, "n") >= options.min_rows
        enough &= measured.spread.clusters >= FEWEST_CLUSTERS
    return enough


def _spread(change: Influences, both: Sequence[Measured], slopes: Sequence[Floats]) -> Spread:
    """The spread of a combination of both sides; none where a side has none.

    A standard error that is rounding alone is 0: both sides move alike on every resample.
    """
    spread = spread_of(change)
    sizes = np.zeros(len(spread.error))
    for measured, slope in zip(both, slopes, strict=True):
        assert measured.spread is not None
        sizes += np.abs(slope) * measured.spread.error
    error = np.where(spread.error <= ROUNDING * sizes, 0.0, spread.error)
    freedom = np.where(error == 0, spread.clusters - 1.0, spread.freedom)
    largest = np.where(error == 0, 0.0, spread.largest)
    error = np.where(np.isfinite(sizes), error, np.nan)
    return Spread(error, freedom, spread.clusters, largest)


class Judged(NamedTuple):
    """The differences of all slices, tested, with their outcomes.

    details: of the slice at a place; whys: the reason for no interval, where both have a value
    """

    told: TestedDifferences
    q: Floats
    limits: Limits
    outcomes: Sequence[str]
    details: Callable[[int], dict[str, Any]]
    whys: Mapping[int, str]


def _of_replicates(
    bound: BoundMetric, both: Sequence[Measured], limits: Limits, slices: bool
) -> Judged:
    """The differences of a metric without influences: percentiles of those of replicates.

    A cluster has the same weight on both sides in each replicate, so that they are paired. No p is
    computed from so few replicates; without one, the number of slices cannot be corrected for, so
    that no slice is called better or worse.
    """
    metric = bound.metric
    values = [goodness(each.values, metric.better, metric.scale).amount for each in both]
    amount = values[1] - values[0]
    none = np.full(len(amount), np.nan)
    old, new = (each.replicates for each in both)
    if old is None or new is None:
        why = metric.interval.why
        why = f"{NOT_REQUESTED}: {why}" if bound.is_resampled else why
        whys = dict.fromkeys(range(len(amount)), why)
        told = TestedDifferences(amount, none, none, none, none, none)
        return Judged(told, none, limits, [CANNOT_TELL] * len(amount), lambda _: {}, whys)
    good = [
        goodness(each.values.ravel(), metric.better, metric.scale).amount for each in (old, new)
    ]
    changes = (good[1] - good[0]).reshape(old.values.shape)
    made = Replicates(changes, np.minimum(old.clusters, new.clusters))
    ends = percentiles(amount, made, limits.confidence)
    counts = np.count_nonzero(made.values == made.values, axis=1)

    def details(place: int) -> dict[str, Any]:
        return {"clusters": int(made.clusters[place]), "replicates": int(counts[place])}

    told = TestedDifferences(amount, ends.low, ends.high, none, none, none)
    may_be = np.full(len(amount), not slices)
    names = outcomes(told, limits.margin, may_be, may_be)
    if slices and limits.margin is None:
        differs = ((ends.low > 0) | (ends.high < 0)).tolist()
        names = [CANNOT_TELL if seen else name for name, seen in zip(names, differs, strict=True)]
    return Judged(told, none, limits, names, details, ends.whys)


def _rows(
    tables: PairedTables, bound: BoundMetric, both: Sequence[Measured], judged: Judged
) -> Iterator[ComparisonRow]:
    """The rows of one metric: of every slice."""
    told = judged.told
    before = tables.sample(0, "n")
    n, shares = tables.sample(1, "n"), tables.shares
    columns = [or_none(each) for each in (both[0].values, both[1].values, *told[:4], judged.q)]
    numbers = zip(*columns, strict=True)
    directed = bound.metric.better != DEPENDS
    for place, (old, new, amount, low, high, p, corrected) in enumerate(numbers):
        known = low is not None and high is not None
        yield ComparisonRow(
            bound.name,
            tables.candidate,
            dict(zip(tables.names, tables.keys[place], strict=True)),
            old,
            new,
            amount,
            low,
            high,
            p,
            corrected,
            judged.limits.margin if directed else None,
            judged.outcomes[place] if directed else None,
            None if known else _why(both, judged.whys, place, amount),
            int(n[place]),
            shares[place],
            {"n_baseline": int(before[place])} | (judged.details(place) if known else {}),
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


def _details(
    bound: BoundMetric, told: TestedDifferences, spread: Spread, place: int
) -> dict[str, Any]:
    target = TARGETS.get(bound.metric.better)
    of_target = {"target": target, "logarithms": bound.metric.scale == LOG}
    return ({} if target is None else of_target) | {
        "standard_error": float(spread.error[place]),
        "freedom": float(spread.freedom[place]),
        "clusters": int(spread.clusters[place]),
        "largest_cluster": float(spread.largest[place]),
        "detectable": float(told.detectable[place]),
    }
