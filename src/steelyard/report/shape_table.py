"""The table of one shape, for every score and slice."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.model import Conventions, Row
from steelyard.report.columns import TypedColumn
from steelyard.report.line_table import LineTable
from steelyard.report.shape_columns import typed_shapes


@dataclass(frozen=True, repr=False)
class ShapeTable(LineTable):
    """The lines of one metric's shapes: metric, score, `by`, slice, and its columns."""

    _shapes: Sequence[Row]
    _conventions: Conventions

    def _make_columns(self) -> dict[str, TypedColumn]:
        return typed_shapes(self._shapes, self._conventions)

    @property
    def _key_count(self) -> int:
        return 3

    @property
    def _line_name(self) -> str:
        return "lines"
