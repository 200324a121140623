"""TREC files: judgements (qrels) and ranked lists (runs), joined as trec_eval joins them.

A line of qrels is `query iteration document grade`, a line of a run `query Q0 document rank score
tag`. Iteration, Q0 and rank are ignored: the score orders a list. Fields after the tag are ignored,
as in trec_eval.
"""

from typing import NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.atomic_write import FilePath
from steelyard.kernels.interface import Indices, Texts
from steelyard.model import Array
from steelyard.sources import fields
from steelyard.sources.fields import Spans, Text

QRELS = ("query", "iteration", "document", "grade")
RUN = ("query", "Q0", "document", "rank", "score", "tag")


class TrecLines(NamedTuple):
    """The lines of a file: the query and the document of each, and its grade or score.

    tag: the name of the run, from its first line
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
    unjudged_queries: the number of queries that only the run has
    missing_queries: the number of queries that only the qrels have
    """

    columns: dict[str, Array]
    tag: str
    unjudged_queries: int
    missing_queries: int


def read_qrels(path: FilePath) -> TrecLines:
    """The judgements of a file; grades below zero are kept."""
    text = fields.read_text(path)
    query, document, grade = fields.columns(text, QRELS, ("query", "document", "grade"))
    return TrecLines(text, query, document, fields.whole(text, grade, "grade"))


def read_run(path: FilePath) -> TrecLines:
    """The run of a file: finite scores, and the tag of its first line."""
    text = fields.read_text(path)
    wanted = ("query", "document", "score", "tag")
    query, document, score, tag = fields.columns(text, RUN, wanted, more=True)
    number = fields.numbers(text, score, "score")
    return TrecLines(text, query, document, number, text.field(tag, 0))


def join(qrels: TrecLines, run: TrecLines, *, complete: bool = False) -> JoinedRun:
    """One row for each judged or retrieved document, of the queries that have judgements.

    Rows are first numbered through both files: those of the qrels, then those of the run.
    """
    data = np.concatenate([qrels.text.array, run.text.array])
    document = _both(qrels, "document", run)
    query, names = _queries(data, _both(qrels, "query", run))
    documents = kernels.active().code_keys((Texts(*document, data),))
    judgement, hit = _matches(query, documents, qrels, run)
    judged = np.bincount(query[: len(qrels)], minlength=len(names)) > 0
    retrieved = np.bincount(query[len(qrels) :], minlength=len(names)) > 0
    used = (judged & (retrieved | complete))[query]
    used[judgement] = False  # the row of the run is the one that is kept
    if not used.any():
        raise errors.NO_COMMON_QUERY(run=run.text.path, qrels=qrels.text.path)
    rows = _by_query(np.flatnonzero(used), query, len(qrels))
    grade = np.concatenate([qrels.number, np.full(len(run), -1)])
    grade[hit] = grade[judgement]
    score = np.concatenate([np.full(len(qrels), np.nan), run.number])
    return JoinedRun(
        {
            "query": names[query[rows]],
            "document": fields.strings(data, document.take(rows)),
            "grade": np.maximum(grade[rows], 0),
            "score": score[rows],
            "judged": grade[rows] >= 0,
        },
        run.tag,
        int(np.count_nonzero(~judged)),
        int(np.count_nonzero(~retrieved)),
    )


def _both(qrels: TrecLines, column: str, run: TrecLines) -> Spans:
    """A column of both files, as spans of the bytes of both files together."""
    ours, theirs = getattr(qrels, column), getattr(run, column)
    shifted = Spans(theirs.starts + len(qrels.text.data), theirs.lengths)
    return fields.concatenate([ours, shifted])


def _queries(data: Array, spans: Spans) -> tuple[Indices, Array]:
    """The number of each row's query, and the names of the queries in order."""
    numbers, firsts = kernels.active().code_keys((Texts(*spans, data),))
    names, rank = np.unique(fields.strings(data, spans.take(firsts)), return_inverse=True)
    return rank[numbers], names


def _matches(
    query: Indices, document: tuple[Indices, Indices], qrels: TrecLines, run: TrecLines
) -> tuple[Indices, Indices]:
    """The rows of the qrels whose document was retrieved, and their rows in the run."""
    numbers, firsts = document
    pair = query * len(firsts) + numbers  # fits: both are below the number of rows
    pair *= 2
    pair[len(qrels) :] += 1  # sorted, a judgement comes just before its row of the run
    order = np.argsort(pair)
    ordered = pair[order]
    twice = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(twice):
        raise _repeated(np.sort(order[[twice, twice + 1]], axis=0), qrels, run)
    match = np.flatnonzero((ordered[1:] == ordered[:-1] + 1) & (ordered[1:] % 2 == 1))
    return order[match], order[match + 1]


def _repeated(rows: Array, qrels: TrecLines, run: TrecLines) -> errors.SteelyardError:
    """The error for the first document that a query has twice."""
    first, again = (int(row) for row in rows[:, rows[1].argmin()])
    lines, shift = (qrels, 0) if again < len(qrels) else (run, len(qrels))
    text, starts = lines.text, lines.query.starts
    return errors.LINE_TWICE(
        **text.where(int(starts[again - shift])),
        document=text.field(lines.document, again - shift),
        query=text.field(lines.query, again - shift),
        first=text.line(int(starts[first - shift])),
    )


def _by_query(rows: Indices, query: Indices, judgements: int) -> Indices:
    """The rows of each query: first those of the run, then judgements that were not retrieved."""
    rows = np.roll(rows, -int(np.searchsorted(rows, judgements)))
    keys = query[rows]
    narrow = keys.astype(np.min_scalar_type(int(keys.max())))  # a radix sort up to 16 bits
    return rows[np.argsort(narrow, kind="stable")]
