"""The comparison on the page: what is compared, the totals, and a forest plot for each metric."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from steelyard.comparison.comparison_rows import ComparisonRow
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.charts import forest
from steelyard.report.comparison_layout import (
    SlicingRows,
    by_slicing,
    heading,
    row_notes,
    slices_table,
    slicing_notes,
    test_notes,
    totals_table,
)
from steelyard.report.drawn_comparison import DrawnComparison
from steelyard.report.report_page.figures import Figure, figure
from steelyard.report.text_table import TextTable

MOST = 40  # forest plots; a page of more is slow to read and to open
LISTED = 5  # candidates that the first sentence names
IMPROVEMENT = (
    "A difference above 0 is an improvement, also of a metric that is better if it is lower."
)


@dataclass(frozen=True)
class ForestFigure:
    """The differences of one metric by slice: a picture, and the table beside it.

    narrow: the columns of the table that a narrow window has no room for
    """

    figure: Figure
    table: TextTable
    narrow: frozenset[int]


@dataclass(frozen=True)
class ComparisonSection:
    """What the page shows of a comparison; lead: what is compared with what.

    narrow: the columns of the totals that a narrow window has no room for
    """

    lead: str
    totals: TextTable
    narrow: frozenset[int]
    notes: tuple[str, ...]
    forests: tuple[ForestFigure, ...]


def comparison_section(comparison: DrawnComparison) -> ComparisonSection:
    """The section of a comparison; metrics without an interval have no forest plot."""
    rows, baseline = comparison.rows, comparison.baseline
    slicings = [each for each in by_slicing(rows) if _has_intervals(each.rows)]
    totals = totals_table(rows, baseline).for_page()
    # What is judged first, values later: a narrow window has no room for them.
    first = totals.key_count
    before, after, *judged, outcome = range(first, len(totals.columns))
    totals = totals.take([*range(first), outcome, *judged, before, after])
    return ComparisonSection(
        lead=_lead(comparison),
        totals=totals,
        narrow=frozenset(range(first + 3, len(totals.columns))),
        notes=tuple(_notes(comparison, len(slicings))),
        forests=tuple(
            _forest(comparison, slicing, place) for place, slicing in enumerate(slicings[:MOST])
        ),
    )


def _lead(comparison: DrawnComparison) -> str:
    if len({row.against for row in comparison.rows}) > 1:
        return f"Every score is compared with every other. {IMPROVEMENT}"
    names = [display.key(name) for name in comparison.candidates]
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    listed = ", ".join(shortened(name, 60) for name in names[:LISTED])
    verb = "is" if len(names) == 1 else "are"
    baseline = shortened(display.key(comparison.baseline), 60)
    return f"{listed}{more} {verb} compared with {baseline}. {IMPROVEMENT}"


def _notes(comparison: DrawnComparison, forests: int) -> Iterator[str]:
    yield heading(comparison.conventions)
    yield from comparison.notes
    yield from row_notes(comparison.rows)
    yield from slicing_notes(comparison.rows)
    if forests > MOST:
        yield (
            f"{MOST} of {forests} tables of slices are on this page; comparison.to_csv() has all"
        )


def _has_intervals(rows: Sequence[ComparisonRow]) -> bool:
    return any(row.low is not None for row in rows)


def _total_of(rows: Sequence[ComparisonRow], slicing: SlicingRows) -> ComparisonRow | None:
    wanted = (slicing.metric, slicing.score, slicing.against)
    totals = (row for row in rows if not row.slice)
    return next((row for row in totals if (row.metric, row.score, row.against) == wanted), None)


def _forest(comparison: DrawnComparison, slicing: SlicingRows, place: int) -> ForestFigure:
    total = _total_of(comparison.rows, slicing)
    chart = forest.chart(total, slicing)
    tests = [
        test
        for test in comparison.tests
        if (test.metric, test.score, test.against, test.by) == slicing[:4]
    ]
    drawn = figure(chart, id_=f"forest-{place}", title=slicing.title)
    drawn = replace(drawn, notes=(*drawn.notes, *test_notes(tests)), table=TextTable())
    table = slices_table(slicing, forest.MOST).for_page()
    keys = table.key_count
    # Without the share of rows, and p, since q is there; what is judged first, values later.
    difference, q, outcome, before, after, rows = (keys + place for place in (4, 6, 7, 2, 3, 0))
    table = table.take([*range(keys), outcome, difference, q, before, after, rows])
    return ForestFigure(drawn, table, narrow=frozenset(range(keys + 3, keys + 6)))
