"""Result, the class that users get: look up, convert, print."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from typing import Any

from steelyard import errors, presets
from steelyard.atomic_write import FilePath
from steelyard.metrics.catalogue import resolve
from steelyard.model import Conventions, Key, Row
from steelyard.presets import Preset
from steelyard.report import csv, display, frames, groups, html, json, markdown, schema, text
from steelyard.report.classes import ClassTable
from steelyard.report.columns import typed_columns
from steelyard.report.groups import GroupTable
from steelyard.report.layout import unique
from steelyard.report.line_table import written
from steelyard.report.selecting import SORT_FIELDS, Order, select
from steelyard.report.tables import TablesOnRequest, TableType
from steelyard.rows import ResultRows, Section
from steelyard.sections import SliceKey

LIMIT = 60  # lines of slices that a prompt or a notebook shows
LISTED = 8  # slices that an error names
COMPARED = 10_000  # slices that a mistyped one is compared with; of more, only similar ones
EXAMPLES = {"groups": "gauc or ndcg", "classes": "f1 or recall of a prediction"}


class Result:
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
    ) -> None:
        self.rows = ResultRows.of(rows)
        self.conventions = conventions
        self._groups = groups
        self._classes = classes

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, with all tables made: the states that they come from are not pickled."""
        state = dict(self.__dict__)
        for name in ("_groups", "_classes"):
            state[name] = state[name] and state[name].stored(self._slices())
        return state

    def _slices(self) -> Iterator[tuple[str, dict[str, Key]]]:
        """Every score and slice."""
        for section in self.rows.sections:
            for keys in section.keys:
                yield section.score, dict(zip(section.names, keys, strict=True))

    # --- look up ---------------------------------------------------------------------------------
    @cached_property
    def metrics(self) -> tuple[str, ...]:
        return tuple(unique(name for section in self.rows.sections for name in section.metrics))

    @cached_property
    def scores(self) -> tuple[str, ...]:
        return tuple(unique(section.score for section in self.rows.sections))

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
        name, wanted = self._metric(metric), {**(slice or {}), **keys}
        sections = self._sections(name, self._score(name, score), wanted)
        for section in sections:
            found = section.find(name, tuple(wanted[column] for column in section.names))
            if found is not None:
                return found
        for section in sections:
            similar = _similar([wanted[column] for column in section.names], section.keys_of(name))
            found = None if similar is None else section.find(name, similar)
            if found is not None:
                return found
        if not wanted:
            raise errors.NOT_IN_RESULT(metric=name, known=", ".join(self.metrics))
        if not sections:
            raise errors.NOT_SLICED(names=", ".join(wanted), known=self._sliced())
        raise errors.NO_SLICE(slice=_slice_text(wanted), hint=_hint(wanted, name, sections))

    def _sections(self, metric: str, score: str, wanted: Mapping[str, Key]) -> list[Section]:
        """The sections of a score that have a metric and are sliced by the columns of `wanted`."""
        return [
            section
            for section in self.rows.sections
            if section.score == score
            and set(section.names) == wanted.keys()
            and metric in section.metrics
        ]

    def select(
        self, *, sort: str | None = None, top: int | None = None, min_rows: int | None = None
    ) -> "Result":
        """The result with some of its slices; the total and every number stay as they are.

        sort: a metric, "rows" or "positives", the largest first; "auc asc": the smallest first.
            Several scores are sorted by the first. Slices without a value are last.
        top: how many slices of each `by`; min_rows: slices of fewer rows are left out
        """
        order = None if sort is None else Order.read(sort)
        if order is not None and order.name not in SORT_FIELDS:
            order = order._replace(name=self._metric(order.name))
        rows, counts = select(self.rows, order, top, min_rows)
        before = self.conventions.shown
        given = {"sort": None if order is None else str(order), "top": top, "min_rows": min_rows}
        chosen = {name: value for name, value in given.items() if value is not None}
        counts |= {"slices": before.get("slices", counts["slices"])}  # of the first selection
        shown = {**before, **chosen, **counts}
        conventions = replace(self.conventions, shown=shown)
        return Result(rows, conventions, self._groups, self._classes)

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

    def _metric(self, metric: str) -> str:
        """The printed name of a metric that this result has."""
        if metric in self.metrics:
            return metric
        name = self._resolved(metric)
        if name not in self.metrics:
            raise errors.NOT_IN_RESULT(metric=name, known=", ".join(self.metrics))
        return name

    def _resolved(self, metric: str) -> str:
        """The printed name of a metric under the conventions of this result."""
        preset = presets.every().get(self.conventions.preset or "", Preset())
        return resolve(metric, preset, self.conventions.reads).name

    def _score(self, metric: str, score: str | None) -> str:
        known = self.scores
        listed = ", ".join(map(repr, known))
        if score is None and len(known) > 1:
            raise errors.SEVERAL_SCORES(known=listed, metric=metric, first=known[0])
        if score is not None and score not in known:
            raise errors.NO_SCORE(score=score, known=listed)
        return known[0] if score is None else score

    def _sliced(self) -> str:
        bys = unique(", ".join(section.names) for section in self.rows.sections if section.names)
        return "it is sliced by " + " and by ".join(bys) if bys else "it has only the total"

    def __contains__(self, metric: object) -> bool:
        """Whether the result has rows of that metric, or that row."""
        if not isinstance(metric, str):
            return metric in self.rows
        return metric in self.metrics or self._resolved(metric) in self.metrics

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return (self.rows, self.conventions) == (other.rows, other.conventions)

    # --- convert ---------------------------------------------------------------------------------
    def to_polars(self) -> Any:
        """A Polars DataFrame of the rows."""
        return frames.polars(typed_columns(self.rows, self.conventions))

    def to_pandas(self) -> Any:
        """A pandas DataFrame of the rows."""
        return frames.pandas(typed_columns(self.rows, self.conventions))

    def to_arrow(self) -> Any:
        """A PyArrow Table of the rows."""
        return frames.arrow(typed_columns(self.rows, self.conventions))

    def to_dict(self) -> dict[str, Any]:
        """Plain data in the schema steelyard.result/1; docs/result.md describes every field."""
        return schema.dump(self.rows, self.conventions)

    def to_json(self, path: FilePath | None = None, *, indent: int | None = None) -> str:
        """The same as JSON, also written to `path` if one is given."""
        return written(json.render(self.rows, self.conventions, indent=indent), path)

    def to_csv(self, path: FilePath | None = None) -> str:
        """CSV with the columns of the data frames, also written to `path` if one is given."""
        return written(csv.render(self.rows, self.conventions), path)

    def to_markdown(self, path: FilePath | None = None) -> str:
        """The table in Markdown, also written to `path` if one is given."""
        return written(markdown.render(self.rows, self.conventions), path)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Result":
        """The result of a dictionary that `to_dict` made."""
        return cls(*schema.load(data))

    @classmethod
    def from_json(cls, text: str | bytes) -> "Result":
        """The result of a text that `to_json` made."""
        return cls(*json.parse(text))

    # --- print -----------------------------------------------------------------------------------
    def __str__(self) -> str:
        """The whole table, in characters that standard output can print."""
        return text.printable(text.render(self.rows, self.conventions))

    def __repr__(self) -> str:
        """The table for a prompt: as wide as the terminal, with the first slices."""
        width = text.terminal_width()
        return text.printable(text.render(self.rows, self.conventions, width=width, limit=LIMIT))

    def _repr_html_(self) -> str:
        return html.render(self.rows, self.conventions, limit=LIMIT)


def _similar(wanted: Sequence[Key], known: Iterable[SliceKey]) -> SliceKey | None:
    """The keys of the first slice that are equal to those wanted when written as text."""
    return next((keys for keys in known if all(map(_equal_text, keys, wanted))), None)


def _equal_text(key: Key, wanted: Key) -> bool:
    """Whether two keys are equal, or a text and a number that are written the same: "3" and 3."""
    if isinstance(key, str) == isinstance(wanted, str) or None in (key, wanted):
        return bool(key == wanted)
    return _plain(key) == _plain(wanted)


def _plain(key: Key) -> str:
    return key if isinstance(key, str) else display.key(key)


def _slice_text(slice_: Mapping[str, Key]) -> str:
    return ", ".join(f"{name}={key!r}" for name, key in slice_.items())


def _hint(wanted: Mapping[str, Key], metric: str, sections: Sequence[Section]) -> str:
    """A suggestion: slices with similar keys, else the first slices."""
    slices: dict[str, Mapping[str, Key]] = {}
    for section in sections:
        order = [section.names.index(name) for name in wanted]
        for keys in section.keys_of(metric):
            here = [keys[place] for place in order]
            slices[_text(here)] = dict(zip(wanted, here, strict=True))
    text = _text(wanted.values())
    close = get_close_matches(text, _comparable(text, slices), n=3)
    if close:
        return "did you mean " + " or ".join(_slice_text(slices[keys]) for keys in close)
    more = f" and {len(slices) - LISTED:,} more" if len(slices) > LISTED else ""
    return f"there are {' · '.join(map(_slice_text, islice(slices.values(), LISTED)))}{more}"


def _text(keys: Iterable[Key]) -> str:
    return " ".join(map(display.key, keys)).lower()


def _comparable(text: str, texts: Collection[str]) -> Iterable[str]:
    """The texts to compare with: of many, those with the same first letter and similar length."""
    if len(texts) <= COMPARED:
        return texts
    near = (one for one in texts if one[:1] == text[:1] and abs(len(one) - len(text)) <= 2)
    return list(islice(near, COMPARED))
