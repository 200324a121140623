"""Coded columns of keys: each row has a small integer, its code, and each code has a key."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import Indices, Texts
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Array, Key, Mask
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.missing import or_nan
from steelyard.sources.text_keys import TextKeys

FRACTION = re.compile(r"(\.[0-9]*[1-9])0+")  # of a second: DuckDB writes no zeros at its end
ZONE = re.compile(r"\+00:00$")  # DuckDB writes no minutes of it
MISSING_TYPES = ("NAType", "NaTType")  # of pandas, known by name
BLOCK = 1 << 15  # rows processed at a time: 256 kB of int64, which fit the cache
NOT_KEYS = (TypeError, ValueError, ArithmeticError)  # as a signaling NaN raises it
LONGEST = 2048  # bits of a whole number, 616 digits; Python may refuse to write longer ones
LONGEST_DIGITS = 600
LONG = 1 << 10  # letters of a text in a NumPy array, from which texts are Python objects
FEW = 1 << 10  # objects, for which no kernel is called
NARROW = 1 << 16  # integers within such a range are counted in a table


def code_numbers(array: Array, missing: Mask | None = None) -> SourceColumn:
    """The coded column of numbers or booleans; NaN is missing and -0.0 is 0.0.

    >>> code_numbers(np.array([7, 5, 7])).keys
    [5, 7]
    """
    missing = or_nan(array, missing)
    present = array if missing is None else array[~missing]
    numbers, keys = _integers(present) if array.dtype.kind in "biu" else _floats(present)
    return replace(_column(numbers, keys, missing), numeric=True)


def code_text(offsets: Array, data: Array, missing: Mask | None = None) -> SourceColumn:
    """The coded column of texts in Arrow's layout: all UTF-8 bytes, and the ends of each text."""
    ends = offsets.astype(np.int64, copy=False)
    return code_texts(Texts(ends[:-1], np.diff(ends), data.view(np.uint8)), missing)


def code_texts(texts: Texts, missing: Mask | None = None) -> SourceColumn:
    """The coded column of texts; those of missing rows have no meaning."""
    if missing is not None:
        texts = Texts(texts.starts[~missing], texts.lengths[~missing], texts.data)
    numbers, firsts = kernels.active().code_keys((texts,))
    keys = TextKeys(TextKeys(texts).take(firsts).texts, distinct=True)
    return _column(numbers, keys, missing)


def code_unicode(array: Array, missing: Mask | None = None) -> SourceColumn:
    """The coded column of a NumPy array of strings."""
    if array.dtype.itemsize > 4 * LONG:  # a letter has four bytes
        absent = np.zeros(len(array), bool) if missing is None else missing
        return code_values(
            [None if skip else text for skip, text in zip(absent, array.tolist(), strict=True)]
        )
    present = array if missing is None else array[~missing]
    numbers, firsts = kernels.active().code_keys((present,))
    return _column(numbers, present[firsts].tolist(), missing)


def code_objects(array: Array, missing: Mask | None = None) -> SourceColumn:
    """The coded column of an array of Python objects; None, NaN and pandas' NA are missing.

    Most columns have few distinct objects, which are found by their addresses: 10 million rows with
    200,000 of them take 0.2 s, where a dictionary of all rows takes 5.
    """
    present = array if missing is None else array[~missing]
    if len(present) < FEW:
        column = code_values(present.tolist())
    else:
        numbers, firsts = kernels.active().code_keys((np.asarray(_Addresses(present)),))
        distinct = code_values(present[firsts].tolist())
        absent = None if distinct.missing is None else distinct.missing[numbers]
        values = renumbered(distinct.values, numbers).astype(distinct.values.dtype, copy=False)
        column = replace(distinct, values=values, missing=absent)
    if missing is None:
        return column
    values, absent = np.zeros(len(missing), column.values.dtype), missing.copy()
    values[~missing] = column.values
    if column.missing is not None:
        absent[~missing] = column.missing
    return SourceColumn(values, absent, column.keys)


class _Addresses:
    """The addresses of an array's objects, as an array."""

    def __init__(self, objects: Array) -> None:
        self._objects = objects
        type_ = np.dtype(np.uintp).str
        self.__array_interface__ = {**objects.__array_interface__, "typestr": type_}


def code_values(values: list[Any]) -> SourceColumn:
    """The coded column of Python objects.

    The key of an object other than text, numbers and booleans, such as a date, is its text.
    """
    texts = _code_strings(values)
    if texts is not None:
        return texts
    seen: dict[Any, int] = {}
    found = np.fromiter((seen.setdefault(value, len(seen)) for value in values), np.intp)
    same = _whole_first(values)
    keys = [plain_key(same.get(value, value)) for value in seen]
    return recoded(_column(found, list(seen), None), keys)


def _code_strings(values: list[Any]) -> SourceColumn | None:
    """The coded column of many strings and None; None where there are other objects."""
    if len(values) < FEW:
        return None
    missing = None
    if not isinstance(values[0], str | None) or not {str, type(None)}.issuperset(map(type, values)):
        return None
    if None in values:
        missing = np.fromiter((value is None for value in values), bool, len(values))
        values = [value for value in values if value is not None]
    column = code_texts(TextKeys.of(values).texts)
    return column if missing is None else _column(column.values, column.keys or (), missing)


def _whole_first(values: list[Any]) -> dict[Any, Any]:
    """Of equal numbers, 7 rather than 7.0, and that rather than true, whichever comes first."""
    types = set(map(type, values))
    order = [type_ for type_ in (bool, float, int) if type_ in types]
    if len(order) < 2:
        return {}
    return {value: value for type_ in order for value in values if type(value) is type_}


def code_times(array: Array, missing: Mask | None = None) -> SourceColumn:
    """The coded column of NumPy's dates and times; the keys are the text that DuckDB writes.

    >>> code_times(np.array(["2024-02-29", "NaT"], "M8[D]")).keys
    ['2024-02-29']
    >>> code_times(np.array(["2024-02-29", "NaT"], "M8[s]")).keys
    ['2024-02-29 00:00:00']
    """
    missing = np.isnat(array) if missing is None else np.isnat(array) | missing
    unit = "M8[D]" if has_days(array) else "M8[us]"
    coded = code_numbers(array.astype(unit).view(np.int64), missing)
    times = np.array(coded.keys, unit).tolist()
    return SourceColumn(coded.values, coded.missing, [plain_key(time) for time in times])


def has_days(array: Array) -> bool:
    """Whether NumPy's dates have no time of day."""
    return np.datetime_data(array.dtype)[0] in ("D", "W", "M", "Y")


def from_codes(codes: Array, keys: list[Key]) -> SourceColumn:
    """The column of codes that pandas made, below zero where a value is missing."""
    missing = codes < 0
    return _column(codes[~missing], keys, missing) if missing.any() else _column(codes, keys, None)


def recoded(column: SourceColumn, keys: list[Key]) -> SourceColumn:
    """A coded column with other keys: equal ones become one, None becomes a missing value."""
    numbers: dict[Key, int] = {}
    new = [-1 if key is None else numbers.setdefault(key, len(numbers)) for key in keys]
    if new == list(range(len(keys))):
        return SourceColumn(column.values, column.missing, list(keys))
    moved = np.array([*new, -1], np.intp)[column.values]  # if all rows are missing, new is empty
    missing = moved < 0 if column.missing is None else column.missing | (moved < 0)
    return _column(moved[~missing], list(numbers), missing if missing.any() else None)


def plain_key(value: Any) -> Key:
    """The key of a value, a plain Python object; None if it is missing.

    Raises a ValueError for a whole number that is too long to be written.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, Decimal):
        return None if value.is_nan() else decimal_key(value)
    if value is None or type(value).__name__ in MISSING_TYPES or value != value:
        return None
    if isinstance(value, float):
        return value + 0.0  # -0.0 + 0.0 is 0.0
    if isinstance(value, int) and value.bit_length() > LONGEST:
        raise ValueError
    if isinstance(value, str | int):
        return value
    if isinstance(value, datetime) and value.tzinfo is not None:
        value = value.astimezone(UTC)
    return ZONE.sub("+00", FRACTION.sub(r"\1", str(value)))


def decimal_key(value: Decimal) -> Key:
    """A whole number, a float that is written like the decimal number, or else its text.

    >>> [decimal_key(Decimal(text)) for text in ("2.00", "1.50", "0.12345678901234567890")]
    [2, 1.5, '0.1234567890123456789']
    """
    if value.adjusted() >= LONGEST_DIGITS:
        raise ValueError
    if value == value.to_integral_value():
        return int(value)
    return number if Decimal(repr(number := float(value))) == value else f"{value.normalize():f}"


def is_key(value: Any) -> bool:
    """Whether a value can be a key."""
    try:
        hash(value)
        plain_key(value)
    except NOT_KEYS:
        return False
    return True


def _integers(array: Array) -> tuple[Array, list[Key]]:
    if len(array) == 0:
        return np.zeros(0, np.intp), []
    low, high = _ends(array)
    if high - low < NARROW:
        codes, seen = _above(array, low, high)
        values: list[Any] = [low + step for step in np.flatnonzero(seen).tolist()]
        keys: list[Key] = [bool(v) for v in values] if array.dtype.kind == "b" else values
        return codes if seen.all() else (np.cumsum(seen) - 1)[codes], keys
    numbers, firsts = kernels.active().code_keys((array,))
    return numbers, array[firsts].tolist()


def _ends(array: Array) -> tuple[int, int]:
    """The lowest and the highest number; block by block, so that the second read is cached."""
    parts = [array[rows] for rows in blocks(len(array), BLOCK)]
    ends = [(int(part.min()), int(part.max())) for part in parts]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _above(array: Array, low: int, high: int) -> tuple[Array, Mask]:
    """The distance of each number from the lowest, and which distances occur.

    A cast to a narrow type keeps the lowest bits, so that the difference is exact. Once all
    distances have occurred, the rest need not be searched: ten classes are all in the first block.
    """
    type_ = np.min_scalar_type(high - low)
    codes, start = np.empty(len(array), type_), type_.type(low & np.iinfo(type_).max)
    seen, all_seen = np.zeros(high - low + 1, bool), False
    for rows in blocks(len(array), BLOCK):
        np.subtract(array[rows].astype(type_), start, out=codes[rows])
        if not all_seen:
            seen[codes[rows]] = True
            all_seen = bool(seen.all())
    return codes, seen


def _floats(array: Array) -> tuple[Indices, list[Key]]:
    wide = array.astype(np.float64) + 0.0  # -0.0 + 0.0 is 0.0
    numbers, firsts = kernels.active().code_keys((wide.view(np.uint64),))
    return numbers, wide[firsts].tolist()


def renumbered(new: Array, codes: Array) -> Array:
    """The new number of each code; where there is nothing new, the codes themselves.

    A block at a time: an index of all rows is made a 64-bit number.
    """
    if np.array_equal(new, np.arange(len(new))):
        return codes
    found = np.empty(len(codes), new.dtype)
    for rows in blocks(len(codes), BLOCK):
        new.take(codes[rows], out=found[rows], mode="clip")
    return found


def _column(numbers: Array, keys: Sequence[Key], missing: Mask | None) -> SourceColumn:
    """Codes in the smallest type that holds them; the code of a missing row has no meaning.

    numbers: those of the rows that are not missing
    """
    codes = numbers.astype(np.min_scalar_type(max(len(keys) - 1, 0)), copy=False)
    if missing is None:
        return SourceColumn(codes, None, keys)
    values = np.zeros(len(missing), codes.dtype)
    values[~missing] = codes
    return SourceColumn(values, missing, keys)
