"""From two sources to a diagnosis."""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard import errors
from steelyard.diagnosis.decide import SLICES, Findings, decide
from steelyard.diagnosis.lines import Evidence, lines
from steelyard.diagnosis.page import Cause, Diagnosis
from steelyard.diagnosis.reading import ReadLogs, read
from steelyard.diagnosis.verdict import next_command, verdict
from steelyard.phrases import phrase
from steelyard.reading.options import checked_share


def diagnose(
    sources: Sequence[Any],
    wheres: Sequence[str | None],
    options: Mapping[str, Any],
    metric: str = "auc",
    confidence: float = 0.95,
) -> Diagnosis:
    """The diagnosis of two sources; options: those of a request, `over` and `control_score`."""
    wanted = "a number above 0 and below 1"
    share = checked_share("confidence", confidence, wanted, below=1.0)
    if share is None:
        raise errors.OUT_OF_RANGE(name=phrase("confidence"), value=share, wanted=wanted)
    logs = read(sources, wheres, options, metric)
    cluster = options.get("cluster")
    found = decide(logs.two, metric, share, tested=cluster is not None)
    ctx = Evidence(found, logs.score, logs.control, cluster)
    listed = [*lines(ctx), next_command(ctx, logs.request, wheres[1])]
    before, after = found.model.values
    return Diagnosis(
        metric,
        before,
        after,
        verdict(ctx),
        found.kind,
        tuple(_causes(found)),
        tuple(found.tables),
        tuple(listed),
        tuple(_notes(logs, wheres)),
        _shown(found),
    )


def _causes(it: Findings) -> list[Cause]:
    found = []
    for each in it.causes:
        own = it.model.take(each.slice.masks(it.two))
        named = {
            it.two.dimensions[d].name: it.two.dimensions[d].keys[c] for d, c in each.slice.values
        }
        rest, share = each.effect.without.value, each.effect.share
        found.append(Cause(named, *own.values, rest, share, each.p))
    return found


def _shown(it: Findings) -> int:
    """The dimension of the cause; without one, that whose slices differ most."""
    if it.kind == SLICES:
        return it.causes[0].slice.values[0][0]
    if it.mixed is not None:
        return it.mixed
    spread = [max((abs(s.part.total) for s in table.slices), default=0) for table in it.tables]
    return spread.index(max(spread))


def _notes(logs: ReadLogs, wheres: Sequence[str | None]) -> list[str]:
    named = [
        f"{name} where {where}" if where else name
        for name, where in zip(logs.two.names, wheres, strict=True)
    ]
    found = [f"before: {named[0]} · after: {named[1]}"]
    if logs.recognised:
        found.append(f"using {logs.recognised}")
    if logs.chosen is not None:
        found.append(f"looked for a cause in {', '.join(logs.chosen)}: name others with over")
    if logs.two.rounded:
        found.append("weights are rounded to 2⁻⁵² of their sum")
    return found
