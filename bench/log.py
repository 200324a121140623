"""`steelyard eval` of ten million rows: the time of the process over one that only scans."""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import duckdb

from bench import report_page
from bench.measure import Line, process_memory, process_seconds

ROWS = 10_000_000
LOG = """
    SELECT (random() < 0.05)::TINYINT AS label, random()::FLOAT AS score,
        (random() * 200000)::BIGINT AS user_id, random()::FLOAT AS weight,
        'C' || lpad(floor(pow(random(), 2) * 50)::INT::VARCHAR, 2, '0') AS country
    FROM range({rows})
"""
# The least that any reader does: import DuckDB, scan four columns.
SCAN = """
import duckdb, nanoarrow
rows = duckdb.sql("SELECT label, score, user_id, country FROM 'log.parquet'")
for batch in nanoarrow.ArrayStream(rows):
    pass
"""
FIVE_METRICS = ["-m", "auc,logloss,copc,ece,gauc", "--group", "user_id"]
SOME_METRICS = [word for name in ("auc", "ap", "ks", "f1") for word in ("-m", name)]
EVAL = [str(Path(sys.executable).with_name("steelyard")), "eval", "log.parquet", "--quiet"]
ROLES = ["--label", "label", "--score", "score"]


def lines() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        made = duckdb.connect()
        made.execute("SELECT setseed(0.25)")
        path = Path(folder) / "log.parquet"
        made.execute(f"COPY ({LOG.format(rows=ROWS)}) TO '{path}' (FORMAT parquet)")
        yield from _ratios(folder)
        yield _memory(folder)
        yield from report_page.lines(path)
        made.execute(f"COPY ({LOG.format(rows=ROWS // 10)}) TO '{path}' (FORMAT parquet)")
        yield from _second(folder)


def _ratios(folder: str) -> Iterator[Line]:
    scan = [sys.executable, "-c", SCAN]
    unweighted = [*EVAL, *ROLES, "--no-weight", *FIVE_METRICS, "--by", "country"]
    weighted = [*EVAL, *ROLES, "--weight", "weight", *FIVE_METRICS, "--by", "country"]
    what = "eval (auc, logloss, copc, ece, gauc) of 10 M rows by 50 countries, whole process, "
    for name, command, limit in (("unweighted", unweighted, 3.5), ("weighted", weighted, 5)):
        ours, theirs = process_seconds(command, scan, cwd=folder)
        yield Line(f"{what}{name}, in a bare scan", ours / theirs, limit, at_least=False)


def _memory(folder: str) -> Line:
    """Sums keep no rows, so that four times the rows take no more memory."""
    command = [*EVAL, *ROLES, "--weight", "weight", "-m", "f1", "--by", "country"]
    copies = [f"log_{number}.parquet" for number in (2, 3, 4)]  # a file named twice is refused
    for name in copies:
        os.link(Path(folder) / "log.parquet", Path(folder) / name)
    once, often = (
        process_memory([*command[:3], *more, *command[3:]], folder) for more in ([], copies)
    )
    what = "f1 by 50 countries, peak memory of 40 M rows in that of 10 M"
    return Line(what, often / once, 1.5, at_least=False)


def _second(folder: str) -> Iterator[Line]:
    """The only time in seconds: how long a user waits."""
    command = [*EVAL, *ROLES, "--weight", "weight", *SOME_METRICS, "--by", "country"]
    (seconds,) = process_seconds(command, cwd=folder)
    yield Line("eval of 1 M rows by 50 countries, weighted, seconds", seconds, 1.2, at_least=False)
