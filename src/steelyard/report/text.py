"""A plain text table, for a terminal or a pipe."""

from collections.abc import Collection, Sequence

from steelyard.model import Row

DIGITS = 6
DASH = "–"


def table(rows: Sequence[Row]) -> str:
    """One line a metric, and the sample below: a dash and the reason where there is no value."""
    if not rows:
        return "no metrics"
    cells = [("metric", "value", "")]
    cells += [(row.metric, cell(row), row.why or "") for row in rows]
    return "\n".join([grid(cells, left=(0, 2)), "", sample(rows[0])])


def grid(cells: Sequence[Sequence[str]], *, left: Collection[int] = (0,)) -> str:
    """Columns under a header, the first row of `cells`; those in `left` line up on the left.

    >>> print(grid([("country", "rows"), ("DE", "1,024"), ("US", "7")]))
    country   rows
    ──────────────
    DE       1,024
    US           7
    """
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            f"{word:<{width}}" if place in left else f"{word:>{width}}"
            for place, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    rule = "─" * len(lines[0])
    return "\n".join([lines[0], rule, *lines[1:]])


def cell(row: Row) -> str:
    """A row's value, or a dash where there is none."""
    return DASH if row.value is None else number(row.value)


def number(value: float) -> str:
    """Six decimals; a value that is not 0 or 1 is never shown as one.

    >>> number(0.75), number(1 - 1e-9), number(1e-9), number(0.0)
    ('0.750000', '0.999999', '1e-09', '0.000000')
    """
    shown = f"{value:.{DIGITS}f}"
    if float(shown) == 1.0 and value < 1.0:
        return "0." + "9" * DIGITS
    if float(shown) in (0.0, 1.0, -1.0) and float(shown) != value:
        return f"{value:.{DIGITS}g}" if abs(value) < 0.5 else repr(value)
    return shown


def sample(row: Row) -> str:
    """What the numbers stand on: rows, then weights and what was left out, if any."""
    rows = [
        _rows(row.n),
        f"{row.positives:,} positive",
        f"{row.negatives:,} negative",
        f"predictions sum to {row.prediction_sum:,.2f}",
    ]
    more = []
    if (row.weighted_positives, row.weighted_negatives) != (row.positives, row.negatives):
        positive, negative = row.weighted_positives, row.weighted_negatives
        more.append(f"weight {positive:,.2f} positive, {negative:,.2f} negative")
    if row.dropped:
        more.append(f"{_rows(row.dropped)} left out for missing values")
    return "\n".join(" · ".join(parts) for parts in (rows, more) if parts)


def _rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"
