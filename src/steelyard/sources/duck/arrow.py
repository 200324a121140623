"""Arrow streams as NumPy arrays, without PyArrow and without copying; loads nanoarrow."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import nanoarrow
import numpy as np
from nanoarrow.c_schema import c_schema_view

from steelyard.model import Array, Mask
from steelyard.sources.duck.sql_text import QueryError

STREAM = re.compile(r"ArrowArrayStream::\w+\(\) failed \(\d+\): ")
TYPES: dict[str, Any] = {
    "float": np.float32,
    "double": np.float64,
    **{f"{u}int{bits}": np.dtype(f"{u}int{bits}") for u in ("", "u") for bits in (8, 16, 32, 64)},
}


class Piece(NamedTuple):
    """Some rows of a column: numbers, or offsets of texts in their bytes, `data`.

    The memory of a piece from a stream belongs to its batch, `owner`; `concatenate` copies it.
    """

    values: Array
    missing: Mask | None
    data: Array | None = None
    owner: object = None


class Capsule:
    """A table with nothing but its Arrow stream: for known types, DuckDB would need PyArrow."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def batches(table: Any) -> Iterator[tuple[int, list[Piece]]]:
    """The number of rows and the columns of each batch; a stream without rows has one batch."""
    try:
        stream = nanoarrow.c_array_stream(table)
        schema, empty = stream.get_schema(), True
        for array in stream:
            empty = False
            view = array.view()
            yield (
                array.length,
                [_piece(view.child(i))._replace(owner=array) for i in range(array.n_children)],
            )
    except RuntimeError as error:  # of nanoarrow, with the message of the stream
        raise QueryError(STREAM.sub("", str(error), count=1)) from error
    if empty:
        yield 0, [_no_rows(schema.child(i)) for i in range(schema.n_children)]


def column_names(source: Any) -> list[str]:
    """The names of the columns of an Arrow stream or an Arrow schema."""
    if hasattr(source, "__arrow_c_schema__"):
        schema = nanoarrow.c_schema(source)
    else:
        schema = nanoarrow.c_array_stream(source).get_schema()
    return [str(schema.child(i).name) for i in range(schema.n_children)]


def _no_rows(schema: Any) -> Piece:
    """A column without rows."""
    kind = c_schema_view(schema).storage_type
    if kind in TYPES or kind == "bool":
        return Piece(np.zeros(0, TYPES.get(kind, np.bool_)), None)
    return Piece(np.zeros(1, np.int32), None, np.zeros(0, np.uint8))


def concatenate(pieces: Sequence[Piece]) -> Piece:
    """All rows of several pieces, copied."""
    missing = None
    if any(piece.missing is not None for piece in pieces):
        missing = np.concatenate([_mask(piece) for piece in pieces])
    if pieces[0].data is None:
        return Piece(np.concatenate([piece.values for piece in pieces]), missing)
    ends = np.cumsum([0, *(piece.values[-1] for piece in pieces)])
    offsets = [piece.values[:-1] + end for piece, end in zip(pieces, ends, strict=False)]
    data = [piece.data for piece in pieces if piece.data is not None]
    return Piece(np.concatenate([*offsets, ends[-1:]]), missing, np.concatenate(data))


def _mask(piece: Piece) -> Mask:
    rows = len(piece.values) - (piece.data is not None)
    return np.zeros(rows, bool) if piece.missing is None else piece.missing


def _piece(view: Any) -> Piece:
    """A column of a batch; it starts at offset 0, as all batches of DuckDB do."""
    rows, kind = view.length, view.storage_type
    missing = None if view.null_count == 0 else ~_bits(view.buffer(0), rows)
    if kind in TYPES:
        return Piece(_array(view.buffer(1), TYPES[kind])[:rows], missing)
    if kind == "bool":
        return Piece(_bits(view.buffer(1), rows), missing)
    offsets = _array(view.buffer(1), np.int64 if kind == "large_string" else np.int32)
    offsets = offsets[: rows + 1] if rows else np.zeros(1, np.int32)
    return Piece(offsets, missing, _array(view.buffer(2), np.uint8)[: offsets[-1]])


def _bits(buffer: Any, rows: int) -> Mask:
    return np.unpackbits(_array(buffer, np.uint8), count=rows, bitorder="little").view(bool)


def _array(buffer: Any, dtype: Any) -> Array:
    return np.frombuffer(buffer, dtype) if buffer.size_bytes else np.zeros(0, dtype)
