"""GAUC of ten million rows, and four ranking metrics of a hundred thousand lists.

Polars uses every core and we use one. Its processor time is halved, as if two cores had shared the
work evenly: the shortest time it could take on two idle cores. Its time includes making a lazy
frame from the same arrays, as our time includes reading them.
"""

import ast
import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from sklearn.metrics import ndcg_score

import steelyard as sy
from bench.measure import Line, best_times, memory
from steelyard.model import Array

ROWS, GROUPS = 10_000_000, 200_000
LISTS, LENGTH = 100_000, 100
CORES = 2
FEW = 100_000  # rows for code that loops over them
FOUR = ["ndcg@10", "map", "mrr", "recall@10"]
WHAT = "ndcg@10, map, mrr and recall@10 of 100,000 lists of 100"
SHARED = Path(os.environ.get("STEELYARD_SHARED", Path(__file__).parent.parent.parent / "shared"))
SEED = SHARED / "seeds" / "000_f819256a389f182d.txt"


def lines() -> Iterator[Line]:
    yield from _gauc()
    yield from _ranking()


# --- GAUC ----------------------------------------------------------------------------------------


def _gauc() -> Iterator[Line]:
    rng = np.random.default_rng(20260401)
    label = rng.random(ROWS) < 0.05
    single, double = rng.random(ROWS, dtype=np.float32), rng.random(ROWS)
    dense = rng.integers(0, GROUPS, ROWS)
    sparse = rng.integers(0, 2**63 - 1, GROUPS)[dense]
    yield _than_polars("dense keys, float32", label, single, dense, 2.5)
    yield _than_polars("dense keys, float64", label, double, dense, 2.5)
    yield _than_polars("dense keys in order, float32", label, single, np.sort(dense), 2.5)
    yield _than_polars("any int64 keys, float32", label, single, sparse, 1)
    yield _than_polars("any int64 keys, float64", label, double, sparse, 1)
    yield from _than_the_seed(label, single, dense)
    yield _memory("dense keys, float32", label, single, dense)
    yield _memory("any int64 keys, float64", label, double, sparse)


def _than_polars(what: str, label: Array, score: Array, group: Array, limit: float) -> Line:
    ours = partial(sy.gauc, label, score, group=group)
    theirs = partial(_polars_gauc, label, score, group)
    assert abs(ours() - theirs()) < 1e-12
    what = f"gauc, 10 M rows, 200,000 groups, {what}, times faster than Polars on two cores"
    mine, other = best_times(ours, theirs, runs=5)
    return Line(what, other / CORES / mine, limit, at_least=True)


def _memory(what: str, label: Array, score: Array, group: Array) -> Line:
    size = label.nbytes + score.nbytes + group.nbytes
    what = f"gauc, {what}, peak extra memory in input columns"
    return memory(what, lambda: sy.gauc(label, score, group=group), size, 4)


def _polars_gauc(label: Array, score: Array, group: Array) -> float:
    """(Σ ranks of positives − P(P+1)/2)/PN, averaged by rows; the fastest of four ways."""
    frame = pl.LazyFrame({"label": label, "score": score, "group": group})
    ranked = frame.with_columns(rank=pl.col("score").rank("average").over("group"))
    groups = ranked.group_by("group").agg(
        rows=pl.len().cast(pl.Int64),
        positives=pl.col("label").sum().cast(pl.Int64),
        ranks=pl.col("rank").filter("label").sum(),
    )
    n, p = pl.col("rows"), pl.col("positives")
    auc = (pl.col("ranks") - p * (p + 1) / 2) / (p * (n - p))
    both = groups.filter((p > 0) & (p < n))
    value: float = both.select((auc * n).sum() / n.sum()).collect().item()
    return value


def _than_the_seed(label: Array, score: Array, group: Array) -> Iterator[Line]:
    """Its code loops over rows, so it gets fewer of them, and times are compared per row."""
    if not SEED.exists():
        print(f"skip      the seed's own GAUC code: {SEED} is missing")
        return
    few = group < FEW * GROUPS // ROWS
    some, theirs = int(few.sum()), _seed_code("cal_group_auc")
    columns = [column[few].tolist() for column in (label, score, group)]
    assert theirs(*columns) == round(sy.gauc(label[few], score[few], group=group[few]), 4)
    mine, other = best_times(lambda: sy.gauc(label, score, group=group), lambda: theirs(*columns))
    ratio = (other / some) / (mine / ROWS)
    yield Line("gauc, per row, times faster than the seed's own code", ratio, 300, at_least=True)


def _seed_code(name: str) -> Callable[..., float]:
    """A function from the article, unchanged."""
    blocks = SEED.read_text().split("```")[1::2]
    (block,) = (block for block in blocks if f"def {name}(" in block)
    code = ast.parse(block.removeprefix("python"))
    made: dict[str, Callable[..., float]] = {}
    exec(compile(code, str(SEED), "exec"), made)
    return made[name]


# --- ranking -------------------------------------------------------------------------------------


def _ranking() -> Iterator[Line]:
    rng = np.random.default_rng(20260402)
    grade = (rng.random((LISTS, LENGTH)) < 0.1) * rng.integers(1, 5, (LISTS, LENGTH))
    score = rng.random((LISTS, LENGTH), dtype=np.float32)
    group = np.repeat(np.arange(LISTS), LENGTH)
    in_order = (grade.ravel(), score.ravel(), group)
    order = rng.permutation(LISTS * LENGTH)
    shuffled = (in_order[0][order], in_order[1][order], in_order[2][order])
    theirs = dict(_others(grade, score))
    for how, columns in (("in order", in_order), ("shuffled", shuffled)):
        (mine,) = best_times(partial(_four, *columns))
        for tool, other in theirs.items():
            what = f"{WHAT}, {how}, times faster than {tool}"
            yield Line(what, other / mine, 3, at_least=True)
        size = sum(column.nbytes for column in columns)
        what = f"{WHAT}, {how}, peak extra memory in input columns"
        yield memory(what, partial(_four, *columns), size, 4)


def _others(grade: Array, score: Array) -> Iterator[tuple[str, float]]:
    """The seconds of other tools, measured once: noise matters little in ten seconds."""
    (seconds,) = best_times(lambda: ndcg_score(grade, score, k=10), runs=1)
    yield "scikit-learn's ndcg@10 alone", seconds
    if find_spec("pytrec_eval") is None:
        print("skip      pytrec_eval: the package pytrec-eval-terrier is not installed")
    else:
        (seconds,) = best_times(lambda: _pytrec(grade, score), runs=1)
        yield "pytrec_eval, built and run", seconds


def _four(grade: Array, score: Array, group: Array) -> sy.Result:
    return sy.evaluate(label=grade, score=score, group=group, metrics=FOUR)


def _pytrec(grade: Array, score: Array) -> object:
    import pytrec_eval

    names = [f"d{place}" for place in range(LENGTH)]
    qrels, run = (
        {str(query): dict(zip(names, row, strict=True)) for query, row in enumerate(table.tolist())}
        for table in (grade, score)
    )
    measures = {"ndcg_cut.10", "map", "recip_rank", "recall.10"}
    return pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
