"""A call as a request: the signature and docstring of a function, its arguments checked."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from numbers import Integral
from textwrap import fill
from typing import Any, TypeVar

from steelyard import errors
from steelyard.phrases import phrase
from steelyard.request.options import Progress, Request, options_of

OPTIONS_PLACEHOLDER = "{options}"  # in a docstring, replaced by the list of options
POSITIONAL = ("source", "label", "score")  # what evaluate and state take by position
LINE_WIDTH = 96  # characters per line of that list
Function = TypeVar("Function", bound=Callable[..., Any])

# What the values of options are, by the type of the field; other options are checked when read.
TYPES: dict[Any, tuple[Any, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    int | None: (Integral, "a whole number"),
    Mapping[str, float] | None: (Mapping, 'numbers by metric, as in {"auc": 0.001}'),
    str | int | None: (str | Integral, 'a size, as in "4GB"'),
    str: (str, "text"),
    str | None: (str, "text"),
    str | Iterable[str] | None: (Iterable, 'names, as in ["auc", "ks"]'),
    Progress | None: (Callable, "a function of two numbers"),
}


def make_request(function: str, options: dict[str, Any], kind: type = Request) -> Any:
    """The request of a call, of that kind; a wrong keyword is Python's error."""
    checks = _checks(kind)
    for name in options:
        if name not in checks:
            raise errors.unexpected_option(function, name, checks)
    request = kind(**options)
    if isinstance(request, Request) and _is_empty(request):
        raise errors.missing_keyword(function, "label")
    for each in [name for name in checks if name in options]:
        value, (default, type_, wanted) = options[each], checks[each]
        if value is not default and not isinstance(value, type_):
            name = phrase(each)
            raise errors.OPTION_TYPE(name=name, type=type(value).__name__, wanted=wanted)
    return request


@cache
def _checks(kind: type) -> dict[str, tuple[Any, Any, str]]:
    """Of each option its default, the type of other values, and what that type is called."""
    every = fields(kind)
    return {each.name: (each.default, *TYPES.get(each.type, (object, ""))) for each in every}


def _is_empty(request: Request) -> bool:
    """Whether there is neither a source nor arrays."""
    return request.source is None and request.sql is None and request.label is None


def takes_request(
    function: Function, kind: type = Request, positional: tuple[str, ...] = POSITIONAL
) -> Function:
    """Decorator that gives a function the signature of a request and lists its options."""
    text = options_text(kind)
    function.__doc__ = (function.__doc__ or "").replace(OPTIONS_PLACEHOLDER, text)
    returns = inspect.signature(function).return_annotation
    # inspect reads this attribute; the type of functions does not have it.
    function.__signature__ = signature(returns, kind, positional)  # type: ignore[attr-defined]
    return function


def signature(
    returns: Any, kind: type = Request, positional: tuple[str, ...] = POSITIONAL
) -> inspect.Signature:
    """Some options by position or name, the others by name only."""
    options = {each.name: each for each in fields(kind)}
    ordered = [options[name] for name in dict.fromkeys((*positional, *options))]
    return inspect.Signature(
        [
            inspect.Parameter(
                each.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD
                if each.name in positional
                else inspect.Parameter.KEYWORD_ONLY,
                default=each.default,
                annotation=each.type,
            )
            for each in ordered
        ],
        return_annotation=returns,
    )


def options_text(kind: type = Request) -> str:
    """The list of options for a docstring."""
    lines = (
        fill(f"{name}: {info.help}", LINE_WIDTH, subsequent_indent=" " * 8, break_on_hyphens=False)
        for name, info in options_of(kind).items()
    )
    return "\n    ".join(lines)
