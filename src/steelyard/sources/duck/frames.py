"""Frames and mappings of arrays, in a form that DuckDB reads without further libraries."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Array
from steelyard.sources.arrays import as_array, check_lengths, is_pandas
from steelyard.sources.duck.arrow import Capsule, column_names
from steelyard.sources.keys import has_days


def registrable(source: Any) -> Any:
    """An object that DuckDB can read: pandas unchanged, NumPy arrays, or an Arrow stream."""
    if is_pandas(source):
        return source
    if isinstance(source, Mapping):
        return _arrays(source)
    if hasattr(source, "__arrow_c_stream__"):
        return Capsule(source)
    raise errors.NOT_A_SOURCE(type=type(source).__name__)


def is_read_once(source: Any) -> bool:
    """Whether it is a stream such as PyArrow's RecordBatchReader, which can be read only once."""
    return hasattr(source, "read_next_batch")


def names(source: Any) -> list[str]:
    """The names of a frame's columns, in order."""
    if isinstance(source, Mapping) or is_pandas(source):
        return [str(name) for name in source]
    listed = getattr(source, "columns", None)  # of Polars and of DuckDB's relations
    if isinstance(listed, list) and all(isinstance(name, str) for name in listed):
        return listed
    return column_names(source.schema if is_read_once(source) else source)


def length(source: Any) -> int | None:
    """The number of rows of a frame; None if it is not known."""
    if isinstance(source, Mapping):
        return len(next(iter(source.values()), ()))
    for name in ("num_rows", "height"):  # PyArrow, Polars
        rows = getattr(source, name, None)
        if isinstance(rows, int):
            return rows
    return len(source) if is_pandas(source) else None


def _arrays(source: Mapping[Any, Any]) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    for name, values in source.items():
        if str(name) in arrays:  # such as 1 and "1"
            raise errors.column_twice(str(name), names(source))
        arrays[str(name)] = _array(str(name), values)
    # DuckDB would read past the end of a shorter array.
    check_lengths({name: len(array) for name, array in arrays.items()})
    return arrays


def _array(name: str, values: Any) -> Array:
    """Strings as objects and numbers in native byte order; masks are kept."""
    array: Array = np.ma.asarray(values) if np.ma.isMaskedArray(values) else as_array(values)
    if array.ndim != 1:
        raise errors.NOT_1D(name=name, ndim=array.ndim, shape=array.shape)
    if array.dtype.kind in "UT":
        return array.astype(object)
    if array.dtype.kind == "M":
        return array.astype("M8[D]").astype(object) if has_days(array) else array.astype("M8[us]")
    if array.dtype == np.float16:
        return array.astype(np.float32)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
