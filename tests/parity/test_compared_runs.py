"""Compared TREC runs: values of queries by pytrec_eval, their differences by a paired t test."""

import csv
import gzip
import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import steelyard
from tests.parity.peers import package, shared
from tests.shell.run import run as command

sy: Any = steelyard

RUNS = ("NLPR03vb10", "humR03dc", "rutcor03100")
MEASURES = {"map": "map", "ndcg@10": "ndcg_cut_10", "precision@10": "P_10"}


def lines(path: Any) -> list[list[str]]:
    with gzip.open(path, "rt") as file:
        return [line.split() for line in file]


def by_query(pairs: Any) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for query, document, number in pairs:
        found.setdefault(query, {})[document] = number
    return found


def freedom(amounts: Any) -> float:
    """min(n − 1, 2n/(κ − 1)): fewer where few queries have most of the variance."""
    gaps = amounts - amounts.mean()
    kurtosis = len(gaps) * np.sum(gaps**4) / np.sum(gaps**2) ** 2
    return float(min(len(gaps) - 1, 2 * len(gaps) / (kurtosis - 1)))


def holm(p: list[float]) -> list[float]:
    """Literally: a test counts as many times as there are tests whose p is not smaller."""
    order = sorted(p)
    steps = [min(1.0, (len(p) - rank) * each) for rank, each in enumerate(order)]
    return [max(steps[: order.index(each) + 1]) for each in p]


@pytest.mark.parametrize("runs", [RUNS[:2], pytest.param(RUNS, marks=pytest.mark.full)])
def test_runs_of_robust_2003(runs: tuple[str, ...], tmp_path: Path) -> None:
    """Each pair of runs and each measure, and each of the hundred queries."""
    peer = package("pytrec_eval", "pytrec-eval-terrier")
    qrels = shared("robust03", "qrels.txt.gz")
    files = {name: shared("robust03", f"input.{name}.gz") for name in runs}
    judged = by_query((q, document, int(grade)) for q, _, document, grade in lines(qrels))
    evaluator = peer.RelevanceEvaluator(judged, {"map", "ndcg_cut_10", "P_10"})
    theirs = {
        name: evaluator.evaluate(by_query((w[0], w[2], float(w[4])) for w in lines(path)))
        for name, path in files.items()
    }
    words = ("trec", str(qrels), *map(str, files.values()), "--compare", "--all-pairs")
    words = (*words, "-m", "map,ndcg_cut_10,P_10", "--groups", str(tmp_path / "groups.csv"))
    done = command(*words, "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    rows = {(r["metric"], r["against"], r["score"]): r for r in json.loads(done.stdout)["rows"]}
    assert len(rows) == 3 * len(list(combinations(runs, 2)))
    tables: dict[tuple[str, str, str], list[Any]] = {}
    for line in csv.DictReader((tmp_path / "groups.csv").read_text().splitlines()):
        tables.setdefault((line["metric"], line["against"], line["score"]), []).append(line)
    for metric, measure in MEASURES.items():
        expected: list[float] = []
        for against, score in combinations(runs, 2):
            table = tables[metric, against, score]
            assert len(table) == 100
            for line in table:
                both = [theirs[run][line["query"]][measure] for run in (against, score)]
                shown = [float(line[name]) for name in ("baseline", "candidate", "difference")]
                assert shown == pytest.approx([*both, both[1] - both[0]], rel=1e-12, abs=1e-14)
            amounts = np.array(
                [
                    theirs[score][query][measure] - theirs[against][query][measure]
                    for query in theirs[score]
                ]
            )
            row = rows[metric, against, score]
            error = amounts.std(ddof=1) / math.sqrt(len(amounts))
            degrees = freedom(amounts)
            p = 2 * stats.t.sf(abs(amounts.mean()) / error, degrees)
            half = stats.t.ppf(0.975, degrees) * error
            ends = [amounts.mean() - half, amounts.mean() + half]
            assert row["difference"] == pytest.approx(amounts.mean(), rel=1e-10)
            assert row["details"]["standard_error"] == pytest.approx(error, rel=1e-10)
            assert [row["low"], row["high"]] == pytest.approx(ends, rel=1e-9)
            assert row["p"] == pytest.approx(p, rel=1e-8)
            if degrees == len(amounts) - 1:
                assert row["p"] == pytest.approx(stats.ttest_1samp(amounts, 0).pvalue, rel=1e-8)
            expected.append(p)
        if len(expected) > 1:
            ours = [rows[metric, *pair]["holm"] for pair in combinations(runs, 2)]
            assert ours == pytest.approx(holm(expected), rel=1e-8)


def test_light_tails_give_the_paired_t_test() -> None:
    """No query has a large share of the variance, so that p is that of scipy's paired test."""
    random = np.random.default_rng(3)
    qrels = {f"q{n}": {f"d{d}": int(d < 3) for d in range(12)} for n in range(40)}

    def scores(signal: float) -> dict[str, dict[str, float]]:
        return {
            query: {d: signal * grade + random.random() for d, grade in documents.items()}
            for query, documents in qrels.items()
        }

    runs = {"bm25": scores(0.3), "bert": scores(0.4), "mono": scores(0.45)}
    found = sy.compare(**sy.from_qrels(qrels, runs), metrics=["map", "ndcg@5"])
    exact = 0
    for row in found:
        table = found.groups(row.metric, row.score)
        amounts = np.array(table["difference"])
        if freedom(amounts) == len(amounts) - 1:
            exact += 1
            test = stats.ttest_rel(table["candidate"], table["baseline"])
            interval = test.confidence_interval(0.95)
            assert row.p == pytest.approx(test.pvalue, rel=1e-10)
            assert [row.low, row.high] == pytest.approx([interval.low, interval.high], rel=1e-10)
    assert exact >= 2
