"""`steelyard eval`: its arguments, where its output goes, and its gates."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.cli import evaluating, output, shown_slices
from steelyard.cli.commands import eval as command
from steelyard.report import formats
from steelyard.spec import split_at_commas
from tests.shell.run import run

sy: Any = steelyard
METRICS = ["auc", "ap", "gini"]
COLUMNS = ("click", "pctr", "pctr_new", "weight", "user_id", "country", "device", "a=b", "a,b")


class Opened:
    """A source that is open, and knows when it is no longer."""

    name, columns, rows, closed = "log", COLUMNS, 4, False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The arguments that open_source and evaluate receive, without a file being there."""
    opened = Opened()
    found: dict[str, Any] = {"source": opened}

    def open_source(source: Any, **named: Any) -> Opened:
        found["opened"] = (source, {name: v for name, v in named.items() if v})
        return opened

    def evaluate(source: Any, **arguments: Any) -> Any:
        assert source is found["source"]
        found["evaluated"] = arguments
        return real(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics=METRICS)

    from steelyard import api

    real = api.evaluate
    monkeypatch.setattr("steelyard.sources.opening.open_source", open_source)
    monkeypatch.setattr("steelyard.api.evaluate", evaluate)
    return found


R = ("--label", "click", "--score", "pctr")
BASE = {"label": "click", "score": "pctr", "nan": "error", "rows": "common"}
BASE["unscored"] = "error"
ARGUMENTS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("roles alone", R, {}),
    ("recognised", (), {"weight": "weight", "group": "user_id"}),
    ("no weight by an empty name", ("--weight", ""), {"weight": "", "group": "user_id"}),
    ("no weight by a flag", ("--no-weight", "--group", ""), {"weight": ""}),
    (
        "every column",
        (*R, "--weight", "w", "--trials", "n", "--group", "g", "--cluster", "c"),
        {"weight": "w", "trials": "n", "group": "g", "cluster": "c"},
    ),
    ("several scores", (*R, "--score", "pctr_new"), {"score": ["pctr", "pctr_new"]}),
    (
        "scores with names",
        ("--label", "click", "--score", "old=pctr", "--score", "new = pctr*2"),
        {"score": {"old": "pctr", "new": "pctr*2"}},
    ),
    ("a column with =", ("--label", "click", "--score", "a=b"), {"score": "a=b"}),
    ("an expression with ==", ("--label", "click", "--score", "p==1"), {"score": "p==1"}),
    ("an expression with >=", ("--label", "click", "--score", "p>=1"), {"score": "p>=1"}),
    (
        "slices, alone and crossed",
        (*R, "--by", "country", "--by", "country, device", "--by", "date_trunc('day', ts)"),
        {"by": ["country", ("country", "device"), "date_trunc('day', ts)"]},
    ),
    ("a column with a comma", (*R, "--by", "a,b"), {"by": ["a,b"]}),
    (
        "metrics in lists",
        (*R, "-m", "auc,fbeta(2, threshold=0.3)", "--metric", "ks"),
        {"metrics": ["auc", "fbeta(2, threshold=0.3)", "ks"]},
    ),
    (
        "a gate brings its metric",
        (*R, "-m", "ks", "--fail-under", "roc_auc=0.1"),
        {"metrics": ["ks", "auc"]},
    ),
    (
        "and leaves the others as they are",
        (*R, "--fail-over", "gini=1"),
        {"metrics": [*sy.plan.DEFAULT_METRICS, "gini"]},
    ),
    ("rows", (*R, "--where", "a > 1", "--positive", ""), {"where": "a > 1", "positive": ""}),
    ("choices", (*R, "--nan", "drop", "--preset", "sklearn"), {"nan": "drop", "preset": "sklearn"}),
    ("means", (*R, "--threads", "3", "--memory", "4GB"), {"threads": 3, "memory": "4GB"}),
]


@pytest.mark.parametrize(
    ("typed", "more"), [case[1:] for case in ARGUMENTS], ids=[case[0] for case in ARGUMENTS]
)
def test_the_arguments_that_evaluate_receives(
    received: dict[str, Any], typed: tuple[str, ...], more: dict[str, Any]
) -> None:
    done = run("eval", "log.parquet", *typed)
    assert done.exit_code == 0, done.stderr
    assert received["evaluated"] == BASE | more
    assert received["source"].closed


def test_the_source_that_is_opened(received: dict[str, Any]) -> None:
    run("eval", "a.csv", *R)
    assert received["opened"] == ("a.csv", {})
    run("eval", "a.csv", "-", "day=*/*.csv", *R, "--threads", "2", "--memory", "1GB")
    assert received["opened"] == (("a.csv", "-", "day=*/*.csv"), {"threads": 2, "memory": "1GB"})
    run("eval", "a.db", "--table", "t", *R)
    assert received["opened"] == ("a.db", {"table": "t"})
    run("eval", "--sql", "SELECT 1", *R)
    assert received["opened"] == (None, {"sql": "SELECT 1"})


def test_recognised_columns_are_reported_once_and_only_where_none_were_given(
    received: dict[str, Any],
) -> None:
    done = run("eval", "a.csv", "--no-weight", "--group", "")
    assert done.stderr == (
        "using click as label, pctr as score; name others with --label, --score\n"
    )
    assert run("eval", "a.csv", "-q").stderr == ""
    assert run("eval", "a.csv", *R).stderr == ""


def test_weight_and_no_weight_exclude_each_other(received: dict[str, Any]) -> None:
    done = run("eval", "a.csv", "--weight", "w", "--no-weight")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--weight and --no-weight exclude each other. See steelyard eval --help." in done.stderr


def test_the_source_is_closed_after_a_mistake_too(
    received: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Opened, "columns", ("x",))
    assert run("eval", "a.csv").exit_code == 2
    assert received["source"].closed


GATES: list[tuple[str, tuple[str, ...], int, list[str]]] = [
    ("reached", ("--fail-under", "auc=0.75", "--fail-over", "auc=0.75"), 0, []),
    ("too low", ("--fail-under", "auc=0.7500001"), 1, ["auc of score is 0.75"]),
    ("too high", ("--fail-over", "roc_auc=0.7"), 1, ["auc of score is 0.75"]),
    (
        "two of three missed",
        ("--fail-under", "auc=0.9", "--fail-under", "ap=0.1", "--fail-over", "ap=0.2"),
        1,
        ["auc of score is 0.75", "ap of score is 0.83"],
    ),
]


@pytest.mark.parametrize(
    ("typed", "code", "said"), [case[1:] for case in GATES], ids=[case[0] for case in GATES]
)
def test_gates(
    received: dict[str, Any], typed: tuple[str, ...], code: int, said: list[str]
) -> None:
    done = run("eval", "a.csv", *R, *typed)
    assert done.exit_code == code
    assert "auc     0.750000" in done.stdout  # the table is there either way
    lines = done.stderr.splitlines()
    assert len(lines) == len(said)
    for line, part in zip(lines, said, strict=True):
        assert line.startswith(f"steelyard: {part}")


SCORE_GATES = {
    "new.auc=0.9": (1, "auc of new is 0.75, which is under 0.9."),
    "v1.2.auc=0.9": (0, ""),
    "auc=0.9": (1, "auc of new is 0.75"),
    "v1.2.tpr_at_fpr(0.01)=0.5": (0, ""),
    "new.tpr_at_fpr(0.01)=0.9": (1, "tpr_at_fpr(0.01) of new is 0.5"),
    "v1.auc=0.1": (2, "names the score 'v1' of auc, but the scores are new, v1.2: name one"),
    ".auc=0.1": (2, "cannot read the gate '.auc=0.1'"),
    "new.=0.1": (2, "cannot read the gate 'new.=0.1'"),
}


@pytest.mark.parametrize("gate", SCORE_GATES)
def test_a_gate_may_name_its_score(tmp_path: Path, gate: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("click,a,b\n0,0.1,0.1\n0,0.4,0.2\n1,0.35,0.3\n1,0.8,0.4\n")
    scores = ("--label", "click", "--score", "new=a", "--score", "v1.2=b")
    done = run("eval", str(path), *scores, "-m", "auc,tpr_at_fpr(0.01)", "--fail-under", gate)
    code, said = SCORE_GATES[gate]
    assert done.exit_code == code
    assert said in done.stderr
    assert (done.stderr == "") == (code == 0)


def test_a_gate_without_a_value_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("click,pctr\n1,0.1\n1,0.8\n")
    done = run("eval", str(path), *R, "--fail-over", "auc=1")
    assert done.exit_code == 1
    assert "auc of pctr has no value (there are no negatives)" in done.stderr


def test_a_gate_uses_the_preset(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("click,pctr\n0,0.1\n0,0.4\n1,0.35\n1,0.8\n")
    words = ("--preset", "sklearn", "--fail-under", "partial_auc(0.5)=0.7")
    done = run("eval", str(path), *R, *words)
    assert done.exit_code == 1  # McClish: ½(1 + (0.25 − 0.125)/(0.5 − 0.125)) = 2/3
    assert "is 0.6666666666666666, which is under 0.7." in done.stderr


def test_a_gate_is_never_passed_unseen(received: dict[str, Any]) -> None:
    done = run("eval", "a.csv", *R, "--fail-under", "ks=0")  # the stand-in has none
    assert done.exit_code == 2
    assert "this result has no ks" in done.stderr


# --- output ------------------------------------------------------------------------------------
@pytest.fixture
def written(
    received: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[str, int | None]]:
    """The formats and widths that the reporter receives."""
    asked: list[tuple[str, int | None]] = []

    def shown(result: Any, format: str, width: int | None) -> str:
        asked.append((format, width))
        return f"{format} of {result.metrics}"

    monkeypatch.setattr(output, "rendered", shown)
    return asked


@pytest.mark.parametrize(
    ("typed", "format"),
    [
        ((), "table"),
        (("--format", "jsonl"), "jsonl"),
        (("-o", "a.json"), "json"),
        (("-o", "A.JSONL"), "jsonl"),
        (("-o", "a.csv"), "csv"),
        (("-o", "a.md"), "markdown"),
        (("-o", "a.txt"), "table"),
        (("-o", "a"), "table"),
        (("-o", "a.html", "--format", "json"), "json"),
        (("-o", "a.json", "--format", "csv"), "csv"),
        (("-o", "-", "--format", "csv"), "csv"),
        (("-o", "/dev/stdout"), "table"),
    ],
)
def test_formats(
    written: list[tuple[str, int | None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: tuple[str, ...],
    format: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("eval", "log.parquet", *R, *typed)
    assert (done.exit_code, done.stderr) == (0, "")
    assert written == [(format, None)]
    text = f"{format} of {tuple(METRICS)}\n"
    files = [path.read_text() for path in tmp_path.iterdir()]
    assert [done.stdout, *files] == (["", text] if files else [text])
    assert bool(files) == ("-o" in typed and not {"-", "/dev/stdout"} & {*typed})


@pytest.mark.parametrize("path", ["no/such/a.json", ".", "log.csv", "link.csv"])
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    received: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("click,pctr\n")
    Path("link.csv").symlink_to("log.csv")
    done = run("eval", "lo*.csv", *R, "-o", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cannot be written" in done.stderr
    assert "opened" not in received
    assert Path("log.csv").read_text() == "click,pctr\n"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission_is_refused_before_the_work(
    received: dict[str, Any], tmp_path: Path
) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    done = run("eval", "log.csv", *R, "-o", str(tmp_path / "a.json"))
    assert "Permission denied" in done.stderr
    assert "opened" not in received


def test_the_lists_are_those_of_the_reporters() -> None:
    assert {"text", *output.FORMATS} - {"table"} == set(formats.FORMATS) - {"html"}
    assert set(output.ENDINGS.values()) == set(output.FORMATS)


def test_every_option_reaches_evaluate() -> None:
    """An option that nothing reads is a lie in the help."""
    source = Path(command.__file__).read_text()
    _, _, code = source.partition("def evaluate_files")
    code += Path(shown_slices.__file__).read_text() + Path(evaluating.__file__).read_text()
    for option in command.COMMAND_OPTIONS:
        if option.expose_value:
            assert f'"{option.name}"' in code, option.name


def test_json_of_the_catalogue() -> None:
    listed = json.loads(run("list", "--format", "json").stdout)
    names = {page["name"]: page for page in listed}
    assert names["auc"]["aliases"] == ["roc_auc", "roc_auc_score", "auroc"]
    assert names["fbeta"]["parameters"][0] == {
        "name": "beta",
        "required": True,
        "wanted": "a number above 0",
        "means": "how much recall counts: beta² times as much as precision",
    }
    assert not names["roc"]["one_number"]


def test_lists_are_split_at_commas_outside_quotes_and_brackets() -> None:
    assert split_at_commas("a,'b,c',\"d,e\",f(g,[h,i])") == [
        "a",
        "'b,c'",
        '"d,e"',
        "f(g,[h,i])",
    ]
    assert split_at_commas("a,,b,") == ["a", "", "b", ""]
    assert split_at_commas("a),b") == ["a)", "b"]


def test_the_groups_go_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text("y,a,b,u\n1,2,1,ann\n0,1,2,ann\n1,1,1,bob\n", encoding="utf-8")
    words = ["eval", "log.csv", "--label", "y", "--group", "u", "-m", "gauc", "--groups", "g.csv"]
    assert run(*words, "--score", "a").exit_code == 0
    assert Path("g.csv").read_text() == "u,n,positives,weight,gauc\nann,2,1,2,1.0\nbob,1,1,1,\n"
    assert run(*words, "--score", "a", "--score", "b").exit_code == 0
    assert Path("g.csv").read_text().splitlines() == [
        "score,u,n,positives,weight,gauc",
        *("a,ann,2,1,2,1.0", "a,bob,1,1,1,"),
        *("b,ann,2,1,2,0.0", "b,bob,1,1,1,"),
    ]
    done = run(*words[:-4], "-m", "auc", *words[-2:], "--score", "a")
    assert "has no table of groups" in done.stderr


LOG_WITH_WEIGHT = "click,pctr,margin,weight\n0,0.1,-2,1\n0,0.4,-1,2\n1,0.35,-0.5,1\n1,0.8,3,1\n"
UNUSED = "column weight is not used: every row counts once unless it is named as the weight"
AT_A_HALF = (
    "accuracy, recall: threshold 0.5 is for probabilities, but margin has values outside 0 to 1; "
    "name another, as in precision(0)"
)
NAMED = ("--label", "click", "--score")
DOUBTS: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    ((*NAMED, "pctr"), (UNUSED,)),
    ((*NAMED, "pctr", "--weight", "weight"), ()),
    ((*NAMED, "pctr", "--no-weight"), ()),
    (("--score", "pctr"), ()),  # the weight is recognised
    ((*NAMED, "pctr", "--by", "weight > 1"), ()),
    ((*NAMED, "pctr", "--where", "Weight > 0"), ()),
    ((*NAMED, "pctr", "-m", "ecpm(weight)"), ()),
    ((*NAMED, "pctr", "--group", "click", "-m", "ndcg@3"), ()),  # weights do not enter it
    ((*NAMED, "margin", "--no-weight", "-m", "accuracy,recall"), (AT_A_HALF,)),
    ((*NAMED, "margin", "--score", "pctr", "-m", "accuracy,auc,recall"), (AT_A_HALF, UNUSED)),
    ((*NAMED, "margin", "--no-weight", "-m", "accuracy(0),recall(-1),auc"), ()),
    ((*NAMED, "pctr", "--no-weight", "-m", "accuracy,recall"), ()),
]


@pytest.mark.parametrize(("words", "notes"), DOUBTS)
def test_what_may_not_be_meant_is_noted(
    tmp_path: Path, words: tuple[str, ...], notes: tuple[str, ...]
) -> None:
    path = tmp_path / "log.csv"
    path.write_text(LOG_WITH_WEIGHT)
    done = run("eval", str(path), *words)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert tuple(line for line in lines if "not used" in line or "threshold 0.5" in line) == (
        *(note for note in (AT_A_HALF, UNUSED) if note in notes),
    )


def test_python_and_comparisons_have_the_same_notes(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(LOG_WITH_WEIGHT)
    roles: dict[str, Any] = {"label": "click", "metrics": "accuracy,recall"}
    result = sy.evaluate(str(path), **roles, score="margin")
    compared = sy.compare(str(path), **roles, score=["pctr", "margin"], cluster="row")
    for text in (repr(result), result._repr_html_(), result.to_html(), repr(compared)):
        assert UNUSED in text
        assert AT_A_HALF in text
    again = sy.Result.from_json(result.to_json())
    assert (again, str(again)) == (result, str(result))
