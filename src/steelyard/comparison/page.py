"""Comparison, the class that `compare` gives: look up, convert, print."""

import json as json_text
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.comparison.rows import ComparisonRow, SliceTest
from steelyard.model import Conventions, Key
from steelyard.report import csv, html, markdown, text
from steelyard.report.columns import INTEGER, NUMBER, TEXT, TypedColumn, free_name, key_column
from steelyard.report.comparison_layout import heading, layouts
from steelyard.report.display import unique
from steelyard.report.drawn_comparison import DrawnComparison
from steelyard.report.drawn_result import DrawnResult
from steelyard.report.frames import ConvertsToFrames
from steelyard.report.json_types import dump_any
from steelyard.report.layout import Layout
from steelyard.report.line_table import written
from steelyard.report.lookup import find_comparison_row
from steelyard.report.notes import doubt_notes
from steelyard.report.schema import CONVENTION_FIELDS

SCHEMA = "steelyard.comparison/1"
LIMIT = 60  # lines of slices that a prompt or a notebook shows
NUMBERS = ("baseline", "candidate", "difference", "low", "high", "p", "q", "margin", "share")


class Comparison(DrawnComparison, ConvertsToFrames):
    """The differences of one or more candidates from a baseline.

    rows: one for each metric, candidate and slice; tests: whether slices differ at all
    baseline, candidates: their names; conventions: how the values were computed

    >>> import steelyard as sy
    >>> old, new = [0.1, 0.4, 0.35, 0.8, 0.2, 0.6], [0.1, 0.2, 0.35, 0.8, 0.3, 0.6]
    >>> found = sy.compare(
    ...     label=[0, 0, 1, 1, 0, 1], score={"old": old, "new": new}, cluster="row", metrics="auc"
    ... )
    >>> found.row("auc").difference
    0.11111111111111116
    """

    def __init__(
        self,
        rows: Sequence[ComparisonRow],
        tests: Sequence[SliceTest],
        baseline: str,
        conventions: Conventions,
        notes: Sequence[str] = (),
        evaluated: Callable[[], DrawnResult] | None = None,
    ) -> None:
        """evaluated: makes the result of the evaluation, for the report; it is called once."""
        self.rows, self.tests = tuple(rows), tuple(tests)
        self.baseline, self.conventions, self.notes = baseline, conventions, tuple(notes)
        self._evaluated = evaluated
        self._result: DrawnResult | None = None

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, with the result and the pictures of the page made: the states that they
        come from are not pickled."""
        from steelyard.report.report_page.render import render

        result = self._made_result()
        if result is not None:
            result = result.with_stored_pictures()
            render(result, self)
        return {**self.__dict__, "_result": result, "_evaluated": None}

    def _made_result(self) -> DrawnResult | None:
        if self._result is None and self._evaluated is not None:
            self._result = self._evaluated()
        return self._result

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(unique(row.metric for row in self.rows))

    @property
    def candidates(self) -> tuple[str, ...]:
        return tuple(unique(row.score for row in self.rows))

    def row(
        self,
        metric: str,
        /,
        score: str | None = None,
        *,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> ComparisonRow:
        """The row of a metric: of the total, or of the slice whose keys are all given.

        score: the candidate, the first if not given
        """
        return find_comparison_row(self.rows, metric, score, {**(slice or {}), **keys})

    def __iter__(self) -> Iterator[ComparisonRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparison):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # rows hold mappings, which have no hash

    # --- convert ---------------------------------------------------------------------------------
    def _frame_columns(self) -> dict[str, TypedColumn]:
        """A column for each field; the keys of slices have columns of their names."""
        names = unique(name for row in self.rows for name in row.slice)
        ours = {each.name for each in fields(ComparisonRow)} | {"by"}
        found = {
            "metric": TypedColumn(TEXT, [row.metric for row in self.rows]),
            "score": TypedColumn(TEXT, [row.score for row in self.rows]),
            "by": TypedColumn(TEXT, [",".join(row.slice) for row in self.rows]),
        }
        for name in names:
            keys = [row.slice.get(name) for row in self.rows]
            found[free_name(name, ours, {*ours, *names})] = key_column(keys)
        for name in NUMBERS:
            found[name] = TypedColumn(NUMBER, [getattr(row, name) for row in self.rows])
        for name in ("outcome", "why"):
            found[name] = TypedColumn(TEXT, [getattr(row, name) for row in self.rows])
        found["n"] = TypedColumn(INTEGER, [row.n for row in self.rows])
        details = [json_text.dumps(dump_any(dict(row.details))) for row in self.rows]
        return found | {"details": TypedColumn(TEXT, details)}

    def to_csv(self, path: FilePath | None = None) -> str:
        """CSV with the columns of the data frames, also written to `path` if one is given."""
        return written(csv.write(self._frame_columns()), path)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the schema steelyard.comparison/1."""
        conventions = {
            name: kind.dump(getattr(self.conventions, name))
            for name, kind in CONVENTION_FIELDS.items()
        }
        return {
            "schema": SCHEMA,
            "baseline": self.baseline,
            "candidates": list(self.candidates),
            "conventions": conventions,
            "rows": [dump_any(asdict(row)) for row in self.rows],
            "tests": [dump_any(asdict(test)) for test in self.tests],
        }

    def to_json(self, path: FilePath | None = None, *, indent: int | None = None) -> str:
        """The same as JSON, also written to `path` if one is given."""
        found = json_text.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)
        return written(found, path)

    def to_markdown(self, path: FilePath | None = None) -> str:
        """The tables in Markdown, also written to `path` if one is given."""
        return written(markdown.draw(self._layouts()), path)

    def to_html(self, path: FilePath | None = None) -> str:
        """The report on the scores, with their comparison, also written to `path` if one is given.

        Of two logs it is the report on the second.
        """
        from steelyard.report.report_page.render import render

        result = self._made_result()
        if result is None:
            raise errors.NO_EVALUATION()
        return written(render(result, self), path)

    def plot(
        self,
        kind: str = "forest",
        *,
        metric: str | None = None,
        by: str | Sequence[str] | None = None,
        score: str | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Any:
        """Draw the differences by slice with matplotlib and return the axes: `plot("forest")`.

        metric, by, score: the metric, the slices and the candidate to show, the first of each if
            not given
        ax: the axes to draw on; new ones if not given
        style: properties of matplotlib for the intervals, as in `linewidth=3`
        """
        from steelyard.report.charts import draw_matplotlib
        from steelyard.report.charts.of_comparison import comparison_chart

        chart = comparison_chart(self, kind, metric=metric, by=by, score=score)
        return draw_matplotlib.draw(chart, ax, style)

    # --- print -----------------------------------------------------------------------------------
    def _layouts(self, limit: int | None = None) -> list[Layout]:
        notes = [heading(self.conventions), *self.notes, *doubt_notes(self.conventions)]
        return layouts(self.rows, self.tests, self.baseline, notes, limit)

    def to_text(self, width: int | None = None) -> str:
        """The tables as text, for lines of so many characters."""
        return text.draw(self._layouts(), width)

    def __str__(self) -> str:
        return text.encodable(self.to_text())

    def __repr__(self) -> str:
        """The tables for a prompt: as wide as the terminal, with the first slices."""
        return text.encodable(text.draw(self._layouts(LIMIT), text.terminal_width()))

    def _repr_html_(self) -> str:
        return html.draw(self._layouts(LIMIT))
