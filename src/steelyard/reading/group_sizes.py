"""Group sizes: the number of consecutive rows of each group, as LightGBM and XGBoost take them.

They become keys before anything else is read, so that the rest knows groups by their keys alone.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.kernels.interface import Indices
from steelyard.request.options import Request
from steelyard.sources.arrays import column, is_pandas

KEY = "group"  # the name of the column of keys; underscores are added while a source has it


def group_of_rows(sizes: Any, rows: int) -> Indices:
    """The group of each row, numbered from 0; a size of 0 is a group without rows.

    >>> group_of_rows([2, 0, 1], 3)
    array([0, 0, 2])
    """
    read = column("group_sizes", sizes)
    found = read.values
    good = np.zeros(len(found), bool)
    if found.dtype.kind in "iuf":
        good = np.isfinite(found) & (found >= 0) & (found == np.floor(found))
    if read.missing is not None:
        good &= ~read.missing
    if not good.all():
        position = int(good.argmin())
        missing = read.missing is not None and bool(read.missing[position])
        value = None if missing else found[position].item()
        raise errors.BAD_SIZE(position=position, value=repr(value))
    total = int(sum(found.tolist()))  # Python's integers: no overflow
    if total != rows:
        raise errors.SIZES_DIFFER(count=total, rows=rows)
    return np.repeat(np.arange(len(found)), found.astype(np.int64))


def length(name: str, values: Any) -> int:
    """The number of rows of an array."""
    return len(column(name, values).values)


def with_keys(request: Request) -> Request:
    """The request with a column of group keys in place of sizes."""
    sizes, source = request.group_sizes, request.source
    if sizes is None:
        return request
    if request.group is not None:
        raise errors.GROUP_AND_SIZES()
    if source is None and request.sql is None:
        # A name in place of an array is refused where the other roles are read.
        named = isinstance(request.label, str)
        keys: Any = () if named else group_of_rows(sizes, length("label", request.label))
        return replace(request, group=keys, group_sizes=None)
    if request.sql is not None or request.table is not None:
        raise errors.NO_ROW_ORDER(source="SQL")
    name = KEY
    while name in _names(source):
        name += "_"
    keys = group_of_rows(sizes, _rows(source, request.label))
    return replace(request, source=_with(source, name, keys), group=name, group_sizes=None)


def _names(source: Any) -> Any:
    """The names of the columns of a mapping or a frame; other sources are refused."""
    if isinstance(source, Mapping):
        return source
    if is_pandas(source) or _is(source, "polars", "DataFrame"):
        return source.columns
    if _is(source, "pyarrow", "Table"):
        return source.column_names
    files = isinstance(source, str | os.PathLike | list | tuple)
    raise errors.NO_ROW_ORDER(source="files" if files else f"a {type(source).__name__}")


def _is(source: Any, package: str, name: str) -> bool:
    """Whether it is of that type, known by name: the package is not imported."""
    kind = type(source)
    return kind.__name__ == name and kind.__module__.partition(".")[0] == package


def _rows(source: Any, label: Any) -> int:
    if not isinstance(source, Mapping):
        return len(source)
    name = label if isinstance(label, str) and label in source else next(iter(source), None)
    return 0 if name is None else length(str(name), source[name])


def _with(source: Any, name: str, keys: Indices) -> Any:
    """A mapping or a frame with one column more; the source itself does not change."""
    if isinstance(source, Mapping):
        return {**source, name: keys}
    if is_pandas(source):
        return source.assign(**{name: keys})
    if hasattr(source, "hstack"):  # of Polars
        return source.hstack(type(source)({name: keys}))
    return source.append_column(name, [keys])
