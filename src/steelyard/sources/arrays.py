"""Arrays in memory: NumPy arrays, lists, and objects that NumPy can convert to an array.

No array is written to. Values keep their type where a kernel can use it: float32 scores stay
float32, integer weights stay integers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Array, Mask
from steelyard.sources import keys
from steelyard.sources.arrow_texts import code_arrow, is_arrow_text
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn
from steelyard.sources.missing import or_nan


class Arrays:
    """Columns by name, all of one length: one block.

    like: the frame that they come from, if any
    limits: the threads and memory that DuckDB may use for SQL expressions
    """

    name = "arrays"
    rows: int | None = None  # read in one block: no progress to report

    def __init__(self, columns: Mapping[str, Any], like: Any = None, **limits: Any) -> None:
        self._columns = columns
        self._like = columns if like is None else like
        self._limits = limits
        self.columns = tuple(map(str, self._like))

    def blocks(self, wanted: Sequence[ColumnRequest], where: str | None = None) -> Iterator[Block]:
        """All rows in one block; DuckDB evaluates SQL expressions."""
        if any(kind == "file" for _, kind in wanted):
            raise errors.NO_FILES(source=self.name)
        if where is not None or any(text not in self._columns for text, _ in wanted):
            from steelyard.sources.duck.connection import open_table

            with open_table(self._like, **self._limits) as table:
                yield from table.blocks(wanted, where)
            return
        columns = {each: self._read(each) for each in wanted}
        check_lengths({each.text: len(read.values) for each, read in columns.items()})
        rows = max((len(read.values) for read in columns.values()), default=0)
        yield Block(0, rows, columns)

    def close(self) -> None:
        """Nothing to close."""

    def _read(self, wanted: ColumnRequest) -> SourceColumn:
        if self.columns.count(wanted.text) > 1:  # of pandas, or 1 and "1"
            raise errors.column_twice(wanted.text, self.columns)
        values = self._columns[wanted.text]
        read = {"key": key, "class": key, "group": group}.get(wanted.kind, column)
        return read(wanted.text, values)


def key(name: str, values: Any) -> SourceColumn:
    """A column of keys, coded; pandas codes its own columns, which is fast."""
    if hasattr(values, "factorize"):
        try:
            codes, found = values.factorize(use_na_sentinel=True)
            return keys.from_codes(np.asarray(codes), [keys.plain_key(each) for each in found])
        except keys.NOT_KEYS:
            return _objects(name, _as_objects(list(values)), None)
    texts = code_arrow(values)
    if texts is not None:
        return texts
    array = _one_dimensional(name, values)
    if array.dtype.kind == "f" and isinstance(values, list | tuple):  # NumPy rounds whole numbers
        array = _as_objects(values)
    if array.dtype.kind in "OT":
        return _objects(name, array.astype(object, copy=False), _mask(values))
    if array.dtype.kind == "M":
        return keys.code_times(array, _mask(values))
    read = column(name, values)
    if read.values.dtype.kind == "U":
        return keys.code_unicode(read.values, read.missing)
    if read.values.dtype.kind not in "biuf":
        wanted = "numbers, booleans, text or dates"
        raise errors.BAD_TYPE(name=name, type=array.dtype.name, position=0, wanted=wanted)
    return keys.code_numbers(read.values, read.missing)


def group(name: str, values: Any) -> SourceColumn:
    """A column of group keys: numbers unchanged, other values coded."""
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if kind is None and not hasattr(values, "factorize") and not is_arrow_text(values):
        kind = _one_dimensional(name, values).dtype.kind
        if kind == "f" and isinstance(values, list | tuple):  # as NumPy reads a list of 1 and 2**63
            return key(name, values)
    return column(name, values) if kind in ("b", "i", "u", "f") else key(name, values)


def _objects(name: str, array: Array, masked: Mask | None) -> SourceColumn:
    try:
        return keys.code_objects(array, masked)
    except keys.NOT_KEYS:
        values = array.tolist() if masked is None else np.ma.array(array, mask=masked).tolist()
        position = next((i for i, value in enumerate(values) if not keys.is_key(value)), 0)
        raise bad_type(
            name, values[position], position, "text or numbers of up to 600 digits"
        ) from None


def column(name: str, values: Any) -> SourceColumn:
    """The values as a native array, and which of them are missing."""
    array = _one_dimensional(name, values)
    missing = masked = _mask(values)
    if array.dtype.kind in "OST":  # objects, bytes and NumPy's own strings
        array, missing = _from_objects(name, array, masked)
    elif not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return SourceColumn(array, or_nan(array, missing))


def _mask(values: Any) -> Mask | None:
    return np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None


def _one_dimensional(name: str, values: Any) -> Array:
    try:
        array = as_array(values)
    except Exception as error:  # the object's own __array__ may raise anything
        raise not_array(name, values, error) from error
    if array.ndim == 0:
        raise errors.NOT_ARRAY(name=name, reason=f"it is one {type(values).__name__}")
    if array.ndim == 2 and name == "label":
        raise errors.LABELS_IN_TABLE(name=name, shape=array.shape)
    if array.ndim != 1:
        raise errors.NOT_1D(name=name, ndim=array.ndim, shape=array.shape)
    return array


def not_array(name: str, values: Any, error: Exception) -> errors.SteelyardError:
    """The error for values that NumPy refuses; rows of different lengths are named."""
    rows = values if isinstance(values, list | tuple) else ()
    if rows and all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        lengths = list(map(len, rows))
        odd = next((place for place, found in enumerate(lengths) if found != lengths[0]), 0)
        if odd:
            return errors.RAGGED(name=name, count=lengths[odd], position=odd, first=lengths[0])
    return errors.NOT_ARRAY(name=name, reason=str(error) or type(error).__name__)


def as_array(values: Any) -> Array:
    """NumPy's array, or objects where NumPy would change values: to 'nan' for a NaN among strings,
    and to floats for whole numbers of which some are missing."""
    array = np.asarray(values)
    if array.dtype.kind == "U" and isinstance(values, list | tuple) and array.ndim == 1:
        return array if all(isinstance(value, str) for value in values) else _as_objects(values)
    if array.dtype.kind == "f" and _is_whole(values):
        listed = values.to_pylist() if hasattr(values, "to_pylist") else values.to_list()
        return _as_objects(listed)
    return array


def _as_objects(values: Sequence[Any]) -> Array:
    return np.fromiter(values, object, len(values))


def _is_whole(values: Any) -> bool:
    """Whether it is a column of Polars or PyArrow with an integer type."""
    type_ = getattr(values, "dtype", None) or getattr(values, "type", "")
    return bool(re.fullmatch("u?int[0-9]+", str(type_).lower()))


def _from_objects(name: str, array: Array, masked: Mask | None) -> tuple[Array, Mask]:
    """Python objects as an array of one type: all numbers, all booleans or all strings."""
    values = [_decoded(value) for value in array.tolist()]
    missing = np.fromiter((is_missing(value) for value in values), bool, len(values))
    if masked is not None:
        missing |= masked
    text = np.fromiter((isinstance(value, str) for value in values), bool, len(values)) & ~missing
    if text.any() and not (text | missing).all():
        position = int(text.argmax())
        raise bad_type(name, values[position], position, "values of one type")
    blank: Any = "" if text.any() else _first(values, ~missing)
    filled = [blank if absent else value for absent, value in zip(missing, values, strict=True)]
    try:
        plain = np.array(filled) if filled else np.zeros(0)
    except Exception as error:
        raise errors.NOT_ARRAY(name=name, reason=str(error) or type(error).__name__) from error
    if plain.ndim != 1 or plain.dtype.kind not in "biufU":
        here = np.flatnonzero(~missing).tolist()
        position = next((i for i in here if _is_unsupported(values[i])), 0)
        raise bad_type(name, values[position], position, "64-bit numbers or text")
    return plain, missing


def _first(values: list[Any], present: Mask) -> Any:
    """A value of the column's type: a 0 would turn float32 and booleans into float64."""
    return values[int(present.argmax())] if present.any() else 0


def _decoded(value: Any) -> Any:
    """Bytes as text if they are UTF-8; other values unchanged."""
    try:
        return value.decode() if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        return value


def _is_unsupported(value: Any) -> bool:
    if isinstance(value, int):
        return not -(2**63) <= value < 2**64
    return not isinstance(value, float | str | np.number | np.bool_)


def is_missing(value: Any) -> bool:
    """None, a NaN, or pandas' NA and NaT (known by name: pandas is not imported)."""
    if value is None or type(value).__name__ in keys.MISSING_TYPES:
        return True
    return isinstance(value, float) and value != value


def is_pandas(source: Any) -> bool:
    """Whether it is a pandas DataFrame, known by name; its Arrow stream would need PyArrow."""
    kind = type(source)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] == "pandas"


def check_lengths(lengths: dict[str, int]) -> None:
    """Refuses columns of different lengths."""
    first = next(iter(lengths), "")
    for name, count in lengths.items():
        if count != lengths[first]:
            raise errors.LENGTHS(name=name, count=count, other=first, other_count=lengths[first])


def bad_type(name: str, value: Any, position: int, wanted: str) -> errors.SteelyardError:
    return errors.BAD_TYPE(name=name, type=type(value).__name__, position=position, wanted=wanted)
