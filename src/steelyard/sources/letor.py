"""LETOR and SVMlight files: `label qid:7 1:0.5 3:0.25 # comment`, and what stands beside them.

LightGBM's files have no qid but a file of group sizes: how many lines each query has, one number a
line, in the order of the lines.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.distinct import Indices
from steelyard.model import Array, Floats, Mask
from steelyard.sources import fields
from steelyard.sources.fields import Spans, Text
from steelyard.sources.keys import distinct_texts

COMMENT = re.compile(rb"#[^\n]*")
INDEX = re.compile(rb"[0-9]{1,15}")  # a float64 holds them
QID = b"qid:"
COLON = ord(":")


class Letor(Mapping[str, Array]):
    """Columns by name: label, qid, score where scores were given, and features by their number.

    A feature is made an array when it is asked for: files have hundreds, and few are read.
    """

    def __init__(self, columns: dict[str, Array], features: "Features") -> None:
        self._columns = columns
        self._features = features

    def __repr__(self) -> str:
        rows, features = len(self._columns["label"]), len(self._features.codes)
        return f"<{rows:,} rows: {', '.join(self._columns)} and {features:,} features>"

    def __getitem__(self, name: str) -> Array:
        return self._columns[name] if name in self._columns else self._features.column(name)

    def __contains__(self, name: object) -> bool:
        return name in self._columns or name in self._features.codes

    def __iter__(self) -> Iterator[str]:
        yield from self._columns
        yield from sorted(self._features.codes, key=int)

    def __len__(self) -> int:
        return len(self._columns) + len(self._features.codes)


@dataclass(frozen=True)
class Features:
    """The pairs of all lines, one after the other: 12 bytes each.

    ends: how many pairs stand before the end of each line
    codes: the code that stands for a feature, by its number as text
    """

    ends: Indices
    which: Array
    values: Floats
    codes: Mapping[str, int]

    def column(self, name: str) -> Floats:
        """One feature of every line; 0 where a line does not have it."""
        pairs = np.flatnonzero(self.which == self.codes[name])
        column = np.zeros(len(self.ends))
        column[np.searchsorted(self.ends, pairs, side="right")] = self.values[pairs]
        return column


def read_letor(
    path: FilePath, scores: FilePath | None = None, group_sizes: FilePath | None = None
) -> Letor:
    """The rows of a LETOR or SVMlight file, as a mapping of arrays.

    path: lines `label qid:7 1:0.5 3:0.25 # comment`, plain or packed by gzip
    scores: a file with one number a line: what a model said of each row
    group_sizes: where the lines have no qid, a file with one whole number a line: how many rows
        each query has, as LightGBM's `.query` files say it; queries are then counted from 0

    "label" and "qid" are numbers, "score" is there where scores are given, and every feature under
    its number: rows["3"], 0 where a line does not have it.

    sy.evaluate(sy.read_letor("test.txt", scores="model.txt"), label="label", score="score",
                group="qid", metrics=["ndcg@10", "map"])
    """
    text = _without_comments(fields.read_text(path))
    columns, features = _read(text)
    rows = len(columns["label"])
    if group_sizes is not None:
        if "qid" in columns:
            raise errors.TWO_QUERIES(path=text.path, other=str(group_sizes))
        columns["qid"] = _sized(group_sizes, text.path, rows)
    elif "qid" not in columns:
        raise errors.NO_QUERIES(path=text.path)
    if scores is not None:
        columns["score"] = _scores(scores, text.path, rows)
    return Letor(columns, features)


def _without_comments(text: Text) -> Text:
    """Blanks in place of comments: everything stands where it stood."""
    data = COMMENT.sub(lambda found: b" " * len(found[0]), text.data)
    if data.isspace():
        raise errors.EMPTY_FILE(path=text.path)
    return Text(text.path, data)


def _sized(path: FilePath, data: str, rows: int) -> Array:
    """The query of each row, counted from 0, where only the sizes are known."""
    text = fields.read_text(path)
    (size,) = fields.columns(text, ("size",), ("size",))
    sizes = fields.whole(text, size, "size", least=0)
    if sizes.sum(dtype=object) != rows:  # a sum of any size, so that nothing wraps around
        raise errors.ROW_COUNTS_DIFFER(
            path=text.path, count=sizes.sum(dtype=object), other=data, rows=rows
        )
    return np.repeat(np.arange(len(sizes)), sizes)


def _scores(path: FilePath, data: str, rows: int) -> Floats:
    text = fields.read_text(path)
    (score,) = fields.columns(text, ("score",), ("score",))
    if len(score.starts) != rows:
        raise errors.ROW_COUNTS_DIFFER(
            path=text.path, count=len(score.starts), other=data, rows=rows
        )
    return fields.numbers(text, score, "score")


class _Chunk(NamedTuple):
    """What some lines hold; counts: how many pairs each, which: the codes of their features."""

    label: Spans
    has_qid: Mask
    qid: Spans
    counts: Indices
    which: Array
    values: Floats


def _read(text: Text) -> tuple[dict[str, Array], Features]:
    """The columns that are always there, and the features."""
    codes: dict[str, int] = {}
    parts = [_chunk(text, lines, codes) for lines in fields.lines(text)]
    label = fields.joined([part.label for part in parts])
    has_qid, counts, which, values = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("has_qid", "counts", "which", "values")
    )
    columns = {"label": _narrowed(fields.numbers(text, label, "label"))}
    if has_qid.any():
        if not has_qid.all():
            raise errors.QID_MISSING(**text.where(int(label.starts[has_qid.argmin()])))
        qid = fields.joined([part.qid for part in parts])
        columns["qid"] = fields.whole(text, qid, "qid")
    return columns, Features(np.cumsum(counts), which, values, codes)


def _narrowed(label: Floats) -> Array:
    """Whole labels as whole numbers."""
    whole = (label == np.floor(label)) & (np.abs(label) <= fields.LARGEST)
    return label.astype(np.int64) if whole.all() else label


def _chunk(text: Text, lines: fields.LineFields, codes: dict[str, int]) -> _Chunk:
    every, counts = lines
    first = np.cumsum(counts) - counts
    has_qid = _has_qid(text, every, first, counts)
    behind = first[has_qid] + 1
    rest = np.ones(len(every.starts), bool)
    rest[first] = rest[behind] = False
    counts = counts - 1 - has_qid
    pairs = every.take(np.flatnonzero(rest))
    feature, values = _pairs(text, pairs)
    _check_once(text, pairs, feature, counts)
    qid = every.take(behind)
    return _Chunk(
        every.take(first),
        has_qid,
        Spans(qid.starts + len(QID), qid.lengths - len(QID)),
        counts,
        _coded(feature, codes),
        values,
    )


def _has_qid(text: Text, every: Spans, first: Indices, counts: Indices) -> Mask:
    """Which lines have a qid: a second field that begins so."""
    second = every.starts[np.minimum(first + 1, len(every.starts) - 1)]
    found: Mask = counts > 1
    for place, letter in enumerate(QID):
        found = found & (text.letters.take(second + place, mode="clip") == letter)
    return found


def _pairs(text: Text, pairs: Spans) -> tuple[Array, Floats]:
    """The feature and the value of each pair."""
    if not len(pairs.starts):
        return np.zeros(0, np.int64), np.zeros(0)
    colon = _colons(text, pairs)
    index = Spans(pairs.starts, colon - pairs.starts)
    value = Spans(colon + 1, pairs.lengths - index.lengths - 1)
    feature = _read_distinct(text, index, _features)
    if feature is None:
        every = fields.listed(text.letters, index)
        row = next(row for row, word in enumerate(every) if not INDEX.fullmatch(word))
        raise _bad_pair(text, pairs, row)
    values = _read_distinct(text, value, fields.floats)
    if values is None:
        raise _bad_pair(text, pairs, fields.first_invalid(text, value))
    return feature.astype(np.int64), values


def _colons(text: Text, pairs: Spans) -> Indices:
    """Where the colon of each pair stands: one, with something on either side."""
    start, end = int(pairs.starts[0]), int(pairs.starts[-1] + pairs.lengths[-1])
    far = len(text.data)
    colons = np.flatnonzero(text.letters[start:end] == COLON) + start
    colons = np.append(colons, [far, far])
    place = np.searchsorted(colons, pairs.starts)
    colon, ends = colons[place], pairs.starts + pairs.lengths
    good = (colon > pairs.starts) & (colon < ends - 1) & (colons[place + 1] >= ends)
    if not good.all():
        raise _bad_pair(text, pairs, int(good.argmin()))
    return colon


def _read_distinct(
    text: Text, spans: Spans, read: Callable[[Text, Spans], Floats | None]
) -> Floats | None:
    """What the spans say, each distinct one read once: 0.5 is written a thousand times."""
    start, end = int(spans.starts[0]), int(spans.starts[-1] + spans.lengths[-1])
    numbers, firsts = distinct_texts(spans.starts - start, spans.lengths, text.letters[start:end])
    said = read(text, spans.take(firsts))
    return None if said is None else said[numbers]


def _features(text: Text, spans: Spans) -> Floats | None:
    every = fields.listed(text.letters, spans)
    good = all(map(INDEX.fullmatch, every))
    return np.array([float(word) for word in every]) if good else None


def _bad_pair(text: Text, pairs: Spans, row: int) -> errors.SteelyardError:
    return errors.BAD_PAIR(**text.where(int(pairs.starts[row])), text=text.word(pairs, row))


def _check_once(text: Text, pairs: Spans, feature: Array, counts: Indices) -> None:
    """No line has a feature twice; where they rise, as they should, that is soon seen."""
    line = np.repeat(np.arange(len(counts)), counts)
    if np.all((feature[1:] > feature[:-1]) | (line[1:] > line[:-1])):
        return
    order = np.lexsort((feature, line))
    same = (feature[order[1:]] == feature[order[:-1]]) & (line[order[1:]] == line[order[:-1]])
    if same.any():
        row = int(order[same.argmax()])
        raise errors.FEATURE_TWICE(**text.where(int(pairs.starts[row])), feature=int(feature[row]))


def _coded(feature: Array, codes: dict[str, int]) -> Array:
    """Codes for the features, the same in all parts."""
    found, places = np.unique(feature, return_inverse=True)
    known = [codes.setdefault(str(number), len(codes)) for number in found.tolist()]
    return np.array(known, np.int32)[places]
