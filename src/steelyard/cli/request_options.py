"""The command-line options of a request, and the arguments of a request for the text typed."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import click

from steelyard.cli import complete, parsing
from steelyard.cli.option import Option
from steelyard.request import options as request
from steelyard.spec import split_at_commas

ColumnNames = Collection[str]


def _as_typed(typed: Any, columns: ColumnNames) -> Any:
    return typed


class ValueKind(NamedTuple):
    """A kind of option value.

    settings: click's settings; read: makes the argument of a request from the text typed
    blank: whether "" is a value; if not, it means that the option is left out
    """

    settings: Mapping[str, Any]
    read: Callable[[Any, ColumnNames], Any] = _as_typed
    blank: bool = False


COLUMN: dict[str, Any] = {"metavar": "COLUMN", "shell_complete": complete.columns}
VALUE_KINDS: dict[str, ValueKind] = {
    "text": ValueKind({}, blank=True),
    "choice": ValueKind({}),
    "flag": ValueKind({"is_flag": True}),
    "number": ValueKind({"type": float}),
    "count": ValueKind({"type": click.IntRange(min=1)}),
    "replicates": ValueKind({"type": click.IntRange(min=request.FEWEST_REPLICATES)}),
    "list": ValueKind({}, lambda typed, columns: split_at_commas(typed)),
    "metrics": ValueKind(
        {"metavar": "METRIC", "multiple": True, "shell_complete": complete.metrics},
        lambda typed, columns: parsing.metrics(typed),
    ),
    "column": ValueKind(COLUMN),
    "named column": ValueKind(COLUMN, blank=True),  # none is recognised that "" could turn off
    "columns": ValueKind(COLUMN, parsing.columns),
    "scores": ValueKind(COLUMN | {"metavar": "[NAME=]COLUMN", "multiple": True}, parsing.scores),
    "slices": ValueKind(COLUMN | {"multiple": True}, parsing.slices),
    "dimensions": ValueKind(COLUMN | {"multiple": True}, parsing.dimensions),
    "logs": ValueKind({"multiple": True}, parsing.logs),
    "conditions": ValueKind({"multiple": True}, parsing.conditions),
}
CLI_OPTIONS = {name: info.cli for name, info in request.OPTIONS.items() if info.cli is not None}


def options(kind: type = request.Request) -> list[Option]:
    """An option for each field of a kind of request that the command line has."""
    known = request.options_of(kind)
    return [_option(name, info) for name, info in known.items() if info.cli is not None]


def arguments(
    typed: Mapping[str, Any],
    columns: ColumnNames,
    kind: type = request.Request,
) -> dict[str, Any]:
    """The arguments of a request: the options that were given; the others keep their defaults."""
    found = {name: info.cli for name, info in request.options_of(kind).items()}
    return {
        name: VALUE_KINDS[option.kind].read(typed[name], columns)
        for name, option in found.items()
        if option is not None and _is_given(typed.get(name), VALUE_KINDS[option.kind])
    }


def _is_given(typed: Any, kind: ValueKind) -> bool:
    return typed is not None and typed is not False and (kind.blank or typed not in ("", ()))


def _option(name: str, info: request.OptionInfo) -> Option:
    option = info.cli
    assert option is not None
    settings = dict(VALUE_KINDS[option.kind].settings)
    if option.metavar is not None:
        settings["metavar"] = option.metavar
    if option.kind == "choice":
        settings |= {"type": click.Choice(option.choices), "default": option.choices[0]}
    elif option.choices:
        settings["shell_complete"] = complete.choices(option.choices)
    names = option.names or (f"--{name.replace('_', '-')}",)
    return Option(*names, name, section=option.section, help=_help(info), **settings)


def help_line(name: str) -> str:
    """The line of the help of an option of `eval`."""
    return _help(request.OPTIONS[name])


def _help(info: request.OptionInfo) -> str:
    """The line of the help: the one written for it, else the help text as a sentence."""
    if info.cli is not None and info.cli.help:
        return info.cli.help
    return f"{info.help[0].upper()}{info.help[1:]}."
