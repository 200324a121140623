"""LETOR and SVMlight files: lines `label qid:7 1:0.5 3:0.25 # comment`.

Scores are in a file of their own, one number per line. LightGBM's files have no qid but a file of
group sizes: the number of lines of each query, one number per line.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.atomic_write import FilePath
from steelyard.kernels.interface import Indices, Texts
from steelyard.model import Array, Floats, Mask
from steelyard.sources import fields
from steelyard.sources.fields import Spans, Text

COMMENT = re.compile(rb"#[^\n]*")
INDEX = re.compile(rb"[0-9]{1,15}")  # fits int64
QID = b"qid:"
COLON = ord(":")


class Letor(Mapping[str, Array]):
    """Columns by name: label, qid, score where scores were given, and features by their number.

    The array of a feature is made on access: files have hundreds of features, and few are read.
    """

    def __init__(self, columns: dict[str, Array], features: "Features") -> None:
        self._columns = columns
        self._features = features

    def __repr__(self) -> str:
        rows, features = len(self._columns["label"]), len(self._features.names)
        return f"<{rows:,} rows: {', '.join(self._columns)} and {features:,} features>"

    def __getitem__(self, name: str) -> Array:
        return self._columns[name] if name in self._columns else self._features.column(name)

    def __contains__(self, name: object) -> bool:
        return name in self._columns or name in self._features.names

    def __iter__(self) -> Iterator[str]:
        yield from self._columns
        yield from self._features.names

    def __len__(self) -> int:
        return len(self._columns) + len(self._features.names)


@dataclass(frozen=True)
class Features:
    """The pairs `number:value` of all lines, in order.

    ends: for each line, the number of pairs up to its end
    names: the number of each feature as text, in order, and as an integer
    """

    ends: Indices
    numbers: Array
    values: Floats
    names: Mapping[str, int]

    def column(self, name: str) -> Floats:
        """One feature of every line; 0 where a line does not have it."""
        pairs = np.flatnonzero(self.numbers == self.names[name])
        column = np.zeros(len(self.ends))
        column[np.searchsorted(self.ends, pairs, side="right")] = self.values[pairs]
        return column


def read_letor(
    path: FilePath,
    scores: FilePath | Mapping[str, FilePath] | None = None,
    group_sizes: FilePath | None = None,
) -> Letor:
    """The rows of a LETOR or SVMlight file, as a mapping of arrays.

    path: lines `label qid:7 1:0.5 3:0.25 # comment`, plain or compressed by gzip
    scores: a file with one number per line: the score of each row; {name: path} for several
    group_sizes: if the lines have no qid, a file with one whole number per line: the number of rows
        of each query, as in LightGBM's `.query` files; queries are then numbered from 0

    "label" and "qid" are numbers, "score" exists if scores are given (of several, each by its
    name), and every feature has its number as its name: rows["3"], 0 where a line does not have it.

    sy.evaluate(sy.read_letor("test.txt", scores="model.txt"), label="label", score="score",
                group="qid", metrics=["ndcg@10", "map"])
    """
    text = _without_comments(fields.read_text(path))
    columns, features = _read(text)
    rows = len(columns["label"])
    if group_sizes is not None:
        if "qid" in columns:
            raise errors.TWO_QUERIES(path=text.path, other=str(group_sizes))
        columns["qid"] = _queries(group_sizes, text.path, rows)
    elif "qid" not in columns:
        raise errors.NO_QUERIES(path=text.path)
    several = scores if isinstance(scores, Mapping) else {"score": scores}
    for name, file in several.items():
        if name in columns or name in features.names:
            raise errors.SCORES_NAME(name=name, path=text.path)
        if file is not None:
            columns[name] = _scores(file, text.path, rows)
    return Letor(columns, features)


def _without_comments(text: Text) -> Text:
    """The text with spaces in place of comments, so that all other bytes keep their positions."""
    data = COMMENT.sub(lambda found: b" " * len(found[0]), text.data)
    if data.isspace():
        raise errors.EMPTY_FILE(path=text.path)
    return Text(text.path, data)


def _queries(path: FilePath, data: str, rows: int) -> Array:
    """The query of each row, numbered from 0, from a file of group sizes."""
    text = fields.read_text(path)
    (size,) = fields.columns(text, ("size",), ("size",))
    sizes = fields.whole(text, size, "size", least=0)
    if sizes.sum(dtype=object) != rows:  # Python's integers: no overflow
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
    """The content of some lines.

    counts: the number of pairs of each line; numbers, values: the two sides of each pair
    """

    label: Spans
    has_qid: Mask
    qid: Spans
    counts: Indices
    numbers: Array
    values: Floats


def _read(text: Text) -> tuple[dict[str, Array], Features]:
    """The columns of labels and queries, and the features."""
    found: set[int] = set()
    chunks = [_chunk(text, lines, found) for lines in fields.line_fields(text)]
    label = fields.concatenate([chunk.label for chunk in chunks])
    has_qid, counts, numbers, values = (
        np.concatenate([getattr(chunk, name) for chunk in chunks])
        for name in ("has_qid", "counts", "numbers", "values")
    )
    columns = {"label": _narrowed(fields.numbers(text, label, "label"))}
    if has_qid.any():
        if not has_qid.all():
            raise errors.QID_MISSING(**text.where(int(label.starts[has_qid.argmin()])))
        qid = fields.concatenate([chunk.qid for chunk in chunks])
        columns["qid"] = fields.whole(text, qid, "qid")
    names = {str(number): number for number in sorted(found)}
    return columns, Features(np.cumsum(counts), numbers, values, names)


def _narrowed(label: Floats) -> Array:
    """Labels as int64 if all are whole numbers."""
    whole = (label == np.floor(label)) & (np.abs(label) <= fields.LARGEST)
    return label.astype(np.int64) if whole.all() else label


def _chunk(text: Text, lines: fields.LineFields, found: set[int]) -> _Chunk:
    """The content of some lines; the numbers of their features are added to `found`."""
    every, counts = lines
    first = np.cumsum(counts) - counts
    has_qid = _has_qid(text, every, first, counts)
    second = first[has_qid] + 1
    is_pair = np.ones(len(every.starts), bool)
    is_pair[first] = is_pair[second] = False
    counts = counts - 1 - has_qid
    pairs = every.take(np.flatnonzero(is_pair))
    numbers, values = _pairs(text, pairs, found)
    _check_once(text, pairs, numbers, counts)
    qid = every.take(second)
    return _Chunk(
        every.take(first),
        has_qid,
        Spans(qid.starts + len(QID), qid.lengths - len(QID)),
        counts,
        numbers,
        values,
    )


def _has_qid(text: Text, every: Spans, first: Indices, counts: Indices) -> Mask:
    """Which lines have a qid: their second field starts with `qid:`."""
    second = every.starts[np.minimum(first + 1, len(every.starts) - 1)]
    found: Mask = counts > 1
    for place, letter in enumerate(QID):
        found = found & (text.array.take(second + place, mode="clip") == letter)
    return found


def _pairs(text: Text, pairs: Spans, found: set[int]) -> tuple[Array, Floats]:
    """The feature, in the smallest unsigned type, and the value of each pair."""
    if not len(pairs.starts):
        return np.zeros(0, np.uint8), np.zeros(0)
    colon = _colons(text, pairs)
    index = Spans(pairs.starts, colon - pairs.starts)
    value = Spans(colon + 1, pairs.lengths - index.lengths - 1)
    codes, firsts = _distinct(text, index)
    distinct_numbers = fields.byte_strings(text.array, index.take(firsts))
    if not all(map(INDEX.fullmatch, distinct_numbers)):
        every = fields.byte_strings(text.array, index)
        row = next(row for row, each in enumerate(every) if not INDEX.fullmatch(each))
        raise _bad_pair(text, pairs, row)
    numbers = [int(each) for each in distinct_numbers]
    found.update(numbers)
    value_codes, firsts = _distinct(text, value)  # 0.5 may be there a thousand times: read it once
    values = fields.floats(text, value.take(firsts))
    if values is None:
        raise _bad_pair(text, pairs, fields.first_invalid(text, value))
    return np.array(numbers, np.min_scalar_type(max(numbers)))[codes], values[value_codes]


def _colons(text: Text, pairs: Spans) -> Indices:
    """The position of the colon of each pair: one colon, with something on either side."""
    start, end = int(pairs.starts[0]), int(pairs.starts[-1] + pairs.lengths[-1])
    far = len(text.data)
    colons = np.flatnonzero(text.array[start:end] == COLON) + start
    colons = np.append(colons, [far, far])
    place = np.searchsorted(colons, pairs.starts)
    colon, ends = colons[place], pairs.starts + pairs.lengths
    good = (colon > pairs.starts) & (colon < ends - 1) & (colons[place + 1] >= ends)
    if not good.all():
        raise _bad_pair(text, pairs, int(good.argmin()))
    return colon


def _distinct(text: Text, spans: Spans) -> tuple[Indices, Indices]:
    """The number of each distinct span, and one span that has each number."""
    start, end = int(spans.starts[0]), int(spans.starts[-1] + spans.lengths[-1])
    texts = Texts(spans.starts - start, spans.lengths, text.array[start:end])
    return kernels.active().code_keys((texts,))


def _bad_pair(text: Text, pairs: Spans, row: int) -> errors.SteelyardError:
    return errors.BAD_PAIR(**text.where(int(pairs.starts[row])), text=text.field(pairs, row))


def _check_once(text: Text, pairs: Spans, feature: Array, counts: Indices) -> None:
    """Refuses a feature that a line has twice; features in rising order need no sorting."""
    line = np.repeat(np.arange(len(counts)), counts)
    if np.all((feature[1:] > feature[:-1]) | (line[1:] > line[:-1])):
        return
    order = np.lexsort((feature, line))
    same = (feature[order[1:]] == feature[order[:-1]]) & (line[order[1:]] == line[order[:-1]])
    if same.any():
        row = int(order[same.argmax()])
        raise errors.FEATURE_TWICE(**text.where(int(pairs.starts[row])), feature=int(feature[row]))
