"""Columns as the sheets of an Excel workbook; openpyxl is imported when used."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from steelyard import errors
from steelyard.atomic_write import FilePath, write_atomically
from steelyard.phrases import printable
from steelyard.report.columns import TypedColumn
from steelyard.report.frames import TypedColumns, library

MOST_LINES = 1_048_576  # of a sheet, with the header
MOST_COLUMNS = 16_384
MOST_CHARACTERS = 32_767  # of a cell; openpyxl would cut longer texts without a word
NO_XML = re.compile("[\ufffe\uffff]")  # control characters are escaped elsewhere already
EXACT = 2**53  # Excel's numbers are float64: larger whole numbers are written as text


def write(sheets: Mapping[str, TypedColumns], path: FilePath) -> None:
    """A workbook with a sheet for each of the tables, written whole or not at all."""
    for name, columns in sheets.items():
        _check(name, columns)
    openpyxl = library("openpyxl")
    book = openpyxl.Workbook(write_only=True)
    for name, columns in sheets.items():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for line in _lines(columns):
            sheet.append([_cell(openpyxl, sheet, value) for value in line])
    content = BytesIO()
    book.save(content)
    write_atomically(path, content.getvalue())


def _lines(columns: TypedColumns) -> Iterator[tuple[Any, ...]]:
    yield tuple(columns)
    yield from zip(*(column.values for column in columns.values()), strict=True)


def _cell(openpyxl: Any, sheet: Any, value: Any) -> Any:
    """A value as a cell; text is never a formula, and never holds what a workbook cannot."""
    if value is None or isinstance(value, bool):
        return value
    if not isinstance(value, str) and abs(value) <= EXACT:
        return value
    cell = openpyxl.cell.WriteOnlyCell(sheet, _text(str(value)))
    cell.data_type = "s"
    return cell


def _check(name: str, columns: TypedColumns) -> None:
    """Refuse a table that a sheet cannot hold."""
    lines = 1 + max((len(column.values) for column in columns.values()), default=0)
    longest = max((len(each) for column in columns.values() for each in _texts(column)), default=0)
    for found, most, what in (
        (lines, MOST_LINES, "lines"),
        (len(columns), MOST_COLUMNS, "columns"),
        (longest, MOST_CHARACTERS, "characters in a cell"),
    ):
        if found > most:
            raise errors.EXCEL_LIMIT(sheet=name, found=f"{found:,}", what=what, most=f"{most:,}")


def _texts(column: TypedColumn) -> Iterator[str]:
    return (_text(value) for value in column.values if isinstance(value, str))


def _text(value: str) -> str:
    """A text without what XML cannot hold: it is shown as in Python."""
    return NO_XML.sub(lambda found: repr(found[0])[1:-1], printable(value))
