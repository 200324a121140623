"""Result, the class that users get: look up, convert, print."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from steelyard import errors, presets
from steelyard.atomic_write import FilePath
from steelyard.cached import cached_property
from steelyard.metrics.catalogue import BoundMetric, resolve
from steelyard.model import (
    CalibrationCurve,
    ClassConfusion,
    Confusion,
    Conventions,
    Gains,
    Key,
    PrecisionRecall,
    PrecisionRecallOfClasses,
    Roc,
    RocOfClasses,
    Row,
    ShapeRow,
    missing_shape,
)
from steelyard.presets import Preset
from steelyard.report import csv, groups, html, json, lookup, markdown, schema, text
from steelyard.report.classes import ClassTable
from steelyard.report.columns import TypedColumn, typed_columns, widened
from steelyard.report.display import unique
from steelyard.report.frames import ConvertsToWideFrames
from steelyard.report.groups import GroupTable
from steelyard.report.line_table import written
from steelyard.report.selecting import SORT_FIELDS, Order, select
from steelyard.report.shape_columns import printed, typed_shapes
from steelyard.report.shape_table import ShapeTable
from steelyard.report.tables import ShapesOnRequest, StoredShapes, TablesOnRequest, TableType
from steelyard.result.pictures import ResultPictures
from steelyard.result.result_rows import ResultRows

LIMIT = 60  # lines of slices that a prompt or a notebook shows
CURVES = (Roc, PrecisionRecall, RocOfClasses, PrecisionRecallOfClasses, CalibrationCurve, Gains)
EXAMPLES = {"groups": "gauc or ndcg", "classes": "f1 or recall of a prediction"}


class Result(ResultPictures, ConvertsToWideFrames):
    """The numbers of an evaluation, with their samples and conventions.

    >>> import steelyard as sy
    >>> result = sy.evaluate(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics=["auc"])
    >>> result["roc_auc"], result.row("auc").positives
    (0.75, 2)
    >>> sy.Result.from_json(result.to_json()) == result
    True
    """

    def __init__(
        self,
        rows: Sequence[Row],
        conventions: Conventions,
        groups: TablesOnRequest[GroupTable] | None = None,
        classes: TablesOnRequest[ClassTable] | None = None,
        shapes: Sequence[Row] = (),
        pictures: ShapesOnRequest | None = None,
    ) -> None:
        self.rows = ResultRows.of(rows)
        self.shapes = ResultRows.of(shapes)
        self.conventions = conventions
        self._groups = groups
        self._classes = classes
        self._pictures = pictures

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, with all tables made: the states that they come from are not pickled."""
        stored = self._pictures if isinstance(self._pictures, StoredShapes) else None
        state = {**self.__dict__, "_pictures": stored}
        for name in ("_groups", "_classes"):
            state[name] = state[name] and state[name].stored(self._slices())
        return state

    def _slices(self) -> Iterator[tuple[str, dict[str, Key]]]:
        """Every score and slice."""
        for section in ResultRows.both(self.rows, self.shapes).sections:
            for keys in section.keys:
                yield section.score, dict(zip(section.names, keys, strict=True))

    # --- look up ---------------------------------------------------------------------------------
    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics, those of shapes last."""
        numbers = unique(name for section in self.rows.sections for name in section.metrics)
        return (*numbers, *(n for n in self._shape_metrics if n not in self.conventions.pictures))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.metrics)

    @cached_property
    def _shape_metrics(self) -> dict[str, None]:
        return dict.fromkeys(row.metric for row in self.shapes)

    @cached_property
    def scores(self) -> tuple[str, ...]:
        sections = (*self.rows.sections, *self.shapes.sections)
        return tuple(unique(section.score for section in sections))

    def __getitem__(self, metric: str) -> float:
        """The total of the only score, by any name of the metric; NaN if it has no value."""
        return self.value(metric)

    def value(
        self,
        metric: str,
        /,
        score: str | None = None,
        *,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> float:
        """The value of a metric, NaN if it has none: `value("auc", score="new", country="DE")`.

        `slice={"ad slot": 3}` is for columns whose names are not keywords.
        """
        row = self.row(metric, score, slice=slice, **keys)
        return float("nan") if row.value is None else row.value

    def row(
        self,
        metric: str,
        /,
        score: str | None = None,
        *,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> Row:
        """The row of a metric: of the total, or of the slice whose keys are all given."""
        name, wanted = self._number(metric), {**(slice or {}), **keys}
        return lookup.find_row(self.rows, name, self._score(name, score), wanted)

    def shape(
        self,
        metric: str,
        /,
        score: str | None = None,
        *,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> Any:
        """A value that is more than one number: `shape("class_report", country="DE")`.

        A curve without a value is a single point of NaN; `shapes` has the reason.
        """
        name, wanted = self._shape(metric), {**(slice or {}), **keys}
        row = lookup.find_row(self.shapes, name, self._score(name, score), wanted)
        assert isinstance(row, ShapeRow)
        kind = self._bound(name).metric.shape
        return missing_shape(kind) if row.shape is None else row.shape

    def curve(
        self,
        metric: str,
        /,
        score: str | None = None,
        *,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> Any:
        """The points of a curve: `curve("roc", score="new", country="DE")`."""
        return self._of_kind(metric, CURVES, "curve", score, {**(slice or {}), **keys})

    def confusion(
        self,
        metric: str = "confusion",
        /,
        score: str | None = None,
        *,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> Any:
        """The confusion cells: of two classes at a threshold, or of many classes."""
        kinds = (Confusion, ClassConfusion)
        return self._of_kind(metric, kinds, "confusion table", score, {**(slice or {}), **keys})

    def _of_kind(
        self,
        metric: str,
        kinds: tuple[type[Any], ...],
        wanted: str,
        score: str | None,
        slice_: Mapping[str, Key],
    ) -> Any:
        name = self._shape(metric)
        if self._bound(name).metric.shape not in kinds:
            raise errors.OTHER_SHAPE(metric=name, wanted=wanted)
        return self.shape(metric, score, slice=slice_)

    def shape_table(self, metric: str, /) -> ShapeTable:
        """The lines of a shape for every score and slice, to convert or to write as CSV."""
        name = self._shape(metric)
        return ShapeTable([row for row in self.shapes if row.metric == name], self.conventions)

    def select(
        self, *, sort: str | None = None, top: int | None = None, min_rows: int | None = None
    ) -> "Result":
        """The result with some of its slices; the total and every number stay as they are.

        sort: a metric, "rows" or "positives", the largest first; "auc asc": the smallest first;
            "copc worst": the worst first, which is the farthest from 1 for copc.
            Several scores are sorted by the first. Slices without a value are last.
        top: how many slices of each `by`, those with the most rows if they are not sorted
        min_rows: slices of fewer rows are left out
        """
        sorted_before = self.conventions.selection.get("sort") is not None
        if sort is None and top is not None and not sorted_before:
            sort = "rows"
        order = None if sort is None else Order.read(sort)
        if order is not None:
            metric = order.name not in SORT_FIELDS
            name = self._number(order.name) if metric else order.name
            better = self._bound(name).metric.better if metric else ""
            order = order._replace(name=name).directed(better)
        both, counts = select(ResultRows.both(self.rows, self.shapes), order, top, min_rows)
        before = self.conventions.selection
        given = {"sort": None if order is None else str(order), "top": top, "min_rows": min_rows}
        chosen = {name: value for name, value in given.items() if value is not None}
        counts |= {"slices": before.get("slices", counts["slices"])}  # of the first selection
        conventions = replace(self.conventions, selection={**before, **chosen, **counts})
        rows, shapes = both.parted()
        return Result(rows, conventions, self._groups, self._classes, shapes, self._pictures)

    def groups(
        self,
        *metrics: str,
        score: str | None = None,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> GroupTable:
        """The table of groups: of the metrics named, or of all means over groups."""
        return self._table(self._groups, "groups", metrics, score, {**(slice or {}), **keys})

    def classes(
        self,
        *metrics: str,
        score: str | None = None,
        slice: Mapping[str, Key] | None = None,
        **keys: Key,
    ) -> ClassTable:
        """The class table: of the metrics named, or of all that are means over classes."""
        return self._table(self._classes, "classes", metrics, score, {**(slice or {}), **keys})

    def _table(
        self,
        tables: TablesOnRequest[TableType] | None,
        what: str,
        metrics: Sequence[str],
        score: str | None,
        slice_: Mapping[str, Key],
    ) -> TableType:
        """The table of a score and slice, with the metrics named."""
        if tables is None:
            raise errors.NO_LINE_TABLE(
                what=what, such=EXAMPLES[what], known=", ".join(self.metrics)
            )
        known = tables.metrics
        names = [self._metric(metric) for metric in metrics] or known
        for name in names:
            if name not in known:
                raise errors.NOT_A_MEAN_OVER(metric=name, what=what, known=", ".join(known))
        row = self.row(names[0], score, slice=slice_)
        return tables.make(row.score, row.slice).only(names)

    def groups_csv(self) -> str:
        """The tables of groups of every score's total, as one CSV."""
        if self._groups is None:
            raise errors.NO_LINE_TABLE(
                what="groups", such=EXAMPLES["groups"], known=", ".join(self.metrics)
            )
        return groups.render([self._groups.make(score, {}) for score in self.scores])

    def _metric(self, metric: Any) -> str:
        """The printed name of a metric that this result has."""
        if isinstance(metric, str) and metric in self._known:
            return metric
        name = self._resolved(metric)
        if name not in self._known:
            raise errors.NOT_IN_RESULT(metric=name, known=", ".join(self.metrics))
        return name

    def _number(self, metric: str) -> str:
        """The printed name of a metric of this result that is a single number."""
        name = self._metric(metric)
        if name in self._shape_metrics:
            raise errors.NOT_A_NUMBER(metric=name)
        return name

    def _shape(self, metric: str) -> str:
        """The printed name of a metric of this result that is a shape."""
        name = self._metric(metric)
        if name not in self._shape_metrics:
            raise errors.NOT_A_SHAPE(metric=name)
        return name

    def _resolved(self, metric: str) -> str:
        """The printed name of a metric under the conventions of this result."""
        return self._bound(metric).name

    def _bound(self, metric: str) -> BoundMetric:
        preset = presets.every().get(self.conventions.preset or "", Preset())
        return resolve(metric, preset, self.conventions.reads)

    def _score(self, metric: str, score: str | None) -> str:
        known = self.scores
        listed = ", ".join(map(repr, known))
        if score is None and len(known) > 1:
            raise errors.SEVERAL_SCORES(known=listed, metric=metric, first=known[0])
        if score is not None and score not in known:
            raise errors.NO_SCORE(score=score, known=listed)
        return known[0] if score is None else score

    def __contains__(self, metric: object) -> bool:
        """Whether the result has rows of that metric, or that row."""
        if not isinstance(metric, str):
            return metric in self.rows
        return metric in self._known or self._resolved(metric) in self._known

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        mine = (self.rows, self.conventions, self.shapes)
        return mine == (other.rows, other.conventions, other.shapes)

    # --- convert ---------------------------------------------------------------------------------
    def _frame_columns(self) -> dict[str, TypedColumn]:
        """The columns of the rows; of the shapes, if there are no rows."""
        shapes = printed(self.shapes, self.conventions)
        if self.rows or not shapes:
            return typed_columns(self.rows, self.conventions)
        return typed_shapes(shapes, self.conventions)

    def _wide_columns(self) -> dict[str, TypedColumn]:
        """A line for each score and slice; shapes alone are as they are."""
        columns = self._frame_columns()
        if not self.rows:
            return columns
        before = [*list(columns)[1 : list(columns).index("value")], "n"]
        return widened(columns, before, {"value": "", "low": " low", "high": " high"})

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the schema steelyard.result/1; docs/result.md describes every field."""
        return schema.dump(self.rows, self.conventions, self.shapes)

    def to_json(self, path: FilePath | None = None, *, indent: int | None = None) -> str:
        """The same as JSON, also written to `path` if one is given."""
        return written(json.render(self.rows, self.conventions, self.shapes, indent=indent), path)

    def to_csv(self, path: FilePath | None = None) -> str:
        """CSV with the columns of the data frames, also written to `path` if one is given."""
        return written(csv.render(self.rows, self.conventions, self.shapes), path)

    def to_markdown(self, path: FilePath | None = None) -> str:
        """The table in Markdown, also written to `path` if one is given."""
        return written(markdown.render(self.rows, self.conventions, self.shapes), path)

    def to_html(self, path: FilePath | None = None) -> str:
        """The report: one HTML page with everything in it, also written to `path` if one is given.

        Curves and the threshold slider need shapes: `evaluate(..., shapes=True)`, or a result
        whose states are still at hand.
        """
        from steelyard.report.report_page.render import render

        return written(render(self), path)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Result":
        """The result of a dictionary that `to_dict` made."""
        rows, conventions, shapes = schema.load(data)
        return cls(rows, conventions, shapes=shapes)

    @classmethod
    def from_json(cls, text: str | bytes | os.PathLike[str]) -> "Result":
        """The result of a text that `to_json` made, or of a file of it, given by its path."""
        rows, conventions, shapes = json.parse_text_or_file(text)
        return cls(rows, conventions, shapes=shapes)

    # --- print -----------------------------------------------------------------------------------
    def __str__(self) -> str:
        """The whole table, in characters that standard output can print."""
        return text.encodable(text.render(self.rows, self.conventions, self.shapes))

    def __repr__(self) -> str:
        """The table for a prompt: as wide as the terminal, with the first slices."""
        width = text.terminal_width()
        return text.encodable(
            text.render(self.rows, self.conventions, self.shapes, width=width, limit=LIMIT)
        )

    def _repr_html_(self) -> str:
        return html.render(self.rows, self.conventions, self.shapes, limit=LIMIT)
