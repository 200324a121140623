"""Columns as a data frame of Polars, pandas or Arrow; the library is imported when used."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.model import Conventions
from steelyard.report.columns import (
    BOOLEAN,
    COUNTS,
    INTEGER,
    NUMBER,
    TEXT,
    UNSIGNED,
    TypedColumn,
    convention_columns,
)

TypedColumns = Mapping[str, TypedColumn]


class ConvertsToFrames(ABC):
    """What has columns, as a data frame of any library."""

    @abstractmethod
    def _frame_columns(self) -> TypedColumns:
        """The columns of the frame."""

    def to_polars(self) -> Any:
        """A Polars DataFrame of the rows."""
        return polars(self._frame_columns())

    def to_pandas(self) -> Any:
        """A pandas DataFrame of the rows."""
        return pandas(self._frame_columns())

    def to_arrow(self) -> Any:
        """A PyArrow Table of the rows."""
        return arrow(self._frame_columns())

    def to_excel(self, path: FilePath) -> None:
        """Write an Excel workbook with these rows; it needs openpyxl."""
        from steelyard.report import excel

        excel.write(self._sheets(), path)

    def _sheets(self) -> dict[str, TypedColumns]:
        """The tables of a workbook, by the names of their sheets."""
        return {"rows": self._frame_columns()}


class ConvertsToWideFrames(ConvertsToFrames):
    """What has a row for each metric, as a data frame that may have columns for each instead."""

    conventions: Conventions

    @abstractmethod
    def _wide_columns(self) -> TypedColumns:
        """The columns of the frame that has one line for each score and slice."""

    def _columns_of(self, wide: bool) -> TypedColumns:
        return self._wide_columns() if wide else self._frame_columns()

    def to_polars(self, *, wide: bool = False) -> Any:
        """A Polars DataFrame of the rows; wide: a line per score and slice, columns per metric."""
        return polars(self._columns_of(wide))

    def to_pandas(self, *, wide: bool = False) -> Any:
        """A pandas DataFrame of the rows; wide: a line per score and slice, columns per metric."""
        return pandas(self._columns_of(wide))

    def to_arrow(self, *, wide: bool = False) -> Any:
        """A PyArrow Table of the rows; wide: a line per score and slice, columns per metric."""
        return arrow(self._columns_of(wide))

    def _sheets(self) -> dict[str, TypedColumns]:
        told = convention_columns(self.conventions)
        return {"wide": self._wide_columns(), **super()._sheets(), "conventions": told}


def polars(columns: TypedColumns) -> Any:
    pl = library("polars")
    types = {
        TEXT: pl.String,
        INTEGER: pl.Int64,
        UNSIGNED: pl.UInt64,
        NUMBER: pl.Float64,
        BOOLEAN: pl.Boolean,
    }
    return pl.DataFrame(
        _converted(columns, lambda values, type_: pl.Series(values, dtype=types[type_]))
    )


def pandas(columns: TypedColumns) -> Any:
    """Integer keys have pandas' type Int64, which allows missing values."""
    pd = library("pandas")
    text = "str" if int(pd.__version__.partition(".")[0]) >= 3 else object  # 2 made None "None"
    types = {
        TEXT: text,
        INTEGER: "Int64",
        UNSIGNED: "UInt64",
        NUMBER: "float64",
        BOOLEAN: "boolean",
    }
    frame = pd.DataFrame(
        _converted(columns, lambda values, type_: pd.Series(values, dtype=types[type_]))
    )
    counts = [
        name
        for name in COUNTS
        if name in columns and columns[name].type == INTEGER and None not in columns[name].values
    ]
    return frame.astype(dict.fromkeys(counts, "int64"))


def arrow(columns: TypedColumns) -> Any:
    pa = library("pyarrow")
    types = {
        TEXT: pa.string(),
        INTEGER: pa.int64(),
        UNSIGNED: pa.uint64(),
        NUMBER: pa.float64(),
        BOOLEAN: pa.bool_(),
    }
    return pa.table(_converted(columns, lambda values, type_: pa.array(values, types[type_])))


def _converted(columns: TypedColumns, make: Callable[[list[Any], str], Any]) -> dict[str, Any]:
    """Each column as the library makes it; numbers become the nearest float64."""
    found = {}
    for name, (type_, values) in columns.items():
        if type_ == NUMBER:
            values = [None if value is None else _nearest(value) for value in values]
        if type_ == TEXT:
            values = [None if value is None else _unicode(value) for value in values]
        found[_unicode(name)] = make(values, type_)
    return found


def _unicode(text: str) -> str:
    """The text, with escapes for bytes that are no UTF-8: these libraries hold none."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _nearest(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def library(name: str) -> Any:
    """A library that is not required, imported when it is used."""
    try:
        return import_module(name)
    except ImportError:
        raise errors.NOT_INSTALLED(library=name) from None
