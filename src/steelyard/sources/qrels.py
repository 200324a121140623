"""Rows made from judgements and a run: two TREC files, or dictionaries of dictionaries."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.sources.trec import read_trec

Judgements = Mapping[Any, Mapping[Any, int]] | FilePath
Run = Mapping[Any, Mapping[Any, float]] | FilePath


def from_qrels(qrels: Judgements, run: Run, complete: bool = False) -> dict[str, Any]:
    """The arguments of `evaluate` for judgements and a run, as ranx and pytrec_eval take them.

    qrels: {query: {document: grade}}, or the path of a TREC file; run: {query: {document: score}},
        or a path
    complete: whether to include queries that only the qrels have, as `trec_eval -c` does

    A judged document that was not retrieved has no score; one without a judgement, or with a grade
    below zero, has the grade 0. Queries without a judgement are left out.

    >>> import steelyard as sy
    >>> rows = from_qrels({"q1": {"a": 1, "b": 2}}, {"q1": {"a": 0.9, "c": 0.5}})
    >>> sy.evaluate(**rows, metrics="recall@2")["recall@2"]
    0.5
    """
    if isinstance(qrels, str | os.PathLike) and isinstance(run, str | os.PathLike):
        read = read_trec(qrels, run, complete)
        names = {"label": "grade", "score": "score", "group": "query", "document": "document"}
        return {role: read[name] for role, name in names.items()} | {"unscored": "not_retrieved"}
    return _rows(_checked("qrels", qrels), _checked("run", run), complete)


def _rows(
    qrels: Mapping[Any, Mapping[Any, int]], run: Mapping[Any, Mapping[Any, float]], complete: bool
) -> dict[str, Any]:
    """A row for each judged or retrieved document of the queries that have judgements."""
    queries = [query for query in qrels if complete or query in run]
    if not queries:
        raise errors.NO_COMMON_QUERY(run="run", qrels="qrels")
    columns: dict[str, list[Any]] = {"group": [], "document": [], "label": [], "score": []}
    for query in queries:
        grades, scores = qrels[query], run.get(query, {})
        documents = [*scores, *(each for each in grades if each not in scores)]
        columns["group"] += [query] * len(documents)
        columns["document"] += documents
        columns["label"] += [max(grades.get(each, 0), 0) for each in documents]
        columns["score"] += [scores.get(each, np.nan) for each in documents]
    return {**columns, "score": np.array(columns["score"]), "unscored": "not_retrieved"}


def _checked(role: str, given: Any) -> Mapping[Any, Mapping[Any, Any]]:
    if not isinstance(given, Mapping):
        raise errors.NOT_QRELS(role=role, type=type(given).__name__)
    for query, documents in given.items():
        if not isinstance(documents, Mapping):
            kind = f"mapping of {type(documents).__name__}"
            raise errors.NOT_QRELS(role=f"{role} of {query!r}", type=kind)
    return given
