"""What a word in a file without types stands for."""

import re

from steelyard.model import Key

# The way DuckDB writes and reads numbers; Python's int and float take more, such as "1_0".
WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity)")
SAID = {"true": True, "false": False, "nan": None}


def value_of(word: str) -> Key:
    """The number or boolean that a word spells, else the word itself; None for NaN.

    >>> [value_of(word) for word in ("1", "-1.50", "True", "yes", "007", "nan")]
    [1, -1.5, True, 'yes', 7, None]
    """
    bare = word.strip().lower()
    if bare in SAID:
        return SAID[bare]
    if WHOLE.fullmatch(bare) and -(2**63) <= int(bare) < 2**64:
        return int(bare)
    return float(bare) if NUMBER.fullmatch(bare) else word


def type_of(words: list[str]) -> str:
    """The DuckDB type that holds what all the words spell.

    >>> type_of(["1", "2"]), type_of(["1", "2.5"]), type_of(["2024-02-29"])
    ('BIGINT', 'DOUBLE', 'VARCHAR')
    """
    kinds = {type(value_of(word)) for word in words}
    whole = all(WHOLE.fullmatch(word) and -(2**63) <= int(word) < 2**63 for word in words)
    if kinds == {int} and whole:
        return "BIGINT"
    if kinds and kinds <= {int, float}:
        return "DOUBLE"
    return "BOOLEAN" if kinds == {bool} else "VARCHAR"
