"""Four ranking metrics of lists of a hundred rows."""

from functools import partial

import numpy as np

import steelyard as sy
from bench.operations.operation import SIZES, Columns, Operation, OtherTool, values_of
from steelyard.model import Array

FOUR = ["ndcg@10", "map", "mrr", "recall@10"]
LENGTH = 100


def rows(rng: np.random.Generator, count: int, *, shuffled: bool) -> Columns:
    grade = ((rng.random(count) < 0.1) * rng.integers(1, 5, count)).astype(np.int8)
    columns: dict[str, Array] = {
        "label": grade,
        "score": rng.random(count, np.float32),
        "query": np.repeat(np.arange(count // LENGTH), LENGTH),
    }
    if not shuffled:
        return columns
    order = rng.permutation(count)
    return {name: column[order] for name, column in columns.items()}


def ours(columns: Columns) -> tuple[float, ...]:
    found = sy.evaluate(dict(columns), "label", "score", group="query", metrics=FOUR)
    return values_of(found)


def _matrices(columns: Columns) -> tuple[Array, Array]:
    return columns["label"].reshape(-1, LENGTH), columns["score"].reshape(-1, LENGTH)


def scikit_learn(columns: Columns) -> float:
    """NDCG alone, of lists with a relevant row."""
    from sklearn.metrics import ndcg_score

    grade, score = _matrices(columns)
    some = grade.any(axis=1)
    return float(ndcg_score(grade[some], score[some], k=10))


def _dictionaries(columns: Columns) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
    names = [f"d{place}" for place in range(LENGTH)]
    grades, scores = (
        {str(query): dict(zip(names, row, strict=True)) for query, row in enumerate(table.tolist())}
        for table in _matrices(columns)
    )
    some = {query for query, row in grades.items() if any(row.values())}
    return {q: grades[q] for q in some}, {q: scores[q] for q in some}


def pytrec_eval(columns: Columns) -> tuple[float, ...]:
    """From arrays to the means: dictionaries are what it takes."""
    import pytrec_eval as trec

    grades, scores = _dictionaries(columns)
    names = ("ndcg_cut_10", "map", "recip_rank", "recall_10")
    measures = {"ndcg_cut.10", "map", "recip_rank", "recall.10"}
    found = trec.RelevanceEvaluator(grades, measures).evaluate(scores)
    return tuple(float(np.mean([row[name] for row in found.values()])) for name in names)


def ranx(columns: Columns) -> tuple[float, ...]:
    """From arrays to the means: dictionaries are what it takes."""
    from ranx import Qrels, Run, evaluate

    grades, scores = _dictionaries(columns)
    judged = {q: {name: grade for name, grade in row.items() if grade} for q, row in grades.items()}
    found = evaluate(Qrels(judged), Run(scores), ["ndcg@10", "map", "mrr", "recall@10"])
    return tuple(float(found[name]) for name in ("ndcg@10", "map", "mrr", "recall@10"))


OTHERS = {
    "scikit-learn": OtherTool(scikit_learn, first=1),
    "pytrec_eval": OtherTool(pytrec_eval, same=1e-6),  # it reads scores as float32, and sums so
    "ranx": OtherTool(ranx, same=1e-5),  # of 100,000 lists its means are off by 2e-6
}

OPERATIONS = [
    Operation("four ranking metrics, in order", partial(rows, shuffled=False), ours, OTHERS, SIZES),
    Operation("four ranking metrics, shuffled", partial(rows, shuffled=True), ours),
]
