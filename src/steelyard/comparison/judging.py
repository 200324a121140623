"""Differences → the rows of a comparison: intervals, tests and outcomes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steelyard import phases
from steelyard.comparison.comparison_rows import ComparisonRow, SliceTest
from steelyard.comparison.sides import Measured, MeasuredTable, PairedTables, Side
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import LOG
from steelyard.model import Floats, Mask
from steelyard.result.sections import or_none
from steelyard.states.groups.group_chunks import GroupNumbers
from steelyard.stats.bootstrap import NOT_REQUESTED, Replicates, percentiles
from steelyard.stats.corrections import benjamini_hochberg, holm
from steelyard.stats.differences import (
    DEPENDS,
    TARGETS,
    Change,
    Goodness,
    Limits,
    TestedDifferences,
    difference,
    goodness,
    signed_distances,
    tested,
)
from steelyard.stats.intervals import MAY_LEAVE
from steelyard.stats.outcomes import CANNOT_TELL, FOUND, Claims, claims_of, outcomes
from steelyard.stats.slices_differ import slices_differ
from steelyard.stats.targets import tested_distances
from steelyard.stats.variance import Spread

FEWEST_CLUSTERS = 30  # of a slice that is tested
NO_VALUE, NEITHER = "{side} has no value, since {why}", "neither side has a value, since {why}"
SIDES = ("the baseline", "the candidate")
AT_ZERO = "a value of 0 has no logarithm, so that its distance from the target is not known"
FEW_CLUSTERS = "a value rests on fewer than two clusters"
FEW_OF_CLASS = "fewer than two clusters have rows of a class that a value needs"
UNTESTED = (
    f"slices of fewer than {FEWEST_CLUSTERS} clusters, or of fewer rows than asked for, are not "
    "tested"
)
NO_Q = "intervals of replicates have no p, so that nothing corrects for the number of slices"


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
            phases.begin("comparing", tables.candidate)
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
    both = [tables.measured(side, bound) for side in (0, 1)]
    limits = Limits(options.confidence, options.margins.get(bound.name))
    if both[0].influences is None or both[1].influences is None:
        judged = _of_replicates(bound, both, limits, bool(tables.names))
        return Compared(list(_rows(tables, bound, both, judged)), [])
    of_metric = _with_target if bound.metric.better in TARGETS else _directed
    told, change, spread = of_metric(bound, both, limits)
    details = partial(_details, bound, told, spread)
    if not tables.names:
        names = outcomes(told, limits.margin, claims_of(told))
        judged = Judged(told, np.full(len(names), np.nan), limits, names, details, {})
        return Compared(list(_rows(tables, bound, both, judged)), [])
    enough = _is_tested(tables, both, options)
    known = np.isfinite(told.amount) & enough
    q = benjamini_hochberg(np.where(known & ~told.exact, told.p, np.nan))
    q_worse = q
    if limits.margin is not None:
        q_worse = benjamini_hochberg(np.where(known & ~told.exact, told.p_worse, np.nan))
    exact = told.exact & (enough | (told.amount == 0))
    claims = Claims(exact | (q <= FOUND), exact | (q_worse <= FOUND), ~enough & ~exact)
    names = outcomes(told, limits.margin, claims)
    which = (bound.name, tables.candidate, tables.baseline, tables.names)
    test = slices_differ(*which, change, known)
    whys = dict.fromkeys(_unsaid(told, names, claims.untested), UNTESTED)
    judged = Judged(told, q, limits, names, details, whys)
    return Compared(list(_rows(tables, bound, both, judged)), [test])


def _unsaid(told: TestedDifferences, names: Sequence[str], untested: Mask) -> list[int]:
    """The slices whose interval does not contain 0, of which nothing is said."""
    seen = untested & ((told.low > 0) | (told.high < 0))
    return [place for place in np.flatnonzero(seen).tolist() if names[place] == CANNOT_TELL]


class TestedChange(NamedTuple):
    """The differences of a metric, tested; what slices may differ in; the spread to report."""

    told: TestedDifferences
    change: Change
    spread: Spread


def _directed(bound: BoundMetric, both: Sequence[Measured], limits: Limits) -> TestedChange:
    """The differences of a metric that is better if it is higher, or if it is lower."""
    old, new = (goodness(m.values, bound.metric.better, bound.metric.scale) for m in both)
    change = _change(both, old, new, -1.0)
    return TestedChange(tested(change.amount, change.spread, limits), change, change.spread)


def _with_target(bound: BoundMetric, both: Sequence[Measured], limits: Limits) -> TestedChange:
    """The differences of a metric that is best at its target, such as COPC at 1.

    Slices are tested for the signed change of the value: a distance has no normal distribution
    near the target.
    """
    old, new = (signed_distances(m.values, bound.metric.better, bound.metric.scale) for m in both)
    minus, plus = (_change(both, old, new, sign) for sign in (-1.0, 1.0))
    told = tested_distances(np.abs(old.amount) - np.abs(new.amount), minus, plus, limits)
    alike = old.amount * new.amount >= 0  # |a| − |b| is one of both, times a sign
    columns = zip(minus.spread, plus.spread, strict=True)
    spread = Spread(*(np.where(alike, *column) for column in columns))
    return TestedChange(told, minus, spread)


def _change(both: Sequence[Measured], old: Goodness, new: Goodness, sign: float) -> Change:
    """new − old (sign −1) or new + old (sign 1) of every slice."""
    sides: list[Change] = []
    for measured, each in zip(both, (old, new), strict=True):
        assert measured.influences is not None
        assert measured.spread is not None
        sides.append(Change(each.amount, measured.influences, measured.spread))
    return difference(sides[0], sides[1], (old.slope, new.slope), sign)


def _is_tested(tables: PairedTables, both: Sequence[Measured], options: ComparisonOptions) -> Mask:
    """The slices with enough rows and clusters on both sides."""
    enough = np.ones(len(tables.keys), bool)
    for side, measured in enumerate(both):
        assert measured.spread is not None
        enough &= tables.sample(side, "n") >= options.min_rows
        enough &= measured.spread.clusters >= FEWEST_CLUSTERS
    return enough


class Judged(NamedTuple):
    """The differences of all slices, tested, with their outcomes.

    details: of the slice at a place; whys: the reason for no interval, or for an outcome that
        cannot be told, where both have a value
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
    computed from so few replicates; without one, the number of slices cannot be corrected for.
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
        told = TestedDifferences(amount, none, none, none, none, none, none == 0)
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

    exact = (ends.low == ends.high) & (ends.low == amount)
    told = TestedDifferences(amount, ends.low, ends.high, none, none, none, exact)
    claims = claims_of(told)
    if slices:  # only those that are the same in every replicate can be claimed
        claims = Claims(exact, exact, ~exact)
    names = outcomes(told, limits.margin, claims)
    whys = dict.fromkeys(_unsaid(told, names, claims.untested), NO_Q)
    return Judged(told, none, limits, names, details, {**ends.whys, **whys})


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
            tables.baseline,
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
            judged.whys.get(place) if known else _why(both, judged.whys, place, amount),
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
    few = FEW_OF_CLASS
    if any(spread.clusters[place] < 2 for spread in spreads):
        few = FEW_CLUSTERS
    elif any(spread.leaves[place] for spread in spreads):
        few = MAY_LEAVE
    return whys.get(place, few)


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
