"""JSON lines: one row per line, as in the rows of `steelyard.result/1`."""

from collections.abc import Sequence

from steelyard.model import Conventions, Row
from steelyard.report import schema
from steelyard.report.json import line


def render(rows: Sequence[Row], conventions: Conventions) -> str:
    """The rows only, without the conventions."""
    return "\n".join(map(line, schema.dump_rows(rows, schema.slice_types(rows, conventions))))
