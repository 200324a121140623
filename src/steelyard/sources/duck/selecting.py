"""The SQL expressions for each requested column, and how their values become a column."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from steelyard import errors
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.duck.arrow import Piece
from steelyard.sources.keys import code_numbers, code_text, recoded
from steelyard.sources.missing import or_nan
from steelyard.sources.text_values import value_of

WHOLE = {sign + size for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")}
EXACT = {"BOOLEAN", "FLOAT", "DOUBLE"} | WHOLE
HUGE = {"HUGEINT", "UHUGEINT", "BIGNUM"}
NOTHING = '"NULL"'
NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "BIT", "VARIANT", "GEOMETRY")

Decode = Callable[[Sequence[Piece]], SourceColumn]


@dataclass(frozen=True)
class Selected:
    """The expressions to select, and the function that turns their values into a column."""

    expressions: tuple[str, ...]
    decode: Decode


def is_text(type_: str) -> bool:
    return type_ in ("VARCHAR", "JSON", "UUID") or type_.startswith("ENUM")


def select(name: str, kind: str, sql: str, type_: str, *, text: bool) -> Selected:
    """A column as numbers, as labels or as keys.

    text: whether it is text without types, so that each value is parsed
    """
    if type_ == NOTHING:  # DuckDB fails on columns of Polars' type Null
        sql = "NULL"
    if kind == "number" and text:
        number = f"TRY_CAST({sql} AS DOUBLE)"
        return Selected((number, f"CASE WHEN {number} IS NULL THEN {sql} END"), _numbers_or_invalid)
    if kind == "key" or (kind == "group" and type_ not in EXACT):
        return _key(name, sql, type_)
    if type_ in EXACT:
        return Selected((sql,), _numbers)
    if type_ in HUGE:  # such as DuckDB's sum of whole numbers
        return Selected((f"TRY_CAST({sql} AS BIGINT)", f"CAST({sql} AS DOUBLE)"), _whole_or_not)
    if type_ == NOTHING or type_.startswith("DECIMAL"):
        return Selected((f"CAST({sql} AS DOUBLE)",), _numbers)
    if kind == "label" and is_text(type_):
        return Selected((as_text(sql, type_),), _parsed_text if text else _text)
    wanted = "numbers" if kind == "number" else "numbers, booleans or text"
    raise errors.BAD_TYPE(name=name, type=type_, position=0, wanted=wanted)


def as_text(sql: str, type_: str) -> str:
    """The SQL for the text of a value; the text of a JSON string is without quotes."""
    return f"({sql} ->> '$')" if type_ == "JSON" else f"CAST({sql} AS VARCHAR)"


def _key(name: str, sql: str, type_: str) -> Selected:
    if type_ in EXACT:
        return Selected((sql,), lambda pieces: code_numbers(pieces[0].values, pieces[0].missing))
    if type_ in HUGE:
        return Selected((f"CAST({sql} AS VARCHAR)",), _huge)
    if type_.endswith("]") or type_.startswith(NESTED):
        wanted = "numbers, booleans, text or dates"
        raise errors.BAD_TYPE(name=name, type=type_, position=0, wanted=wanted)
    return Selected((as_text(sql, type_),), _text)


def _numbers(pieces: Sequence[Piece]) -> SourceColumn:
    """Numbers unchanged; NaN is a missing value."""
    values = pieces[0].values
    missing = or_nan(values, pieces[0].missing)
    return SourceColumn(values, missing if missing is not None and missing.any() else None)


def _whole_or_not(pieces: Sequence[Piece]) -> SourceColumn:
    """Whole numbers as int64 if it holds all of them, else as float64."""
    whole, wide = pieces
    if whole.missing is not None:
        present = True if wide.missing is None else ~wide.missing
        if (whole.missing & present).any():
            return _numbers([wide])
    return _numbers([whole])


def _numbers_or_invalid(pieces: Sequence[Piece]) -> SourceColumn:
    """Numbers, and the text of rows that are not numbers: a row has one of them, or neither."""
    numbers, text = pieces
    if numbers.missing is None:
        return _numbers(pieces)
    invalid = np.ones(len(numbers.values), bool) if text.missing is None else ~text.missing
    values = np.where(numbers.missing, np.nan, numbers.values)
    missing = np.isnan(values) & ~invalid
    if not invalid.any() or text.data is None:
        return SourceColumn(values, missing)
    first = int(invalid.argmax())
    shown = text.data[text.values[first] : text.values[first + 1]].tobytes().decode()
    return SourceColumn(values, missing if missing.any() else None, invalid=(invalid, shown))


def _text(pieces: Sequence[Piece]) -> SourceColumn:
    (piece,) = pieces
    assert piece.data is not None
    return code_text(piece.values, piece.data, piece.missing)


def _parsed_text(pieces: Sequence[Piece]) -> SourceColumn:
    coded = _text(pieces)
    return replace(recoded(coded, [value_of(str(key)) for key in coded.keys or ()]), untyped=True)


def _huge(pieces: Sequence[Piece]) -> SourceColumn:
    coded = _text(pieces)
    return replace(recoded(coded, [int(str(key)) for key in coded.keys or ()]), numeric=True)
