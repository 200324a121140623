"""What explains a change: the order of the questions, and the answer to each."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from steelyard import errors, phases
from steelyard.diagnosis.causes import comparable, search
from steelyard.diagnosis.causes.comparable import Heavy, Repeats
from steelyard.diagnosis.causes.search import HALF_OF_IT, LEAST_CLUSTERS, Found, FoundSlice
from steelyard.diagnosis.models.effects import Effect, Estimate, Model, effect
from steelyard.diagnosis.parts.part_table import (
    LargestSlices,
    PartTable,
    base_entropy,
    membership_table,
    part_table,
)
from steelyard.diagnosis.two_logs.reading import checked_metric
from steelyard.diagnosis.two_logs.two_logs import SIDES, TwoLogs
from steelyard.model import Undefined
from steelyard.phrases import phrase

REPEATED, ONE_CLUSTER, NOISE = "repeated rows", "one cluster", "within noise"
MIX, SLICES, BROAD, UNKNOWN = "mix", "slice", "broad", "cannot tell"
NOT_TESTED = "not tested"  # without clusters
LARGE_PART = 0.125  # of the change
MOST_SMALL = 8
MOSTLY_MIX = 0.8  # of the change: then own changes may be beyond noise, and are small all the same
SAME_WAY = 0.8  # of the rows, in slices that moved in the direction of the change
MOST_OF_IT = 2.0  # of the change: where more is gone, the other rows moved more than all did
REPEATS_OF_IT = 1.5  # the same for repeated rows
SURE_MIX = 0.99  # the confidence at which own changes at a constant mix are beyond noise


@dataclass
class Findings:
    """Everything that was found, before it is put into words.

    values: before and after, as `evaluate` has them
    whole: the change; kind: what explains it; causes: the slices accused
    found, tests: what the search found, and how many slices it could have found
    small: a slice that explains it, but has too few clusters or clicks to be tested
    mixed: the number, among all tables, of the one whose mix explains it
    tested: whether there are clusters to test with
    membership: of GAUC, the parts of groups in both logs, and in one of them
    same_way: the share of the rows in slices that moved as the total did, by dimension
    """

    two: TwoLogs
    metric: str
    spec: str
    confidence: float
    tested: bool
    model: Model
    whole: Estimate
    values: tuple[float, float]
    tables: list[PartTable] = field(default_factory=list)
    membership: PartTable | None = None
    repeats: Repeats | None = None
    without_repeats: Effect | None = None
    heavy: Heavy | None = None
    found: list[Found] = field(default_factory=list)
    tests: int = 0
    causes: list[Found] = field(default_factory=list)
    small: Found | None = None
    mixed: int | None = None
    same_way: list[float] = field(default_factory=list)
    kind: str = UNKNOWN

    @property
    def all_tables(self) -> list[PartTable]:
        return [*self.tables, *([] if self.membership is None else [self.membership])]


def decide(two: TwoLogs, spec: str, confidence: float, *, tested: bool) -> Findings:
    """What explains the change of a metric.

    spec: the metric as it was named, with its parameters
    tested: whether the clusters are the user's
    """
    metric = checked_metric(spec)
    phases.begin("computing", spec)
    model = Model(two, metric)
    _refuse_missing(model)
    phases.begin("parts by slice")
    tables = [part_table(model, place) for place in range(len(two.dimensions))]
    whole = model.estimate
    findings = Findings(two, metric, spec, confidence, tested, model, whole, model.values, tables)
    if metric == "gauc":
        findings.membership = membership_table(two)
    phases.begin("searching the cause")
    findings.kind = _kind(findings)
    return findings


def _refuse_missing(model: Model) -> None:
    """Refuse a log in which the metric has no value."""
    columns = zip(model.sides, SIDES, model.two.names, strict=True)
    for found, side, name in columns:
        if isinstance(found.found, Undefined):
            named = phrase(model.metric)
            raise errors.NO_VALUE_IN_LOG(metric=named, side=side, name=name, why=found.found.why)


def _kind(findings: Findings) -> str:
    """The first explanation that holds."""
    findings.repeats = comparable.repeats(findings.two)
    # Where users are not known, equal rows may be those of two of them.
    by_user = findings.tested and not findings.two.by_row
    if by_user:
        findings.without_repeats = comparable.effect_of_repeats(
            findings.two, findings.model, findings.repeats
        )
    if findings.without_repeats is not None and _explains(findings.without_repeats, REPEATS_OF_IT):
        return REPEATED
    if findings.tested and not findings.whole.has_interval:
        return UNKNOWN
    enough = findings.whole.clusters >= LEAST_CLUSTERS and findings.whole.largest > HALF_OF_IT
    if by_user and enough:
        heavy = comparable.heaviest(findings.two, findings.model)
        if _explains(heavy.effect):
            findings.heavy = heavy
            return ONE_CLUSTER
    if findings.tested and not findings.whole.beyond_noise(findings.confidence):
        return NOISE
    findings.mixed = _mixed(findings)
    if findings.mixed is not None:
        return MIX
    return _where(findings)


def _explains(found: Effect, most: float = MOST_OF_IT) -> bool:
    """Whether at least half of the change is gone, and the rest is not a change of its own."""
    return bool(HALF_OF_IT <= found.share <= most)


def _mixed(findings: Findings) -> int | None:
    """The dimension whose mix explains the change, if its slices' own values hardly do."""
    shares = [_mix_share(findings, place) for place in range(len(findings.tables))]
    for place in sorted(range(len(shares)), key=lambda d: -shares[d]):
        if shares[place] < HALF_OF_IT:
            break
        coarse = LargestSlices.of(findings.two, place)
        if not _rows_moved(findings, coarse):
            continue
        own = float(findings.tables[place].within)
        within = findings.model.within(own, coarse.codes, coarse.count)
        small = shares[place] >= MOSTLY_MIX or not within.beyond_noise(SURE_MIX)
        if small and not _changed_in_both(findings, place):
            return place
    table = findings.membership
    if table is not None and table.change and table.mix / table.change >= MOSTLY_MIX:
        return len(findings.tables)
    return None


def _changed_in_both(findings: Findings, place: int) -> bool:
    """Whether the values that both logs have changed themselves, by half of the change or more.

    A value that one log lacks has no change of its own, so that all it adds is mix. Where most rows
    have such values, as with versions, any cause would look like a mix.
    """
    two = findings.two
    seen = [np.bincount(log.codes[place], minlength=len(two.dimensions[place])) for log in two.logs]
    both = (seen[0] > 0) & (seen[1] > 0)
    if both.all():
        return False
    model = Model(two.take([both[log.codes[place]] for log in two.logs]), findings.metric)
    if not all(math.isfinite(value) for value in model.values):
        return False
    own = float(part_table(model, place).within)
    coarse = LargestSlices.of(model.two, place)
    is_large = own / float(findings.tables[place].change) >= HALF_OF_IT
    return is_large and model.within(own, coarse.codes, coarse.count).beyond_noise(SURE_MIX)


def _mix_share(findings: Findings, place: int) -> float:
    """The share of the change that is mix; of NE with the base rate, where many rows moved."""
    table = findings.tables[place]
    if not table.change:
        return 0.0
    base = Fraction(0)
    if findings.metric == "ne":
        coarse = LargestSlices.of(findings.two, place)
        columns = ((codes, None) for codes in coarse.codes)
        if comparable.mix_distance(columns, coarse.count) >= comparable.MOVED_MIX:
            base = table.base
    return float((table.mix + base) / table.change)


def _rows_moved(findings: Findings, coarse: LargestSlices) -> bool:
    """Whether slices have other shares of the rows, or only of clicks or predicted clicks.

    AUC and GAUC weigh slices by clicks and by other rows, COPC by predicted clicks: where labels or
    scores of a slice break, its weight changes, and that is no change of mix.
    """
    logs = findings.two.logs
    columns: list[Any] = [(None, None)]
    if findings.metric in ("auc", "gauc"):
        columns += [[log.positive for log in logs], [~log.positive for log in logs]]
    elif findings.metric == "copc":
        columns.append([log.probability for log in logs])
    moved, *weighed = (
        comparable.mix_distance(zip(coarse.codes, each, strict=True), coarse.count)
        for each in columns
    )
    return moved >= HALF_OF_IT * max(weighed, default=0.0)


def _where(findings: Findings) -> str:
    """The slices that the change depends on, or whether it is everywhere."""
    findings.found, findings.tests = search.find(findings.model, findings.confidence)
    findings.causes = _accused(findings.found) if findings.tested else []
    if findings.causes:
        return SLICES
    if not findings.tested:
        return NOT_TESTED
    findings.small = _too_small(findings)
    if findings.small is not None:
        return UNKNOWN
    findings.same_way = [_same_way(findings, place) for place in range(len(findings.tables))]
    known = [share for share in findings.same_way if share == share]
    none_explains = not any(_explains(each.effect) and each.is_confirmed for each in findings.found)
    return BROAD if none_explains and known and min(known) >= SAME_WAY else UNKNOWN


def _accused(found: list[Found]) -> list[Found]:
    """The confirmed slices, if at least half of the change is gone without them."""
    accused = [each for each in found if each.is_confirmed]
    return accused if accused and _explains(accused[-1].together) else []


def _too_small(findings: Findings) -> Found | None:
    """The value that explains most of the change, of those with large parts that were not found.

    Parts understate a slice, so that those with an eighth of the change are computed.
    """
    known = {each.slice for each in findings.found}
    large = []
    for place, table in enumerate(findings.tables):
        values = LargestSlices.of(findings.two, place).values
        for value, each in zip(values, table.slices, strict=False):  # the last may be all others
            one = FoundSlice(((place, value),))
            if table.change and one not in known and each.part.total / table.change >= LARGE_PART:
                large.append((each.part.total / table.change, one))
    large.sort(key=lambda each: -each[0])
    found = []
    for _, one in large[:MOST_SMALL]:
        alone = effect(findings.model, one.masks(findings.two))
        if _explains(alone) and not search.has_support(findings.two, one.masks(findings.two)):
            found.append(Found(one, alone, alone, math.nan))
    return max(found, key=lambda each: each.effect.share, default=None)


def _same_way(findings: Findings, place: int) -> float:
    """The share of rows in slices that moved as the total did; NaN where slices are too small.

    A slice counts if the change of the total is above the standard error of its own change, which
    is about that of the total times the root of how many times fewer rows it has.
    """
    rows = sum(map(len, findings.two.logs))
    same = all_ = 0
    scales = [1.0, 1.0]
    if findings.metric == "ne":  # the values of slices are their losses
        scales = [float(base_entropy(findings.two, log)) for log in findings.two.logs]
    for each in findings.tables[place].slices:
        size = sum(each.rows)
        if each.before is None or each.after is None or each.is_other:
            continue
        if abs(findings.whole.value) > findings.whole.error * math.sqrt(rows / size):
            all_ += size
            moved = float(each.after) / scales[1] - float(each.before) / scales[0]
            same += size if moved * findings.whole.value > 0 else 0
    return same / all_ if all_ >= rows / 2 else math.nan
