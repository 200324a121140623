"""The layout of a table, which text, Markdown and HTML then draw.

One score without slices has a line per metric. Otherwise there is a line per slice and score and a
column per metric. Below are the sample of the total and the reasons for missing values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain, islice
from operator import is_
from typing import Any, NamedTuple, TypeVar

from steelyard.model import Conventions, Label, Row
from steelyard.phrases import shortened
from steelyard.report import display, preset_notes
from steelyard.request import RecordedOptions
from steelyard.rows import ResultRows, Section
from steelyard.sections import ABSENT, ColumnSection, TypedKey

LISTED = 5  # slices that a reason names
SHORT = 60  # characters of a slice in a reason: a key may be a megabyte
GROUPS = "groups"


class Cell(NamedTuple):
    """A text; `hint` has all digits of a number, or the reason for a missing value.

    number: the number that the text shows, if it may be shown with fewer decimals
    """

    text: str
    hint: str = ""
    number: float | None = None


@dataclass(frozen=True)
class Layout:
    """The cells of a table.

    header: the name of each column; left: columns of text, the others hold numbers
    blocks: lines that belong together, for the total and for each `by`
    fixed: how many columns identify a line; a table drawn in parts repeats them
    attached: columns that belong to the column before them
    notes: sentences below the table; hidden: how many lines are beyond the limit
    lines_are_scores: whether there is one line per score, and no slice
    reduced: how it was reduced to fit a width
    title: what it is a table of, if that is more than numbers
    """

    header: tuple[str, ...]
    left: frozenset[int]
    blocks: Sequence[Sequence[Sequence[Cell]]]
    fixed: int
    notes: Sequence[str]
    hidden: int = 0
    attached: frozenset[int] = frozenset()
    lines_are_scores: bool = False
    reduced: Sequence[str] = ()
    title: str = ""


RowPlaces = list[tuple[Section, int]]  # the sections and slices of a line
TableLine = TypeVar("TableLine")


def lay_out(rows: Sequence[Row], conventions: Conventions, limit: int | None = None) -> Layout:
    """The layout of a result with at most `limit` lines of slices."""
    rows = ResultRows.of(rows)
    scores = unique(section.score for section in rows.sections)
    if len(scores) <= 1 and not any(section.names for section in rows.sections):
        return _metric_lines(tuple(rows), conventions)
    return _slice_lines(rows, scores, conventions, limit)


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _metric_lines(rows: Sequence[Row], conventions: Conventions) -> Layout:
    """One line per metric."""
    lines = [
        (
            Cell(display.key(row.metric)),
            Cell(display.DASH if row.value is None else display.number(row.value), _hint(row)),
            Cell(_remarks(row, conventions.score_types)),
        )
        for row in rows
    ]
    notes = [*sample_notes(rows), *convention_notes(conventions)]
    return Layout(("metric", "value", ""), frozenset((0, 2)), [lines], 3, notes)


def _remarks(row: Row, score_types: Mapping[str, str]) -> str:
    details = display.details_text(row, score_types.get(row.score))
    texts = (row.why or display.bounds(row), details)
    return " · ".join(filter(None, texts))


def _slice_lines(
    rows: ResultRows, scores: Sequence[str], conventions: Conventions, limit: int | None
) -> Layout:
    """One line per slice and score; the total first, then one block per `by`."""
    sections = rows.sections
    names = unique(name for section in sections for name in section.names)
    metrics = unique(metric for section in sections for metric in section.metrics)
    keys = [*names, *(["score"] if len(scores) > 1 else [])]
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
    header = (*(display.key(name) for name in keys), "rows", *(["positives"] if classes else []))
    return Layout(
        header=(*header, *(display.key(name or GROUPS) for _, name in columns)),
        left=frozenset(range(len(keys))),
        blocks=blocks,
        fixed=len(keys),
        notes=result_notes(rows, conventions),
        hidden=hidden,
        attached=frozenset(
            len(header) + place for place, (_, name) in enumerate(columns) if not name
        ),
        lines_are_scores=not names,
    )


def result_notes(rows: ResultRows, conventions: Conventions) -> list[str]:
    """The sample, details of the totals, reasons for missing values, and conventions."""
    sections, totals = rows.sections, rows.totals()
    scores = unique(section.score for section in sections)
    metrics = unique(metric for section in sections for metric in section.metrics)
    sliced = any(section.names for section in sections)
    return [
        *sample_notes(totals),
        *_common_rows(totals, conventions),
        *_details(totals, scores, conventions.score_types, sliced=sliced),
        *_reasons(sections, metrics, scores),
        *convention_notes(conventions),
    ]


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


def sample_notes(totals: Sequence[Row]) -> list[str]:
    """The sample of the numbers; if scores differ, a line for each."""
    parts = {row.score: _parts(row) for row in reversed(totals)}
    if len(parts) == 1:
        return [" · ".join(line) for lines in parts.values() for line in lines if line]
    whole = {score: [*first, *rest] for score, (first, rest) in reversed(parts.items())}
    common = [p for p in next(iter(whole.values()), []) if all(p in w for w in whole.values())]
    notes = [" · ".join(common)] if common else []
    for score, part in whole.items():
        own = [p for p in part if p not in common]
        notes += [f"{display.key(score)}: {' · '.join(own)}"] if own else []
    return notes


def _common_rows(totals: Sequence[Row], conventions: Conventions) -> list[str]:
    """Where rows were left out: whether the values of several scores are those of one sample."""
    dropped = {row.dropped for row in totals}
    if len({row.score for row in totals}) == 1 or dropped == {0}:
        return []
    one = conventions.reads  # a score or a prediction
    if conventions.rows == "common" and len(dropped) == 1:
        return [f"a row that one {one} lacks is left out for all: all have the same rows"]
    return [f"each {one} has its own rows: values may differ because the rows differ"]


def _parts(row: Row) -> tuple[list[str], list[str]]:
    """Rows and predictions; then weights and dropped rows, if any."""
    first, rest = [display.rows(row.n)], []
    if row.positives is not None:
        first += [f"{row.positives:,} positive", f"{row.negatives or 0:,} negative"]
    if row.prediction_sum is not None:
        first.append(f"predictions sum to {display.amount(row.prediction_sum)}")
    weights = (row.weighted_positives, row.weighted_negatives)
    if row.positives is None and row.weight not in (None, row.n):
        rest.append(f"weight {display.amount(row.weight or 0)}")
    elif None not in weights and weights != (row.positives, row.negatives):
        positive, negative = (display.amount(weight or 0) for weight in weights)
        rest.append(f"weight {positive} positive, {negative} negative")
    if row.dropped:
        rest.append(f"{display.rows(row.dropped)} left out for missing values")
    return first, rest


def _details(
    totals: Sequence[Row],
    scores: Sequence[str],
    score_types: Mapping[str, str],
    *,
    sliced: bool,
) -> list[str]:
    """The details of the totals, with the scores that have them unless all do."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in totals:
        details = display.details_text(row, score_types.get(row.score))
        found.setdefault((details, row.metric), []).append(row.score)
    metrics: dict[tuple[str, str], list[str]] = {}
    for (details, metric), these in found.items():
        if details:
            metrics.setdefault((details, _some(these, scores)), []).append(metric)
    ending = " in total" if sliced else ""
    return [f"{', '.join(names)}{some}: {text}{ending}" for (text, some), names in metrics.items()]


def _reasons(
    sections: Sequence[Section], metrics: Sequence[str], scores: Sequence[str]
) -> list[str]:
    """Each reason for missing values once: the metrics, if not all, and the slices."""
    where: dict[str, dict[str, list[str]]] = {}
    which: dict[str, list[str]] = {}
    for section in sections:
        for why, reason in section.reasons().items():
            text = why or "no reason is given"
            which.setdefault(text, []).extend(reason.metrics)
            slices = where.setdefault(text, {})
            for name in display.slice_names(
                section.names, map(section.keys.__getitem__, reason.places)
            ):
                slices.setdefault(name, []).append(section.score)
    return [
        f"{display.DASH} {why}{_some(unique(which[why]), metrics)}: {listed_slices(slices, scores)}"
        for why, slices in where.items()
    ]


def _some(these: Sequence[str], all_: Sequence[str]) -> str:
    """Those of several metrics or scores that are meant, unless it is all of them."""
    return "" if len(these) == len(all_) else f" ({', '.join(map(display.key, these))})"


def listed_slices(places: Mapping[str, Sequence[str]], scores: Sequence[str]) -> str:
    """The first places, with the scores that are meant unless it is all of them."""
    names = []
    for place, found in islice(places.items(), LISTED):
        some, short = unique(found), shortened(place, SHORT)
        names.append(short if len(some) == len(scores) else f"{short} ({', '.join(some)})")
    more = len(places) - LISTED
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")


def convention_notes(conventions: Conventions) -> list[str]:
    """The conventions that differ from the defaults."""
    texts = []
    for each in fields(RecordedOptions):
        value = getattr(conventions, each.name)
        if value != each.default:
            text = repr(value) if each.type == Label else value
            texts.append(f"{each.name}={text}")
    if "by" in conventions.roles:
        texts.append(f"by {' '.join(conventions.roles['by'].split())}")
    if "where" in conventions.roles:
        texts.append(f"where {' '.join(conventions.roles['where'].split())}")
    if "recognised" in conventions.roles:
        texts.append(f"using {conventions.roles['recognised']}")
    notes = [" · ".join(texts)] if texts else []
    notes += preset_notes.notes(conventions)
    return [*notes, *filter(None, [display.selection_note(conventions.selection)])]
