"""Frames and mappings of arrays, in a form that DuckDB reads without further libraries."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Array
from steelyard.sources.arrays import as_array, check_lengths, is_pandas
from steelyard.sources.duck.arrow import Capsule


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
    arrays = {str(name): _array(str(name), values) for name, values in source.items()}
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
        return array.astype("M8[us]")
    if array.dtype == np.float16:
        return array.astype(np.float32)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
