"""The options that a request has on the command line, and the request's words for what is typed."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import click

from steelyard import request
from steelyard.cli import complete, words
from steelyard.cli.option import Option

Columns = Collection[str]


def _as_typed(typed: Any, columns: Columns) -> Any:
    return typed


class Kind(NamedTuple):
    """What the words of an option are: the settings of click, and the value for a request.

    blank: whether "" is a value and not the same as leaving the option out
    """

    settings: Mapping[str, Any]
    read: Callable[[Any, Columns], Any] = _as_typed
    blank: bool = False


COLUMN: dict[str, Any] = {"metavar": "COLUMN", "shell_complete": complete.columns}
KINDS: dict[str, Kind] = {
    "text": Kind({}, blank=True),
    "choice": Kind({}),
    "number": Kind({"type": float}),
    "count": Kind({"type": click.IntRange(min=1)}),
    "list": Kind({}, lambda typed, columns: words.split(typed)),
    "metrics": Kind(
        {"metavar": "METRIC", "multiple": True, "shell_complete": complete.metrics},
        lambda typed, columns: words.metrics(typed),
    ),
    "column": Kind(COLUMN),
    "columns": Kind(COLUMN, lambda typed, columns: words.columns(typed, columns)),
    "scores": Kind(COLUMN | {"metavar": "[NAME=]COLUMN", "multiple": True}, words.scores),
    "slices": Kind(COLUMN | {"multiple": True}, words.slices),
}
TYPED = {name: about.typed for name, about in request.OPTIONS.items() if about.typed is not None}


def options() -> list[Option]:
    """An option for each field of a request that has a spelling here."""
    return [_option(name, typed) for name, typed in TYPED.items()]


def arguments(typed: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """What evaluate is told: the options that were given; the others keep their defaults."""
    return {
        name: KINDS[spelling.kind].read(typed[name], columns)
        for name, spelling in TYPED.items()
        if _is_given(typed[name], KINDS[spelling.kind])
    }


def _is_given(typed: Any, kind: Kind) -> bool:
    return typed is not None and (kind.blank or typed not in ("", ()))


def _option(name: str, typed: request.Typed) -> Option:
    settings = dict(KINDS[typed.kind].settings)
    if typed.metavar is not None:
        settings["metavar"] = typed.metavar
    if typed.kind == "choice":
        settings |= {"type": click.Choice(typed.choices), "default": typed.choices[0]}
    elif typed.choices:
        settings["shell_complete"] = complete.of(typed.choices)
    names = typed.names or (f"--{name.replace('_', '-')}",)
    return Option(*names, name, section=typed.section, help=help_line(name), **settings)


def help_line(name: str) -> str:
    """The line of the help: the one written for it, else the option's own text as a sentence."""
    about = request.OPTIONS[name]
    if about.typed is not None and about.typed.help:
        return about.typed.help
    return f"{about.help[0].upper()}{about.help[1:]}."
