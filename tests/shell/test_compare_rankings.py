"""Rankings compared: `steelyard trec --compare` and `steelyard letor --compare`."""

import csv
import io
import json
from pathlib import Path

import pytest

import steelyard as sy
from tests.paths import SHARED
from tests.shell.run import run

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n3 0 a 1\n3 0 b 1\n4 0 a 1\n5 0 b 0\n"
GOOD = "1 Q0 a 1 2 good\n1 Q0 b 2 1 good\n2 Q0 a 1 2 good\n2 Q0 b 2 1 good\n3 Q0 a 1 2 good\n"
BAD = "1 Q0 b 1 2 bad\n1 Q0 a 2 1 bad\n2 Q0 a 1 2 bad\n2 Q0 b 2 1 bad\n3 Q0 c 1 2 bad\n"
MIXED = "1 Q0 a 1 2 bad\n1 Q0 b 2 1 bad\n2 Q0 b 1 2 bad\n2 Q0 a 2 1 bad\n3 Q0 a 1 2 bad\n"
# Reciprocal ranks of the queries 1, 2, 3: good 1 1 1, bad 1/2 1 0, mixed 1 1/2 1.


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("qrels", QRELS), ("good", GOOD), ("bad", BAD), ("mixed", MIXED)):
        (tmp_path / f"{name}.txt").write_text(text)
    (tmp_path / "short.txt").write_text("1 Q0 a 1 2 short\n9 Q0 a 1 2 short\n")
    monkeypatch.chdir(tmp_path)


def compared(*words: str) -> list[dict[str, object]]:
    done = run("trec", "qrels.txt", *words, "--compare", "--format", "json", "-m", "recip_rank")
    assert done.exit_code == 0, done.stderr
    rows: list[dict[str, object]] = json.loads(done.stdout)["rows"]
    return rows


def test_two_runs_have_a_difference_with_an_interval_by_query() -> None:
    done = run("trec", "qrels.txt", "good.txt", "bad.txt", "--compare", "-m", "recip_rank,P_1")
    assert done.exit_code == 0
    head, _, first, *_ = done.stdout.splitlines()
    assert head.split() == ["metric", "good", "bad", "difference", "p", "outcome"]
    assert first.split()[:4] == ["mrr", "1.0", "0.5", "−0.5"]
    assert "+ is better; 95 % intervals by query" in done.stdout
    # The losses by hand: query 3 loses 1, query 1 loses 1/2, query 2 nothing.
    losses = done.stdout.split("mrr by query: largest losses\n")[1].splitlines()[2:4]
    assert [line.split() for line in losses] == [
        ["3", "1.000000", "0.000000", "−1.000000"],
        ["1", "1.000000", "0.500000", "−0.500000"],
    ]
    assert "mrr: 2 of 3 groups lose, 0 gain" in done.stdout
    left_out = "left out 2 queries of the qrels that the run does not have; -c counts them as 0"
    assert done.stderr == "".join(f"{name}.txt: {left_out}\n" for name in ("good", "bad"))


def test_the_first_run_is_the_baseline_unless_another_is_named() -> None:
    """Two runs have the tag bad: the second is called by its file, and may be named by it."""
    runs = ("good.txt", "bad.txt", "mixed.txt")
    pairs = [(row["against"], row["score"]) for row in compared(*runs)]
    assert pairs == [("good", "bad"), ("good", "mixed.txt")]
    for name in ("bad", "bad.txt"):
        pairs = [(row["against"], row["score"]) for row in compared(*runs, "--baseline", name)]
        assert pairs == [("bad", "good"), ("bad", "mixed.txt")]
    every = compared(*runs, "--all-pairs")
    assert [(row["against"], row["score"], row["difference"]) for row in every] == [
        ("good", "bad", -0.5),
        ("good", "mixed.txt", pytest.approx(-1 / 6)),
        ("bad", "mixed.txt", pytest.approx(1 / 3)),
    ]
    assert all(row["holm"] is not None for row in every)


def test_all_queries_and_a_file_of_them() -> None:
    words = ("trec", "qrels.txt", "good.txt", "bad.txt", "mixed.txt", "--compare", "-m", "mrr")
    every = run(*words, "-q").stdout
    assert "mrr by query: all groups, the largest loss first" in every
    assert sum(line.startswith(("bad ", "mixed.txt ")) for line in every.splitlines()) == 6
    assert "largest losses" not in run(*words, "--worst", "0").stdout
    one = run(*words, "--worst", "1", "--groups", "queries.csv", "--format", "markdown").stdout
    assert "| bad | good | 3 |" in one
    assert "| bad | good | 1 |" not in one
    lines = list(csv.DictReader(io.StringIO(Path("queries.csv").read_text())))
    assert [(x["score"], x["query"], float(x["difference"])) for x in lines] == [
        *(("bad", "1", -0.5), ("bad", "2", 0), ("bad", "3", -1)),
        *(("mixed.txt", "1", 0), ("mixed.txt", "2", -0.5), ("mixed.txt", "3", 0)),
    ]
    assert lines[0].keys() >= {"metric", "against", "n", "positives", "baseline", "candidate"}


def test_the_page_of_two_runs() -> None:
    done = run("trec", "qrels.txt", "good.txt", "bad.txt", "--compare", "-o", "page.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "is compared with good" in Path("page.html").read_text()


def test_a_query_that_one_run_lacks_is_refused_or_counts_as_0() -> None:
    words = ("trec", "qrels.txt", "good.txt", "short.txt", "--compare", "-m", "mrr")
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "short.txt: left out 1 query without a judgement" in done.stderr
    assert "run 'good' has the query '2', which run 'short' does not have" in done.stderr
    assert "or give -c, which counts queries without a document as 0" in done.stderr
    full = json.loads(run(*words, "-c", "--format", "json").stdout)["rows"][0]
    # Five queries, of which 5 has nothing relevant: trec_eval counts 0. 1 1 1 0 0 and 1 0 0 0 0.
    assert (full["baseline"], full["candidate"]) == (pytest.approx(0.6), pytest.approx(0.2))
    assert full["details"]["clusters"] == 5


def test_gates_by_the_names_of_trec_eval() -> None:
    words = ("trec", "qrels.txt", "good.txt", "good2.txt", "--compare", "-m", "map")
    Path("good2.txt").write_text(GOOD.replace("good", "again"))
    assert run(*words, "--require-not-worse", "recip_rank=0").exit_code == 0
    worse = run("trec", "qrels.txt", "good.txt", "bad.txt", "--compare", "-m", "map")
    assert worse.exit_code == 0
    words = ("trec", "qrels.txt", "good.txt", "bad.txt", "mixed.txt", "--compare", "--all-pairs")
    missed = run(*words, "--require-not-worse", "recip_rank=0.1")
    assert missed.exit_code == 1
    assert "mrr of bad against good is not shown to be worse by 0.1 or less" in missed.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--compare",), "--compare takes two rankings or more, and there is one"),
        (("bad.txt", "--baseline", "good"), "--baseline needs --compare"),
        (("bad.txt", "--worst", "0"), "--worst needs --compare"),
        (("bad.txt", "--groups", "a.csv"), "--groups needs --compare"),
        (("bad.txt", "--format", "html"), "--format html needs --compare"),
        (("bad.txt", "--compare", "--format", "jsonl"), "the formats are table, json, csv,"),
        (("bad.txt", "--compare", "--format", "trec"), "the formats are table, json, csv,"),
        (("bad.txt", "--compare", "-q", "--format", "csv"), "--groups FILE writes every query"),
        (("bad.txt", "--compare", "--fail-under", "map=1"), "--compare: use --fail-if-worse"),
        (("bad.txt", "--compare", "--baseline", "none"), "no score is called 'none'"),
        (("bad.txt", "--compare", "-m", "num_ret"), "only --format trec has counts"),
        (("bad.txt", "--compare", "-o", "bad.txt"), "the rows are read from it"),
        (("bad.txt", "--compare", "--groups", "bad.txt"), "the rows are read from it"),
        (("bad.txt", "--compare", "--baseline", "bad", "--all-pairs"), "--all-pairs compares"),
    ],
)
def test_refused(words: tuple[str, ...], said: str) -> None:
    done = run("trec", "qrels.txt", "good.txt", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr


def test_compare_names_the_commands_of_trec_and_letor_files() -> None:
    done = run("compare", "qrels.txt", "good.txt", "bad.txt")
    assert done.exit_code == 2
    assert "steelyard trec and steelyard letor read TREC and LETOR files" in done.stderr


def test_runs_of_trec_eval_s_own_tests() -> None:
    """Both sides are what trec_eval printed of the run, and of its first queries with -c."""
    folder = SHARED / "data" / "trec_eval"
    if not folder.is_dir():
        pytest.skip(f"NO REFERENCE DATA in {folder}: the values were not checked")
    paths = [str(folder / name) for name in ("qrels.test", "results.test", "results.trunc")]
    done = run("trec", *paths, "--compare", "-c", "-m", "map,recip_rank", "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    for side, name in (("baseline", "out.test"), ("candidate", "out.test.aqc")):
        words = [line.split() for line in (folder / name).read_text().splitlines()]
        printed = {line[0]: float(line[2]) for line in words if line[:2] in MEANS}
        shown = [row[side] for row in rows]
        assert shown == pytest.approx([printed["map"], printed["recip_rank"]], abs=5e-5)


MEANS = (["map", "all"], ["recip_rank", "all"])


# --- letor ---------------------------------------------------------------------------------------
@pytest.fixture
def letor(tmp_path: Path) -> None:
    lines = "1 qid:1 1:3\n0 qid:1 1:2\n1 qid:2 1:1\n0 qid:2 1:2\n1 qid:3 1:5\n0 qid:3 1:4\n"
    (tmp_path / "test.data").write_text(lines)
    (tmp_path / "a.txt").write_text("2\n1\n2\n1\n2\n1\n")
    (tmp_path / "b.txt").write_text("1\n2\n1\n2\n2\n1\n")


# Reciprocal ranks of the queries: a 1 1 1, b 1/2 1/2 1, feature 1 1 1/2 1.
@pytest.mark.usefixtures("letor")
class TestLetor:
    def test_files_and_features_are_compared(self) -> None:
        words = ("letor", "test.data", "--scores", "old=a.txt", "--scores", "b.txt", "--score", "1")
        done = run(*words, "--compare", "-m", "mrr", "--format", "json", "--all-pairs")
        rows = json.loads(done.stdout)["rows"]
        assert [(r["against"], r["score"], r["difference"]) for r in rows] == [
            ("old", "b.txt", pytest.approx(-1 / 3)),
            ("old", "1", pytest.approx(-1 / 6)),
            ("b.txt", "1", pytest.approx(1 / 6)),
        ]
        table = run(*words, "--compare", "-m", "mrr,auc", "--worst", "1").stdout
        assert "intervals by qid" in table
        assert "mrr by qid: largest losses" in table
        named = run(*words, "--compare", "-m", "mrr", "--baseline", "a.txt", "--format", "csv")
        assert [line.split(",")[1:3] for line in named.stdout.splitlines()[1:]] == [
            ["b.txt", "old"],
            ["1", "old"],
        ]

    def test_several_scores_without_a_comparison_are_one_table(self) -> None:
        words = ("letor", "test.data", "--scores", "a.txt", "--score", "1", "-m", "mrr")
        rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
        assert [(row["score"], float(row["value"])) for row in rows] == [
            ("score", 1.0),
            ("1", pytest.approx(5 / 6)),
        ]

    def test_python_reads_several_files(self) -> None:
        rows = sy.read_letor("test.data", {"old": "a.txt", "new": "b.txt"})
        found = sy.compare(rows, label="label", score=["old", "new"], group="qid", metrics="mrr")
        assert found.row("mrr").difference == pytest.approx(-1 / 3)
        assert found.groups("mrr").worst()["qid"] == [1, 2]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((), "name files with --scores or features with --score"),
            (("--scores", "a.txt", "--compare"), "takes two rankings or more"),
            (("--scores", "qid=a.txt"), "scores cannot be called 'qid', since 'test.data' has"),
            (("--scores", "1=a.txt"), "scores cannot be called '1', since 'test.data' has"),
            (("--scores", "a.txt", "--scores", "a.txt"), "two scores have the name 'a.txt'"),
            (("--scores", "a.txt", "--score", "7", "--compare"), "there is no feature '7'"),
        ],
    )
    def test_refused(self, words: tuple[str, ...], said: str) -> None:
        done = run("letor", "test.data", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr
