"""The command to run next, as it is typed."""

import shlex
from collections.abc import Mapping
from typing import Any

from steelyard.diagnosis.causes.decide import ONE_CLUSTER, REPEATED, SLICES
from steelyard.diagnosis.page import words
from steelyard.diagnosis.page.facts import Answer, Facts
from steelyard.diagnosis.two_logs.two_logs import Dimension
from steelyard.request.options import Request

READ_ALIKE = ("weight", "group", "cluster", "positive", "nan", "downsampled", "clip")
DEFAULTS = Request()
MOST_OF_THEM = 0.5  # of the repeated rows: those of one user


def typed(options: Mapping[str, Any]) -> list[str]:
    """Options as they are typed, without those that have their defaults.

    >>> typed({"label": "click", "weight": None, "group": ("user", "day"), "nan": "error"})
    ['--label', 'click', '--group', 'user,day']
    """
    found = []
    for name, value in options.items():
        listed = value if isinstance(value, list | tuple) else [value]
        if value is not None and len(listed) and value != getattr(DEFAULTS, name):
            found += [f"--{name}", shlex.quote(",".join(map(str, listed)))]
    return found


def next_command(facts: Facts, request: Request, where: str | None) -> Answer:
    """The command that shows more of what was found.

    request: how both logs were read; where: the condition of the log after
    """
    findings = facts.findings
    log = findings.two.names[1]
    if _without_user(facts) is not None and where is None:
        return _again(facts, request)
    options = {name: getattr(request, name) for name in READ_ALIKE}
    if not findings.tested:  # no cluster was named
        del options["cluster"]
    line = ["steelyard eval", shlex.quote(log) if "." in log else "AFTER.parquet"]
    line += typed({"label": request.label, "score": facts.score, **options})
    conditions = [where] if where else []
    if findings.kind == SLICES:
        conditions.append(words.condition(findings.two, [each.slice for each in findings.causes]))
    if conditions:
        joined = " AND ".join(f"({each})" for each in conditions)
        line += ["--where", _quoted(conditions[0] if len(conditions) == 1 else joined)]
    by = _by(facts)
    if by is not None:
        named = by.name if by.text == by.name else f"{by.name}={by.text}"
        line += ["--by", shlex.quote(named)]
    metric = findings.spec if findings.metric != "ctr" else "prevalence"
    return Answer("next", (" ".join([*line, "-m", shlex.quote(metric)]),))


def _without_user(facts: Facts) -> str | None:
    """A condition without the rows of the user that the change is due to, if it is one."""
    findings, number = facts.findings, None
    if findings.kind == REPEATED and findings.repeats is not None:
        number = findings.repeats.cluster if findings.repeats.share >= MOST_OF_THEM else None
    elif findings.kind == ONE_CLUSTER and findings.heavy is not None:
        number = findings.heavy.cluster
    if number is None or not all("." in name for name in findings.two.names):
        return None
    key = findings.two.clusters.key(number)
    text = "'" + key.replace("'", "''") + "'" if isinstance(key, str) else str(key)
    return f"{facts.cluster} <> {text}"


def _again(facts: Facts, request: Request) -> Answer:
    """The same diagnosis without the rows of a user."""
    findings = facts.findings
    line = ["steelyard diagnose", *map(shlex.quote, findings.two.names)]
    options = {name: getattr(request, name) for name in READ_ALIKE}
    line += typed({"label": request.label, "score": facts.score, **options})
    over = [d.name if d.text == d.name else f"{d.name}={d.text}" for d in findings.two.dimensions]
    line += ["--over", shlex.quote(",".join(over)), "--where", _quoted(_without_user(facts) or "")]
    return Answer("next", (" ".join([*line, "-m", shlex.quote(findings.spec)]),))


def _by(facts: Facts) -> Dimension | None:
    """The dimension to look at next: that of the time, of the mix, or another than the cause's.

    None where the only one is the cause's own.
    """
    findings = facts.findings
    if findings.mixed is not None and findings.mixed < len(findings.two.dimensions):
        return findings.two.dimensions[findings.mixed]
    if facts.since is not None:
        return next(each for each in findings.two.dimensions if each.name == facts.since.dimension)
    own = {d for each in findings.causes for d, _ in each.slice.values}
    others = [each for d, each in enumerate(findings.two.dimensions) if d not in own]
    return others[0] if others else None


def _quoted(condition: str) -> str:
    """A condition in double quotes, as people write it, or in those of the shell."""
    plain = not set('"$`\\!') & set(condition)
    return f'"{condition}"' if plain else shlex.quote(condition)
