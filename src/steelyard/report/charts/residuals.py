"""Residuals: how large errors are, and to which side."""

from collections.abc import Sequence

from steelyard.report import display
from steelyard.report.charts.binned import (
    DrawnBins,
    edge_axis,
    histograms,
    share_axis,
    without_tails,
)
from steelyard.report.charts.chart import Chart, Mark, Rule
from steelyard.report.charts.series import DIGITS, Series, reasons, remark, said, with_shapes

NUMBERS = ("bias", "mae", "rmse")  # of the legend


def chart(series: Sequence[Series]) -> Chart:
    """Bars of one series, outlines of several, and a line at 0, where nothing is wrong.

    Of long tails, half a per cent of the rows on each side is left out, which is said.
    """
    shown = with_shapes(series)
    bins = [without_tails(*each.shape) for each in shown]
    entries = [each.entry(numbers_text(each, NUMBERS)) for each in shown]
    remarks = _outside(shown, bins)
    return Chart(
        kind="residuals",
        title="Residuals",
        summary=said(
            "Shares of rows by prediction − truth", series, [*entries, *(m.name for m in remarks)]
        ),
        x=edge_axis("Residual (prediction − truth)", [each.edges for each in bins]),
        y=share_axis("Share of rows", [each.shares for each in bins]),
        marks=(
            *histograms(shown, bins, entries, "residuals"),
            *remarks,
            *reasons(series),
            Rule(x=0.0, colour=None, name="prediction = truth"),
        ),
        notes=_ranges(shown, bins),
    )


def _is_cut(series: Series, bins: DrawnBins) -> bool:
    """Whether rows are left out: where all residuals are equal, only empty bins are."""
    low, high = series.shape.edges[[0, -1]]
    narrower = bins.edges[0] > low or bins.edges[-1] < high
    return bool(narrower and bins.shares.sum() < 1)


def _outside(series: Sequence[Series], bins: Sequence[DrawnBins]) -> list[Mark]:
    """The share of rows left out of the picture."""
    return [
        remark(
            each.entry(f"{display.percent(max(1 - drawn.shares.sum(), 0), 1)} of rows not shown")
        )
        for each, drawn in zip(series, bins, strict=True)
        if _is_cut(each, drawn)
    ]


def _ranges(series: Sequence[Series], bins: Sequence[DrawnBins]) -> tuple[str, ...]:
    """How far the residuals go that are left out."""
    return tuple(
        each.entry(
            f"residuals go from {display.number(low, DIGITS)} to {display.number(high, DIGITS)}"
        )
        for each, drawn in zip(series, bins, strict=True)
        if _is_cut(each, drawn)
        for low, high in [each.shape.edges[[0, -1]]]
    )


def numbers_text(series: Series, metrics: Sequence[str]) -> str:
    """Those of these numbers that a series has, such as "bias 0.012, mae 0.345"."""
    known = [(name, series.numbers[name]) for name in metrics if name in series.numbers]
    return ", ".join(f"{name} {display.number(value, DIGITS)}" for name, value in known)
