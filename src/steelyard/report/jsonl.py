"""JSON lines: one row per line, as in the rows of `steelyard.result/1`."""

from collections.abc import Sequence

from steelyard.model import Conventions, Row
from steelyard.report import schema
from steelyard.report.json import line
from steelyard.result.result_rows import ResultRows


def render(rows: Sequence[Row], conventions: Conventions, shapes: Sequence[Row] = ()) -> str:
    """The rows and then the shapes, without the conventions."""
    types = schema.slice_types(ResultRows.both(rows, shapes), conventions)
    return "\n".join(
        map(line, [*schema.dump_rows(rows, types), *schema.dump_shapes(shapes, types)])
    )
