"""`steelyard doctor`: versions, kernels, memory, streams, and whether any of them is broken."""

import json
from typing import TYPE_CHECKING

import click

from steelyard.cli import output
from steelyard.cli.option import Command, debug, formats

if TYPE_CHECKING:
    from steelyard.cli.health import Fact

BROKEN = 2  # exit code if something is


@click.pass_context
def doctor(ctx: click.Context, format: str) -> None:
    """Show the environment of steelyard, for a bug report; exit with 2 if something is broken."""
    from steelyard.cli.health import facts

    found = facts()
    text = _json(found) if format == "json" else _table(found)
    output.write_stdout(text, data=format == "json")
    if any(fact.broken for fact in found):
        ctx.exit(BROKEN)


def _table(found: list["Fact"]) -> str:
    longest = max(len(fact.name) for fact in found)
    return "\n".join(
        f"{fact.name:<{longest}}  {fact.value}{'  ← broken' if fact.broken else ''}"
        for fact in found
    )


def _json(found: list["Fact"]) -> str:
    facts = {fact.name: fact.value for fact in found}
    broken = [fact.name for fact in found if fact.broken]
    return json.dumps({"facts": facts, "broken": broken}, ensure_ascii=False, indent=2)


command = Command(
    "doctor",
    doctor,
    short_help="Show the environment of steelyard, and what is broken.",
    params=[formats(("table", "json")), debug()],
)
