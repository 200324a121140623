"""Rows made from judgements and one or several runs: dictionaries, or TREC files."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.model import Array, Floats
from steelyard.sources import trec
from steelyard.sources.trec import JoinedRun

Qrels = Mapping[Any, Mapping[Any, int]]
RunScores = Mapping[Any, Mapping[Any, float]]


def from_qrels(
    qrels: Qrels, run: RunScores | Mapping[str, RunScores], complete: bool = False
) -> dict[str, Any]:
    """The arguments of `evaluate` for judgements and a run, as ranx and pytrec_eval take them.

    qrels: {query: {document: grade}}; run: {query: {document: score}}, or {name: run} for several
    complete: whether to include queries that only the qrels have, as `trec_eval -c` does

    A judged document that was not retrieved has no score; one without a judgement, or with a grade
    below zero, has the grade 0. Queries without a judgement are left out. A document that only
    another run has was not retrieved either, so that each run has the numbers that it has alone.

    >>> import steelyard as sy
    >>> rows = from_qrels({"q1": {"a": 1, "b": 2}}, {"q1": {"a": 0.9, "c": 0.5}})
    >>> sy.evaluate(**rows, metrics="recall@2")["recall@2"]
    0.5
    """
    judged = _checked("qrels", qrels)
    several = _checked("run", run) if _is_several(run) else {"": run}
    runs = {name: _checked(f"run {name}".strip(), each) for name, each in several.items()}
    retrieved = {name: [query for query in judged if query in runs[name]] for name in runs}
    queries = list(judged) if complete else _same_queries(retrieved)
    if not queries:
        raise errors.NO_COMMON_QUERY(run="run", qrels="qrels")
    group: list[Any] = []
    documents: list[Any] = []
    label: list[int] = []
    for query in queries:
        listed = [document for each in runs.values() for document in each.get(query, ())]
        found = list(dict.fromkeys([*listed, *judged[query]]))
        documents += found
        group += [query] * len(found)
        label += [max(judged[query].get(document, 0), 0) for document in found]
    pairs = list(zip(group, documents, strict=True))
    scores = {name: _scores(pairs, each) for name, each in runs.items()}
    return _arguments(label, scores if _is_several(run) else scores[""], group, documents)


def read_trec(
    qrels: FilePath, run: FilePath | Mapping[str, FilePath], complete: bool = False
) -> dict[str, Any]:
    """The arguments of `evaluate` for TREC files, plain or compressed by gzip.

    qrels: a file of lines `query iteration document grade`; run: one of lines `query Q0 document
        rank score tag`, or {name: path} for several
    complete: whether to include queries that only the qrels have, as `trec_eval -c` does

    Documents that a run or the qrels do not have are counted as in `from_qrels`.

    sy.evaluate(**sy.read_trec("qrels.txt", "run.gz"), preset="trec_eval", metrics="map")
    """
    runs = run if isinstance(run, Mapping) else {"": run}
    if not runs:
        raise errors.NOT_A_TREC_FILE(role="run", type="mapping without runs")
    for role, path in (("qrels", qrels), *((f"run {name}".strip(), runs[name]) for name in runs)):
        if not isinstance(path, str | os.PathLike):
            raise errors.NOT_A_TREC_FILE(role=role, type=type(path).__name__)
    judged = trec.read_qrels(qrels)
    joined = {
        name: trec.join(judged, trec.read_run(path), complete=complete)
        for name, path in runs.items()
    }
    if isinstance(run, Mapping):
        return together(joined)
    columns = joined[""].columns
    return _arguments(*(columns[name] for name in ("grade", "score", "query", "document")))


def _arguments(label: Any, score: Any, group: Any, document: Any) -> dict[str, Any]:
    roles = {"label": label, "score": score, "group": group, "document": document}
    return {**roles, "unscored": "not_retrieved"}


def _is_several(run: Any) -> bool:
    """Whether there are names above the queries: some value of a value is a mapping itself."""
    return isinstance(run, Mapping) and any(
        isinstance(scores, Mapping)
        for queries in run.values()
        if isinstance(queries, Mapping)
        for scores in queries.values()
    )


def _scores(pairs: Sequence[tuple[Any, Any]], run: RunScores) -> Floats:
    """The score of each document of a query; NaN if the run does not have it."""
    return np.array([run.get(query, {}).get(document, np.nan) for query, document in pairs])


def _checked(role: str, given: Any) -> Mapping[Any, Mapping[Any, Any]]:
    if not isinstance(given, Mapping):
        raise errors.NOT_QRELS(role=role, type=type(given).__name__)
    for query, documents in given.items():
        if not isinstance(documents, Mapping):
            kind = f"mapping of {type(documents).__name__}"
            raise errors.NOT_QRELS(role=f"{role} of {query!r}", type=kind)
    return given


def _same_queries(retrieved: Mapping[str, Sequence[Any]]) -> Sequence[Any]:
    """The queries of all runs, which must be the same: a query that a run does not have is left
    out, or counts as 0, and a table of common rows cannot have both."""
    (first, queries), *others = retrieved.items()
    for name, found in others:
        if different := set(found) ^ set(queries):
            query = min(different, key=str)
            has, lacks = (name, first) if query in set(found) else (first, name)
            raise errors.RUNS_DIFFER(has=has, lacks=lacks, query=query)
    return queries


def together(runs: Mapping[str, JoinedRun]) -> dict[str, Any]:
    """The arguments of `evaluate` for several runs.

    The documents of a query are in the order in which they come first.
    """
    columns = {
        name: np.concatenate([run.columns[name] for run in runs.values()])
        for name in ("query", "document", "grade")
    }
    _same_queries({name: np.unique(run.columns["query"]).tolist() for name, run in runs.items()})
    _, query = np.unique(columns["query"], return_inverse=True)
    names, document = np.unique(columns["document"], return_inverse=True)
    _, first, row = np.unique(query * len(names) + document, return_index=True, return_inverse=True)
    order = np.lexsort((first, query[first]))
    place = np.argsort(order)[row]  # where a row of the runs is among the rows together
    scores: dict[str, Array] = {}
    start = 0
    for name, run in runs.items():
        found = run.columns["score"]
        scores[name] = np.full(len(first), np.nan)
        scores[name][place[start : start + len(found)]] = found
        start += len(found)
    grade, query_, document_ = (columns[n][first[order]] for n in ("grade", "query", "document"))
    return _arguments(grade, scores, query_, document_)
