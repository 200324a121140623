"""The values of options as typed: lists with commas, scores with names."""

import re
from collections.abc import Collection, Iterable

from steelyard import errors
from steelyard.spec import split_at_commas

Slicing = str | dict[str, str] | tuple[str | dict[str, str], ...]
_NAMED = re.compile(r"\s*([\w.:/-]+)\s*=(?!=)\s*(\S.*)", re.DOTALL)


def metrics(typed: Iterable[str]) -> list[str]:
    """Every metric named: `-m auc,ks -m "precision(0.3)"`."""
    return [metric for text in typed for metric in split_at_commas(text)]


def columns(typed: str, known: Collection[str]) -> str | tuple[str, ...]:
    """One column or expression, or several between commas."""
    parts = [typed] if typed in known else split_at_commas(typed)
    return parts[0] if len(parts) == 1 else tuple(parts)


def slices(typed: Iterable[str], known: Collection[str]) -> list[Slicing]:
    """Each `by`: a column or expression, with a name as in `--by night=hour<6`, or several crossed.

    >>> slices(["country", "country,night=hour<6", "country='DE'"], ["country", "hour"])
    ['country', ('country', {'night': 'hour<6'}), "country='DE'"]
    """
    crossed = [[text] if text in known else split_at_commas(text) for text in typed]
    found = [tuple(_slice(part, known) for part in parts) for parts in crossed]
    return [parts[0] if len(parts) == 1 else parts for parts in found]


def dimensions(typed: Iterable[str], known: Collection[str]) -> list[Slicing]:
    """Columns or expressions, each alone: `--over country,device --over night=hour<6`."""
    return slices([part for text in typed for part in split_at_commas(text)], known)


def logs(typed: tuple[str, ...], known: Collection[str]) -> list[str]:
    """Paths and patterns of logs."""
    return list(typed)


def conditions(typed: tuple[str, ...], known: Collection[str]) -> str | tuple[str, ...]:
    """One condition, or one for each of several logs."""
    return typed[0] if len(typed) == 1 else typed


def _slice(part: str, known: Collection[str]) -> str | dict[str, str]:
    """A column or expression, or one with a name; after a column's name, = compares."""
    name, text = _named(part)
    return part if part in known or name in known or name == text else {name: text}


def scores(typed: Iterable[str], known: Collection[str]) -> str | list[str] | dict[str, str]:
    """The scores: one, several, or by name as in `--score new=pctr_new`.

    >>> scores(["pctr"], ()), scores(["a", "b"], ()), scores(["old=a", "b"], ())
    ('pctr', ['a', 'b'], {'old': 'a', 'b': 'b'})
    """
    pairs = [(text, text) if text in known else _named(text) for text in typed]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise errors.SCORE_TWICE(name=name)
    if all(name == text for name, text in pairs):
        return names[0] if len(names) == 1 else names
    return dict(pairs)


def _named(text: str) -> tuple[str, str]:
    match = _NAMED.fullmatch(text)
    return (match[1], match[2]) if match else (text, text)
