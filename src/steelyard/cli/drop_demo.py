"""The part of the demo on a drop: two logs, the command that compares them, and its verdict."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from steelyard.cli import output, terminal

if TYPE_CHECKING:
    from steelyard.demo.drop_examples import DropExample
    from steelyard.diagnosis.page.diagnosis import Diagnosis

BEFORE, AFTER = "steelyard_before.parquet", "steelyard_after.parquet"
PAGE = "steelyard_diagnosis.html"
# The names of `drop_examples.DROPS`, in its order: the help needs them, and no NumPy.
NAMES = ("broken-feature", "more-video", "delayed-labels", "new-type", "repeated-user")
WEEK = "week"  # ten days, of which the last two are worse
WIDTH = 80  # characters of a line of the verdict


class WrittenLogs(NamedTuple):
    """Two logs in files; drop: what is known about them."""

    before: str
    after: str
    rows: tuple[int, int]
    drop: "DropExample"

    @property
    def command(self) -> str:
        """The command that compares them, on two lines."""
        files = f"{shlex.quote(self.before)} {shlex.quote(self.after)}"
        metric = "" if self.drop.metric == "auc" else f"-m {self.drop.metric} "
        options = f"--label click --score pctr --over {','.join(self.drop.over)}"
        return f"  steelyard diagnose {files} {metric}\\\n      {options} --cluster user_id"


def write_logs(name: str, to: Path) -> WrittenLogs:
    """Write the logs before and after a drop; files of their names are replaced."""
    from steelyard.demo.drop_examples import DROPS
    from steelyard.sources.duck.connection import write_parquet

    drop = DROPS[name]
    before, after = drop.logs()
    paths = str(to / BEFORE), str(to / AFTER)
    write_parquet(paths[0], before)
    write_parquet(paths[1], after)
    return WrittenLogs(*paths, (len(before["click"]), len(after["click"])), drop)


def say_logs(name: str, to: Path) -> None:
    """Write the logs of one drop, and say how to investigate it."""
    if name == WEEK:
        say_week(to)
        return
    made = write_logs(name, to)
    before, after = made.rows
    terminal.print_message(
        f"Made {made.before} and {made.after}:\n"
        f"{before:,} and {after:,} invented ad impressions. What happened between them:\n"
        f"{made.drop.cause}.\nFind it with\n\n{made.command}"
    )


def say_week(to: Path) -> None:
    """Write the logs of ten days, and say how to find the day from which on AUC is lower."""
    from steelyard.demo.drop_examples import week
    from steelyard.sources.duck.connection import write_parquet

    logs = week()
    for name, rows in logs.items():
        write_parquet(str(to / f"{name}.parquet"), rows)
    names = list(logs)
    pattern = shlex.quote(str(to / "day=*.parquet"))
    terminal.print_message(
        f"Made {names[0]}.parquet to {names[-1]}.parquet, invented ad impressions of ten days.\n"
        "From day 12 on, the scores of one country are those of other rows. Find it with\n\n"
        f"  steelyard diagnose {pattern} \\\n"
        "      --label click --score pctr --over country,device,ad_type,hour --cluster user_id"
    )


def say_diagnosis(to: Path) -> None:
    """Make a drop, diagnose it, print the verdict and write the page."""
    made, page = write_logs(NAMES[0], to), str(to / PAGE)
    terminal.print_message(
        f"\nMade {made.before} and {made.after}. Why did AUC fall?\n\n{made.command}\n"
    )
    found = diagnosis(made)
    found.to_html(page)
    output.write_stdout(verdict(found))
    terminal.print_message(f"\nWrote {page}: the answers, and what each slice adds.")


def diagnosis(made: WrittenLogs) -> "Diagnosis":
    from steelyard.api import diagnose

    over, metric = list(made.drop.over), made.drop.metric
    return diagnose(
        made.before,
        made.after,
        label="click",
        score="pctr",
        cluster="user_id",
        over=over,
        metric=metric,
    )


def verdict(found: "Diagnosis") -> str:
    from steelyard.report.fitting import wrapped

    return "\n".join(wrapped(found.verdict, WIDTH))
