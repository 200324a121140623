"""Group values: how the values of a mean over groups are distributed, and how many have one."""

from collections.abc import Iterator, Sequence

from steelyard.model import GroupValues
from steelyard.report import display
from steelyard.report.charts.binned import DrawnBins, edge_axis, histograms, share, share_axis
from steelyard.report.charts.chart import Chart, Rule
from steelyard.report.charts.series import DIGITS, Series, reasons, said, with_shapes


def chart(series: Sequence[Series]) -> Chart:
    """Bars of one series, outlines of several; a line at each number of a series: its mean."""
    shown = with_shapes(series)
    bins = [DrawnBins(each.shape.edges, share(each.shape.groups)) for each in shown]
    entries = [each.entry(_used(each.shape)) for each in shown]
    metric = next((name for each in shown for name in each.numbers), "")
    return Chart(
        kind="groups",
        title=f"Groups by {metric}" if metric else "Values of groups",
        summary=said("Distribution of the values of groups", series, _sentences(shown)),
        x=edge_axis(f"{metric or 'Value'} of a group", [each.edges for each in bins]),
        y=share_axis("Share of the groups that have a value", [each.shares for each in bins]),
        marks=(
            *histograms(shown, bins, entries, "groups"),
            *(rule for each in shown for rule in _means(each, several=len(shown) > 1)),
            *reasons(series),
        ),
        notes=tuple(each.about(coverage(each.shape)) for each in shown),
    )


def coverage(shape: GroupValues) -> str:
    """How many groups and rows a mean over groups is about."""
    groups = f"{_used(shape)} have a value"
    if shape.groups_used == shape.groups_total:
        return groups
    part = display.percent(shape.groups_used, shape.groups_total)
    return f"{groups} ({part}), {display.percent(shape.rows_used, shape.rows_total)} of rows"


def _used(shape: GroupValues) -> str:
    if shape.groups_used == shape.groups_total:
        return f"all {shape.groups_total:,} groups"
    return f"{shape.groups_used:,} of {shape.groups_total:,} groups"


def _means(series: Series, *, several: bool) -> Iterator[Rule]:
    """A line at each number; its entry has the name of the series where there are several."""
    for text, value in _numbers(series):
        name = series.about(text) if several else text
        yield Rule(x=value, name=name, colour=series.colour if several else None, role="mean")


def _numbers(series: Series) -> Iterator[tuple[str, float]]:
    for metric, value in series.numbers.items():
        yield f"{metric} {display.number(value, DIGITS)}", value


def _sentences(series: Sequence[Series]) -> list[str]:
    """The numbers and the coverage of each series."""
    return [
        each.about(", ".join([*(text for text, _ in _numbers(each)), coverage(each.shape)]))
        for each in series
    ]
