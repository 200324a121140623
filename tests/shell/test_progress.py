"""The progress line: late, seldom, short, and gone at the end."""

import threading
import time
from io import StringIO
from pathlib import Path

import pytest

from steelyard import phases
from steelyard.cli.progress import FIRST, ProgressLine, line, short
from tests.laws.clustered_log import make_log
from tests.shell.run import run


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def drawn(calls: list[tuple[float, int, int | None]], columns: int = 80) -> str:
    """What was written on the stream, by calls at these seconds with these rows and totals."""
    stream, clock = StringIO(), Clock()
    progress = ProgressLine(stream, clock, lambda: columns)
    for seconds, rows, total in calls:
        clock.now = 100.0 + seconds
        progress(rows, total)
    progress.close()
    return stream.getvalue()


def test_a_short_read_has_no_line() -> None:
    assert drawn([(0.0, 0, 100), (0.1, 50, 100), (0.29, 100, 100)]) == ""


def test_the_line_and_its_end() -> None:
    said = "12.3 M rows · 4.1 M rows/s · 3 s left"
    assert drawn([(3.0, 12_300_000, 24_600_000)]) == f"\r{said}\r{'':{len(said)}}\r"


def test_ten_times_a_second_at_most() -> None:
    calls: list[tuple[float, int, int | None]] = [(i / 1000, i, None) for i in range(1300)]
    times = drawn(calls).count("rows/s")
    assert 8 <= times <= 11  # one second is left after the first 0.3


def test_a_shorter_line_leaves_nothing_of_the_longer() -> None:
    first, second = drawn([(1.0, 1_000_000, 10**9), (2.0, 2_000_000, None)]).split("\r")[1:3]
    assert len(second) == len(first)
    assert second.rstrip() == "2.0 M rows · 1.0 M rows/s"


def test_a_narrow_terminal_does_not_wrap() -> None:
    assert drawn([(3.0, 12_300_000, 24_600_000)], columns=20).split("\r")[1] == (
        "12.3 M rows · 4.1 M"
    )


@pytest.mark.parametrize(
    ("rows", "total", "seconds", "said"),
    [
        (0, 100, 1.0, "0 rows"),
        (100, 100, 1.0, "100 rows · 100 rows/s"),  # nothing is left
        (120, 100, 1.0, "120 rows · 120 rows/s"),  # about so many was too few
        (1, 4_000, 1.0, "1 rows · 1 rows/s · 1 h 6 min left"),
        (5, None, 0.0, "5 rows"),
    ],
)
def test_the_text_of_the_progress_line(
    rows: int, total: int | None, seconds: float, said: str
) -> None:
    assert line(rows, total, seconds) == said


def test_numbers_never_show_a_thousand_of_a_unit() -> None:
    assert [short(n) for n in (999.4, 999.6, 999_949, 999_951, 2.5e12, 1e16)] == [
        "999",
        "1.0 k",
        "999.9 k",
        "1.0 M",
        "2.5 T",
        "10000.0 T",
    ]


def test_a_terminal_that_went_away_ends_nothing() -> None:
    stream, clock = StringIO(), Clock()
    progress = ProgressLine(stream, clock)
    stream.close()
    clock.now += 1
    progress(5)
    progress.close()


# --- phases ---------------------------------------------------------------------------------------
def test_a_phase_is_named_after_the_rows() -> None:
    stream, clock = StringIO(), Clock()
    progress = ProgressLine(stream, clock)
    clock.now += 1
    progress(12_300_000, None)
    clock.now += 1
    progress.phase("interval of a\x1b[31m")
    progress.close()
    drawn, named, erased, _ = stream.getvalue().split("\r")[1:]
    assert drawn == "12.3 M rows · 12.3 M rows/s"
    assert named.rstrip() == "12.3 M rows · interval of a?[31m"
    assert erased == " " * len(named)


def test_a_phase_that_begins_early_and_is_long_is_shown_by_then() -> None:
    stream = StringIO()
    progress = ProgressLine(stream)
    progress.phase("sorting")
    assert stream.getvalue() == ""
    progress.timer.join(10 * FIRST)
    assert stream.getvalue() == "\rsorting"
    progress.close()
    progress.phase("too late")
    progress.timer.join(10 * FIRST)
    assert "too late" not in stream.getvalue()


def test_a_short_phase_is_not_shown() -> None:
    stream, before = StringIO(), threading.active_count()
    progress = ProgressLine(stream)
    for _ in range(20):
        progress.phase("sorting")
    progress.close()
    until = time.monotonic() + 10 * FIRST
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(FIRST / 100)
    assert threading.active_count() <= before
    assert stream.getvalue() == ""


class Recorder:
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        self.rows = 0
        self.told: list[str] = []

    def __call__(self, rows: int, total: int | None = None) -> None:
        self.rows = max(rows, self.rows)

    def phase(self, name: str) -> None:
        self.told.append(name)


COLUMNS = ("--label", "click", "--cluster", "user")
TWO = ("--score", "score", "--score", "other")
TOLD: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "eval": (
        ("--score", "score", "-m", "auc,ks", "--bootstrap", "100"),
        ["resampling for ks", "sorting", "computing ks", "computing auc", "interval of auc"],
    ),
    "compare": (
        (*TWO, "-m", "auc"),
        ["sorting", "computing auc", "interval of auc", "comparing other"],
    ),
    "report": (
        (*TWO, "-m", "auc", "-o", "r.html"),
        ["sorting", "comparing other", "writing the page"],
    ),
    "diagnose": (
        (
            "--score",
            "score",
        ),
        ["computing auc", "parts by slice", "searching the cause"],
    ),
}


@pytest.mark.parametrize("command", TOLD)
def test_the_phases_of_a_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    columns = make_log(30, seed=5).columns
    rows = zip(*(columns[name].tolist() for name in columns), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    Path("log.csv").write_text("\n".join(lines))
    words, wanted = TOLD[command]
    files = ("log.csv", "log.csv") if command == "diagnose" else ("log.csv",)
    recorder = Recorder()
    with phases.watched_by(recorder):
        assert run(command, *files, *COLUMNS, *words).exit_code == 0
    assert recorder.rows == len(lines) - 1
    places = [recorder.told.index(name) for name in wanted]
    assert places == sorted(places)
    assert phases.watcher() is None
