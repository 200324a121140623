"""Scans of different rows become one, where they were read alike: partitions, and saved states."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from steelyard import errors
from steelyard.engines.protocol import Kept
from steelyard.metrics.record import StateSpec
from steelyard.model import Array
from steelyard.plan import Job, Plan
from steelyard.reading.facts import ReadingFacts
from steelyard.reading.key_forms import refuse_unlike
from steelyard.reading.reader import Reader
from steelyard.request.options import EQUAL, ROLES
from steelyard.states import Extremes, Sums

ORDERED = ("metrics", "scores")
# Conventions that must be equal to merge, as must the names in ORDERED.
SAME = ("reads", "pictures", *EQUAL)
SMALL = (Sums, Extremes)  # states that stay with the scan; the rows of others are exchanged


def joined(
    job: Job, source: str, reader: Reader, partitions: Sequence[tuple[Kept, ReadingFacts]]
) -> tuple[Kept, list[dict[str, list[Array]]]]:
    """The scan of all partitions of a source, with the small states; wrong rows are refused.

    The second is for each partition what `Kept.numbers_of` gives; reader: one without rows
    """
    reader.judge(facts for _, facts in partitions)
    found = Kept.empty(job.plan, job.resolved(source, reader.resolved))
    numbers = [found.numbers_of(each) for each, _ in partitions]
    for (each, _), own in zip(partitions, numbers, strict=True):
        for score, states in found.states.items():
            for identity, state in states.items():
                if identity.kind in SMALL:
                    state.add(each.states[score][identity], own[score])
    return found, numbers


def merged(todo: Plan, scans: Sequence[Kept]) -> Kept:
    """A new scan of the rows of all of them; their order does not matter."""
    first, *others = scans
    for other in others:
        _refuse_different(first, other)
    _refuse_unlike_keys(todo, scans)
    roles = _common([each.conventions.roles for each in scans])
    found = Kept.empty(todo, replace(first.conventions, roles=roles))
    for each in scans:
        found.add(each)
    return found


def _refuse_different(left: Kept, right: Kept) -> None:
    for name in SAME:
        mine, theirs = getattr(left.conventions, name), getattr(right.conventions, name)
        if mine != theirs:
            raise errors.merge_differs(field=name, left=mine, right=theirs)
    for name in ORDERED:
        names = [", ".join(getattr(each.conventions, name)) for each in (left, right)]
        if names[0] != names[1]:
            raise errors.merge_differs(field=name, left=names[0], right=names[1])


def _refuse_unlike_keys(todo: Plan, scans: Sequence[Kept]) -> None:
    """Refuses keys of slices, fields and classes that have one form here and another there."""
    first = scans[0]
    for score, states in first.states.items():
        for place, names in enumerate(first.conventions.by):
            refuse_unlike(names, [each.slices[score][place].keys for each in scans])
        for identity, state in states.items():
            if names := state.key_columns():
                same = [each.states[score][identity] for each in scans]
                refuse_unlike(names, [each.key_tuples() for each in same], _field(todo, identity))


def _field(todo: Plan, identity: StateSpec) -> str:
    """The metric that has the key of this state as its parameter, if one has."""
    for bound in todo.metrics:
        if bound.state_spec.identity == identity and "field" in bound.params:
            return bound.metric.name
    return ""


def _common(all_roles: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The roles that are equal in all states, and all their sources."""
    first, *rest = all_roles
    roles = {
        role: text for role, text in first.items() if all(other.get(role) == text for other in rest)
    }
    sources = {roles["source"] for roles in all_roles if "source" in roles}
    if len(sources) > 1:  # sorted, so that the order of merging does not matter
        sources = {", ".join(sorted({one for each in sources for one in each.split(", ")}))}
    return in_order({**roles, "source": sources.pop()} if sources else roles)


def in_order(roles: Mapping[str, str]) -> dict[str, str]:
    """The roles in the order of a request, in which a new state has them."""
    others = sorted(name for name in roles if name not in ROLES)  # by, recognised
    return {name: roles[name] for name in (*ROLES, *others) if name in roles}
