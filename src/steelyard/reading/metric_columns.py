"""PartColumns that the parameters of metrics name: fields, whose values are keys, and amounts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from steelyard.model import Array, Floats, Key
from steelyard.reading import numbers
from steelyard.reading.row_numbers import KeptRows, NamedColumn
from steelyard.reading.selection import ColumnsByRole
from steelyard.reading.slices import coded


class Field(NamedTuple):
    """The key of each row in one column, as a code of `keys`; some keys may not occur."""

    codes: Array
    keys: Sequence[Key]


class MetricColumns(NamedTuple):
    """Columns of metrics, by name: fields, and amounts (bids or revenue) of 0 or more."""

    fields: Mapping[str, Field] = {}
    amounts: Mapping[str, Floats] = {}

    def take(self, rows: Array | slice) -> "MetricColumns":
        """The columns of the given rows, in the given order."""
        return MetricColumns(
            {name: Field(codes[rows], keys) for name, (codes, keys) in self.fields.items()},
            {name: amounts[rows] for name, amounts in self.amounts.items()},
        )


NO_COLUMNS = MetricColumns()


def metric_columns(columns: ColumnsByRole, rows: KeptRows) -> MetricColumns:
    """The columns of the kept rows; the key of a row without a value in a field is None."""
    fields, amounts = columns.get(("field", "key"), ()), columns.get(("amount", "number"), ())
    return MetricColumns(
        {named.name: _field(named, rows) for named in fields},
        {named.name: numbers.amount(*named.take(rows.kept).numbers(rows)) for named in amounts},
    )


def _field(named: NamedColumn, rows: KeptRows) -> Field:
    codes, keys = coded(named.column)
    return Field(codes if rows.kept is None else codes[rows.kept], keys)
