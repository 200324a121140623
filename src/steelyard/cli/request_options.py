"""The options that a request has on the command line, and the request's words for what is typed."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import click

from steelyard import request
from steelyard.cli import complete, parsing
from steelyard.cli.option import Option

ColumnNames = Collection[str]


def _as_typed(typed: Any, columns: ColumnNames) -> Any:
    return typed


class ValueKind(NamedTuple):
    """What the words of an option are: the settings of click, and the value for a request.

    blank: whether "" is a value and not the same as leaving the option out
    """

    settings: Mapping[str, Any]
    read: Callable[[Any, ColumnNames], Any] = _as_typed
    blank: bool = False


COLUMN: dict[str, Any] = {"metavar": "COLUMN", "shell_complete": complete.columns}
VALUE_KINDS: dict[str, ValueKind] = {
    "text": ValueKind({}, blank=True),
    "choice": ValueKind({}),
    "number": ValueKind({"type": float}),
    "count": ValueKind({"type": click.IntRange(min=1)}),
    "list": ValueKind({}, lambda typed, columns: parsing.split_at_commas(typed)),
    "metrics": ValueKind(
        {"metavar": "METRIC", "multiple": True, "shell_complete": complete.metrics},
        lambda typed, columns: parsing.metrics(typed),
    ),
    "column": ValueKind(COLUMN),
    "columns": ValueKind(COLUMN, lambda typed, columns: parsing.columns(typed, columns)),
    "scores": ValueKind(COLUMN | {"metavar": "[NAME=]COLUMN", "multiple": True}, parsing.scores),
    "slices": ValueKind(COLUMN | {"multiple": True}, parsing.slices),
}
CLI_OPTIONS = {name: info.cli for name, info in request.OPTIONS.items() if info.cli is not None}


def options() -> list[Option]:
    """An option for each field of a request that has a spelling here."""
    return [_option(name, typed) for name, typed in CLI_OPTIONS.items()]


def arguments(typed: Mapping[str, Any], columns: ColumnNames) -> dict[str, Any]:
    """What evaluate is told: the options that were given; the others keep their defaults."""
    return {
        name: VALUE_KINDS[spelling.kind].read(typed[name], columns)
        for name, spelling in CLI_OPTIONS.items()
        if _is_given(typed[name], VALUE_KINDS[spelling.kind])
    }


def _is_given(typed: Any, kind: ValueKind) -> bool:
    return typed is not None and (kind.blank or typed not in ("", ()))


def _option(name: str, typed: request.CliOption) -> Option:
    settings = dict(VALUE_KINDS[typed.kind].settings)
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
    info = request.OPTIONS[name]
    if info.cli is not None and info.cli.help:
        return info.cli.help
    return f"{info.help[0].upper()}{info.help[1:]}."
