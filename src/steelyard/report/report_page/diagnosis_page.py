"""The page of a diagnosis as data: the verdict, the questions, the parts, the causes."""

from dataclasses import dataclass

from steelyard.report.report_page.figures import Figure
from steelyard.report.text_table import TextTable


@dataclass(frozen=True)
class PartsFigure:
    """The parts by one dimension: a waterfall, and the table beside it.

    narrow: the columns of the table that a narrow window has no room for
    """

    by: str
    sums: str
    figure: Figure
    table: TextTable
    narrow: frozenset[int]


@dataclass(frozen=True)
class TrendFigure:
    """Several logs in time order: a picture, and the table beside it."""

    figure: Figure
    table: TextTable


@dataclass(frozen=True)
class DiagnosisPage:
    """Everything that the page shows.

    title: of the window; verdict: the heading; facts: of the change, below it
    trend: several logs in time order, if there are several
    questions: each with its answers; next: commands to run
    parts: the first is open, the others unfold; causes: None where no slice is accused
    no_cause: why there is none
    """

    title: str
    verdict: str
    facts: tuple[tuple[str, str], ...]
    trend: TrendFigure | None
    questions: tuple[tuple[str, tuple[str, ...]], ...]
    parts: tuple[PartsFigure, ...]
    causes: TextTable | None
    no_cause: str
    next: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def contents(self) -> list[tuple[str, str]]:
        """The sections that the page has: the id and a short name of each."""
        found = [("trend", "Trend")] if self.trend else []
        found += [("questions", "Questions")]
        found += [("parts", "Parts")] if self.parts else []
        found += [("causes", "Causes")]
        return [*found, ("next", "Next")] if self.next else found
