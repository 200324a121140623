"""The row of a metric and a slice, or an error that says which slices there are."""

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice

from steelyard import errors
from steelyard.comparison.comparison_rows import ComparisonRow
from steelyard.model import Key, Row
from steelyard.report import display
from steelyard.report.display import unique
from steelyard.result.result_rows import ResultRows, Section
from steelyard.result.sections import SliceKey

LISTED = 8  # slices that an error names
COMPARED = 10_000  # slices that a mistyped one is compared with; of more, only similar ones


def find_row(rows: ResultRows, metric: str, score: str, wanted: Mapping[str, Key]) -> Row:
    """The row of a metric and a score: of the total, or of the slice with these keys."""
    sections = _sections(rows, metric, score, wanted)
    for section in sections:
        found = section.find(metric, tuple(wanted[column] for column in section.names))
        if found is not None:
            return found
    for section in sections:
        similar = _similar([wanted[column] for column in section.names], section.keys_of(metric))
        found = None if similar is None else section.find(metric, similar)
        if found is not None:
            return found
    if not wanted:
        known = unique(name for section in rows.sections for name in section.metrics)
        raise errors.NOT_IN_RESULT(metric=metric, known=", ".join(known))
    if not sections:
        bys = unique(", ".join(section.names) for section in rows.sections if section.names)
        raise errors.NOT_SLICED(names=", ".join(wanted), known=_sliced(bys))
    slices = (
        dict(zip(section.names, keys, strict=True))
        for section in sections
        for keys in section.keys_of(metric)
    )
    raise errors.NO_SLICE(slice=_slice_text(wanted), hint=_hint(wanted, slices))


def find_comparison_row(
    rows: Sequence[ComparisonRow],
    metric: str,
    score: str | None,
    against: str | None,
    wanted: Mapping[str, Key],
) -> ComparisonRow:
    """The row of a metric and a candidate: of the total, or of the slice with these keys.

    score, against: None: the first candidate, and the first that it is compared with
    """
    of_metric = [row for row in rows if row.metric == metric]
    if not of_metric:
        known = ", ".join(unique(row.metric for row in rows))
        raise errors.NOT_COMPARED(metric=metric, known=known)
    of_score = [row for row in of_metric if score in (None, row.score)]
    if not of_score:
        known = ", ".join(unique(row.score for row in of_metric))
        raise errors.NO_CANDIDATE(score=score, known=known)
    baselines = unique(row.against for row in of_score)
    if against not in (None, *baselines):
        raise errors.NO_BASELINE(name=repr(against), known=", ".join(baselines))
    of_score = [row for row in of_score if against in (None, row.against)]
    sliced = [row for row in of_score if row.slice.keys() == wanted.keys()]
    for same in (operator.eq, _equal_text):
        for row in sliced:
            if all(same(row.slice[name], key) for name, key in wanted.items()):
                return row
    if not sliced:
        bys = unique(", ".join(row.slice) for row in of_score if row.slice)
        raise errors.NOT_SLICED(names=", ".join(wanted), known=_sliced(bys))
    hint = _hint(wanted, (row.slice for row in sliced))
    raise errors.NO_SLICE(slice=_slice_text(wanted), hint=hint)


def has_sections(rows: ResultRows, metric: str, score: str, wanted: Mapping[str, Key]) -> bool:
    """Whether a metric and a score have rows that are sliced by these columns."""
    return bool(_sections(rows, metric, score, wanted))


def _sections(
    rows: ResultRows, metric: str, score: str, wanted: Mapping[str, Key]
) -> list[Section]:
    """The sections of a score that have a metric and are sliced by the columns of `wanted`."""
    return [
        section
        for section in rows.sections
        if section.score == score and set(section.names) == wanted.keys() and section.has(metric)
    ]


def _sliced(bys: Sequence[str]) -> str:
    return "it is sliced by " + " and by ".join(bys) if bys else "it has only the total"


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


def _hint(wanted: Mapping[str, Key], known: Iterable[Mapping[str, Key]]) -> str:
    """A suggestion: slices with similar keys, else the first slices."""
    slices: dict[str, Mapping[str, Key]] = {}
    for slice_ in known:
        here = {name: slice_[name] for name in wanted}
        slices[_text(here.values())] = here
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
