"""The lines of a diagnosis, in the order of the questions on call: an answer and its evidence."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from steelyard.diagnosis.causes import comparable
from steelyard.diagnosis.causes.decide import (
    BROAD,
    MIX,
    NOISE,
    ONE_CLUSTER,
    REPEATED,
    SLICES,
    Findings,
)
from steelyard.diagnosis.causes.search import FoundSlice
from steelyard.diagnosis.causes.since import time_dimension
from steelyard.diagnosis.models.distribution import recalibrated, score_shift
from steelyard.diagnosis.page import words
from steelyard.diagnosis.page.facts import Answer, Facts, Moved
from steelyard.diagnosis.parts.part_table import PartTable
from steelyard.diagnosis.two_logs.two_logs import SIDES, LogRows
from steelyard.model import Mask
from steelyard.stats.intervals import FEW_FREEDOM, LARGE_SHARE

LARGE_CLUSTER = 0.01  # of the rows: one user with more is named
ONE_SIDED = 0.001  # of the rows: values that only one log has are named from here on


def lines(facts: Facts) -> Iterator[Answer]:
    """All lines; the command to run next is another's work."""
    yield is_comparable(facts)
    yield is_real(facts)
    yield one_model(facts)
    yield scores_or_labels(facts)
    yield ranking_or_level(facts)
    yield mix_or_within(facts)
    yield which_slice(facts)
    yield since_when(facts)
    yield what_it_cost(facts)


# --- the questions -------------------------------------------------------------------------------
def is_comparable(facts: Facts) -> Answer:
    two, findings = facts.findings.two, facts.findings
    rows = [len(log) for log in two.logs]
    answers = [f"{rows[0]:,} → {rows[1]:,} rows"]
    evidence: dict[str, Any] = {"rows": rows, "dropped": list(two.dropped)}
    if any(two.dropped):
        answers.append(f"{two.dropped[0]:,} → {two.dropped[1]:,} rows left out (missing values)")
    if findings.repeats is not None:
        counts = findings.repeats.counts
        evidence["repeated_rows"] = list(counts)
        answers.append(
            f"{counts[0]:,} → {counts[1]:,} rows equal to another row in the columns read"
        )
    if findings.tested and not two.by_row:
        answers += _clusters(facts, evidence)
    answers += _one_sided(facts, evidence)
    evidence["moved_positions"] = comparable.moved_positions(two)
    for name, share in evidence["moved_positions"].items():
        answers.append(
            f"{words.percent(share)} of the rows moved to another {name}: clicks depend on where "
            "an item is shown, so a part of the change may be due to that"
        )
    return Answer("comparable?", tuple(answers), evidence)


def _clusters(facts: Facts, evidence: dict[str, Any]) -> Iterator[str]:
    """How many clusters, and one with many rows."""
    two = facts.findings.two
    counts = [int(np.count_nonzero(np.bincount(log.clusters))) for log in two.logs]
    evidence["clusters"] = counts
    yield f"{counts[0]:,} → {counts[1]:,} values of {facts.cluster}"
    for place, side in enumerate(SIDES):
        number, share = comparable.largest_share(two, place)
        evidence[f"largest_cluster_{side}"] = share
        if share >= LARGE_CLUSTER:
            key = words.key(two.clusters.key(number))
            yield f"{facts.cluster} = {key} has {words.percent(share)} of the rows {side}"


def _one_sided(facts: Facts, evidence: dict[str, Any]) -> Iterator[str]:
    """Values of dimensions that only one log has."""
    found = []
    for place, dimension in enumerate(facts.findings.two.dimensions):
        sizes = [
            np.bincount(log.codes[place], minlength=len(dimension))
            for log in facts.findings.two.logs
        ]
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


def is_real(facts: Facts) -> Answer:
    findings = facts.findings
    moved = facts.moved
    if not findings.tested:
        why = "no interval: name a cluster, the key of rows that depend on each other (--cluster)"
        return Answer("real?", (moved.text(), why), moved.evidence())
    if not findings.whole.has_interval:
        why = "no interval: in one of the logs fewer than two clusters carry the value"
        return Answer("real?", (moved.text(), why), moved.evidence())
    beyond = findings.whole.beyond_noise(findings.confidence)
    said = "beyond sampling noise" if beyond else "within sampling noise"
    unit = "rows taken as independent" if findings.two.by_row else f"{facts.cluster} as clusters"
    answers = [moved.text(), f"{said} ({100 * findings.confidence:g} %, {unit})"]
    if findings.whole.freedom < FEW_FREEDOM or findings.whole.largest > LARGE_SHARE:
        share = words.percent(findings.whole.largest)
        why = f"one cluster has {share} of the variance"
        if findings.whole.largest <= LARGE_SHARE:
            why = f"it rests on {findings.whole.freedom:.0f} degrees of freedom"
        answers.append(f"the interval is rough: {why}")
    answers.append("a change from day to day is not in the interval")
    evidence = moved.evidence() | {"p": findings.whole.p, "beyond_noise": beyond}
    return Answer("real?", tuple(answers), evidence)


def one_model(facts: Facts) -> Answer:
    question = "one model or all?"
    if facts.control is None:
        return Answer(question, ("not asked: name another model's score (--control-score)",))
    metric = facts.findings.metric
    if metric == "ctr":
        return Answer(question, ("CTR does not depend on a score",))
    moved, own, gap = facts.control_moved, facts.moved, facts.control_gap
    sure = [
        each.beyond_noise(facts.findings.confidence) for each in (own.change, moved.change, gap)
    ]
    both = sure[0] and sure[1] and moved.change.value * own.change.value > 0
    said = "cannot tell whether the control moved with it"
    if both:
        said = "both moved: look at the data first"
    elif sure[0] and sure[2] and gap.value * own.change.value > 0:
        said = "the control moved less, or not at all: look at the model first"
    if not facts.findings.tested:
        said = "not tested"
    return Answer(
        question,
        (f"{facts.control}: {moved.text()}", f"{facts.score}: {own.text()}", said),
        {
            "control": moved.evidence(),
            "score": own.evidence(),
            "gap": Moved(metric, math.nan, math.nan, gap, facts.findings).evidence(),
            "both": bool(both),
        },
    )


def scores_or_labels(facts: Facts) -> Answer:
    rate = facts.change("ctr")
    answers = [
        rate.text() if not facts.graded else f"rows with a grade of 1 or more: {rate.ends_text()}"
    ]
    evidence: dict[str, Any] = {"ctr": rate.evidence()}
    if facts.has_probabilities:
        copc = facts.change("copc")
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
    shift = score_shift(facts.findings.two)
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
    return math.log(moved.after) - math.log(moved.before)  # a quotient may be beyond float64


def _log_text(number: float) -> str:
    return words.signed("", number)


def ranking_or_level(facts: Facts) -> Answer:
    ranks = [*([] if facts.graded else ["auc"]), *(["gauc"] if facts.has_groups else [])]
    ranks += [facts.findings.metric] if facts.findings.metric == "ndcg" else []
    moved = [facts.change(metric) for metric in ranks]
    answers = [each.text() for each in moved]
    evidence: dict[str, Any] = {each.metric: each.evidence() for each in moved}
    if not facts.has_probabilities:
        why = "scores are not probabilities, so they have no level"
        answers.append("labels are grades, so scores have no level" if facts.graded else why)
        return Answer("ranking or level?", tuple(answers), evidence)
    copc = facts.change("copc")
    answers.append(copc.text())
    evidence["copc"] = copc.evidence()
    fits = [recalibrated(log) for log in facts.findings.two.logs]
    if fits[0] is not None and fits[1] is not None:
        answers.append(
            f"calibration slope {fits[0].slope:.3f} → {fits[1].slope:.3f}; recalibration of the "
            f"log after would take its logloss from {fits[1].loss:.5f} to {fits[1].restored:.5f} "
            f"(before: {fits[0].loss:.5f}), and would not change AUC"
        )
        evidence["recalibration"] = {side: vars(fit) for side, fit in zip(SIDES, fits, strict=True)}
    return Answer("ranking or level?", tuple(answers), evidence)


def mix_or_within(facts: Facts) -> Answer:
    findings = facts.findings
    answers, evidence = [], {}
    for place, table in enumerate(findings.all_tables):
        parts = {"within": table.within, "mix": table.mix, "base": table.base}
        own, mix, base = (words.signed(findings.metric, float(each)) for each in parts.values())
        said = f"by {_dimension(findings, table)}: own change {own}, mix {mix}"
        if table.base:
            said += f", base rate {base} (it moves loss and entropy in opposite directions)"
        if findings.kind == MIX and place == findings.mixed:
            said += ": the mix explains it"
        answers.append(said)
        evidence[table.dimension] = {name: float(each) for name, each in parts.items()}
    return Answer("mix or within?", tuple(answers), evidence)


def _dimension(findings: Findings, table: PartTable) -> str:
    said = f"whether {table.dimension} is in both logs"
    return said if table is findings.membership else table.dimension


def which_slice(facts: Facts) -> Answer:
    findings, answers, evidence = facts.findings, [], []
    accused = [each.slice for each in findings.causes]
    for found in findings.found:
        name = words.slice_name(findings.two, found.slice)
        rest = words.change_of(findings, found.effect.without)
        share = found.effect.share
        of_it = f" ({words.percent(share)} of the change is gone)" if _is_clear(findings) else ""
        if _is_clear(findings) and share < 0:
            of_it = " (the change is larger)"
        answers.append(f"without {name}: {rest}{of_it}; {_status(findings, found, accused)}")
        evidence.append(
            {
                "slice": found.slice.named(findings.two),
                "without": found.effect.without.value,
                "share": share,
                "p": found.p if findings.tested else None,
                "accused": found.slice in accused,
            }
        )
    if not answers:
        answers = [_no_slice(findings)]
    return Answer("which slice?", tuple(answers), {"found": evidence, "tests": findings.tests})


def _is_clear(findings: Findings) -> bool:
    """Whether a share of the change means something: it is beyond twice its half width."""
    return findings.tested and abs(findings.whole.value) > 2 * findings.whole.half(
        findings.confidence
    )


def _status(findings: Findings, found: Any, accused: list[FoundSlice]) -> str:
    if not findings.tested:
        return "not tested"
    said = f"beyond chance, p = {found.p:.2g} with {findings.tests:,} slices counted"
    if not found.is_confirmed:
        return f"not {said}"
    return said if found.slice in accused else f"{said}, but it explains less than half"


def _no_slice(findings: Findings) -> str:
    if findings.kind == NOISE:
        return "not searched: the change is within sampling noise"
    if findings.kind == MIX:
        return "not searched: the mix explains the change"
    if findings.kind in (REPEATED, ONE_CLUSTER):
        return "not searched: the logs are not comparable"
    if findings.small is not None:
        name = words.slice_name(findings.two, findings.small.slice)
        return f"{name} has too few clusters or rows of a class to be tested"
    if not findings.whole.has_interval:
        return "not searched: there is no interval"
    if findings.found or findings.kind == BROAD:
        return "none with enough clusters explains half of the change"
    return "none found"


def since_when(facts: Facts) -> Answer:
    place = time_dimension(facts.findings.two)
    if place is None:
        return Answer("since when?", ("no column of a time among the dimensions",))
    name = facts.findings.two.dimensions[place].name
    if facts.findings.kind not in (SLICES, BROAD):
        return Answer("since when?", ("not searched: no slice is accused",))
    if facts.since is None:
        return Answer("since when?", (f"no value of {name} separates rows with a change",))
    metric, found = facts.findings.metric, facts.since
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


def what_it_cost(facts: Facts) -> Answer:
    if facts.graded:
        return Answer("what it cost", ("not counted: labels are grades, not clicks",))
    findings, unit = facts.findings, math.ldexp(1.0, facts.findings.two.unit)
    before, after = (
        _clicks(log, rows) for log, rows in zip(findings.two.logs, facts.accused_rows, strict=True)
    )
    expected = before[0] / before[1] * after[1] if before[1] else float("nan")
    lost = (after[0] - expected) * unit
    where = "in the slices above" if findings.causes else "in all rows"
    more = "+" if lost > 0 else ""
    clicks, usual = words.count(after[0] * unit), words.count(expected * unit)
    said = f"at the CTR before it would be {usual} ({more}{words.count(lost)})"
    answers = [f"{clicks} clicks {where}; {said}"]
    evidence = {"clicks": after[0] * unit, "expected": expected * unit}
    log = findings.two.logs[1]
    if log.probability is not None:
        rows = facts.accused_rows[1]
        predicted = float((log.weights * log.probability)[rows].sum()) * unit
        answers.append(f"{words.count(predicted)} clicks were predicted there")
        evidence["predicted"] = predicted
    return Answer("what it cost", tuple(answers), evidence)


def _clicks(log: LogRows, rows: Mask) -> tuple[float, float]:
    weights = log.weights
    return float(weights[rows & log.positive].sum()), float(weights[rows].sum())
