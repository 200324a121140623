"""What pictures and the report page need of a comparison."""

from typing import Protocol

from steelyard.comparison.comparison_rows import ComparisonRow, SliceTest
from steelyard.model import Conventions


class DrawnComparison(Protocol):
    """A comparison that can be drawn.

    notes: on what was compared
    """

    rows: tuple[ComparisonRow, ...]
    tests: tuple[SliceTest, ...]
    baseline: str
    conventions: Conventions
    notes: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]: ...

    @property
    def candidates(self) -> tuple[str, ...]: ...
