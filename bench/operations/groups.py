"""GAUC of 200,000 users."""

from functools import partial

import numpy as np

import steelyard as sy
from bench.operations import article
from bench.operations.operation import SIZES, Columns, Operation, OtherTool

USERS = 200_000


def rows(rng: np.random.Generator, count: int, *, keys: str) -> Columns:
    """Users by Zipf's law, at least fifty rows each in the mean."""
    users = max(10, min(USERS, count // 50))
    drawn = (users ** rng.random(count)).astype(np.int64)  # the density of 1/x
    user = rng.permutation(users)[np.minimum(drawn - 1, users - 1)]
    if keys == "random":
        user = rng.integers(0, 2**63 - 1, users)[user]
    elif keys == "text":
        user = np.array([f"user-{number:08d}" for number in range(users)], object)[user]
    score = rng.random(count, np.float32)
    return {"label": rng.random(count, np.float32) < 0.05, "score": score, "user": user}


def ours(columns: Columns) -> float:
    return sy.gauc(columns["label"], columns["score"], group=columns["user"])


def polars(columns: Columns) -> float:
    """(Σ ranks of positives − P(P+1)/2)/PN, averaged by rows; the fastest of four ways."""
    import polars as pl

    frame = pl.LazyFrame(dict(columns))
    ranked = frame.with_columns(rank=pl.col("score").rank("average").over("user"))
    users = ranked.group_by("user").agg(
        rows=pl.len().cast(pl.Int64),
        positives=pl.col("label").sum().cast(pl.Int64),
        ranks=pl.col("rank").filter("label").sum(),
    )
    n, p = pl.col("rows"), pl.col("positives")
    auc = (pl.col("ranks") - p * (p + 1) / 2) / (p * (n - p))
    both = users.filter((p > 0) & (p < n))
    return float(both.select((auc * n).sum() / n.sum()).collect().item())


AREAS = """
    WITH scores AS (
        SELECT "user", score, sum(label::BIGINT) AS p, count(*) AS n FROM log GROUP BY "user", score
    ),
    below AS (
        SELECT "user", p, n - p AS q,
            sum(n - p) OVER (PARTITION BY "user" ORDER BY score) - (n - p) AS low
        FROM scores
    ),
    users AS (
        SELECT sum(p * (low + q / 2)) AS area, sum(p) AS p, sum(q) AS q FROM below GROUP BY "user"
    )
    SELECT sum(area / (p * q) * (p + q)) / sum(p + q) FROM users WHERE p > 0 AND q > 0
"""


def duckdb(columns: Columns) -> float:
    import duckdb as database
    import polars as pl

    with database.connect() as connection:
        connection.register("log", pl.DataFrame(dict(columns)).to_arrow())
        return float(connection.execute(AREAS).fetchall()[0][0])


OTHERS = {"Polars": OtherTool(polars), "DuckDB": OtherTool(duckdb)}
ARTICLE = {"the article": OtherTool(article.gauc, same=1e-3, most_rows=10_000)}

OPERATIONS = [
    Operation(
        f"gauc, {what}",
        partial(rows, keys=keys),
        ours,
        {**OTHERS, **ARTICLE} if keys == "dense" else OTHERS,
        SIZES if keys == "dense" else (10_000_000,),
    )
    for what, keys in (
        ("int64 from 0", "dense"),
        ("any int64", "random"),
        ("text of 13 bytes", "text"),
    )
]
