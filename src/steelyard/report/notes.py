"""Notes below a table: the sample, details, reasons for missing values, conventions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice

from steelyard.metrics.parameter import THRESHOLD
from steelyard.model import Conventions, Label, Row
from steelyard.phrases import shortened
from steelyard.reading.recognise import UNUSED_WEIGHT
from steelyard.report import display, preset_notes
from steelyard.report.display import unique
from steelyard.report.interval_notes import interval_notes
from steelyard.request.options import RecordedOptions
from steelyard.result.result_rows import ResultRows, Section

LISTED = 5  # slices that a reason names
OF_INTERVALS = ("confidence",)  # a note of their own says it
SHORT = 60  # characters of a slice in a reason: a key may be a megabyte


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
        *interval_notes(sections, conventions),
        *convention_notes(conventions),
    ]


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


def doubt_notes(conventions: Conventions) -> list[str]:
    """What may not be as the user means it."""
    return [*_default_thresholds(conventions), *_unused_weight(conventions)]


def _default_thresholds(conventions: Conventions) -> Iterator[str]:
    """Metrics at the default threshold of scores that are no probabilities."""
    names = [
        name
        for name, params in conventions.metrics.items()
        if params.get(THRESHOLD.name) == THRESHOLD.default
    ]
    if names and conventions.not_probabilities:
        scores = ", ".join(map(display.key, conventions.not_probabilities))
        verb = "has" if len(conventions.not_probabilities) == 1 else "have"
        yield (
            f"{', '.join(names)}: threshold {THRESHOLD.default} is for probabilities, but {scores} "
            f"{verb} values outside 0 to 1; name another, as in precision(0)"
        )


def _unused_weight(conventions: Conventions) -> Iterator[str]:
    """A column that is called weight and has no role."""
    if UNUSED_WEIGHT in conventions.roles:
        column = display.key(conventions.roles[UNUSED_WEIGHT])
        yield f"column {column} is not used: every row counts once unless it is named as the weight"


def convention_notes(conventions: Conventions) -> list[str]:
    """The conventions that differ from the defaults."""
    texts = []
    for each in fields(RecordedOptions):
        value = getattr(conventions, each.name)
        if value != each.default and each.name not in OF_INTERVALS:
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
    notes += doubt_notes(conventions)
    return [*notes, *filter(None, [display.selection_note(conventions.selection)])]
