"""Arguments that are spelled as in Python: `--by '["country"]'`, or `by=country` for an option."""

import ast
import os
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import click


def refuse(
    ctx: click.Context, parameter: click.Parameter, typed: Any, known: Sequence[click.Parameter]
) -> None:
    """Refuses a value that Python's spelling explains, and says how it is written here."""
    texts = [typed] if isinstance(typed, str) else typed if isinstance(typed, list | tuple) else ()
    for text in filter(lambda each: isinstance(each, str), texts):
        if isinstance(parameter, click.Option) and (parts := _parts(text)):
            written = " ".join(_written(parameter, parts))
            name = parameter.opts[0]
            raise click.UsageError(f"{name} {text} is Python's spelling: write {written}", ctx)
        if isinstance(parameter, click.Argument) and not os.path.exists(text):
            for written in _options(text, known):
                raise click.UsageError(f"there is no file {text!r}: did you mean {written}", ctx)


def _parts(text: str) -> list[str]:
    """The texts of a list, or the names and texts of a mapping, as Python writes them."""
    if text[:1] not in ("[", "{"):
        return []
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    pairs = [f"{name}={each}" for name, each in value.items()] if isinstance(value, dict) else value
    return pairs if all(isinstance(each, str) for each in pairs) else []


def _written(option: click.Option, parts: Sequence[str]) -> Iterator[str]:
    """The option as a shell has it: once for each value, or once with commas between them."""
    for value in parts if option.multiple else [",".join(parts)]:
        yield f"{option.opts[0]} {shlex.quote(value)}"


def _options(text: str, known: Sequence[click.Parameter]) -> Iterator[str]:
    """The option that an argument such as `by=country` means, if it is one."""
    name, equals, value = text.partition("=")
    for each in known if equals and value else ():
        if isinstance(each, click.Option) and not each.is_flag and name == each.name:
            yield f"{each.opts[0]} {shlex.quote(value)}"
