"""`steelyard explain`: a metric's page, in the terminal."""

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from steelyard.cli import complete, output, terminal
from steelyard.cli.evaluating import OPTION
from steelyard.cli.option import Command, Option, debug, formats
from steelyard.reading import recognise
from steelyard.reading.recognise import ROLES

if TYPE_CHECKING:
    from steelyard.pages import WorkedExample


ON = Option(
    "--on",
    metavar="FILE",
    type=click.Path(),
    help="Show auc or ndcg step by step on the rows of a file, such as a short list of your own.",
)


def explain(names: tuple[str, ...], format: str, on: str | None, **roles: str | None) -> None:
    """Explain metrics: formula, meaning, an example, parameters, pitfalls.

    A NAME is the name of a metric, such as auc, or has parameters, as in "precision(0.3)". If
    several metrics have that name, such as precision, all of them are shown. With --on, the metric
    is computed on the rows of a file, and each step is shown.
    """
    from steelyard import pages

    if on is None and any(roles.values()):
        raise click.UsageError(f"{', '.join(f'--{role}' for role in ROLES)} need --on")
    found = pages.explain(*names) if on is None else _worked(names, on, roles)
    if format == "json":
        text = json.dumps(found.data(), ensure_ascii=False, indent=2)
    elif format == "markdown":
        text = found.markdown()
    else:
        text = found.text(terminal.width(sys.stdout))
    output.write_stdout(text, headers=format == "text", data=format != "text")


def _worked(names: tuple[str, ...], on: str, roles: dict[str, str | None]) -> "WorkedExample":
    """The metric step by step; columns that are recognised are named."""
    from steelyard import pages
    from steelyard.sources.opening import open_source

    with closing(open_source(on)) as source:
        taken = recognise.recognise(list(source.columns), roles | {"prediction": None}, OPTION)
        if taken:
            terminal.print_message(f"using {recognise.text(taken)}")
        given = {role: column for role, column in (roles | taken).items() if column}
        return pages.explain(*names, on=source, **given)


command = Command(
    "explain",
    explain,
    short_help="Explain a metric.",
    params=[
        click.Argument(
            ["names"], nargs=-1, required=True, metavar="NAME...", shell_complete=complete.metrics
        ),
        ON,
        *(
            Option(f"--{role}", metavar="COLUMN", help=f"With --on: the column of the {role}.")
            for role in ROLES
        ),
        formats(("text", "markdown", "json")),
        debug(),
    ],
    examples=(
        "steelyard explain auc",
        'steelyard explain "precision(0.3)" recall',
        "steelyard explain ndcg@10 --on list.csv --label grade --score model",
    ),
)
