"""`steelyard trec` with formats, files and gates."""

from pathlib import Path
from typing import Any

import pytest

import steelyard
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
pytestmark = pytest.mark.usefixtures("trec_files")
QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 1\n"
RUN = "1 Q0 a 1 9 mine\n1 Q0 b 2 8 mine\n2 Q0 a 1 9 mine\n2 Q0 b 2 8 mine\n"


@pytest.fixture
def trec_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The relevant document of query 1 is first, that of query 2 second: mrr is 1 and 1/2."""
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "best").write_text(RUN.replace("2 Q0 b 2 8", "2 Q0 b 1 10"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("ending", ["json", "csv", "md", "jsonl", "txt"])
def test_trec_writes_a_file_in_the_format_of_its_ending(ending: str) -> None:
    done = run("trec", "qrels", "run", "-m", "recip_rank", "-o", f"now.{ending}")
    assert (done.exit_code, done.stdout) == (0, "")
    text = Path(f"now.{ending}").read_text()
    if ending == "txt":  # trec_eval's lines
        assert text == "recip_rank            \tall\t0.7500\n"
    elif ending == "json":
        assert sy.Result.from_json(text)["mrr"] == 0.75
    else:
        assert "mrr" in text
        assert "0.75" in text


def test_trec_has_a_score_per_run_and_a_slice_per_query() -> None:
    done = run("trec", "qrels", "run", "best", "-q", "-m", "mrr", "--format", "json")
    result = sy.Result.from_json(done.stdout)
    assert result.scores == ("mine", "best")  # the second run has the same tag
    assert (result.value("mrr", score="mine"), result.value("mrr", score="best")) == (0.75, 1)
    assert result.value("mrr", score="mine", query="2") == 0.5
    assert result.conventions.preset == "trec_eval"


@pytest.mark.parametrize("name", ["mrr", "recip_rank"])
def test_trec_gates_by_either_name(name: str) -> None:
    done = run("trec", "qrels", "run", "best", "-m", "map", "--fail-under", f"{name}=0.8")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == ["steelyard: mrr of mine is 0.75, which is under 0.8."]
    assert "recip_rank            \tall\t0.7500" in done.stdout  # added, as in eval
    assert run("trec", "qrels", "best", "--fail-under", f"{name}=0.8").exit_code == 0
    assert run("trec", "qrels", "best", "--fail-over", f"{name}=0.8").exit_code == 1


def test_a_gate_of_trec_has_the_lowest_relevant_grade() -> None:
    done = run("trec", "qrels", "run", "-l", "2", "--fail-under", "recip_rank=0.5", "-m", "map")
    assert "mrr(2) of mine is 0.0, which is under 0.5" in done.stderr
    assert "recip_rank            \tall\t0.0000" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "csv", "-m", "num_ret"), "only --format trec has counts"),
        (("--fail-under", "P=0.5"), "cannot read the gate 'P=0.5'"),  # nine cuts
        (("--fail-under", "num_ret=1"), "there is no metric 'num_ret'"),
        (("-o", "run"), "the rows are read from it"),
        (("-o", "now.xls"), "now.xls"),
    ],
)
def test_trec_refuses_before_it_reads(words: tuple[str, ...], said: str) -> None:
    done = run("trec", "qrels", "run", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
