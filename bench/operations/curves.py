"""AUC and its relatives."""

from functools import partial

import numpy as np

import steelyard as sy
from bench.operations import article
from bench.operations.operation import SIZES, Columns, Operation, OtherTool, values_of

TWELVE = [
    "auc",
    "ap",
    "pr_auc",
    "partial_auc(0.1)",
    "gini",
    "ks",
    "best_f1",
    "break_even",
    "precision_at_recall(0.9)",
    "tpr_at_fpr(0.1)",
    "lift(0.1)",
    "capture(0.1)",
]


def rows(
    rng: np.random.Generator, count: int, *, share: float, score: str, weight: str = ""
) -> Columns:
    """Scores of a model that knows something: positives are higher by one standard deviation."""
    label = rng.random(count, np.float32) < share
    logit = rng.standard_normal(count, np.float32 if score == "f4" else np.float64)
    columns = {"label": label, "score": 1 / (1 + np.exp(-logit - label.astype(logit.dtype)))}
    if weight:
        columns["weight"] = rng.random(count, np.dtype(weight).type) + np.dtype(weight).type(2**-20)
    return columns


def ours(columns: Columns) -> float:
    return sy.auc(columns["label"], columns["score"], sample_weight=columns.get("weight"))


def twelve(columns: Columns) -> tuple[float, ...]:
    found = sy.evaluate(dict(columns), "label", "score", weight=_weight(columns), metrics=TWELVE)
    return values_of(found)


def _weight(columns: Columns) -> str | None:
    return "weight" if "weight" in columns else None


def scikit_learn(columns: Columns) -> float:
    from sklearn.metrics import roc_auc_score

    weight = columns.get("weight")
    return float(roc_auc_score(columns["label"], columns["score"], sample_weight=weight))


def catboost(columns: Columns) -> float:
    from catboost.utils import eval_metric

    weight = columns.get("weight")
    found = eval_metric(columns["label"], columns["score"], "AUC", weight=weight)
    return float(found[0])


def polars(columns: Columns) -> float:
    """(Σ ranks of positives − P(P+1)/2)/PN."""
    import polars as pl

    rank, label = pl.col("score").rank("average"), pl.col("label")
    frame = pl.LazyFrame(dict(columns)).select(
        ranks=rank.filter(label).sum(), p=label.sum().cast(pl.Float64), n=pl.len()
    )
    ranks, p, n = frame.collect().row(0)
    return float((ranks - p * (p + 1) / 2) / (p * (n - p)))


AREA = """
    WITH scores AS (SELECT score, sum(label::BIGINT) AS p, count(*) AS n FROM log GROUP BY score),
    below AS (SELECT p, n - p AS q, sum(n - p) OVER (ORDER BY score) - (n - p) AS low FROM scores)
    SELECT sum(p * (low + q / 2)) / (sum(p) * sum(q)) FROM below
"""


def duckdb(columns: Columns) -> float:
    import duckdb as database

    log = dict(columns)
    with database.connect() as connection:
        found = connection.register("log", _frame(log)).execute(AREA).fetchall()
    return float(found[0][0])


def _frame(columns: Columns) -> object:
    import polars as pl

    return pl.DataFrame(dict(columns)).to_arrow()


UNWEIGHTED = {
    "scikit-learn": OtherTool(scikit_learn),
    "CatBoost": OtherTool(catboost),
    "Polars": OtherTool(polars),
    "DuckDB": OtherTool(duckdb),
}
BY_PAIRS = {"the article": OtherTool(article.auc, most_rows=1_000)}
WEIGHTED = {"scikit-learn": OtherTool(scikit_learn), "CatBoost": OtherTool(catboost)}

OPERATIONS = [
    Operation(
        f"auc, {kind}, {share:.0%}",
        partial(rows, share=share, score=code),
        ours,
        {**UNWEIGHTED, **BY_PAIRS} if (share, code) == (0.05, "f4") else UNWEIGHTED,
        SIZES if (share, code) == (0.05, "f4") else (10_000_000,),
    )
    for kind, code in (("float32", "f4"), ("float64", "f8"))
    for share in (0.05, 0.5)
]
OPERATIONS += [
    Operation(
        f"weighted auc, {kind} weights, {share:.0%}",
        partial(rows, share=share, score="f4", weight=code),
        ours,
        WEIGHTED,
        SIZES if (share, code) == (0.05, "f4") else (10_000_000,),
    )
    for kind, code in (("float32", "f4"), ("float64", "f8"))
    for share in (0.05, 0.5)
]
OPERATIONS += [
    Operation(f"twelve curve metrics, {share:.0%}", partial(rows, share=share, score="f4"), twelve)
    for share in (0.05, 0.5)
]
OPERATIONS.append(
    Operation(
        "twelve curve metrics, weighted, 5%",
        partial(rows, share=0.05, score="f4", weight="f4"),
        twelve,
    )
)
