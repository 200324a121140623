"""The verdict in one sentence with its numbers, and the command to run next."""

import shlex

from steelyard.diagnosis import words
from steelyard.diagnosis.decide import (
    BROAD,
    MIX,
    NOISE,
    NOT_TESTED,
    ONE_CLUSTER,
    REPEATED,
    SLICES,
    Findings,
)
from steelyard.diagnosis.effects import Effect
from steelyard.diagnosis.lines import Answer, Evidence, Moved
from steelyard.diagnosis.parts import PartTable, SlicePart
from steelyard.diagnosis.rows import SIDES, Dimension
from steelyard.request import Request

NO_RANKING = 0.02  # an AUC as near to 0.5 as that: scores no longer rank


def verdict(ctx: Evidence) -> str:
    """One sentence: the change, and what explains it."""
    it = ctx.it
    moved = Moved(it.metric, *it.values, it.whole, it).text()
    said = {
        REPEATED: _repeated,
        ONE_CLUSTER: _one_cluster,
        NOISE: _noise,
        MIX: _mix,
        SLICES: _slices,
        BROAD: _broad,
        NOT_TESTED: _not_tested,
    }.get(it.kind, _unknown)(ctx)
    return f"{moved}{said}."


def _noise(ctx: Evidence) -> str:
    return ": within sampling noise"


def _repeated(ctx: Evidence) -> str:
    it = ctx.it
    assert it.repeats is not None
    assert it.without_repeats is not None
    counts = it.repeats.counts
    side = int(counts[1] / len(it.two.logs[1]) >= counts[0] / len(it.two.logs[0]))
    share = words.percent(counts[side] / len(it.two.logs[side]))
    whose = ""
    if it.repeats.cluster is not None and it.repeats.share >= 0.5:
        key = words.key(it.two.clusters.key(it.repeats.cluster))
        whose = f", {words.percent(it.repeats.share)} of them of {ctx.cluster} = {key}"
    rest = _rest(it, it.without_repeats)
    return f"; {share} of the rows {SIDES[side]} are repeated rows{whose}; without them {rest}"


def _one_cluster(ctx: Evidence) -> str:
    it = ctx.it
    assert it.heavy is not None
    key = words.key(it.two.clusters.key(it.heavy.cluster))
    shares = " → ".join(words.percent(share) for share in it.heavy.share)
    rest = _rest(it, it.heavy.effect)
    return f"; without {ctx.cluster} = {key} ({shares} of the rows) {rest}"


def _mix(ctx: Evidence) -> str:
    it = ctx.it
    assert it.mixed is not None
    table = it.all_tables[it.mixed]
    within = words.signed(it.metric, float(table.within))
    if table is it.membership:
        return _membership(table, within)
    first = max(table.slices, key=lambda each: abs(each.part.mix))
    shares = [_row_share(it, first, place) for place in (0, 1)]
    return (
        f"; at a constant mix of {table.dimension} {within}: the share of {table.dimension} = "
        f"{words.key(first.key)} went from {words.percent(shares[0])} to "
        f"{words.percent(shares[1])} of the rows"
    )


def _membership(table: PartTable, within: str) -> str:
    """Groups that left or joined."""
    others = []
    for each in table.slices[1:]:
        value = each.before if each.after is None else each.after
        if value is not None:
            others.append(f"those that {each.key} had {float(value):.4f}")
    return f"; of {table.dimension} in both logs {within}; {', '.join(others)}"


def _row_share(it: Findings, found: SlicePart, place: int) -> float:
    return found.rows[place] / len(it.two.logs[place])


def _slices(ctx: Evidence) -> str:
    it = ctx.it
    causes = [each.slice for each in it.causes]
    name = words.slices_name(it.two, causes)
    rest = _rest(it, it.causes[-1].together)
    own = ctx.change(it.metric, ctx.hit)
    rate = ctx.change("ctr", ctx.hit)
    level = words.value(it.metric, own.before), words.value(it.metric, own.after)
    lost = it.metric in ("auc", "gauc") and abs(own.after - 0.5) < NO_RANKING
    lost = lost and own.before - own.after > NO_RANKING
    said = "scores no longer rank:" if lost else it.name
    when = ""
    if ctx.since is not None:
        when = f" since {ctx.since.dimension} {words.key(ctx.since.key)}"
    clicks = "" if it.metric == "ctr" or ctx.graded else f"; CTR in it {_rate(rate)}"
    return f"; without {name} {rest}; in it {said} {level[0]} → {level[1]}{when}{clicks}"


def _rate(rate: Moved) -> str:
    both = f"{words.percent(rate.before)} → {words.percent(rate.after)}"
    return f"{both}, {rate.difference()}"


def _broad(ctx: Evidence) -> str:
    shares = [share for share in ctx.it.same_way if share == share]
    when = "" if ctx.since is None else f", since {ctx.since.dimension} {words.key(ctx.since.key)}"
    return (
        f": broad{when}; no slice with enough clusters explains half of it, and slices with at "
        f"least {words.percent(min(shares))} of the rows moved the same way"
    )


def _not_tested(ctx: Evidence) -> str:
    return f"; not tested, because no cluster is named{_nearest(ctx)}"


def _unknown(ctx: Evidence) -> str:
    it = ctx.it
    if not it.whole.has_interval:
        return "; cannot tell: in one of the logs fewer than two clusters carry the value"
    if it.small is not None:
        name = words.slice_name(it.two, it.small.slice)
        rest = _rest(it, it.small.effect)
        return f"; cannot tell where; without {name}, which is too small to be tested, {rest}"
    return f"; cannot tell where{_nearest(ctx)}"


def _nearest(ctx: Evidence) -> str:
    it = ctx.it
    if not it.found:
        return ""
    name = words.slice_name(it.two, it.found[0].slice)
    return f"; without {name} {_rest(it, it.found[0].effect)}"


def _rest(it: Findings, found: Effect) -> str:
    """The change without some rows."""
    return words.change(it.metric, found.without, it.confidence, tested=it.tested)


def next_command(ctx: Evidence, request: Request, where: str | None) -> Answer:
    """The command that shows more of what was found.

    request: how both logs were read; where: the condition of the log after
    """
    it = ctx.it
    log = it.two.names[1]
    typed = ["steelyard eval", shlex.quote(log) if "." in log else "AFTER.parquet"]
    typed += ["--label", shlex.quote(str(request.label)), "--score", shlex.quote(ctx.score)]
    for name in READ_ALIKE:
        value = getattr(request, name)
        if name == "cluster" and not it.tested:  # it was not named
            continue
        if value is not None and value != getattr(Request, name, None):
            listed = value if isinstance(value, list | tuple) else [value]
            typed += [f"--{name}", shlex.quote(",".join(map(str, listed)))]
    conditions = [where] if where else []
    if it.kind == SLICES:
        conditions.append(words.condition(it.two, [each.slice for each in it.causes]))
    if conditions:
        joined = (
            conditions[0] if len(conditions) == 1 else " AND ".join(f"({c})" for c in conditions)
        )
        typed += ["--where", _quoted(joined)]
    by = _by(ctx)
    if by is not None:
        named = by.name if by.text == by.name else f"{by.name}={by.text}"
        typed += ["--by", shlex.quote(named)]
    metric = it.spec if it.metric != "ctr" else "prevalence"
    return Answer("next", (" ".join([*typed, "-m", shlex.quote(metric)]),))


def _by(ctx: Evidence) -> Dimension | None:
    """The dimension to look at next: that of the time, of the mix, or another than the cause's.

    None where the only one is the cause's own.
    """
    it = ctx.it
    if it.mixed is not None and it.mixed < len(it.two.dimensions):
        return it.two.dimensions[it.mixed]
    if ctx.since is not None:
        return next(each for each in it.two.dimensions if each.name == ctx.since.dimension)
    own = {d for each in it.causes for d, _ in each.slice.values}
    others = [each for d, each in enumerate(it.two.dimensions) if d not in own]
    return others[0] if others else None


READ_ALIKE = ("weight", "group", "cluster", "positive", "nan", "downsampled", "clip")


def _quoted(condition: str) -> str:
    """A condition in double quotes, as people write it, or in those of the shell."""
    plain = not set('"$`\\!') & set(condition)
    return f'"{condition}"' if plain else shlex.quote(condition)
