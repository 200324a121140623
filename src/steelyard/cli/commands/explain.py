"""`steelyard explain`: a metric's page, in the terminal."""

import json
import sys

import click

from steelyard.cli import complete, output, terminal
from steelyard.cli.option import Command, debug, formats


def explain(names: tuple[str, ...], format: str) -> None:
    """Explain metrics: formula, meaning, an example, parameters, pitfalls.

    A NAME is the name of a metric, such as auc, or has parameters, as in "precision(0.3)". If
    several metrics have that name, such as precision, all of them are shown.
    """
    from steelyard import pages

    found = pages.explain(*names)
    if format == "json":
        text = json.dumps(found.data(), ensure_ascii=False, indent=2)
    elif format == "markdown":
        text = found.markdown()
    else:
        text = found.text(terminal.width(sys.stdout))
    output.write_stdout(text, headers=format == "text", data=format != "text")


command = Command(
    "explain",
    explain,
    short_help="Explain a metric.",
    params=[
        click.Argument(
            ["names"], nargs=-1, required=True, metavar="NAME...", shell_complete=complete.metrics
        ),
        formats(("text", "markdown", "json")),
        debug(),
    ],
    examples=("steelyard explain auc", 'steelyard explain "precision(0.3)" recall'),
)
