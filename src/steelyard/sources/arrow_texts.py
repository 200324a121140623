"""Columns of text of PyArrow and Polars as keys: NumPy would make a Python string of each row."""

import re
from typing import Any

import numpy as np

from steelyard.kernels.interface import Texts
from steelyard.model import Array, Mask
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.keys import code_texts
from steelyard.sources.text_keys import TextKeys

TEXT = re.compile("String|(large_)?string(_view)?")  # the types by name: no library is imported
OFFSETS = {"string": np.int32, "large_string": np.int64}
INLINE = 12  # bytes of the longest text that is within its view
VIEW = 16  # bytes: the length, then the text; or four bytes of it, its buffer and its place there


def is_arrow_text(values: Any) -> bool:
    """Whether it is an Arrow column of text."""
    if not any(hasattr(values, f"__arrow_c_{form}__") for form in ("stream", "array")):
        return False
    type_ = getattr(values, "dtype", None) or getattr(values, "type", "")
    return bool(TEXT.fullmatch(str(type_)))


def code_arrow(values: Any) -> SourceColumn | None:
    """The coded column of an Arrow column of text; None of anything else."""
    if not is_arrow_text(values):
        return None
    import nanoarrow

    streamed = hasattr(values, "__arrow_c_stream__")
    chunks = nanoarrow.c_array_stream(values) if streamed else [nanoarrow.c_array(values)]
    parts = [_read(chunk) for chunk in chunks]
    if not parts:
        return code_texts(TextKeys.of([]).texts)
    missing = np.concatenate([absent for _, absent in parts])
    return code_texts(
        TextKeys.joined([texts for texts, _ in parts]).texts, missing if missing.any() else None
    )


def _read(chunk: Any) -> tuple[TextKeys, Mask]:
    """The texts of one chunk, and which are missing."""
    view = chunk.view()
    rows = slice(view.offset, view.offset + view.length)
    missing = np.zeros(view.length, bool)
    if view.null_count != 0 and view.buffer(0).size_bytes:
        bits = np.unpackbits(_bytes(view.buffer(0)), count=rows.stop, bitorder="little")
        missing = bits[rows] == 0
    if view.storage_type == "string_view":
        return TextKeys(_of_views(view, rows)), missing
    offsets = _bytes(view.buffer(1)).view(OFFSETS[view.storage_type])
    ends = offsets[rows.start : rows.stop + 1].astype(np.int64, copy=False)
    return TextKeys(Texts(ends[:-1], np.diff(ends), _bytes(view.buffer(2)))), missing


def _of_views(view: Any, rows: slice) -> Texts:
    """Texts of which short ones are within their views, others in one of the other buffers."""
    views = _bytes(view.buffer(1))
    table = views.view(np.int32).reshape(-1, VIEW // 4)[rows]
    # The last buffer has the lengths of the others.
    buffers = [views, *(_bytes(view.buffer(place)) for place in range(2, view.n_buffers - 1))]
    ends = np.cumsum([len(each) for each in buffers])
    starts = (np.arange(rows.start, rows.stop) * VIEW) + 4
    long = np.flatnonzero(table[:, 0] > INLINE)
    starts[long] = ends[table[long, 2]] + table[long, 3]
    return Texts(starts, table[:, 0].astype(np.int64), np.concatenate(buffers))


def _bytes(buffer: Any) -> Array:
    return np.frombuffer(buffer, np.uint8) if buffer.size_bytes else np.zeros(0, np.uint8)
