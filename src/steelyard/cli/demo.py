"""`steelyard demo`: makes an ads log, evaluates it, and shows where the model is off."""

import shlex
from pathlib import Path

import click

from steelyard.cli.eval import command as eval_command
from steelyard.cli.main import debug_option

NAME = "steelyard_demo.parquet"


@click.command("demo")
@click.option(
    "--to",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help=f"Where to write {NAME}; here where not given.",
)
@debug_option
@click.pass_context
def command(ctx: click.Context, to: Path) -> None:
    """Make a realistic ads log, evaluate it, and compare countries."""
    from steelyard.sources.ads_log import ads_log
    from steelyard.sources.duckdb import write_parquet

    log, path = ads_log(), str(to / NAME)
    write_parquet(path, log)
    click.echo(
        f"Made {path}: {len(log['click']):,} ad impressions, made up,\n"
        f"with the columns {', '.join(log)}. Weigh them again with\n\n"
        f"  steelyard eval {shlex.quote(path)} --label click --score pctr\n",
        err=True,
    )
    ctx.invoke(eval_command, file=path, label="click", score="pctr")
    click.echo(
        "\nIs the model right everywhere? Clicks over predicted clicks should be 1:\n", err=True
    )
    click.echo(by_country(path))


def by_country(path: str) -> str:
    """A table of clicks, predicted clicks and AUC, a line a country."""
    from steelyard.api import evaluate
    from steelyard.report import text
    from steelyard.sources.duckdb import read

    columns = read(path, ["click", "pctr", "country"])
    cells = [("country", "rows", "clicks", "predicted", "clicks/predicted", "auc")]
    for country in sorted(set(columns["country"])):
        here = columns["country"] == country
        label, score = columns["click"][here], columns["pctr"][here]
        (row,) = evaluate(label=label, score=score, metrics=["auc"])
        cells.append(
            (
                country,
                f"{row.n:,}",
                f"{row.positives:,}",
                f"{row.prediction_sum:,.1f}",
                f"{row.positives / row.prediction_sum:.3f}",
                text.cell(row),
            )
        )
    return text.grid(cells)
