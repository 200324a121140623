"""Values of text in files without types, such as CSV."""

import re

from steelyard.model import Key

# Numbers as DuckDB reads and writes them; Python's int and float accept more, such as "1_0".
LONGEST = 300  # digits of a number: float64 holds no longer one
WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity)")
CONSTANTS = {"true": True, "false": False, "nan": None}


def value_of(text: str) -> Key:
    """The number or boolean that a text represents, else the text itself; None for NaN.

    >>> [value_of(text) for text in ("1", "-1.50", "True", "yes", "007", "nan")]
    [1, -1.5, True, 'yes', 7, None]
    """
    bare = text.strip().lower()
    if bare in CONSTANTS:
        return CONSTANTS[bare]
    if WHOLE.fullmatch(bare):
        if len(bare) > LONGEST:
            return text
        if -(2**63) <= int(bare) < 2**64:
            return int(bare)
    return float(bare) if NUMBER.fullmatch(bare) else text


def type_of(texts: list[str]) -> str:
    """The DuckDB type that holds the values of all the texts.

    >>> type_of(["1", "2"]), type_of(["1", "2.5"]), type_of(["2024-02-29"]), type_of([str(2**63)])
    ('BIGINT', 'DOUBLE', 'VARCHAR', 'HUGEINT')
    """
    kinds = {type(value_of(text)) for text in texts}
    if kinds == {int}:
        return "BIGINT" if all(-(2**63) <= int(text) < 2**63 for text in texts) else "HUGEINT"
    if kinds and kinds <= {int, float}:
        return "DOUBLE"
    return "BOOLEAN" if kinds == {bool} else "VARCHAR"
