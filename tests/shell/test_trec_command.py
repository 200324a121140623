"""`steelyard trec` and `steelyard letor`: trec_eval's names and lines, and what is refused."""

import os
import subprocess
from pathlib import Path

import pytest

from steelyard import errors
from steelyard.cli import trec_names
from steelyard.cli.trec_names import Measure, measures
from steelyard.sources import file_kind
from tests.paths import SHARED
from tests.shell.run import COMMAND, run

EXPECTED = SHARED / "data" / "trec_eval"
HAVE = pytest.mark.skipif(not EXPECTED.is_dir(), reason=f"NO REFERENCE DATA in {EXPECTED}")

# --- names ---------------------------------------------------------------------------------------

TYPED: dict[str, tuple[Measure, ...]] = {
    "map": (Measure("map", "map"),),
    "Rprec": (Measure("Rprec", "r_precision"),),
    "r_precision": (Measure("Rprec", "r_precision"),),
    "recip_rank": (Measure("recip_rank", "mrr"),),
    "mrr": (Measure("recip_rank", "mrr"),),
    "ndcg": (Measure("ndcg", "ndcg"),),
    "ndcg@10": (Measure("ndcg_cut_10", "ndcg@10"),),
    "ndcg_cut_10": (Measure("ndcg_cut_10", "ndcg@10"),),
    "ndcg_cut.10": (Measure("ndcg_cut_10", "ndcg@10"),),
    "map_cut_7": (Measure("map_cut_7", "map@7"),),
    "mean_average_precision@7": (Measure("map_cut_7", "map@7"),),
    "precision@5": (Measure("P_5", "precision@5"),),
    "P_5": (Measure("P_5", "precision@5"),),
    "P.5": (Measure("P_5", "precision@5"),),
    "P@5": (Measure("P_5", "precision@5"),),
    "recall.100": (Measure("recall_100", "recall@100"),),
    "recall@100": (Measure("recall_100", "recall@100"),),
    "success_5": (Measure("success_5", "hit_rate@5"),),
    "hr@5": (Measure("success_5", "hit_rate@5"),),
    "success": tuple(Measure(f"success_{k}", f"hit_rate@{k}") for k in (1, 5, 10)),
    "num_rel_ret": (Measure("num_rel_ret"),),
    # What trec_eval does not have is called as we call it.
    "ndcg( gain=exp2 )@10": (Measure("ndcg(gain=exp2)@10", "ndcg(gain=exp2)@10"),),
    "map(rel=2)": (Measure("map(rel=2)", "map(rel=2)"),),
    "f1@3": (Measure("f1@3", "f1@3"),),
    "hit_rate": (Measure("hit_rate", "hit_rate"),),
    "mrr@10": (Measure("mrr@10", "mrr@10"),),
}


@pytest.mark.parametrize("word", TYPED)
def test_names_of_trec_eval_and_of_ours_are_read(word: str) -> None:
    assert measures([word]) == list(TYPED[word])


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("ndgc_cut_10", "did you mean ndcg_cut_10."),
        ("ndgc@10", "did you mean ndcg@10."),
        ("ndgc(exp2)@10", "did you mean ndcg(exp2)@10."),
        ("recip_rnk", "did you mean recip_rank."),
        ("P_0", "did you mean P_10."),
        ("bpref", "there are official, all_trec, runid, num_q, "),
    ],
)
def test_an_unknown_measure_gets_a_suggestion(word: str, hint: str) -> None:
    with pytest.raises(errors.SpecError) as raised:
        measures([word])
    assert str(raised.value).startswith(f"there is no metric '{word}': {hint}")


def test_lists_of_cuts_arrive_in_pieces() -> None:
    assert [measure.name for measure in measures(["P.5", "10", "map", "success_1", "2"])] == [
        *("P_5", "P_10", "map"),
        *("success_1", "success_2"),
    ]


def test_a_measure_is_printed_once() -> None:
    assert len(measures(["P_5", "precision@5", "P.5", "P"])) == len(trec_names.CUTS)


def test_every_name_reads_back() -> None:
    for measure in measures(["all_trec"]):
        assert measures([measure.name]) == [measure]
        if measure.spec:
            assert measures([measure.spec]) == [measure]


# --- small files ---------------------------------------------------------------------------------

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n1 0 d 1\n2 0 a 0\n2 0 b 1\n3 0 a 2\n4 0 a 0\n"
RUN = """\
1 Q0 b 1 9 mine
1 Q0 a 2 8 mine
1 Q0 x 3 7 mine
1 Q0 c 4 6 mine
2 Q0 b 1 1 mine
2 Q0 a 2 1 mine
4 Q0 a 1 1 mine
5 Q0 a 1 1 mine
"""
# Query 1 is 0 1 0 1 (grades 0 1 0 2) of three relevant; query 2 a tie, which goes by the name
# (b before a); query 4 has nothing relevant; query 3 was not retrieved, query 5 not judged.
PRINTED = """\
num_ret               	1	4
num_rel               	1	3
map                   	1	0.3333
recip_rank            	1	0.5000
P_5                   	1	0.4000
success_1             	1	0.0000
num_ret               	2	2
num_rel               	2	1
map                   	2	1.0000
recip_rank            	2	1.0000
P_5                   	2	0.2000
success_1             	2	1.0000
num_ret               	4	1
num_rel               	4	0
map                   	4	0.0000
recip_rank            	4	0.0000
P_5                   	4	0.0000
success_1             	4	0.0000
num_q                 	all	3
num_ret               	all	7
num_rel               	all	4
map                   	all	0.4444
recip_rank            	all	0.5000
P_5                   	all	0.2000
success_1             	all	0.3333
"""
ASKED = ("-m", "num_q,num_ret,num_rel,map,mrr,precision@5", "-m", "success_1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(text: str) -> dict[tuple[str, str], str]:
    """The values of trec_eval's lines, by measure and query."""
    found = {}
    for line in text.splitlines():
        name, query, value = line.split("\t")
        assert len(name) == max(22, len(name.strip()))
        assert (name.strip(), query) not in found
        found[name.strip(), query] = value
    return found


@pytest.mark.usefixtures("folder")
class TestSmall:
    def test_queries_and_all(self) -> None:
        done = run("trec", "qrels", "run", "-q", *ASKED)
        assert (done.exit_code, done.stdout) == (0, PRINTED)
        assert done.stderr.splitlines() == [
            "run: left out 1 query without a judgement",
            "run: left out 1 query of the qrels that the run does not have; -c counts them as 0",
        ]

    def test_all_alone(self) -> None:
        done = run("trec", "qrels", "run", *ASKED)
        assert done.stdout == PRINTED[PRINTED.index("num_q") :]

    def test_complete(self) -> None:
        done = run("trec", "qrels", "run", "-c", "-q", "-m", "num_q,num_rel,map,num_ret")
        assert done.stderr == "run: left out 1 query without a judgement\n"
        found = lines(done.stdout)
        assert found["num_q", "all"] == "4"
        assert (found["num_ret", "3"], found["num_rel", "3"], found["map", "3"]) == (
            *("0", "1", "0.0000"),
        )
        assert found["map", "all"] == "0.3333"  # (1/3 + 1 + 0 + 0) / 4

    def test_the_level(self) -> None:
        """With 2 as the least relevant grade query 1 has one, in place 4; ndcg stays."""
        words = ("trec", "qrels", "run", "-q", "-m", "num_rel,num_rel_ret,map,ndcg,P_5")
        found, plain = lines(run(*words, "-l", "2").stdout), lines(run(*words).stdout)
        assert (found["num_rel", "1"], found["num_rel_ret", "1"]) == ("1", "1")
        assert (found["map", "1"], found["P_5", "1"]) == ("0.2500", "0.2000")
        assert found["ndcg", "1"] == plain["ndcg", "1"]
        assert found["map", "2"] == "0.0000"

    def test_without_a_preset_our_conventions_hold(self) -> None:
        """Ties in expectation, and a query without a relevant document has no value."""
        found = lines(run("trec", "qrels", "run", "-q", "-m", "map", "--preset", "none").stdout)
        assert (found["map", "2"], found["map", "4"]) == ("0.7500", "-")
        assert found["map", "all"] == "0.5417"  # (1/3 + 3/4) / 2

    def test_several_runs(self) -> None:
        Path("other").write_text(RUN.replace("mine", "theirs"))
        done = run("trec", "qrels", "run", "other", "-q", "-m", "runid,num_ret")
        counts = [
            f"num_ret               \t{query}" for query in ("1\t4", "2\t2", "4\t1", "all\t7")
        ]
        names = [f"runid                 \tall\t{name}" for name in ("mine", "theirs")]
        assert done.stdout.splitlines() == [names[0], *counts, names[1], *counts]

    def test_counts_need_no_metric(self) -> None:
        done = run("trec", "qrels", "run", "-m", "num_nonrel_judged_ret")
        assert done.stdout == "num_nonrel_judged_ret \tall\t3\n"

    def test_a_query_may_be_named_all(self) -> None:
        Path("qrels").write_text("all 0 a 1\n")
        Path("run").write_text("all Q0 b 1 2 t\nall Q0 a 2 1 t\n")
        done = run("trec", "qrels", "run", "-q", "-m", "num_ret,P_5")
        assert [line.split("\t")[1:] for line in done.stdout.splitlines()] == [
            *(["all", "2"], ["all", "0.2000"], ["all", "2"], ["all", "0.2000"]),
        ]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("qrels", "none"), "there is no file 'none'"),
            (("none", "run"), "there is no file 'none'"),
            (("run", "run"), "'run' has 6 fields in line 1, but 4 are expected"),
            (("qrels", "qrels"), "'qrels' has 4 fields in line 1, but 6 are expected"),
            (("qrels", "run", "-m", "bpref"), "there is no metric 'bpref'"),
            (("qrels", "run", "-m", "map,,P"), "cannot read the metric ''"),
            (("qrels", "run", "--preset", "trec"), "--preset 'trec' is not one of the choices"),
            (("qrels", "run", "-l", "0"), "0 is not in the range x>=1"),
            (("qrels",), "missing argument 'RUN...'"),
        ],
    )
    def test_refused(self, words: tuple[str, ...], said: str) -> None:
        done = run("trec", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert said in done.stderr


# --- trec_eval's own files -----------------------------------------------------------------------


@HAVE
@pytest.mark.parametrize(
    ("words", "output"),
    [
        (("qrels.test", "results.test"), "out.test"),
        (("qrels.test", "results.test", "-m", "all_trec"), "out.test.a"),
        (("qrels.test", "results.test", "-m", "all_trec", "-q"), "out.test.aq"),
        (("qrels.test", "results.trunc", "-m", "all_trec", "-q", "-c"), "out.test.aqc"),
        (("qrels.rel_level", "results.test", "-m", "all_trec", "-q", "-l", "2"), "out.test.aql"),
    ],
)
def test_what_trec_eval_printed(words: tuple[str, ...], output: str) -> None:
    qrels, results, *options = words
    done = run("trec", str(EXPECTED / qrels), str(EXPECTED / results), *options)
    found, theirs = lines(done.stdout), lines((EXPECTED / output).read_text())
    asked = {measure.name for measure in measures(["all_trec" if options else "official"])}
    assert found == {key: value for key, value in theirs.items() if key[0] in asked}


# --- pipes ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder", "letor")
class TestPipes:
    """In processes of their own: what waits for ever cannot be stopped in this one."""

    @pytest.mark.parametrize("arrives", ["cat run >pipe", "(sleep 0.3; cat run) >pipe"])
    def test_a_named_pipe_is_read_like_a_file(self, arrives: str) -> None:
        line = f"mkfifo pipe; {arrives} & {COMMAND} trec qrels pipe -m map"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30)
        assert done.stdout == run("trec", "qrels", "run", "-m", "map").stdout

    def test_the_pipe_of_a_shell(self) -> None:
        line = f"{COMMAND} trec <(cat qrels) <(gzip -c run) -m map; {COMMAND} trec qrels <(true)"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30)
        assert done.stdout == run("trec", "qrels", "run", "-m", "map").stdout
        assert "has no lines" in done.stderr

    @pytest.mark.parametrize(
        "words",
        [
            ("trec", "qrels", "pipe"),
            ("trec", "pipe", "run"),
            ("letor", "pipe", "--score", "1"),
            ("letor", "test.txt", "--scores", "pipe"),
            ("letor", "rank.test", "--group-sizes", "pipe", "--score", "1"),
        ],
    )
    def test_a_pipe_without_a_writer(
        self, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(file_kind, "PATIENCE", 0.05)
        os.mkfifo("pipe")
        done = run(*words)
        assert done.exit_code == 2
        assert "'pipe' cannot be read: it is a pipe that nobody writes to" in done.stderr


# --- letor ---------------------------------------------------------------------------------------


@pytest.fixture
def letor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = "2 {0}1:0.3 2:5\n0 {0}1:0.9\n1 {0}1:0.5\n1 {1}1:0.5\n0 {1}1:0.25\n"
    (tmp_path / "test.txt").write_text(lists.format("qid:1 ", "qid:2 "))
    (tmp_path / "rank.test").write_text(lists.format("", ""))
    (tmp_path / "rank.test.query").write_text("3\n2\n")
    (tmp_path / "scores").write_text("3\n2\n1\n1\n2\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("letor")
class TestLetor:
    @pytest.mark.parametrize(
        "words", [("test.txt",), ("rank.test", "--group-sizes", "rank.test.query")]
    )
    def test_a_feature_as_the_score(self, words: tuple[str, ...]) -> None:
        done = run("letor", *words, "--score", "1", "-m", "mrr,map", "--format", "csv")
        assert done.exit_code == 0
        header, *rows = [line.split(",") for line in done.stdout.splitlines()]
        found = {row[header.index("metric")]: row[header.index("value")] for row in rows}
        # 0 1 2 of two relevant: 1/2, and (1/2 + 2/3)/2; then 1 0.
        assert float(found["mrr"]) == (1 / 2 + 1) / 2
        assert float(found["map"]) == pytest.approx((7 / 12 + 1) / 2, rel=1e-15)

    def test_a_file_of_scores(self) -> None:
        done = run("letor", "test.txt", "--scores", "scores", "-m", "mrr", "--format", "csv")
        assert "0.75" in done.stdout  # first place, then second

    def test_gates(self) -> None:
        done = run("letor", "test.txt", "--score", "1", "--fail-under", "mrr=0.9")
        assert done.exit_code == 1
        assert "mrr of 1 is 0.75, which is under 0.9" in done.stderr

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("test.txt",), "name files with --scores or features with --score"),
            (("test.txt", "--score", "7"), "there is no feature '7'"),
            (("rank.test", "--score", "1"), "with --group-sizes FILE"),
            (("test.txt", "--score", "1", "-o", "test.txt"), "the rows are read from it"),
            (("none", "--score", "1"), "there is no file 'none'"),
        ],
    )
    def test_refused(self, words: tuple[str, ...], said: str) -> None:
        done = run("letor", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert said in done.stderr
