"""Comparison, the class that `compare` gives: look up, convert, print."""

import json as json_text
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from steelyard import errors, presets
from steelyard.atomic_write import FilePath
from steelyard.comparison.comparison_rows import ComparisonRow, SliceTest
from steelyard.metrics.catalogue import resolve
from steelyard.model import Conventions, Key
from steelyard.presets import Preset
from steelyard.report import csv, group_differences, html, markdown, text
from steelyard.report.columns import (
    INTEGER,
    NUMBER,
    TEXT,
    TypedColumn,
    free_name,
    key_column,
    widened,
)
from steelyard.report.comparison_layout import heading, layouts, worst_groups
from steelyard.report.display import unique
from steelyard.report.drawn_comparison import DrawnComparison
from steelyard.report.drawn_result import DrawnResult
from steelyard.report.frames import ConvertsToWideFrames, TypedColumns
from steelyard.report.group_differences import GroupDifferences
from steelyard.report.groups import GroupTable
from steelyard.report.json_types import dump_any
from steelyard.report.line_table import written
from steelyard.report.lookup import find_comparison_row
from steelyard.report.notes import doubt_notes
from steelyard.report.schema import dump_conventions
from steelyard.report.tables import TablesOnRequest
from steelyard.report.text_table import TextTable

SCHEMA = "steelyard.comparison/1"
LIMIT = 60  # lines of slices that a prompt or a notebook shows
NUMBERS = (
    "baseline",
    "candidate",
    "difference",
    "low",
    "high",
    "p",
    "q",
    "holm",
    "margin",
    "share",
)
WIDE = (*NUMBERS[:-1], "outcome")  # of each metric, in a wide frame


class Comparison(DrawnComparison, ConvertsToWideFrames):
    """The differences of one or more candidates from a baseline.

    rows: one for each metric, candidate and slice; tests: whether slices differ at all
    baseline, candidates: their names; of all pairs, the baseline is that of the first
    conventions: how the values were computed

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
        groups: TablesOnRequest[GroupTable] | None = None,
    ) -> None:
        """evaluated: makes the result of the evaluation, for the report; it is called once.

        groups: the tables of groups, by the names of the baseline and the candidates
        """
        self.rows, self.tests = tuple(rows), tuple(tests)
        self.baseline, self.conventions, self.notes = baseline, conventions, tuple(notes)
        self._evaluated = evaluated
        self._result: DrawnResult | None = None
        self._groups = groups

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, with the result, the pictures of the page and the groups made: the states
        that they come from are not pickled."""
        from steelyard.report.report_page.render import render

        result = self._made_result()
        if result is not None:
            result = result.with_stored_pictures()
            render(result, self)
        made: dict[str, Any] = {"_result": result, "_evaluated": None}
        if self._groups is not None:
            names = ((name, row.slice) for row in self.rows for name in (row.score, row.against))
            made["_groups"] = self._groups.stored(names)
        return {**self.__dict__, **made}

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
        against: str | None = None,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> ComparisonRow:
        """The row of a metric: of the total, or of the slice whose keys are all given.

        score, against: the candidate and what it is compared with, the first if not given
        """
        return find_comparison_row(self.rows, metric, score, against, {**(slice or {}), **keys})

    def groups(
        self,
        metric: str | None = None,
        /,
        score: str | None = None,
        *,
        against: str | None = None,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> GroupDifferences:
        """Both values of each group and their difference; `worst()` and `best()` of the table.

        metric: a mean over groups, the first if not given; score, against, slice: as of `row`
        """
        self._check_groups()
        assert self._groups is not None
        metric = self._groups.metrics[0] if metric is None else metric
        row = self.row(metric, score, against=against, slice=slice, **keys)
        if metric not in self.group_metrics:
            known = ", ".join(self.group_metrics)
            raise errors.NOT_A_MEAN_OVER(metric=metric, what="groups", known=known)
        names = (row.against, row.score)
        old, new = (self._groups.make(name, row.slice) for name in names)
        preset = presets.every().get(self.conventions.preset or "", Preset())
        bound = resolve(metric, preset, self.conventions.reads)
        return group_differences.group_differences(bound.metric, metric, old, new, names)

    @property
    def group_metrics(self) -> tuple[str, ...]:
        """The metrics that are means over groups."""
        return () if self._groups is None else self._groups.metrics

    def _check_groups(self) -> None:
        if self._groups is None:
            known = ", ".join(self.metrics)
            raise errors.NO_LINE_TABLE(what="groups", such="gauc or ndcg", known=known)

    def _group_tables(self) -> Iterator[GroupDifferences]:
        """The groups of the total, for each mean over groups and each pair."""
        self._check_groups()
        for row in self.rows:
            if not row.slice and row.metric in self.group_metrics:
                yield self.groups(row.metric, row.score, against=row.against)

    def groups_csv(self) -> str:
        """The groups of the total as one CSV: those of each metric and each pair."""
        return group_differences.render(self._group_tables())

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
            "against": TypedColumn(TEXT, [row.against for row in self.rows]),
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

    def _wide_columns(self) -> dict[str, TypedColumn]:
        """A line for each pair and slice, with the numbers of all metrics beside each other."""
        columns = self._frame_columns()
        before = [*list(columns)[1 : list(columns).index(NUMBERS[0])], "n", "share"]
        return widened(columns, before, {name: f" {name}" for name in WIDE})

    def _sheets(self) -> dict[str, TypedColumns]:
        found = super()._sheets()
        if self._groups is not None:
            found["groups"] = group_differences.together(self._group_tables())
        return found

    def to_csv(self, path: FilePath | None = None) -> str:
        """CSV with the columns of the data frames, also written to `path` if one is given."""
        return written(csv.write(self._frame_columns()), path)

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the schema steelyard.comparison/1."""
        return {
            "schema": SCHEMA,
            "baseline": self.baseline,
            "candidates": list(self.candidates),
            "conventions": dump_conventions(self.conventions),
            "rows": [dump_any(asdict(row)) for row in self.rows],
            "tests": [dump_any(asdict(test)) for test in self.tests],
        }

    def to_json(self, path: FilePath | None = None, *, indent: int | None = None) -> str:
        """The same as JSON, also written to `path` if one is given."""
        found = json_text.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)
        return written(found, path)

    def to_markdown(self, path: FilePath | None = None, *, worst: int | None = 0) -> str:
        """The tables in Markdown, also written to `path` if one is given; worst: see `to_text`."""
        return written(markdown.draw(self._layouts(worst=worst)), path)

    def to_html(self, path: FilePath | None = None) -> str:
        """The report on the scores, with their comparison, also written to `path` if one is given.

        Of two logs it is the report on the second.
        """
        return written(self._page(), path)

    def show(self, *, height: int = 900) -> None:
        """Put that report into the notebook, as high as so many pixels."""
        from steelyard.report.report_page.notebook import show

        show(self._page(), height)

    def _page(self) -> str:
        from steelyard.report.report_page.render import render

        result = self._made_result()
        if result is None:
            raise errors.NO_EVALUATION()
        return render(result, self)

    def plot(
        self,
        kind: str = "forest",
        *,
        metric: str | None = None,
        by: str | Sequence[str] | None = None,
        score: str | None = None,
        against: str | None = None,
        ax: Any = None,
        **style: Any,
    ) -> Any:
        """Draw the differences by slice with matplotlib and return the axes: `plot("forest")`.

        metric, by, score, against: the metric, the slices, the candidate to show and what it is
            compared with, the first of each if not given
        ax: the axes to draw on; new ones if not given
        style: properties of matplotlib for the intervals, as in `linewidth=3`
        """
        from steelyard.report.charts import draw_matplotlib
        from steelyard.report.charts.of_comparison import comparison_chart

        which = {"metric": metric, "score": score, "against": against}
        chart = comparison_chart(self, kind, by=by, **which)
        return draw_matplotlib.draw(chart, ax, style)

    # --- print -----------------------------------------------------------------------------------
    def _layouts(self, limit: int | None = None, worst: int | None = 0) -> list[TextTable]:
        notes = [heading(self.conventions), *self.notes, *doubt_notes(self.conventions)]
        found = layouts(self.rows, self.tests, self.baseline, notes, limit)
        if worst == 0:
            return found
        return [*found[:-1], *worst_groups(self._group_tables(), worst), found[-1]]

    def to_text(self, width: int | None = None, *, worst: int | None = 0) -> str:
        """The tables as text, for lines of so many characters.

        worst: how many groups with the largest losses each pair shows; None: all groups
        """
        return text.draw(self._layouts(worst=worst), width)

    def __str__(self) -> str:
        return text.encodable(self.to_text())

    def __repr__(self) -> str:
        """The tables for a prompt: as wide as the terminal, with the first slices."""
        return text.encodable(text.draw(self._layouts(LIMIT), text.terminal_width()))

    def _repr_html_(self) -> str:
        return html.draw(self._layouts(LIMIT))
