"""`steelyard demo`: makes logs, evaluates one, and shows where the model is wrong, and why."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from steelyard.cli import drop_demo, output, terminal
from steelyard.cli.commands.eval import command as eval_command
from steelyard.cli.commands.report import METRICS
from steelyard.cli.option import Command, Option, debug

if TYPE_CHECKING:
    from steelyard.model import Row

NAME = "steelyard_demo.parquet"
REPORT = "steelyard_demo.html"


@click.pass_context
def demo(ctx: click.Context, to: Path, drop: str | None) -> None:
    """Make a realistic ads log, evaluate it, compare countries, and write a report.

    Then make the logs of two days between which AUC fell, and say why. With --drop only make the
    logs of one drop, to be investigated with steelyard diagnose. Files of these names are replaced.
    """
    if drop is not None:
        drop_demo.say_logs(drop, to)
        return
    from steelyard.demo.ads_log import ads_log
    from steelyard.sources.duck.connection import write_parquet

    log, path = ads_log(), str(to / NAME)
    write_parquet(path, log)
    terminal.print_message(
        f"Made {path}: {len(log['click']):,} invented ad impressions,\n"
        f"with the columns {', '.join(log)}. Evaluate them again with\n\n"
        f"  steelyard eval {shlex.quote(path)} --label click --score pctr\n"
    )
    ctx.invoke(eval_command, files=(path,), label="click", score=("pctr",))
    terminal.print_message(
        "\nIs the model right everywhere? Clicks over predicted clicks (copc) should be 1:\n"
    )
    output.write_stdout(by_country(path))
    report = str(to / REPORT)
    write_report(path, report)
    terminal.print_message(f"\nWrote {report}: the whole report, to open in a browser.")
    drop_demo.say_diagnosis(to)


def write_report(path: str, report: str) -> None:
    """The report of the log: by country and device, and by user."""
    from steelyard.api import evaluate

    evaluate(
        path,
        label="click",
        score="pctr",
        group="user_id",
        by=["country", "device"],
        metrics=METRICS,
        shapes=True,
    ).to_html(report)


def by_country(path: str) -> str:
    """A table of clicks, predicted clicks, COPC and AUC per country."""
    from steelyard.report import display, text
    from steelyard.report.text_table import Column, from_texts

    numbers = ("rows", "clicks", "predicted", "copc", "auc")
    lines = [
        (
            country,
            f"{copc.n:,}",
            f"{copc.positives:,}",
            f"{copc.prediction_sum:,.1f}",
            f"{copc.value:.3f}",
            display.cell(auc),
        )
        for country, copc, auc in countries(path)
    ]
    return text.draw([from_texts([*Column.keys("country"), *Column.numbers(*numbers)], lines)])


def countries(path: str) -> Iterator[tuple[str, "Row", "Row"]]:
    """The COPC and the AUC of each country, in alphabetical order."""
    from steelyard.api import evaluate

    metrics = ["copc", "auc"]
    rows = evaluate(path, label="click", score="pctr", by=["country"], metrics=metrics).rows
    for copc, auc in zip(rows[::2], rows[1::2], strict=True):
        if copc.slice:
            yield str(copc.slice["country"]), copc, auc


command = Command(
    "demo",
    demo,
    short_help="Make logs, evaluate them, and write a report.",
    params=[
        Option(
            "--drop",
            metavar="NAME",
            type=click.Choice((*drop_demo.NAMES, drop_demo.WEEK)),
            help=f"Only make {drop_demo.BEFORE} and {drop_demo.AFTER}, of a drop whose cause is "
            f"known: {', '.join(drop_demo.NAMES)}; or the logs of ten days: {drop_demo.WEEK}.",
        ),
        Option(
            "--to",
            metavar="FOLDER",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            default=".",
            help="Where to write the files; the current folder if not given.",
        ),
        debug(),
    ],
)
