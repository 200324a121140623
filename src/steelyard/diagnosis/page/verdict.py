"""The verdict: one sentence with its numbers."""

from steelyard.diagnosis.causes.decide import (
    BROAD,
    MIX,
    NOISE,
    NOT_TESTED,
    ONE_CLUSTER,
    REPEATED,
    SLICES,
    Findings,
)
from steelyard.diagnosis.models.effects import Effect
from steelyard.diagnosis.page import words
from steelyard.diagnosis.page.facts import Facts, Moved
from steelyard.diagnosis.parts.part_table import PartTable
from steelyard.diagnosis.two_logs.two_logs import SIDES

NO_RANKING = 0.02  # an AUC as near to 0.5 as that: scores no longer rank


def verdict(facts: Facts) -> str:
    """One sentence: the change, and what explains it."""
    findings = facts.findings
    moved = facts.moved.text()
    said = {
        REPEATED: _repeated,
        ONE_CLUSTER: _one_cluster,
        NOISE: _noise,
        MIX: _mix,
        SLICES: _slices,
        BROAD: _broad,
        NOT_TESTED: _not_tested,
    }.get(findings.kind, _unknown)(facts)
    return f"{moved}{said}."


def _noise(facts: Facts) -> str:
    return ": within sampling noise"


def _repeated(facts: Facts) -> str:
    findings = facts.findings
    assert findings.repeats is not None
    assert findings.without_repeats is not None
    counts = findings.repeats.counts
    side = int(counts[1] / len(findings.two.logs[1]) >= counts[0] / len(findings.two.logs[0]))
    share = words.percent(counts[side] / len(findings.two.logs[side]))
    whose = ""
    if findings.repeats.cluster is not None and findings.repeats.share >= 0.5:
        key = words.key(findings.two.clusters.key(findings.repeats.cluster))
        whose = f", {words.percent(findings.repeats.share)} of them of {facts.cluster} = {key}"
    rest = _rest(findings, findings.without_repeats)
    return f"; {share} of the rows {SIDES[side]} are repeated rows{whose}; without them {rest}"


def _one_cluster(facts: Facts) -> str:
    findings = facts.findings
    assert findings.heavy is not None
    key = words.key(findings.two.clusters.key(findings.heavy.cluster))
    shares = " → ".join(words.percent(share) for share in findings.heavy.share)
    rest = _rest(findings, findings.heavy.effect)
    return f"; without {facts.cluster} = {key} ({shares} of the rows) {rest}"


def _mix(facts: Facts) -> str:
    findings = facts.findings
    assert findings.mixed is not None
    table = findings.all_tables[findings.mixed]
    within = words.signed(findings.metric, float(table.within))
    if table is findings.membership:
        return _membership(table, within)
    first = max(table.slices, key=lambda each: abs(each.part.mix))
    shares = " to ".join(map(words.percent, first.shares))
    weighted = any(log.weight is not None for log in findings.two.logs)
    return (
        f"; at a constant mix of {table.dimension} {within}: the share of {table.dimension} = "
        f"{words.key(first.key)} went from {shares} of the {'weight' if weighted else 'rows'}"
    )


def _membership(table: PartTable, within: str) -> str:
    """Groups that left or joined."""
    others = []
    for each in table.slices[1:]:
        value = each.before if each.after is None else each.after
        if value is not None:
            others.append(f"those that {each.key} had {float(value):.4f}")
    return f"; of {table.dimension} in both logs {within}; {', '.join(others)}"


def _slices(facts: Facts) -> str:
    findings = facts.findings
    causes = [each.slice for each in findings.causes]
    name = words.slices_name(findings.two, causes)
    rest = _rest(findings, findings.causes[-1].together)
    own = facts.change(findings.metric, facts.accused_rows)
    rate = facts.change("ctr", facts.accused_rows)
    level = words.value(findings.metric, own.before), words.value(findings.metric, own.after)
    lost = findings.metric in ("auc", "gauc") and abs(own.after - 0.5) < NO_RANKING
    lost = lost and own.before - own.after > NO_RANKING
    said = "scores no longer rank:" if lost else words.name(findings.spec)
    when = ""
    if facts.since is not None:
        when = f" since {facts.since.dimension} {words.key(facts.since.key)}"
    clicks = "" if findings.metric == "ctr" or facts.graded else f"; CTR in it {_rate(rate)}"
    return f"; without {name} {rest}; in it {said} {level[0]} → {level[1]}{when}{clicks}"


def _rate(rate: Moved) -> str:
    both = f"{words.percent(rate.before)} → {words.percent(rate.after)}"
    return f"{both}, {rate.difference()}"


def _broad(facts: Facts) -> str:
    shares = [share for share in facts.findings.same_way if share == share]
    when = (
        ""
        if facts.since is None
        else f", since {facts.since.dimension} {words.key(facts.since.key)}"
    )
    return (
        f": broad{when}; no slice with enough clusters explains half of it, and slices with at "
        f"least {words.percent(min(shares))} of the rows moved the same way"
    )


def _not_tested(facts: Facts) -> str:
    return f"; not tested, because no cluster is named{_nearest(facts)}"


def _unknown(facts: Facts) -> str:
    findings = facts.findings
    if not findings.whole.has_interval:
        return "; cannot tell: in one of the logs fewer than two clusters carry the value"
    if findings.small is not None:
        name = words.slice_name(findings.two, findings.small.slice)
        rest = _rest(findings, findings.small.effect)
        return f"; cannot tell where; without {name}, which is too small to be tested, {rest}"
    return f"; cannot tell where{_nearest(facts)}"


def _nearest(facts: Facts) -> str:
    findings = facts.findings
    if not findings.found:
        return ""
    name = words.slice_name(findings.two, findings.found[0].slice)
    return f"; without {name} {_rest(findings, findings.found[0].effect)}"


def _rest(findings: Findings, found: Effect) -> str:
    """The change without some rows."""
    return words.change_of(findings, found.without)
