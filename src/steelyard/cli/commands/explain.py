"""`steelyard explain`: a metric's page, in the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from steelyard.cli import complete, output
from steelyard.cli.option import Command, debug

if TYPE_CHECKING:
    from steelyard.cli.page import Page
    from steelyard.metrics.catalogue import Bound


def explain(names: tuple[str, ...]) -> None:
    """Say what metrics are: formula, an example, parameters, other names.

    A NAME is a metric's, such as auc, or has parameters, as in "precision(0.3)".
    """
    text = "\n\n\n".join("\n".join(_lines(name)) for name in names)
    output.write_stdout(text, headers=True)


def _lines(text: str) -> Iterator[str]:
    from steelyard.cli.page import page
    from steelyard.metrics.catalogue import find, resolve
    from steelyard.spec import parse

    spec = parse(text)
    bare = not spec.args and not spec.options and spec.k is None and not spec.approximate
    # A bare name may lack what it needs; its page says so.
    metric = find(spec.name, cut=spec.k is not None)
    bound = None if bare else resolve(spec)
    about = page(metric)
    heading = bound.name if bound else about.name
    yield from (heading, "─" * len(heading), about.title)
    if about.body:
        yield from ("", about.body)
    yield from _parameters(about, bound)
    if about.aliases:
        yield from ("", f"Also called {', '.join(about.aliases)}.")
    yield from ("", *_use(about))


def _parameters(about: "Page", bound: "Bound | None") -> Iterator[str]:
    """Each parameter: what it takes, its default, and its value here where that is another."""
    from steelyard.cli.page import written

    if about.parameters:
        yield from ("", "Parameters")
    longest = max((len(parameter.name) for parameter in about.parameters), default=0)
    for parameter in about.parameters:
        needed = parameter.name in about.needed
        given = "required" if needed else f"default {written(parameter.default)}"
        value = bound.params[parameter.name] if bound else parameter.default
        here = "" if value == parameter.default else f"; here {written(value)}"
        yield f"  {parameter.name:<{longest}}  {parameter.wanted}; {given}{here}"


def _use(about: "Page") -> Iterator[str]:
    """How to ask for it."""
    needed = [f"{name}=..." for name in about.needed]
    grouped = ["group=..."] if about.grouped else []
    yield f"In Python   sy.{about.name}({', '.join(['y_true', 'y_score', *grouped, *needed])})"
    if about.shape is None:
        written = [f"{name}=..." for name in about.needed if name != "k"]
        call = f'"{about.written}({", ".join(written)})"' if written else about.written
        group = " --group COLUMN" if grouped else ""
        yield f"In a table  steelyard eval FILE{group} -m {call}{'@10' if about.cut else ''}"


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
        debug(),
    ],
    examples=("steelyard explain auc", 'steelyard explain "precision(0.3)" recall'),
)
