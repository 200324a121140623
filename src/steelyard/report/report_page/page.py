"""The whole page as data: what the template shows and what the script reads."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.model import Conventions, Roc, Row
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.display import DASH
from steelyard.report.drawn_comparison import DrawnComparison
from steelyard.report.drawn_result import DrawnResult
from steelyard.report.interval_notes import heading
from steelyard.report.notes import result_notes
from steelyard.report.report_page import figures
from steelyard.report.report_page.comparison_section import (
    ComparisonSection,
    comparison_section,
)
from steelyard.report.report_page.crossings import sentences
from steelyard.report.report_page.figures import CalibrationBin, Figure
from steelyard.report.report_page.headline import Headline, headlines
from steelyard.report.report_page.operating_points import OperatingPoints
from steelyard.report.report_page.pictures import Pictures
from steelyard.report.report_page.slice_table import SliceTable, slice_tables
from steelyard.spec import written

LONG = 120  # characters of a name in a heading


@dataclass(frozen=True)
class PageSection:
    """A section of figures that the script leaves alone."""

    id: str
    title: str
    lead: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class ReportPage:
    """Everything that the page shows; a section without data is empty and is left out.

    facts: of the sample, for the head of the page; notes: what was left out, and conventions
    reasons: for missing values
    missing: what to add to the request, where there are no curves
    intervals: what intervals rest on, if values have any
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    scores: tuple[str, ...]
    headlines: tuple[Headline, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    points: tuple[OperatingPoints, ...]
    histograms: tuple[Figure, ...]
    curves: tuple[Figure, ...]
    crossings: tuple[str, ...]
    reliability: tuple[Figure, ...]
    bins: tuple[tuple[str, list[CalibrationBin]], ...]
    sections: tuple[PageSection, ...]
    slices: tuple[SliceTable, ...]
    conventions: tuple[tuple[str, str], ...]
    unit: str
    missing: str = ""
    intervals: str = ""
    comparison: ComparisonSection | None = None

    @property
    def contents(self) -> list[tuple[str, str]]:
        """The sections that the page has: the id and a short name of each."""
        found = [("comparison", "Comparison")] if self.comparison else []
        found += [("numbers", "Numbers")]
        found += [("threshold-section", "Threshold")] if self.points or self.curves else []
        found += [("calibration", "Calibration")] if self.reliability else []
        found += [(each.id, each.id.capitalize()) for each in self.sections]
        found += [("slices", "Slices")] if self.slices else []
        return [*found, ("conventions", "Conventions")]

    @property
    def as_json(self) -> dict[str, Any]:
        """The data of the script."""
        return {
            "scores": [each.as_json for each in self.points],
            "slices": [each.as_json for each in self.slices],
            "names": list(self.scores),
        }


def page_of(result: DrawnResult, comparison: DrawnComparison | None = None) -> ReportPage:
    """The page of a result; comparison: of its scores, if they were compared."""
    pictures = Pictures(result)
    points = figures.points_of(pictures)
    curves = figures.curves(pictures, points)
    numbers = headlines(pictures)
    notes = result_notes(result.rows, result.conventions)
    return ReportPage(
        title=_title(result.conventions),
        facts=tuple(_facts(pictures)),
        scores=tuple(map(display.key, pictures.scores)),
        headlines=tuple(numbers),
        notes=tuple(_said_once(notes, numbers)),
        reasons=tuple(note[len(DASH) :].strip() for note in notes if note.startswith(DASH)),
        points=tuple(points),
        histograms=tuple(figures.histograms(pictures, points)),
        curves=tuple(curves),
        crossings=tuple(_crossings(pictures)),
        reliability=tuple(figures.reliability(pictures)),
        bins=tuple(figures.bins(pictures)),
        sections=tuple(each for each in _sections(pictures) if each.figures),
        slices=tuple(slice_tables(pictures)),
        conventions=tuple(_conventions(result.conventions)),
        unit="weight" if "weight" in result.conventions.roles else "rows",
        missing="" if pictures.names else MISSING,
        intervals="" if result.conventions.confidence is None else heading(result.conventions),
        comparison=None if comparison is None else comparison_section(comparison),
    )


def _sections(pictures: Pictures) -> Iterator[PageSection]:
    yield PageSection("classes", "Which classes?", CLASSES, tuple(figures.classes(pictures)))
    yield PageSection(
        "errors", "How large are the errors?", ERRORS, tuple(figures.errors(pictures))
    )
    yield PageSection("depth", "How far down the list?", DEPTH, tuple(figures.depth(pictures)))
    yield PageSection("groups", "Group by group", GROUPS, tuple(figures.groups(pictures)))


CLASSES = (
    "What the rows of each true class were called, and how well each class is told from the rest."
)
ERRORS = "A residual is prediction less truth: right of 0 the prediction is too high."
GROUPS = (
    "A mean over groups hides how they differ. Groups without a value, such as those whose rows "
    "all have one label, are not in the mean."
)
DEPTH = (
    "Rows by falling score. Gain is the share of all positives among the first rows; lift is how "
    "many times more of them are positive than among all rows."
)
MISSING = (
    "This result holds numbers and no curves. Evaluate with shapes=True, on the command line with "
    "--shapes, and this page has histograms, curves and a threshold to move."
)


def _title(conventions: Conventions) -> str:
    """The question that the page answers."""
    names = [display.key(name) for name in conventions.scores]
    label = conventions.roles.get("label")
    if not names or label is None:
        return " and ".join(names) or "Evaluation"
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"How well {'does' if len(names) == 1 else 'do'} {listed} predict {display.key(label)}?"


def _facts(pictures: Pictures) -> list[tuple[str, str]]:
    """The sample of the first score."""
    if not pictures.totals:
        return []
    row: Row = pictures.totals[0]
    facts = [("rows", f"{row.n:,}")]
    if row.positives is not None:
        share = f" ({row.positives / row.n:.2%})" if row.n else ""
        facts.append(("positives", f"{row.positives:,}{share}"))
    if row.weight is not None and row.weight != row.n:
        facts.append(("weight", display.amount(row.weight)))
    if row.dropped:
        facts.append(("left out", display.rows(row.dropped)))
    source = pictures.result.conventions.roles.get("source")
    return [*facts, ("source", display.key(source))] if source else facts


def _said_once(notes: Sequence[str], numbers: Sequence[Headline]) -> list[str]:
    """The notes without reasons; of one score, without those that its numbers have beside them."""
    beside = {f"{each.metric}: {each.numbers[0].note}" for each in numbers}
    alone = all(len(each.numbers) == 1 for each in numbers)
    return [
        note
        for note in notes
        if not note.startswith(DASH) and not (alone and note.removesuffix(" in total") in beside)
    ]


def _crossings(pictures: Pictures) -> list[str]:
    found = [each for each in pictures.series("roc") if isinstance(each.shape, Roc)]
    names = [shortened(each.name, LONG) for each in found]
    return sentences(names, [each.shape for each in found])


def _conventions(conventions: Conventions) -> list[tuple[str, str]]:
    """The roles, the scores and the parameters of each metric."""
    found = [(display.key(role), display.key(column)) for role, column in conventions.roles.items()]
    found += [
        (f"{conventions.reads} {display.key(name)}", display.key(column))
        for name, column in conventions.scores.items()
        if name != column
    ]
    plain = [display.key(name) for name, params in conventions.metrics.items() if not params]
    found += [("without parameters", ", ".join(plain))] if plain else []
    return found + [
        (display.key(name), ", ".join(f"{key}={written(value)}" for key, value in params.items()))
        for name, params in conventions.metrics.items()
        if params
    ]
