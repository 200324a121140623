"""The layout of shapes: a table for each metric, with the lines of every slice and score."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from steelyard.model import (
    ClassConfusion,
    Conventions,
    Gains,
    GroupValues,
    PrecisionRecall,
    PredictedVsTrue,
    Roc,
    Row,
    Shape,
    ShapeRow,
)
from steelyard.report import display
from steelyard.report.display import EXPONENT_FROM, unique
from steelyard.report.layout import first_lines, lay_out
from steelyard.report.notes import convention_notes, listed_slices, sample_notes
from steelyard.report.shape_columns import ShapeColumns, printed, shape_columns
from steelyard.report.text_table import Cell, Column, TextTable
from steelyard.result.result_rows import ResultRows
from steelyard.result.shape_fields import Content

POINTS = 20  # lines of a curve that a table shows
CURVES = (Roc, PrecisionRecall, Gains)
ACROSS = 20  # classes whose cells are shown as a square
WEIGHTS = (Content.WEIGHT, Content.WEIGHTS, Content.FLOAT_WEIGHTS)
TEXTS = (Content.LABELS, Content.WORDS)
IDENTIFY = (Content.LABELS, Content.THRESHOLDS, Content.EDGES)
Lines = list[list[Cell]]


def layouts(
    rows: Sequence[Row],
    conventions: Conventions,
    shapes: Sequence[Row] = (),
    limit: int | None = None,
) -> list[TextTable]:
    """The table of the numbers, then one for each shape; none if there is nothing."""
    found = [lay_out(rows, conventions, limit)] if rows else []
    drawn = printed(shapes, conventions)
    found += [
        _table([row for row in drawn if row.metric == metric], conventions, limit)
        for metric in unique(row.metric for row in drawn)
    ]
    if drawn and not rows:
        totals = ResultRows.of(drawn).totals()
        notes = [*sample_notes(totals), *convention_notes(conventions)]
        found.append(TextTable(notes=notes))
    return found


def _table(rows: Sequence[ShapeRow], conventions: Conventions, limit: int | None) -> TextTable:
    """The lines of one metric: those of the total first, then those of each slice."""
    sliced = unique(name for row in rows for name in row.slice)
    several = len({row.score for row in rows}) > 1
    keys = [*map(display.key, sliced), *(["score"] if several else [])]
    labels, whole = _labels(rows), _are_whole(rows)
    header: list[Column] = []
    blocks: list[Lines] = []
    for _, of_by in groupby(_in_order(rows), lambda row: tuple(row.slice)):
        found: list[Lines] = []
        for row in of_by:
            front = _front(row, sliced, several=several)
            own, lines = _lines(row, labels, conventions, whole=whole)
            header = header or own
            found += [[[*front, *line] for line in block] for block in lines if block]
        single = all(len(block) == 1 for block in found)
        blocks += [[line for block in found for line in block]] if single and found else found
    shown, hidden = first_lines(blocks, limit)
    return TextTable(
        columns=[*Column.keys(*keys), *header],
        blocks=shown,
        notes=[*_notes(rows), *_missing(rows)],
        hidden=hidden,
        title=display.key(rows[0].metric),
    )


def _in_order(rows: Sequence[ShapeRow]) -> list[ShapeRow]:
    """Slice by slice, each with all scores."""
    order = {key: place for place, key in enumerate(dict.fromkeys(map(_slice, rows)))}
    return sorted(rows, key=lambda row: order[_slice(row)])


def _slice(row: Row) -> tuple[Any, ...]:
    return tuple((name, type(key), key) for name, key in row.slice.items())


def _front(row: Row, sliced: Sequence[str], *, several: bool) -> list[Cell]:
    """The cells that identify slice and score."""
    texts = [display.key(row.slice[name]) if name in row.slice else "" for name in sliced]
    if sliced and not row.slice:
        texts[0] = "total"
    return [Cell(text) for text in [*texts, *([display.key(row.score)] if several else [])]]


def _labels(rows: Sequence[ShapeRow]) -> list[Any] | None:
    """The classes of all confusion matrices, if they are few enough to be shown as a square."""
    matrices = [row.shape for row in rows if isinstance(row.shape, ClassConfusion)]
    labels = list(dict.fromkeys(label for matrix in matrices for label in matrix.labels))
    return labels if matrices and len(labels) <= ACROSS else None


def _are_whole(rows: Sequence[ShapeRow]) -> bool:
    """Whether all rows and weights of a table are whole numbers: they have the same decimals."""
    tables = (shape_columns(row.shape) for row in rows if row.shape is not None)
    columns = (column for each in tables for column in each.values())
    weights = (value for each in columns if each.content in WEIGHTS for value in each.values)
    return all(value is None or value % 1 == 0 for value in weights)


def _lines(
    row: ShapeRow, labels: list[Any] | None, conventions: Conventions, *, whole: bool
) -> tuple[list[Column], list[Lines]]:
    """The header and the lines of a shape, in blocks that belong together."""
    score_type = conventions.score_types.get(row.score)
    shares = conventions.metrics.get(row.metric, {}).get("normalize") is not None
    of_weights = None if shares else whole
    if row.shape is None:
        return [], []
    if labels is not None and isinstance(row.shape, ClassConfusion):
        across = Column.numbers(*map(display.key, labels))
        square = list(_square(row.shape, labels, of_weights))
        return [*Column.keys("true"), *across], [square]

    def cell(content: Content, value: Any) -> Cell:
        if content in TEXTS:
            return Cell("" if value is None else display.key(value))
        if content is Content.THRESHOLDS:
            return Cell(display.threshold(value, score_type), repr(value))
        return _cell(value, of_weights if content in WEIGHTS else None)

    columns = shape_columns(row.shape)
    lines = [
        [cell(content, values[place]) for content, values in columns.values()]
        for place in _places(row.shape, columns)
    ]
    header = [
        Column(name, is_text=content is Content.LABELS, is_key=content in IDENTIFY)
        for name, (content, _) in columns.items()
    ]
    return _report(header, lines) if "average" in columns else (header, [lines])


def _report(header: list[Column], lines: Lines) -> tuple[list[Column], list[Lines]]:
    """The classes, and below them the averages in the same column."""
    blocks: list[Lines] = [[], []]
    for name, average, *numbers in lines:
        if average.text == "accuracy":  # one number
            numbers[:2] = [Cell(""), Cell("")]
        blocks[average.text != ""].append([average if average.text else name, *numbers])
    return [header[0], *header[2:]], blocks


def _square(
    shape: ClassConfusion, labels: Sequence[Any], whole: bool | None
) -> Iterator[list[Cell]]:
    """A line for each true class and a column for each predicted one."""
    places = {label: place for place, label in enumerate(shape.labels)}
    matrix = shape.matrix.tolist()
    for true in labels:
        if true in places:
            line = [matrix[places[true]][places[x]] if x in places else 0 for x in labels]
            yield [Cell(display.key(true)), *(_cell(x, whole) for x in line)]


def _cell(value: Any, whole: bool | None) -> Cell:
    """The cell of a number; whole: of a weight, whether all weights of the table are whole."""
    if value is None or value != value:
        return Cell(display.DASH, "0/0")
    if whole is None:
        return Cell(display.number(value), repr(value), value)
    same = int(value) if whole else value if abs(value) >= EXPONENT_FROM else float(value)
    return Cell(display.amount(same), repr(value))


def _places(shape: Shape, columns: ShapeColumns) -> Sequence[int]:
    """The lines that are shown: of a curve some, of squares the heaviest, of others all."""
    count = len(next(iter(columns.values())).values)
    if isinstance(shape, PredictedVsTrue):
        weights = columns["weight"].values
        return sorted(sorted(range(count), key=lambda place: -weights[place])[:POINTS])
    return _spaced(count) if isinstance(shape, CURVES) else range(count)


def _spaced(count: int) -> list[int]:
    """Places at equal distances, the first and the last among them."""
    if count <= POINTS:
        return list(range(count))
    found: list[int] = np.linspace(0, count - 1, POINTS).round().astype(int).tolist()
    return found


def _notes(rows: Sequence[ShapeRow]) -> list[str]:
    """How many points of a curve there are, and what thinning may change."""
    if any(isinstance(row.shape, GroupValues) for row in rows):
        return _groups_used(rows)
    if any(isinstance(row.shape, PredictedVsTrue) for row in rows):
        return _squares_shown(rows)
    curves = [row.shape for row in rows if isinstance(row.shape, CURVES)]
    if not curves:
        return []
    metric, most = rows[0].metric, max(len(curve.thresholds) for curve in curves)
    error = max(curve.area_error for curve in curves)
    of, all_ = f"{most:,} points", "all"
    if error > 0:
        of, all_ = f"the {of} kept", f"the {most:,}"
    notes = []
    if most > POINTS:
        notes.append(f"{metric}: {POINTS} of {of} are shown; CSV and JSON have {all_}")
    if error > 0:
        off = f"the points kept change the area by at most {error:.2g}"
        notes.append(f"{metric}: {off}; {metric.partition('(')[0]}(points=N) keeps more")
    return notes


def _squares_shown(rows: Sequence[ShapeRow]) -> list[str]:
    """How many squares of predictions against truth there are, if not all are shown."""
    shapes = [row.shape for row in rows if isinstance(row.shape, PredictedVsTrue)]
    most = max(np.count_nonzero(shape.matrix) for shape in shapes)
    if most <= POINTS:
        return []
    shown = f"the {POINTS} squares with the most weight are shown, of {most:,} that have rows"
    return [f"{rows[0].metric}: {shown}; CSV and JSON have all"]


def _groups_used(rows: Sequence[ShapeRow]) -> list[str]:
    """How many groups have a value, where some have none."""
    notes = []
    for row in rows:
        shape = row.shape
        if isinstance(shape, GroupValues) and shape.groups_used < shape.groups_total:
            (place,) = display.slice_names(row.slice, [row.slice.values()])
            used = f"{shape.groups_used:,} of {shape.groups_total:,} groups have a value"
            notes.append(f"{row.metric}: {used} ({place})")
    return notes


def _missing(rows: Sequence[Row]) -> list[str]:
    """The reasons why shapes are missing, with their slices and scores."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        if row.why is not None:
            (place,) = display.slice_names(row.slice, [row.slice.values()])
            found.setdefault(row.why, {}).setdefault(place, []).append(row.score)
    scores = unique(row.score for row in rows)
    return [
        f"{display.DASH} {why} ({rows[0].metric}): {listed_slices(places, scores)}"
        for why, places in found.items()
    ]
