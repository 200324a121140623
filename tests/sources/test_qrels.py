"""Judgements and runs, as dictionaries and as TREC files."""

import random
from pathlib import Path
from typing import Any

import pytest

import steelyard

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def test_qrels_and_runs_as_dictionaries() -> None:
    """AP of q1: the relevant b is second of three, d is not retrieved: (1/2) / 2; q2 is perfect.

    q3 was not judged, q4 not retrieved.
    """
    qrels = {"q1": {"a": 0, "b": 1, "d": 1}, "q2": {"x": 1}, "q4": {"y": 1}}
    run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 0.5}, "q3": {"z": 1.0}}
    rows = sy.from_qrels(qrels, run)
    assert sy.evaluate(**rows, metrics="map")["map"] == (0.25 + 1) / 2
    complete = sy.from_qrels(qrels, run, complete=True)
    assert sy.evaluate(**complete, metrics="map")["map"] == (0.25 + 1) / 3


def test_qrels_and_runs_agree_with_pytrec_eval() -> None:
    import pytrec_eval

    rng = random.Random(22)
    qrels = {f"q{i}": {f"d{j}": rng.randrange(3) for j in range(30)} for i in range(9)}
    run = {
        q: {d: rng.random() for d in [*docs, "new"] if rng.random() < 0.7}
        for q, docs in qrels.items()
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10"}).evaluate(run)
    ours = sy.evaluate(**sy.from_qrels(qrels, run), preset="trec_eval", metrics="map,ndcg@10")
    for metric, name in (("map", "map"), ("ndcg@10", "ndcg_cut_10")):
        mean = sum(query[name] for query in theirs.values()) / len(theirs)
        assert ours[metric] == pytest.approx(mean, rel=1e-12)


def test_trec_files_as_arguments_of_evaluate(tmp_path: Path) -> None:
    """The relevant document is second of two."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 0\n1 0 b 1\n")
    run.write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n")
    assert sy.evaluate(**sy.read_trec(qrels, run), metrics="mrr")["mrr"] == 0.5
    with pytest.raises(sy.InputError, match=r"sy.read_trec\(...\) reads TREC files"):
        sy.from_qrels(qrels, run)


def test_several_runs_beside_each_other() -> None:
    """Recall at 2 of three relevant: bm25 finds a alone, bert a and d; each has an unjudged one."""
    qrels = {"q1": {"a": 1, "b": 0, "d": 1, "e": 2}}
    runs = {"bm25": {"q1": {"b": 3, "a": 2, "x": 1}}, "bert": {"q1": {"a": 9, "d": 8, "y": 7}}}
    result = sy.evaluate(**sy.from_qrels(qrels, runs), metrics="recall@2")
    assert result.value("recall@2", score="bm25") == 1 / 3
    assert result.value("recall@2", score="bert") == 2 / 3


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("preset", [None, "trec_eval"])
def test_each_run_has_the_numbers_that_it_has_alone(
    tmp_path: Path, preset: str | None, complete: bool
) -> None:
    """As dictionaries and as files; scores are tied often, and 3 of 12 documents are not judged."""
    rng = random.Random(7)
    documents = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": {d: rng.randrange(-1, 3) for d in documents[:9]} for i in range(6)}
    queries = list(qrels)[: 4 if complete else 6]
    runs = {
        name: {q: {d: rng.randrange(5) for d in rng.sample(documents, 7)} for q in queries[skip:]}
        for name, skip in (("one", 0), ("two", 1 if complete else 0), ("three", 0))
    }
    paths = {name: tmp_path / name for name in ("qrels", *runs)}
    for name, content in {"qrels": qrels, **runs}.items():
        layout = "{} 0 {} {}\n" if name == "qrels" else "{} Q0 {} 0 {} t\n"
        lines = [
            layout.format(q, d, number) for q, each in content.items() for d, number in each.items()
        ]
        paths[name].write_text("".join(lines))
    asked = {"metrics": "map,ndcg@5,precision@5,mrr,err(max_grade=2),rbp(0.8)", "preset": preset}
    judged = paths.pop("qrels")
    for together, alone in (
        (
            sy.from_qrels(qrels, runs, complete),
            [sy.from_qrels(qrels, runs[n], complete) for n in runs],
        ),
        (
            sy.read_trec(judged, paths, complete),
            [sy.read_trec(judged, paths[n], complete) for n in runs],
        ),
    ):
        result = sy.evaluate(**together, **asked)
        for name, rows in zip(runs, alone, strict=True):
            single = sy.evaluate(**rows, **asked)
            for metric in result.metrics:
                assert result.value(metric, score=name) == single[metric]
