"""`steelyard explain`: a metric's page, in the terminal."""

import json
import sys

import click

from steelyard.cli import complete, output, terminal
from steelyard.cli.option import Command, debug, formats


def explain(names: tuple[str, ...], format: str) -> None:
    """Say what metrics are: formula, reading, an example, parameters, pitfalls.

    A NAME is a metric's, such as auc, or has parameters, as in "precision(0.3)". One that is
    several metrics', such as precision, shows all of them.
    """
    from steelyard.pages import explain as explained

    found = explained(*names)
    if format == "json":
        text = json.dumps(found.data(), ensure_ascii=False, indent=2)
    elif format == "markdown":
        text = found.markdown()
    else:
        text = found.text(terminal.width(sys.stdout))
    output.write_stdout(text, headers=format == "text")


command = Command(
    "explain",
    callback=explain,
    help=explain.__doc__,
    short_help="Say what a metric is.",
    params=[
        click.Argument(
            ["names"],
            nargs=-1,
            required=True,
            metavar="NAME...",
            shell_complete=complete.metrics,
        ),
        formats(("text", "markdown", "json")),
        debug(),
    ],
    examples=("steelyard explain auc", 'steelyard explain "precision(0.3)" recall'),
)
