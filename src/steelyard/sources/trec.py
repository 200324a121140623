"""TREC's files: judgements (qrels) and ranked lists (runs), joined as trec_eval joins them.

A line of qrels is `query iteration document grade`, a line of a run `query Q0 document rank score
tag`. Iteration, Q0 and rank say nothing here: the score orders a list. What follows the tag is kept
for days to come, says trec_eval, and reads over it.
"""

from typing import NamedTuple

import numpy as np

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.distinct import Indices
from steelyard.model import Array, Mask
from steelyard.sources import fields
from steelyard.sources.fields import Spans, Text
from steelyard.sources.keys import distinct_texts

QRELS = ("query", "iteration", "document", "grade")
RUN = ("query", "Q0", "document", "rank", "score", "tag")


class TrecLines(NamedTuple):
    """The lines of a file: which query and document each is about, and the number it gives.

    tag: what the run is called, by its first line
    """

    text: Text
    query: Spans
    document: Spans
    number: Array
    tag: str = ""

    def __len__(self) -> int:
        return len(self.number)


class JoinedRun(NamedTuple):
    """Judgements and a run, query by query in the order of their names.

    columns: query, document, grade, score (NaN: not retrieved) and judged, as arrays
    unjudged_queries, missing_queries: how many queries only the run has, only the qrels have
    """

    columns: dict[str, Array]
    tag: str
    unjudged_queries: int
    missing_queries: int


def read_trec(qrels: FilePath, run: FilePath, complete: bool = False) -> dict[str, Array]:
    """The rows of a TREC run and of its judgements, as a mapping of arrays.

    qrels: lines `query iteration document grade`; run: lines `query Q0 document rank score tag`;
        both plain or packed by gzip
    complete: whether queries that only the qrels have are there too, as `trec_eval -c` counts them

    "query" and "document" are words. "grade" is a whole number of zero or more: negative ones, and
    documents that nobody judged, are 0. "score" is NaN where a judged document was not retrieved.
    "judged" tells a grade of 0 from none. Queries without a judgement are left out.

    sy.evaluate(sy.read_trec("qrels.txt", "run.gz"), label="grade", score="score", group="query",
                document="document", unscored="not_retrieved", preset="trec_eval", metrics="map")
    """
    return join(read_qrels(qrels), read_run(run), complete=complete).columns


def read_qrels(path: FilePath) -> TrecLines:
    """Judgements: grades as they stand, also below zero."""
    text = fields.read_text(path)
    query, document, grade = fields.columns(text, QRELS, ("query", "document", "grade"))
    return TrecLines(text, query, document, fields.whole(text, grade, "grade"))


def read_run(path: FilePath) -> TrecLines:
    """A run: finite scores, and the tag of its first line."""
    text = fields.read_text(path)
    wanted = ("query", "document", "score", "tag")
    query, document, score, tag = fields.columns(text, RUN, wanted, more=True)
    number = fields.numbers(text, score, "score")
    return TrecLines(text, query, document, number, text.word(tag, 0))


def join(qrels: TrecLines, run: TrecLines, *, complete: bool = False) -> JoinedRun:
    """One row for each document that was judged or retrieved, of the queries that count."""
    data = np.concatenate([qrels.text.letters, run.text.letters])
    document = _both(qrels, "document", run)
    query, names = _queries(data, _both(qrels, "query", run))
    judgement, hit = _matches(query, distinct_texts(*document, data), qrels, run)
    judged_row = np.arange(len(query)) < len(qrels)
    judged, retrieved = _there(query, judged_row, names), _there(query, ~judged_row, names)
    used = (judged & (retrieved | complete))[query]
    used[judgement] = False  # the run's row speaks for both
    if not used.any():
        raise errors.NO_COMMON_QUERY(run=run.text.path, qrels=qrels.text.path)
    rows = _by_query(np.flatnonzero(used), query, len(qrels))
    grade = np.concatenate([qrels.number, np.full(len(run), -1)])
    grade[hit] = grade[judgement]
    score = np.concatenate([np.full(len(qrels), np.nan), run.number])
    return JoinedRun(
        {
            "query": names[query[rows]],
            "document": fields.words(data, document.take(rows)),
            "grade": np.maximum(grade[rows], 0),
            "score": score[rows],
            "judged": grade[rows] >= 0,
        },
        run.tag,
        int(np.count_nonzero(~judged)),
        int(np.count_nonzero(~retrieved)),
    )


def _both(qrels: TrecLines, column: str, run: TrecLines) -> Spans:
    """A column of both files, whose bytes stand one after the other."""
    ours, theirs = getattr(qrels, column), getattr(run, column)
    shifted = Spans(theirs.starts + len(qrels.text.data), theirs.lengths)
    return fields.joined([ours, shifted])


def _queries(data: Array, spans: Spans) -> tuple[Indices, Array]:
    """Each row's query as a number, and the queries' names in order."""
    numbers, firsts = distinct_texts(*spans, data)
    names = fields.words(data, spans.take(firsts))
    order = np.argsort(names)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return rank[numbers], names[order]


def _there(query: Indices, rows: Mask, names: Array) -> Mask:
    """Which queries have any of the rows."""
    there = np.zeros(len(names), bool)
    there[query[rows]] = True
    return there


def _matches(
    query: Indices, document: tuple[Indices, Indices], qrels: TrecLines, run: TrecLines
) -> tuple[Indices, Indices]:
    """The rows of qrels whose document was retrieved, and the rows of the run that did."""
    numbers, firsts = document
    pair = query * len(firsts) + numbers  # both are below the number of rows
    pair *= 2
    pair[len(qrels) :] += 1  # side by side once sorted: a judgement, then the run's own row
    order = np.argsort(pair)
    ordered = pair[order]
    twice = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(twice):
        raise _repeated(np.sort(order[[twice, twice + 1]], axis=0), qrels, run)
    match = np.flatnonzero((ordered[1:] == ordered[:-1] + 1) & (ordered[1:] % 2 == 1))
    return order[match], order[match + 1]


def _repeated(rows: Array, qrels: TrecLines, run: TrecLines) -> errors.SteelyardError:
    """The complaint about the first document that comes twice."""
    first, again = (int(row) for row in rows[:, rows[1].argmin()])
    lines, shift = (qrels, 0) if again < len(qrels) else (run, len(qrels))
    text, starts = lines.text, lines.query.starts
    return errors.LINE_TWICE(
        **text.where(int(starts[again - shift])),
        document=text.word(lines.document, again - shift),
        query=text.word(lines.query, again - shift),
        first=text.line(int(starts[first - shift])),
    )


def _by_query(rows: Indices, query: Indices, judgements: int) -> Indices:
    """Rows query by query: first the run's, in its own order, then what it did not retrieve."""
    rows = np.roll(rows, -int(np.searchsorted(rows, judgements)))
    keys = query[rows]
    narrow = keys.astype(np.min_scalar_type(int(keys.max())))  # a radix sort up to 16 bits
    return rows[np.argsort(narrow, kind="stable")]
