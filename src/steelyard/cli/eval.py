"""`steelyard eval`: the metrics of one score in a file."""

import click

from steelyard.cli.main import debug_option


@click.command("eval")
@click.argument("file")
@click.option("--label", metavar="COLUMN", required=True, help="What happened: 0 and 1, or words.")
@click.option("--score", metavar="COLUMN", required=True, help="What the model said.")
@click.option("--weight", metavar="COLUMN", help="How much a row counts; 1 where not given.")
@click.option(
    "-m", "--metric", "metrics", metavar="METRIC", multiple=True, help="One line each; repeatable."
)
@click.option("--positive", metavar="VALUE", help="The label that counts as positive.")
@click.option(
    "--nan",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="What becomes of rows with a missing value.",
)
@debug_option
def command(
    file: str,
    label: str,
    score: str,
    weight: str | None,
    metrics: tuple[str, ...],
    positive: str | None,
    nan: str,
) -> None:
    """Print a table of metrics of FILE: CSV, TSV, JSON lines or Parquet.

    \b
    steelyard eval log.parquet --label click --score pctr
    steelyard eval log.csv --label click --score pctr -m auc -m "precision(0.3)"
    """
    from steelyard.api import evaluate

    result = evaluate(
        file,
        label=label,
        score=score,
        weight=weight,
        metrics=metrics or None,
        positive=positive,
        nan=nan,
    )
    click.echo(str(result))
