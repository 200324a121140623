"""The SQL expressions for each requested column, and how their values become a column."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from steelyard import errors
from steelyard.model import Key, Mask
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.duck.arrow import Piece
from steelyard.sources.keys import code_numbers, code_text, plain_key, recoded
from steelyard.sources.missing import or_nan
from steelyard.sources.text_values import WHOLE as WHOLE_TEXT
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
    if text and kind in ("number", "label", "class"):  # only keys have empty text
        sql = f"nullif({sql}, '')"
    if kind == "number" and text:
        number = number_in(sql)
        fault = f"{number} IS NULL OR {inexact(sql)}"
        return Selected((number, f"CASE WHEN {fault} THEN {sql} END"), _numbers_or_faults)
    if kind == "class" and type_ not in EXACT | HUGE and (text or type_.startswith("DECIMAL")):
        return _class(sql, type_, text)
    if kind in ("key", "class") or (kind == "group" and type_ not in EXACT):
        return _key(name, sql, type_)
    if type_ in EXACT:
        return Selected((sql,), _numbers)
    if type_ in HUGE or type_.startswith("DECIMAL"):
        number = f"CAST({sql} AS DOUBLE)"
        # DuckDB fails on a BIGNUM that HUGEINT does not hold; of its text TRY_CAST makes null.
        exact = f"CAST({sql} AS VARCHAR)" if type_ == "BIGNUM" else sql
        fault = f"CASE WHEN {rounded(exact, number)} THEN CAST({sql} AS VARCHAR) END"
        if type_ not in HUGE:
            return Selected((number, fault), _numbers_or_faults)
        # Such as DuckDB's sum of whole numbers, which int64 often holds.
        return Selected((number, fault, f"TRY_CAST({exact} AS BIGINT)"), _whole_or_not)
    if type_ == NOTHING:
        return Selected((f"CAST({sql} AS DOUBLE)",), _numbers)
    if kind == "label" and is_text(type_):
        return Selected((as_text(sql, type_),), _parsed_text if text else _text)
    wanted = "numbers" if kind == "number" else "numbers, booleans or text"
    raise errors.BAD_TYPE(name=name, type=type_, position=0, wanted=wanted)


def select_renamed(sql: str, names: Mapping[str, str]) -> Selected:
    """A column of text as keys under other names."""

    def decode(pieces: Sequence[Piece]) -> SourceColumn:
        coded = _text(pieces)
        return recoded(coded, [names.get(str(key), key) for key in coded.keys or ()])

    return Selected((sql,), decode)


def number_in(text: str) -> str:
    """The SQL for the number that a text is, else null; 1_000 is a number to DuckDB alone."""
    return f"TRY_CAST(CASE WHEN NOT contains({text}, '_') THEN {text} END AS DOUBLE)"


def is_whole(text: str) -> str:
    return f"regexp_full_match(trim({text}), '[+-]?[0-9]+')"


def rounded(sql: str, number: str) -> str:
    """The SQL that tells whether a whole number differs from its float64.

    Below 2**53 none does. A fraction is rounded, as all fractions are: it is not whole.
    """
    there, back = (f"TRY_CAST({each} AS HUGEINT)" for each in (sql, number))
    return f"(abs({number}) >= {2**53} AND ({there} IS NULL OR {there} <> {back}))"


def inexact(text: str) -> str:
    """The SQL that tells whether a text is a whole number that differs from its float64."""
    return f"({rounded(text, number_in(text))} AND {is_whole(text)})"


def is_wide(type_: str) -> bool:
    """Whether the type holds whole numbers that float64 does not hold."""
    return type_ in {"BIGINT", "UBIGINT"} | HUGE or type_.startswith("DECIMAL")


def exact_text(sql: str, type_: str) -> str:
    """The SQL for the text of a number, with all its digits."""
    if type_ == "BOOLEAN":
        sql, type_ = f"CAST({sql} AS INTEGER)", "INTEGER"
    if type_ in WHOLE | HUGE | {NOTHING} or type_.startswith("DECIMAL"):
        return f"CAST({sql} AS VARCHAR)"
    number = f"CAST({sql} AS DOUBLE)"
    whole = f"{sql} = trunc({sql}) AND abs({number}) < 1e38"  # what HUGEINT holds
    digits = f"CAST(CAST({sql} AS HUGEINT) AS VARCHAR)"
    return f"CASE WHEN {whole} THEN {digits} ELSE CAST({number} AS VARCHAR) END"


def select_exact(sql: str) -> Selected:
    """The keys of a column of `exact_text`."""
    return Selected((sql,), _numeric_text)


def as_text(sql: str, type_: str) -> str:
    """The SQL for the text of a value; the text of a JSON string is without quotes."""
    return f"({sql} ->> '$')" if type_ == "JSON" else f"CAST({sql} AS VARCHAR)"


def _class(sql: str, type_: str, text: bool) -> Selected:
    """A class as a label is read: "1.0" of a file without types and DECIMAL's 1.0 are 1."""
    if text:
        return Selected((as_text(sql, type_),), _parsed_text)
    return select_exact(exact_text(sql, type_))


def _key(name: str, sql: str, type_: str) -> Selected:
    if type_ in EXACT:
        return Selected((sql,), lambda pieces: code_numbers(pieces[0].values, pieces[0].missing))
    if type_ in HUGE or type_.startswith("DECIMAL"):
        return select_exact(f"CAST({sql} AS VARCHAR)")
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
    number, fault, whole = pieces
    if whole.missing is not None:
        present = True if number.missing is None else ~number.missing
        if (whole.missing & present).any():
            return _numbers_or_faults([number, fault])
    return _numbers([whole])


def _numbers_or_faults(pieces: Sequence[Piece]) -> SourceColumn:
    """Numbers, and the text of rows that are no number, or whose number is not exact."""
    numbers, text = pieces
    faulty = _present(text)
    if numbers.missing is None and not faulty.any():
        return _numbers(pieces)
    number = _present(numbers)
    values = np.where(number, numbers.values, np.nan)
    missing = np.isnan(values) & ~faulty
    found = SourceColumn(
        values,
        missing if missing.any() else None,
        invalid=_first_text(faulty & ~number, text),
        inexact=_first_text(faulty & number, text),
    )
    return found if found.invalid or not found.inexact else _as_integers(found, text)


def _as_integers(column: SourceColumn, text: Piece) -> SourceColumn:
    """Numbers that float64 rounds as int64 or uint64, if one of these holds all; else unchanged."""
    assert column.inexact is not None
    rounded_, _ = column.inexact
    texts = [_text_at(text, row).strip() for row in np.flatnonzero(rounded_).tolist()]
    others = ~rounded_ if column.missing is None else ~rounded_ & ~column.missing
    rest = column.values[others]
    is_whole_number = np.isfinite(rest) & (rest == np.floor(rest))
    if not all(map(WHOLE_TEXT.fullmatch, texts)) or not is_whole_number.all():
        return column
    numbers = [*map(int, texts)]
    low = min(*numbers, int(rest.min(initial=0)))
    high = max(*numbers, int(rest.max(initial=0)))
    for type_ in (np.int64, np.uint64):
        if np.iinfo(type_).min <= low and high <= np.iinfo(type_).max:
            whole = np.zeros(len(column.values), type_)
            whole[others] = rest.astype(type_)
            whole[rounded_] = np.array(numbers, type_)
            return SourceColumn(whole, column.missing)
    return column


def _present(piece: Piece) -> Mask:
    rows = len(piece.values) - (piece.data is not None)
    return np.ones(rows, bool) if piece.missing is None else ~piece.missing


def _first_text(rows: Mask, text: Piece) -> tuple[Mask, str] | None:
    """The rows and the text of the first of them; None if there are none."""
    if not rows.any() or text.data is None:
        return None
    return rows, _text_at(text, int(rows.argmax()))


def _text_at(text: Piece, row: int) -> str:
    assert text.data is not None
    return text.data[text.values[row] : text.values[row + 1]].tobytes().decode()


def _text(pieces: Sequence[Piece]) -> SourceColumn:
    (piece,) = pieces
    assert piece.data is not None
    return code_text(piece.values, piece.data, piece.missing)


def _parsed_text(pieces: Sequence[Piece]) -> SourceColumn:
    coded = _text(pieces)
    return replace(recoded(coded, [value_of(str(key)) for key in coded.keys or ()]), untyped=True)


def _numeric_text(pieces: Sequence[Piece]) -> SourceColumn:
    coded = _text(pieces)
    return replace(recoded(coded, [_number_of(str(key)) for key in coded.keys or ()]), numeric=True)


def _number_of(text: str) -> Key:
    """The number that DuckDB wrote: 10 and 10.00 are ints, 1e+300 a float, and nan is missing."""
    return int(text) if text.lstrip("-").isdigit() else plain_key(Decimal(text))
