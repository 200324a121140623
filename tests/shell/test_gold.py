"""The output of the commands, to the letter: one file per command line in `gold`.

`make gold` writes the files again; a reviewer reads what changed in them.
"""

import os
import shlex
from pathlib import Path

import click
import pytest

from steelyard.cli.main import steelyard
from tests.shell.run import run

GOLD = Path(__file__).parent / "gold"
WRITE = "STEELYARD_WRITE_GOLD"  # set by `make gold`

COMMANDS = steelyard.list_commands(click.Context(steelyard))
HELP = {"help": ("--help",)} | {f"help_{name}": (name, "--help") for name in COMMANDS}
# Commands of which only the help is shown, and why.
HELP_ALONE = {
    "completion": "the scripts are click's, and change with its version",
    "diagnose": "docs/investigating-a-drop.md shows it five times, and a test runs that page",
    "doctor": "what it prints depends on the machine",
    "plot": "it prints nothing: test_plot_command reads its files",
}
# The name of the file, and the command line that it shows.
LINES: dict[str, tuple[str, ...]] = {
    "table": ("eval", "log.csv", "--label", "click", "--score", "pctr"),
    "table_recognised": ("eval", "log.csv", "-m", "auc,ks"),
    "table_quiet": ("eval", "log.csv", "-m", "auc", "--quiet", "--no-weight"),
    "table_no_value": ("eval", "log.csv", "-q", "-m", "precision(0.99),tpr_at_fpr(0.1)"),
    "table_dropped": ("eval", "holes.csv", "-q", "--nan", "drop", "-m", "auc"),
    "by": ("eval", "log.csv", "-q", "--by", "country", "-m", "auc,ap"),
    "by_two": ("eval", "log.csv", "-q", "--by", "country", "--by", "device", "-m", "auc"),
    "by_crossed": ("eval", "log.csv", "-q", "--by", "country,device", "-m", "auc"),
    "scores": ("eval", "log.csv", "-q", "--score", "pctr", "--score", "pctr_new", "-m", "auc,ks"),
    "scores_by": (
        *("eval", "log.csv", "-q", "--score", "old=pctr", "--score", "new=pctr_new"),
        *("--by", "country", "-m", "auc,ks"),
    ),
    "files": ("eval", "day*.csv", "-q", "-m", "auc"),
    "where": ("eval", "log.csv", "-q", "--where", "country = 'DE'", "-m", "auc"),
    "sql": ("eval", "log.csv", "-q", "--sql", "SELECT * FROM source LIMIT 100", "-m", "auc"),
    "trials": (
        *("eval", "sums.csv", "-q", "--label", "clicks", "--trials", "shown"),
        *("--score", "pctr", "-m", "auc"),
    ),
    "json": ("eval", "log.csv", "-q", "--format", "json", "-m", "auc,precision(0.99)"),
    "jsonl": ("eval", "log.csv", "-q", "--format", "jsonl", "-m", "auc,precision(0.99)"),
    "csv": ("eval", "log.csv", "-q", "--format", "csv", "-m", "auc,precision(0.99)"),
    "markdown": ("eval", "log.csv", "-q", "--format", "markdown", "-m", "auc,precision(0.99)"),
    "json_by": ("eval", "log.csv", "-q", "--format", "json", "--by", "country", "-m", "auc"),
    "csv_by": ("eval", "log.csv", "-q", "--format", "csv", "--by", "country,device", "-m", "auc"),
    "shapes": ("eval", "log.csv", "-q", "-m", "auc,class_report,thresholds(5)"),
    "shapes_by": (
        *("eval", "log.csv", "-q", "--score", "pctr", "--score", "pctr_new", "--by", "country"),
        *("-m", "confusion(0.3)"),
    ),
    "shapes_csv": ("eval", "log.csv", "-q", "--format", "csv", "-m", "roc(6)"),
    "shapes_json": ("eval", "log.csv", "-q", "--format", "json", "-m", "auc,pr(4)"),
    "markdown_by": ("eval", "log.csv", "-q", "--format", "markdown", "--by", "country"),
    "gates": (
        *("eval", "log.csv", "-q", "-m", "ks", "--fail-under", "auc=0.99"),
        *("--fail-over", "precision(0.99)=0.5", "--fail-under", "ap=0.01"),
    ),
    "intervals": ("eval", "log.csv", "-q", "--cluster", "row", "-m", "auc,copc,logloss,ks"),
    "intervals_by": (
        *("eval", "log.csv", "-q", "--cluster", "row", "--confidence", "0.9"),
        *("-m", "auc,copc", "--by", "country"),
    ),
    "compare": (
        *("compare", "log.csv", "-q", "--score", "old=pctr", "--score", "new=pctr_new"),
        *("--cluster", "row", "--require-not-worse", "auc=0.01"),
    ),
    "compare_by": (
        *("compare", "log.csv", "-q", "--score", "old=pctr", "--score", "new=pctr_new"),
        *("--cluster", "row", "--by", "country", "-m", "auc"),
    ),
    "compare_logs": (
        *("compare", "day1.csv", "day2.csv", "-q", "--score", "pctr", "--cluster", "row"),
        *("-m", "auc", "--format", "markdown"),
    ),
    "trec": ("trec", "qrels.txt", "run.txt"),
    "trec_queries": (
        *("trec", "qrels.txt", "run.txt", "-q", "-c"),
        *("-m", "num_rel_ret,map,ndcg@10,P.5,10", "-m", "ndcg(gain=exp2)@10"),
    ),
    "trec_ours": ("trec", "qrels.txt", "run.txt", "-q", "-m", "map", "--preset", "none"),
    "trec_table": (
        *("trec", "qrels.txt", "run.txt", "-q", "--format", "table", "-m", "map,P_5"),
        *("--fail-under", "recip_rank=0.99"),
    ),
    "trec_compare": (
        *("trec", "qrels.txt", "run.txt", "other.txt", "third.txt", "--compare"),
        *("-m", "map,P_5", "--worst", "2", "--baseline", "other"),
    ),
    "letor": ("letor", "test.txt", "--score", "1"),
    "letor_compare": (
        *("letor", "test.txt", "--scores", "model=scores.txt", "--score", "2", "--compare"),
        *("-m", "ndcg@3", "--format", "markdown"),
    ),
    "letor_sizes": (
        *("letor", "rank.test", "--group-sizes", "rank.test.query", "--scores", "scores.txt"),
        *("-m", "ndcg@3", "--preset", "lightgbm", "--format", "csv"),
    ),
    "list": ("list",),
    "list_pattern": ("list", "*_at_*"),
    "list_json": ("list", "fbeta", "--format", "json"),
    "explain": ("explain", "auc"),
    "explain_parameters": ("explain", "fbeta(2)", "partial_auc"),
    "explain_several": ("explain", "recall"),
    "explain_markdown": ("explain", "gauc", "--format", "markdown"),
    "explain_json": ("explain", "ks", "--format", "json"),
    "demo": ("demo",),
    "report": ("report", "log.csv", "--by", "country", "-m", "auc,copc"),
    "error_report": ("report", "log.csv", "-o", "log.csv"),
    **HELP,
    "error_no_file": ("eval", "none.csv"),
    "error_no_data": ("eval",),
    "error_no_label": ("eval", "sums.csv"),
    "error_column": ("eval", "log.csv", "--label", "clik", "--score", "pctr"),
    "error_metric": ("eval", "log.csv", "-q", "-m", "roc_acu"),
    "error_missing": ("eval", "holes.csv", "-q"),
    "error_words": ("eval", "log.csv", "--label", "country", "--score", "pctr"),
    "error_positive": (
        *("eval", "log.csv", "--label", "device", "--score", "pctr"),
        *("--positive", "tablet"),
    ),
    "error_option": ("eval", "log.csv", "--lable", "click"),
    "error_command": ("evaluate", "log.csv"),
    "error_output": ("eval", "log.csv", "-o", "nowhere/numbers.json"),
    "error_ending": ("eval", "log.csv", "-o", "numbers.html"),
    "error_trec_line": ("trec", "qrels.txt", "qrels.txt"),
    "error_letor_groups": ("letor", "rank.test", "--score", "1"),
    "error_gate": ("eval", "log.csv", "--fail-under", "auc"),
}


def rows(count: int, start: int = 0) -> list[str]:
    """Lines of a small log, without a random number: remainders of multiples look uneven enough."""
    lines = []
    for i in range(start, start + count):
        pctr = (i * 37 % 101) / 128
        click = int((i * 53 % 97) / 97 < pctr)
        new = (i * 37 % 101 + (i * 29 % 13)) / 128
        country = ("DE", "FR", "US")[i * 7 % 5 % 3]
        device = ("phone", "desktop")[i * 11 % 3 % 2]
        lines.append(f"{click},{pctr},{new},{country},{device},{1 + i % 4 / 4}")
    return lines


def ranked() -> dict[str, list[str]]:
    """Judgements and a run of three queries, and the same lists as LETOR has them."""
    documents = [(query, f"doc{i * 5 % 9}", i) for query in (101, 102, 103) for i in range(8)]
    grades = [(query - 101) * ((i * i + query) % 7 % 4) for query, _, i in documents]
    scores = [(i * 3 + query) % 8 / 4 for query, _, i in documents]
    rows = list(zip(documents, grades, scores, strict=True))
    return {
        "qrels.txt": [f"{q} 0 {d} {g}" for (q, d, i), g, _ in rows if i % 4 != 3],
        "run.txt": [f"{q} Q0 {d} 0 {s} demo" for (q, d, i), _, s in rows if q < 103 and i > 0],
        "other.txt": [f"{q} Q0 {d} 0 {i} other" for (q, d, i), _, _ in rows if q < 103],
        "third.txt": [f"{q} Q0 {d} 0 {-i} third" for (q, d, i), _, _ in rows if q < 103],
        "test.txt": [f"{g} qid:{q} 1:{s} 2:{i}" for (q, _, i), g, s in rows],
        "rank.test": [f"{g} 1:{s} 2:{i}" for (_, _, i), g, s in rows],
        "rank.test.query": ["8", "8", "8"],
        "scores.txt": [str(s) for _, _, s in rows],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small files that the command lines read."""
    made = tmp_path_factory.mktemp("gold")
    head = "click,pctr,pctr_new,country,device,weight"
    files = {
        "log.csv": [head, *rows(300)],
        "day1.csv": [head, *rows(100)],
        "day2.csv": [head, *rows(200, 100)],
        "holes.csv": ["click,pctr", "1,0.5", "0,", "0,0.25", "1,0.75", "0,"],
        "sums.csv": ["clicks,shown,pctr", "1,10,0.125", "5,20,0.25", "9,12,0.5"],
    }
    files |= ranked()
    for name, lines in files.items():
        (made / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return made


@pytest.mark.parametrize("name", LINES)
def test_gold(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    printed = shown(LINES[name])
    path = GOLD / f"{name}.txt"
    if os.environ.get(WRITE):
        GOLD.mkdir(exist_ok=True)
        path.write_text(printed, encoding="utf-8")
    assert printed == path.read_text(encoding="utf-8")


def shown(words: tuple[str, ...]) -> str:
    """A command line as a terminal shows it: what was typed, stdout, stderr and the exit code."""
    done = run(*words)
    said = "".join(f"! {line}\n" for line in done.stderr.splitlines())
    return f"$ {shlex.join(('steelyard', *words))}\n{done.stdout}{said}exit {done.exit_code}\n"


def test_no_file_is_left_over() -> None:
    assert {path.stem for path in GOLD.iterdir()} == set(LINES)


def test_every_command_is_shown_and_not_its_help_alone() -> None:
    named = {words[0] for name, words in LINES.items() if name not in HELP}
    assert set(COMMANDS) - named == set(HELP_ALONE)


@pytest.mark.parametrize("name", HELP)
def test_help_fits_80_columns(name: str) -> None:
    text = (GOLD / f"{name}.txt").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 80
