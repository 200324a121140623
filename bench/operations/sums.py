"""Losses and calibration; the exact sum under them."""

import numpy as np

import steelyard as sy
from bench.operations.operation import SIZES, Columns, Operation, OtherTool, values_of

FOUR = ["logloss", "brier", "copc", "ne"]


def rows(rng: np.random.Generator, count: int) -> Columns:
    score = rng.beta(1, 19, count).astype(np.float32)
    return {"label": rng.random(count, np.float32) < score, "score": score}


def ours(columns: Columns) -> tuple[float, ...]:
    found = sy.evaluate(dict(columns), "label", "score", metrics=FOUR)
    return values_of(found)


def scikit_learn(columns: Columns) -> tuple[float, float]:
    """Two of the four."""
    from sklearn.metrics import brier_score_loss, log_loss

    label, score = columns["label"], columns["score"].astype(np.float64)
    return float(log_loss(label, score)), float(brier_score_loss(label, score))


def polars(columns: Columns) -> tuple[float, ...]:
    import polars as pl

    y, p = pl.col("label"), pl.col("score").cast(pl.Float64)
    loss = -pl.when(y).then(p).otherwise(1 - p).log()
    frame = pl.LazyFrame(dict(columns)).select(
        loss=loss.mean(), brier=((p - y) ** 2).mean(), rate=y.mean(), predicted=p.mean()
    )
    return _four(*frame.collect().row(0))


LOSSES = """
    SELECT avg(-ln(CASE WHEN label THEN score::DOUBLE ELSE 1 - score::DOUBLE END)),
        avg((score::DOUBLE - label::DOUBLE) ** 2), avg(label::DOUBLE), avg(score::DOUBLE) FROM log
"""


def duckdb(columns: Columns) -> tuple[float, ...]:
    import duckdb as database
    import polars as pl

    with database.connect() as connection:
        connection.register("log", pl.DataFrame(dict(columns)).to_arrow())
        return _four(*connection.execute(LOSSES).fetchall()[0])


def _four(loss: float, brier: float, rate: float, predicted: float) -> tuple[float, ...]:
    entropy = -rate * np.log(rate) - (1 - rate) * np.log1p(-rate)
    return loss, brier, rate / predicted, float(loss / entropy)


OPERATIONS = [
    Operation(
        "logloss, brier, copc, ne",
        rows,
        ours,
        {
            "scikit-learn": OtherTool(scikit_learn, first=2),
            "Polars": OtherTool(polars),
            "DuckDB": OtherTool(duckdb),
        },
        SIZES,
    )
]
