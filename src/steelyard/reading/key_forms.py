"""Forms of keys: 7 and '7' are two keys, and so are a day and a day at 00:00:00.

A CSV file has text, a Parquet file may have numbers: keys of two sources are compared in a merge
only if they have one form, since equal values would otherwise be two slices.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from steelyard import errors
from steelyard.model import Key
from steelyard.reading.key_order import KeyTuple

NUMBERS, TEXT, MIXED = "numbers", "text", "numbers and text"
DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]*[1-9])?"  # as DuckDB writes it
# Texts have the first form that fits all of them; the names are for the message.
FORMS = {
    "days": re.compile(DAY),
    "times": re.compile(f"{DAY} {CLOCK}"),
    "times with a zone": re.compile(rf"{DAY} {CLOCK}\+00"),
    "times in another form": re.compile(rf"{DAY}[ T][0-9]{{1,2}}:[0-9]{{2}}.*"),
    "times of day": re.compile(CLOCK),
    "times of day with a zone": re.compile(rf"{CLOCK}\+00"),
    "times of day in another form": re.compile(r"[0-9]{1,2}:[0-9]{2}\b.*"),
}


def form_of(keys: Iterable[Key]) -> str | None:
    """The form that all keys have; None if there are no keys but missing values.

    >>> form_of([7, 0.5, True]), form_of(["2024-02-29"]), form_of(["2024-02-29", "unknown"])
    ('numbers', 'days', 'text')
    """
    present = [key for key in keys if key is not None]
    texts = [key for key in present if isinstance(key, str)]
    if not present or len(texts) < len(present):
        return None if not present else MIXED if texts else NUMBERS
    return next((name for name, form in FORMS.items() if all(map(form.fullmatch, texts))), TEXT)


class UnlikeForms(NamedTuple):
    """A column, and its forms in two places; typed: the column with one form in both."""

    name: str
    left: str
    right: str

    @property
    def typed(self) -> str:
        return f"{self.name}::VARCHAR"


def unlike_forms(
    names: Sequence[str], places: Sequence[Sequence[KeyTuple]]
) -> Iterator[UnlikeForms]:
    """The columns whose keys have different forms; names: of the columns of each key."""
    for place, name in enumerate(names):
        forms = [form_of(key[place] for key in keys) for keys in places]
        for left, right in combinations(dict.fromkeys(forms), 2):
            if left is not None and right is not None and _differ(left, right):
                yield UnlikeForms(name, left, right)


def refuse_unlike(
    names: Sequence[str], states: Sequence[Sequence[KeyTuple]], metric: str = ""
) -> None:
    """Refuses to merge keys of different forms.

    names: of the columns of each key; metric: the one that has the column as its parameter, if any
    """
    for found in unlike_forms(names, states):
        example = f'{metric}("{found.typed}")' if metric else found.typed
        raise errors.KEYS_UNLIKE(**found._asdict(), example=example)


def _differ(left: str, right: str) -> bool:
    """Whether equal values may have different keys; text and mixed keys may be anything."""
    if NUMBERS in (left, right):
        return MIXED not in (left, right)
    return left in FORMS and right in FORMS
