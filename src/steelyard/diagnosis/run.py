"""From two sources to a diagnosis."""

from steelyard.diagnosis.causes.decide import SLICES, Findings, decide
from steelyard.diagnosis.page.commands import next_command
from steelyard.diagnosis.page.diagnosis import Cause, Diagnosis
from steelyard.diagnosis.page.facts import Facts
from steelyard.diagnosis.page.lines import lines
from steelyard.diagnosis.page.verdict import verdict
from steelyard.diagnosis.two_logs.reading import ReadPair, read
from steelyard.reading.options import checked_share
from steelyard.request.diagnose import DiagnoseRequest
from steelyard.stats.intervals import DEFAULT_CONFIDENCE


def checked_confidence(request: DiagnoseRequest) -> float:
    wanted = "a number above 0 and below 1"
    given = request.confidence
    return checked_share("confidence", given, wanted, below=1.0) or DEFAULT_CONFIDENCE


def diagnose(request: DiagnoseRequest) -> Diagnosis:
    """The diagnosis of two logs."""
    share = checked_confidence(request)
    logs = read(request)
    found = decide(logs.two, request.metric, share, tested=request.cluster is not None)
    facts = Facts(found, logs.score, logs.control, request.cluster)
    listed = [*lines(facts), next_command(facts, logs.request, logs.wheres[1])]
    before, after = found.values
    return Diagnosis(
        request.metric,
        before,
        after,
        verdict(facts),
        found.kind,
        tuple(_causes(found)),
        tuple(found.all_tables),
        tuple(listed),
        tuple(_notes(logs)),
        _shown(found),
    )


def _causes(findings: Findings) -> list[Cause]:
    found = []
    for each in findings.causes:
        own = findings.model.take(each.slice.masks(findings.two))
        named = each.slice.named(findings.two)
        rest, share = each.effect.without.value, each.effect.share
        found.append(Cause(named, *own.values, rest, share, each.p))
    return found


def _shown(findings: Findings) -> int:
    """The dimension of the cause; without one, that whose slices differ most."""
    if findings.kind == SLICES:
        return findings.causes[0].slice.values[0][0]
    if findings.mixed is not None:
        return findings.mixed
    if findings.found:
        return findings.found[0].slice.values[0][0]
    spread = [
        max((abs(s.part.total) for s in table.slices), default=0) for table in findings.tables
    ]
    return spread.index(max(spread))


def _notes(logs: ReadPair) -> list[str]:
    named = [
        f"{name} where {where}" if where else name
        for name, where in zip(logs.two.names, logs.wheres, strict=True)
    ]
    found = [f"before: {named[0]} · after: {named[1]}"]
    if logs.recognised:
        found.append(f"using {logs.recognised}")
    if logs.chosen is not None:
        found.append(f"looked for a cause in {', '.join(logs.chosen)}: columns with few values")
    found += logs.notes
    if logs.two.rounded:
        found.append("the search takes weights rounded to 2⁻⁵² of their sum")
    return found
