"""`steelyard plot`: a picture in a file, whole or not at all."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot

from steelyard.report.charts import draw_matplotlib
from steelyard.report.charts.kinds import EVERY
from tests.shell.run import run

START = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(autouse=True)
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(3)
    lines = ["click,pctr,other,country,user_id,hours"]
    for place in range(300):
        click, user = int(random.random() < 0.3), place % 20
        score = round(0.6 * random.random() + 0.3 * click, 3)
        lines.append(f"{click},{score},{1 - score:.3f},{'DE' if user < 9 else 'FR'},{user},{place}")
    Path("log.csv").write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("ending", START)
def test_the_ending_sets_the_format_and_the_bytes_are_the_same_each_time(ending: str) -> None:
    names = [f"{name}.{ending}" for name in ("a", "b")]
    for name in names:
        assert run("plot", "roc", "log.csv", "-q", "-o", name).exit_code == 0
    first, second = (Path(name).read_bytes() for name in names)
    assert first.startswith(START[ending])
    assert first == second


def test_what_is_drawn_is_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def file_of(*told: Any) -> bytes:
        drawn.append(told)
        return b"a picture"

    monkeypatch.setattr(draw_matplotlib, "file_of", file_of)
    done = run(
        *("plot", "pr", "log.csv", "--score", "old=pctr", "--score", "new=other", "-o", "pr.png"),
        *("--by", "country", "--where", "hours < 200", "--title", "Monday"),
    )
    assert (
        done.stderr == "using click as label, user_id as group; name others with --label, --group\n"
    )
    [(chart, ending, title)] = drawn
    names = [mark.name.partition(" (")[0] for mark in chart.marks if mark.role == "pr"]
    assert names == [
        *("old, total", "new, total", "old, country=FR", "new, country=FR"),
        *("old, country=DE", "new, country=DE"),
    ]
    assert (ending, title) == ("png", "Monday")
    assert Path("pr.png").read_bytes() == b"a picture"


def test_the_picture_is_drawn_without_pyplot() -> None:
    before = pyplot.get_fignums()
    assert run("plot", "gain", "log.csv", "-q", "-o", "gain.png").exit_code == 0
    assert pyplot.get_fignums() == before
    width, height = pyplot.imread("gain.png").shape[1::-1]
    assert (width, height) == (960, 660)  # 6.4 by 4.4 inches of 150 dots


@pytest.mark.parametrize("kind", EVERY)
def test_every_kind_is_drawn(kind: str) -> None:
    words = {
        "groups": ("--group", "user_id", "-m", "ndcg@10"),
        "slices": ("--by", "country", "-m", "ap"),
        "confusion": ("-m", "confusion(0.4)"),
        "residuals": ("--label", "hours", "--prediction", "pctr"),
        "predicted_vs_true": ("--label", "hours", "--prediction", "pctr"),
    }.get(kind, ())
    done = run("plot", kind, "log.csv", "-q", "-o", "it.svg", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert Path("it.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_mistakes_are_found_before_the_rows_are_read() -> None:
    rows = "no_such_file.csv"
    for words, said in (
        (
            ("rok", rows, "-o", "a.png"),
            "there is no picture of the kind 'rok' (did you mean 'roc'?)",
        ),
        (("roc", rows, "-o", "a.gif"), "the ending of 'a.gif' is not that of a picture"),
        (("roc", rows, "-o", "-"), "the ending of '-' is not that of a picture"),
        (("roc", rows), "missing option '-o'"),
        (("roc", rows, "-o", "none/a.png"), "there is no folder 'none'"),
        (("roc", rows, "-o", "a.png", "--by", "a", "--by", "b"), "slices of one --by"),
        (("roc", rows, "-o", "a.png"), "there is no file"),
    ):
        done = run("plot", *words)
        assert done.exit_code == 2
        assert said in done.stderr
    assert not Path("a.png").exists()


def test_matplotlib_is_asked_for_before_the_rows_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("matplotlib", "matplotlib.figure"):  # patch.dict would unload what is loaded here
        monkeypatch.setitem(sys.modules, name, None)
    done = run("plot", "roc", "no_such_file.csv", "-o", "a.png")
    assert "pip install matplotlib" in done.stderr


def test_a_file_stays_as_it_was_where_drawing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("roc.png").write_bytes(b"old")

    def fail(*told: object) -> bytes:
        raise ValueError("no room")

    monkeypatch.setattr(draw_matplotlib, "file_of", fail)
    assert run("plot", "roc", "log.csv", "-q", "-o", "roc.png").exit_code == 2
    assert Path("roc.png").read_bytes() == b"old"
    assert not list(Path().glob(".*.part"))
