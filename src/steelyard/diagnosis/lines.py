"""The lines of a diagnosis, in the order of the questions on call: an answer and its evidence."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steelyard.diagnosis import comparable, words
from steelyard.diagnosis.areas import AreaModel
from steelyard.diagnosis.decide import (
    BROAD,
    MIX,
    NOISE,
    ONE_CLUSTER,
    REPEATED,
    SLICES,
    Findings,
    make_model,
)
from steelyard.diagnosis.distribution import recalibrated, score_shift
from steelyard.diagnosis.effects import Estimate, Model, change, estimate
from steelyard.diagnosis.parts import PartTable
from steelyard.diagnosis.reading import OF_PROBABILITIES
from steelyard.diagnosis.rows import SIDES, LogRows
from steelyard.diagnosis.search import FEW_CLUSTERS, FoundSlice
from steelyard.diagnosis.since import Since, since, time_dimension
from steelyard.model import Mask
from steelyard.stats.intervals import FEW_FREEDOM, LARGE_SHARE

LARGE_CLUSTER = 0.01  # of the rows: one user with more is named
ONE_SIDED = 0.001  # of the rows: values that only one log has are named from here on


@dataclass(frozen=True)
class Answer:
    """A question, the sentences that answer it, and the numbers behind them."""

    question: str
    answers: tuple[str, ...]
    evidence: dict[str, Any] = field(default_factory=dict)


@dataclass
class Evidence:
    """What several lines read.

    score, control: the names of the scores; cluster: the name of the cluster's column
    """

    it: Findings
    score: str
    control: str | None
    cluster: str | None

    def __post_init__(self) -> None:
        model, two = self.it.model, self.it.two
        area = model if isinstance(model, AreaModel) else AreaModel(two)
        self._models: dict[str, Model] = {"auc": area, self.it.metric: model}
        self._control_model: Model | None = None
        self.placed = area.placed
        self.since: Since | None = self._since()

    @property
    def hit(self) -> tuple[Mask, Mask]:
        """The rows of the causes; all rows where there are none."""
        two, causes = self.it.two, [each.slice for each in self.it.causes]
        if not causes:
            return np.ones(len(two.logs[0]), bool), np.ones(len(two.logs[1]), bool)
        first, second = (np.any([each.mask(log) for each in causes], axis=0) for log in two.logs)
        return first, second

    def _since(self) -> Since | None:
        place = time_dimension(self.it.two)
        if place is None or self.it.kind not in (SLICES, BROAD):
            return None
        return since(self.it.two, self.it.model, self.hit, place)

    def change(self, metric: str, rows: tuple[Mask, Mask] | None = None) -> "Moved":
        """The change of a metric in some rows."""
        if metric not in self._models:
            self._models[metric] = make_model(self.it.two, metric)
        model = self._models[metric]
        model = model if rows is None else model.take(rows)
        before, after = model.values
        return Moved(metric, before, after, change(model), self.it)

    def control_change(self, metric: str) -> "Moved":
        """The change of a metric of the other score."""
        model = self._control(metric)
        return Moved(metric, *model.values, change(model), self.it)

    def control_gap(self, metric: str) -> Estimate:
        """How much more a metric of the score changed than that of the other."""
        own, other = self._models[metric], self._control(metric)
        values = change(own).value - change(other).value
        return estimate(values, own.influence().minus(other.influence()))

    def _control(self, metric: str) -> Model:
        two = self.it.two
        if self._control_model is None:
            logs = [log.by_control(two.reading) for log in two.logs]
            self._control_model = make_model(two.of(logs), metric)
        return self._control_model

    @property
    def graded(self) -> bool:
        """Whether labels are grades: then there are no clicks."""
        return any(log.grade is not None for log in self.it.two.logs)

    @property
    def has_groups(self) -> bool:
        """Whether GAUC has a value and an interval in both logs."""
        two = self.it.two
        if self.it.metric == "ndcg" or not two.group_count or two.clusters_vary():
            return False
        return all(value == value for value in self.change("gauc").ends)

    @property
    def has_probabilities(self) -> bool:
        return not self.graded and all(log.probability is not None for log in self.it.two.logs)


@dataclass(frozen=True)
class Moved:
    """A metric before and after."""

    metric: str
    before: float
    after: float
    change: Estimate
    it: Findings

    @property
    def ends(self) -> tuple[float, float]:
        return self.before, self.after

    def text(self) -> str:
        """`AUC 0.7123 → 0.6810, −0.0313 [−0.0352, −0.0274]`"""
        name = self.it.name if self.metric == self.it.metric else words.NAMES[self.metric]
        return f"{name} {self.ends_text()}, {self.difference()}"

    def difference(self) -> str:
        it = self.it
        return words.change(self.metric, self.change, it.confidence, tested=it.tested)

    def ends_text(self) -> str:
        return f"{words.value(self.metric, self.before)} → {words.value(self.metric, self.after)}"

    def evidence(self) -> dict[str, Any]:
        found: dict[str, Any] = {"before": self.before, "after": self.after}
        found["change"] = self.change.value
        if self.it.tested and self.change.has_interval:
            half = self.change.half(self.it.confidence)
            found |= {"low": self.change.value - half, "high": self.change.value + half}
        return found


def lines(ctx: Evidence) -> Iterator[Answer]:
    """All lines; the command to run next is another's work."""
    yield is_comparable(ctx)
    yield is_real(ctx)
    yield one_model(ctx)
    yield scores_or_labels(ctx)
    yield ranking_or_level(ctx)
    yield mix_or_within(ctx)
    yield which_slice(ctx)
    yield since_when(ctx)
    yield what_it_cost(ctx)


# --- the questions -------------------------------------------------------------------------------
def is_comparable(ctx: Evidence) -> Answer:
    two, it = ctx.it.two, ctx.it
    rows = [len(log) for log in two.logs]
    answers = [f"{rows[0]:,} → {rows[1]:,} rows"]
    evidence: dict[str, Any] = {"rows": rows, "dropped": list(two.dropped)}
    if any(two.dropped):
        answers.append(f"{two.dropped[0]:,} → {two.dropped[1]:,} rows left out (missing values)")
    if it.repeats is not None:
        counts = it.repeats.counts
        evidence["repeated_rows"] = list(counts)
        answers.append(
            f"{counts[0]:,} → {counts[1]:,} rows equal to another row in the columns read"
        )
    if it.tested and not two.by_row:
        answers += _clusters(ctx, evidence)
    answers += _one_sided(ctx, evidence)
    evidence["moved_positions"] = comparable.moved_positions(two)
    for name, share in evidence["moved_positions"].items():
        answers.append(
            f"{words.percent(share)} of the rows moved to another {name}: clicks depend on where "
            "an item is shown, so a part of the change may be due to that"
        )
    return Answer("comparable?", tuple(answers), evidence)


def _clusters(ctx: Evidence, evidence: dict[str, Any]) -> Iterator[str]:
    """How many clusters, and one with many rows."""
    two = ctx.it.two
    counts = [len(np.unique(_clusters_of(log))) for log in two.logs]
    evidence["clusters"] = counts
    yield f"{counts[0]:,} → {counts[1]:,} values of {ctx.cluster}"
    for place, side in enumerate(SIDES):
        number, share = comparable.largest_share(two, place)
        evidence[f"largest_cluster_{side}"] = share
        if share >= LARGE_CLUSTER:
            key = words.key(two.clusters.key(number))
            yield f"{ctx.cluster} = {key} has {words.percent(share)} of the rows {side}"


def _clusters_of(log: LogRows) -> Any:
    assert log.clusters is not None
    return log.clusters


def _one_sided(ctx: Evidence, evidence: dict[str, Any]) -> Iterator[str]:
    """Values of dimensions that only one log has."""
    found = []
    for place, dimension in enumerate(ctx.it.two.dimensions):
        sizes = [np.bincount(log.codes[place], minlength=len(dimension)) for log in ctx.it.two.logs]
        for side in (0, 1):
            only = np.flatnonzero((sizes[1 - side] == 0) & (sizes[side] > 0))
            share = float(sizes[side][only].sum() / sizes[side].sum())
            if share >= ONE_SIDED:
                names = ", ".join(words.key(dimension.keys[k]) for k in only[:5].tolist())
                more = "" if len(only) <= 5 else f" and {len(only) - 5} more"
                found.append({"dimension": dimension.name, "side": SIDES[side], "share": share})
                yield (
                    f"{dimension.name} = {names}{more} only {SIDES[side]} "
                    f"({words.percent(share)} of its rows)"
                )
    evidence["one_sided"] = found


def is_real(ctx: Evidence) -> Answer:
    it = ctx.it
    moved = Moved(it.metric, *it.values, it.whole, it)
    if not it.tested:
        why = "no interval: no cluster is named, the key of rows that depend on each other"
        return Answer("real?", (moved.text(), why), moved.evidence())
    if not it.whole.has_interval:
        why = "no interval: in one of the logs fewer than two clusters carry the value"
        return Answer("real?", (moved.text(), why), moved.evidence())
    beyond = it.whole.beyond_noise(it.confidence)
    said = "beyond sampling noise" if beyond else "within sampling noise"
    unit = "rows taken as independent" if it.two.by_row else f"{ctx.cluster} as clusters"
    answers = [moved.text(), f"{said} ({100 * it.confidence:g} %, {unit})"]
    if it.whole.freedom < FEW_FREEDOM or it.whole.largest > LARGE_SHARE:
        share = words.percent(it.whole.largest)
        why = f"one cluster has {share} of the variance"
        if it.whole.largest <= LARGE_SHARE:
            why = f"it rests on {it.whole.freedom:.0f} degrees of freedom"
        answers.append(f"the interval is rough: {why}")
    answers.append("a change from day to day is not in the interval")
    evidence = moved.evidence() | {"p": it.whole.p, "beyond_noise": beyond}
    return Answer("real?", tuple(answers), evidence)


def one_model(ctx: Evidence) -> Answer:
    question = "one model or all?"
    if ctx.control is None:
        return Answer(question, ("not asked: name another model's score as a control",))
    metric = ctx.it.metric
    if metric == "ctr":
        return Answer(question, ("CTR does not depend on a score",))
    logs = (log.by_control(ctx.it.two.reading) for log in ctx.it.two.logs)
    if metric in OF_PROBABILITIES and any(log.probability is None for log in logs):
        metric = "auc"  # the control is no probability
    moved, own = ctx.control_change(metric), ctx.change(metric)
    gap = ctx.control_gap(metric)
    sure = [each.beyond_noise(ctx.it.confidence) for each in (own.change, moved.change, gap)]
    both = sure[0] and sure[1] and moved.change.value * own.change.value > 0
    said = "cannot tell whether the control moved with it"
    if both:
        said = "both moved: look at the data first"
    elif sure[0] and sure[2] and gap.value * own.change.value > 0:
        said = "the control moved less, or not at all: look at the model first"
    if not ctx.it.tested:
        said = "not tested"
    return Answer(
        question,
        (f"{ctx.control}: {moved.text()}", f"{ctx.score}: {own.text()}", said),
        {
            "control": moved.evidence(),
            "score": own.evidence(),
            "gap": Moved(metric, math.nan, math.nan, gap, ctx.it).evidence(),
            "both": bool(both),
        },
    )


def scores_or_labels(ctx: Evidence) -> Answer:
    rate = ctx.change("ctr")
    answers = [
        rate.text() if not ctx.graded else f"rows with a grade of 1 or more: {rate.ends_text()}"
    ]
    evidence: dict[str, Any] = {"ctr": rate.evidence()}
    if ctx.has_probabilities:
        copc = ctx.change("copc")
        parts = [_log_ratio(rate), _log_ratio(copc)]
        answers.append(
            f"Δln COPC {_log_text(parts[1])} = Δln CTR {_log_text(parts[0])} − Δln mean prediction "
            f"{_log_text(parts[0] - parts[1])}"
        )
        evidence |= {
            "log_copc": parts[1],
            "log_ctr": parts[0],
            "log_prediction": parts[0] - parts[1],
        }
    shift = score_shift(ctx.it.two, ctx.placed)
    answers.append(f"scores: PSI {shift.psi:.3f}, KS {shift.ks:.3f}")
    tied = " → ".join(f"{rows:,}" for rows in shift.tied)
    answers.append(
        f"distinct scores {shift.distinct[0]:,} → {shift.distinct[1]:,}, rows in the largest tie "
        f"{tied}, range {shift.low[0]:.4g} to {shift.high[0]:.4g} → {shift.low[1]:.4g} to "
        f"{shift.high[1]:.4g}"
    )
    return Answer("scores or labels?", tuple(answers), evidence | {"scores": vars(shift)})


def _log_ratio(moved: Moved) -> float:
    if not (moved.before > 0 and moved.after > 0):
        return float("nan")
    return math.log(moved.after / moved.before)


def _log_text(number: float) -> str:
    return words.signed("", number)


def ranking_or_level(ctx: Evidence) -> Answer:
    ranks = [*([] if ctx.graded else ["auc"]), *(["gauc"] if ctx.has_groups else [])]
    ranks += [ctx.it.metric] if ctx.it.metric == "ndcg" else []
    moved = [ctx.change(metric) for metric in ranks]
    answers = [each.text() for each in moved]
    evidence: dict[str, Any] = {each.metric: each.evidence() for each in moved}
    if not ctx.has_probabilities:
        why = "scores are not probabilities, so they have no level"
        answers.append("labels are grades, so scores have no level" if ctx.graded else why)
        return Answer("ranking or level?", tuple(answers), evidence)
    copc = ctx.change("copc")
    answers.append(copc.text())
    evidence["copc"] = copc.evidence()
    fits = [recalibrated(log) for log in ctx.it.two.logs]
    if fits[0] is not None and fits[1] is not None:
        answers.append(
            f"calibration slope {fits[0].slope:.3f} → {fits[1].slope:.3f}; recalibration of the "
            f"log after would take its logloss from {fits[1].loss:.5f} to {fits[1].restored:.5f} "
            f"(before: {fits[0].loss:.5f}), and would not change AUC"
        )
        evidence["recalibration"] = {side: vars(fit) for side, fit in zip(SIDES, fits, strict=True)}
    return Answer("ranking or level?", tuple(answers), evidence)


def mix_or_within(ctx: Evidence) -> Answer:
    it = ctx.it
    answers, evidence = [], {}
    for place, table in enumerate(it.all_tables):
        within, mix = float(table.within), float(table.mix)
        base = ""
        if table.base:
            moved = words.signed(it.metric, float(table.base))
            base = f", base rate {moved} (it moves loss and entropy in opposite directions)"
        mark = ": the mix explains it" if it.kind == MIX and place == it.mixed else ""
        answers.append(
            f"by {_dimension(it, table)}: own change {words.signed(it.metric, within)}, mix "
            f"{words.signed(it.metric, mix)}{base}{mark}"
        )
        evidence[table.dimension] = {"within": within, "mix": mix, "base": float(table.base)}
    return Answer("mix or within?", tuple(answers), evidence)


def _dimension(it: Findings, table: PartTable) -> str:
    said = f"whether {table.dimension} is in both logs"
    return said if table is it.membership else table.dimension


def which_slice(ctx: Evidence) -> Answer:
    it, answers, evidence = ctx.it, [], []
    accused = [each.slice for each in it.causes]
    for found in it.found:
        name = words.slice_name(it.two, found.slice)
        rest = words.change(it.metric, found.effect.without, it.confidence, tested=it.tested)
        share = found.effect.share
        of_it = f" ({words.percent(share)} of the change is gone)" if _is_clear(it) else ""
        if _is_clear(it) and share < 0:
            of_it = " (the change is larger)"
        answers.append(f"without {name}: {rest}{of_it}; {_status(it, found, accused)}")
        evidence.append(
            {
                "slice": {
                    it.two.dimensions[d].name: it.two.dimensions[d].keys[c]
                    for d, c in found.slice.values
                },
                "without": found.effect.without.value,
                "share": share,
                "p": found.p if it.tested else None,
                "accused": found.slice in accused,
            }
        )
    if not answers:
        answers = [_no_slice(it)]
    return Answer("which slice?", tuple(answers), {"found": evidence})


def _is_clear(it: Findings) -> bool:
    """Whether a share of the change means something: it is beyond twice its half width."""
    return it.tested and abs(it.whole.value) > 2 * it.whole.half(it.confidence)


def _status(it: Findings, found: Any, accused: list[FoundSlice]) -> str:
    if not it.tested:
        return "not tested"
    if it.whole.clusters < FEW_CLUSTERS:
        return f"tested on all clusters, which are few, with all other values: q = {found.p:.2g}"
    said = f"confirmed on other clusters, p = {found.p:.2g}"
    if not found.is_confirmed:
        return f"not {said}"
    return said if found.slice in accused else f"{said}, but it explains less than half"


def _no_slice(it: Findings) -> str:
    if it.kind == NOISE:
        return "not searched: the change is within sampling noise"
    if it.kind == MIX:
        return "not searched: the mix explains the change"
    if it.kind in (REPEATED, ONE_CLUSTER):
        return "not searched: the logs are not comparable"
    if it.small is not None:
        name = words.slice_name(it.two, it.small.slice)
        return f"{name} has too few clusters or rows of a class to be tested"
    if not it.whole.has_interval:
        return "not searched: there is no interval"
    if it.found or it.kind == BROAD:
        return "none with enough clusters explains half of the change"
    return "none found"


def since_when(ctx: Evidence) -> Answer:
    place = time_dimension(ctx.it.two)
    if place is None:
        return Answer("since when?", ("no column of a time among the dimensions",))
    name = ctx.it.two.dimensions[place].name
    if ctx.it.kind not in (SLICES, BROAD):
        return Answer("since when?", ("not searched: no slice is accused",))
    if ctx.since is None:
        return Answer("since when?", (f"no value of {name} separates rows with a change",))
    metric, found = ctx.it.metric, ctx.since
    early = words.signed(metric, found.early.value)
    late = words.signed(metric, found.late.value)
    return Answer(
        "since when?",
        (f"since {name} {words.key(found.key)}: {early} before it, {late} from it on",),
        {
            "dimension": name,
            "value": found.key,
            "early": found.early.value,
            "late": found.late.value,
        },
    )


def what_it_cost(ctx: Evidence) -> Answer:
    if ctx.graded:
        return Answer("what it cost", ("not counted: labels are grades, not clicks",))
    it, unit = ctx.it, math.ldexp(1.0, ctx.it.two.unit)
    before, after = (_clicks(log, rows) for log, rows in zip(it.two.logs, ctx.hit, strict=True))
    expected = before[0] / before[1] * after[1] if before[1] else float("nan")
    lost = (after[0] - expected) * unit
    where = "in the slices above" if it.causes else "in all rows"
    more = "+" if lost > 0 else ""
    clicks, usual = words.count(after[0] * unit), words.count(expected * unit)
    said = f"at the CTR before it would be {usual} ({more}{words.count(lost)})"
    answers = [f"{clicks} clicks {where}; {said}"]
    evidence = {"clicks": after[0] * unit, "expected": expected * unit}
    log = it.two.logs[1]
    if log.probability is not None:
        rows = ctx.hit[1]
        predicted = float((log.weights * log.probability)[rows].sum()) * unit
        answers.append(f"{words.count(predicted)} clicks were predicted there")
        evidence["predicted"] = predicted
    return Answer("what it cost", tuple(answers), evidence)


def _clicks(log: LogRows, rows: Mask) -> tuple[float, float]:
    weights = log.weights
    return float(weights[rows & log.positive].sum()), float(weights[rows].sum())
