"""An order of keys that knows every type."""

import re
from typing import Any

from steelyard.model import Key

WHOLE = re.compile("-?[0-9]{1,18}")
Keys = tuple[Key, ...]


def in_order(key: Keys) -> tuple[tuple[int, str, Any], ...]:
    """Keys in an order that knows every type: numbers, then words, then what is missing.

    Of words, those that spell whole numbers come first, and by what they spell: a CSV's 2 is
    before its 10.
    """
    return tuple(_rank(part) for part in key)


def _rank(part: Key) -> tuple[int, str, Any]:
    if part is None:
        return 2, "", 0
    if not isinstance(part, str):
        return 0, "", part
    return (1, "", (int(part), part)) if WHOLE.fullmatch(part) else (1, "str", part)
