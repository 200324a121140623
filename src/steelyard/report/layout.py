"""The table of a result.

One score without slices has a line per metric. Otherwise there is a line per slice and score and a
column per metric. Below are the sample of the total and the reasons for missing values.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import is_
from typing import Any, TypeVar

from steelyard.model import Conventions, Row
from steelyard.report import display
from steelyard.report.display import unique
from steelyard.report.interval_notes import interval_notes
from steelyard.report.notes import convention_notes, result_notes, sample_notes
from steelyard.report.text_table import Cell, Column, TextTable
from steelyard.result.metric_column import ABSENT
from steelyard.result.result_rows import ResultRows, Section
from steelyard.result.sections import ColumnSection, TypedKey

GROUPS = "groups"
RowPlaces = list[tuple[Section, int]]  # the sections and slices of a line
TableLine = TypeVar("TableLine")


def lay_out(rows: Sequence[Row], conventions: Conventions, limit: int | None = None) -> TextTable:
    """The layout of a result with at most `limit` lines of slices."""
    rows = ResultRows.of(rows)
    scores = unique(section.score for section in rows.sections)
    if len(scores) <= 1 and not any(section.names for section in rows.sections):
        return _metric_lines(tuple(rows), conventions)
    return _slice_lines(rows, scores, conventions, limit)


def _metric_lines(rows: Sequence[Row], conventions: Conventions) -> TextTable:
    """One line per metric."""
    lines = [
        (
            Cell(display.key(row.metric)),
            Cell(display.DASH if row.value is None else display.value_text(row), _hint(row)),
            Cell(_remarks(row, conventions.score_types)),
        )
        for row in rows
    ]
    sections = ResultRows.of(rows).sections
    notes = [*sample_notes(rows), *interval_notes(sections, conventions)]
    notes += convention_notes(conventions)
    columns = [*Column.keys("metric"), Column("value", is_key=True), *Column.keys("")]
    return TextTable(columns, [lines], notes)


def _remarks(row: Row, score_types: Mapping[str, str]) -> str:
    details = display.details_text(row, score_types.get(row.score))
    texts = (row.why or display.bounds(row), details)
    return " · ".join(filter(None, texts))


def _slice_lines(
    rows: ResultRows, scores: Sequence[str], conventions: Conventions, limit: int | None
) -> TextTable:
    """One line per slice and score; the total first, then one block per `by`."""
    sections = rows.sections
    names = unique(name for section in sections for name in section.names)
    metrics = unique(metric for section in sections for metric in section.metrics)
    score = ["score"] if len(scores) > 1 else []
    columns = _with_groups(sections, metrics)
    classes = any(n is not None for section in sections for n in section.column("positives"))
    total, *slices = _blocks(sections)
    kept, hidden = first_lines(slices, limit)
    blocks = [
        [
            _line(found, names, columns, several=len(scores) > 1, classes=classes)
            for found in _rows(block)
        ]
        for block in [total, *kept]
    ]
    counts = ("rows", "positives") if classes else ("rows",)
    values = [Column(display.key(name or GROUPS), is_attached=not name) for _, name in columns]
    return TextTable(
        columns=[
            *Column.keys(*map(display.key, names), *score),
            *Column.numbers(*counts),
            *values,
        ],
        blocks=blocks,
        notes=result_notes(rows, conventions),
        hidden=hidden,
        lines_are_scores=not names,
    )


def _with_groups(sections: Sequence[Section], metrics: Sequence[str]) -> list[tuple[str, str]]:
    """The columns: a metric and its name, or a metric without a name for its number of groups.

    Adjacent metrics with the same groups share that column.
    """
    groups = {
        metric: [
            list(chain.from_iterable(section.detail(metric, name) for section in sections))
            for name in ("groups", "groups_used")
        ]
        for metric in metrics
    }
    columns: list[tuple[str, str]] = []
    for metric, after in zip(metrics, [*metrics[1:], ""], strict=True):
        columns.append((metric, metric))
        grouped = any(count is not ABSENT for count in groups[metric][0])
        if grouped and groups[metric] != groups.get(after):
            columns.append((metric, ""))
    return columns


def _groups(row: Row) -> str:
    if "groups" not in row.details:
        return ""
    used, groups = row.details["groups_used"], row.details["groups"]
    return f"{groups:,}" if used == groups else f"{used:,} of {groups:,}"


def _line(
    found: Mapping[str, Row],
    names: Sequence[str],
    columns: Sequence[tuple[str, str]],
    *,
    several: bool,
    classes: bool,
) -> list[Cell]:
    """The cells of a line; a column that the slice does not have is empty."""
    row = next(iter(found.values()))
    texts = [display.key(row.slice[name]) if name in row.slice else "" for name in names]
    if names and not row.slice:
        texts[0] = "total"
    if several:
        texts.append(display.key(row.score))
    counts = [row.n, row.positives] if classes else [row.n]
    texts += ["" if count is None else f"{count:,}" for count in counts]
    return list(map(Cell, texts)) + [_value(found.get(metric), name) for metric, name in columns]


def _value(row: Row | None, name: str) -> Cell:
    if row is None:
        return Cell("")
    if not name:
        return Cell(_groups(row))
    return Cell(display.cell(row), _hint(row), None if row.low is not None else row.value)


def _hint(row: Row) -> str:
    return row.why or "" if row.value is None else repr(row.value)


def _rows(block: Sequence[RowPlaces]) -> Iterator[dict[str, Row]]:
    """The rows of each line, by metric; rows of a whole section are made together, for speed."""
    places: dict[Section, list[int]] = {}
    for section, place in chain.from_iterable(block):
        places.setdefault(section, []).append(place)
    made = {
        section: section.by_slice(0, len(found))
        for section, found in places.items()
        if found == list(range(len(found)))
    }
    for line in block:
        slices = [next(made[s]) if s in made else s.rows_of(place) for s, place in line]
        yield {row.metric: row for rows in slices for row in rows}


def _blocks(sections: Sequence[Section]) -> list[list[RowPlaces]]:
    """The lines of the total and of each `by`: slice by slice, each with all scores."""
    found: dict[tuple[str, ...], list[Section]] = {(): []}
    for section in sections:
        found.setdefault(section.names, []).append(section)
    return [_block(group) for group in found.values() if group]


def _block(sections: Sequence[Section]) -> list[RowPlaces]:
    """The lines of sections with the same `by`; a ColumnSection has each key once."""
    if all(isinstance(section, ColumnSection) for section in sections) and same_keys(sections):
        places = range(len(sections[0].keys))
        return [[(section, place)] for place in places for section in sections]
    orders: dict[str, dict[TypedKey, None]] = {}
    lines: dict[TypedKey, dict[str, RowPlaces]] = {}
    for section in sections:
        order = orders.setdefault(section.score, {})
        for number, keys in enumerate(section.keys):
            key = tuple(map(type, keys)), keys
            order[key] = None
            lines.setdefault(key, {}).setdefault(section.score, []).append((section, number))
    merged = _merged([list(order) for order in orders.values()])
    return [line for key in merged for line in lines[key].values()]


def same_keys(sections: Sequence[Section]) -> bool:
    """Whether all have the same keys, of the same types, in the same order."""
    first, *others = (section.keys for section in sections)
    return all(
        keys is first or (list(keys) == list(first) and all(map(_same_types, keys, first)))
        for keys in others
    )


def _same_types(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return all(map(is_, map(type, left), map(type, right)))


def _merged(lists: Sequence[list[TypedKey]]) -> list[TypedKey]:
    """The slices of all scores, in the order of each; a score may lack slices of dropped rows."""
    merged, *others = lists
    for other in others:
        known, last = set(merged), None
        after: dict[TypedKey | None, list[TypedKey]] = {}
        for place in other:
            if place in known:
                last = place
            else:
                after.setdefault(last, []).append(place)
        follow = [(place, *after.get(place, ())) for place in merged]
        merged = [*after.get(None, ()), *(place for run in follow for place in run)]
    return merged


def first_lines(
    blocks: list[list[TableLine]], limit: int | None
) -> tuple[list[list[TableLine]], int]:
    """The first lines of some blocks, and how many lines are left out."""
    count = sum(map(len, blocks))
    if limit is None or count <= limit:
        return blocks, 0
    kept, left = [], limit
    for block in blocks:
        if left > 0:
            kept.append(block[:left])
            left -= len(block)
    return kept, count - limit
