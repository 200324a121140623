"""The page of a diagnosis for a browser: its tables and pictures."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.diagnosis.page import words
from steelyard.diagnosis.page.diagnosis import Cause, Diagnosis
from steelyard.diagnosis.page.part_tables import chart_of, whole_table
from steelyard.diagnosis.page.trend_words import change_text, layout, name_in_sentence, value_text
from steelyard.diagnosis.parts.part_table import PartTable
from steelyard.diagnosis.trends.trend import Trend
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.charts import trend as trend_chart
from steelyard.report.charts.chart import Chart
from steelyard.report.charts.trend import TrendPoint
from steelyard.report.report_page.diagnosis_page import DiagnosisPage, PartsFigure, TrendFigure
from steelyard.report.report_page.figures import figure
from steelyard.report.text_table import NAME, Cell, Column, TextTable

NEXT, SLICE = "next", "which slice?"  # questions with a section of their own


def page_of(found: Diagnosis) -> DiagnosisPage:
    """The page as data; the dimension that text shows is the first."""
    answers = {line.question: line.answers for line in found.lines}
    order = sorted(range(len(found.parts)), key=lambda place: place != found.shown)
    return DiagnosisPage(
        title=shortened(found.verdict, NAME),
        verdict=_unbroken(found.verdict),
        facts=tuple(_facts(found)),
        trend=None if found.trend is None else _trend(found.trend),
        questions=tuple(
            (question, tuple(map(_unbroken, texts)))
            for question, texts in answers.items()
            if question != NEXT
        ),
        parts=tuple(_parts(found, found.parts[place], place) for place in order),
        causes=_causes(found.metric, found.causes) if found.causes else None,
        no_cause=answers.get(SLICE, ("",))[0],
        next=answers.get(NEXT, ()),
        notes=found.notes,
    )


def trend_picture(trend: Trend) -> Chart:
    """The values of several logs; a change point has a rule, a steady drift has none."""
    marked = trend.change_point
    is_line = trend.cut is not None and trend.cut.is_line
    first = None if marked is None or is_line else trend.logs.index(marked)
    points = [
        TrendPoint(log.name, log.value, log.low, log.high, value_text(trend.metric, log.value))
        for log in trend.logs
    ]
    return trend_chart.chart(name_in_sentence(trend.metric), points, first, f"{trend.verdict}.")


def _trend(trend: Trend) -> TrendFigure:
    drawn = figure(trend_picture(trend), id_="trend-chart")
    without_table = replace(drawn, table=TextTable())  # it is beside the picture
    return TrendFigure(without_table, layout(trend).for_page())


def _unbroken(text: str) -> str:
    """A text whose lines do not end between a number and its sign of per cent."""
    return text.replace(" %", "\u00a0%")


def _facts(found: Diagnosis) -> list[tuple[str, str]]:
    name, metric = name_in_sentence(found.metric), found.metric
    return [
        (f"{name} before", value_text(metric, found.before)),
        ("after", value_text(metric, found.after)),
        ("change", change_text(metric, found.after - found.before)),
        ("explanation", found.kind),
    ]


def _parts(found: Diagnosis, table: PartTable, place: int) -> PartsFigure:
    metric = found.metric
    chart = chart_of(table, metric)
    drawn = replace(figure(chart, id_=f"waterfall-{place}"), table=TextTable())
    own, mix = (words.signed(metric, float(each)) for each in (table.within, table.mix))
    base = f", base rate {words.signed(metric, float(table.base))}" if table.base else ""
    return PartsFigure(
        by=display.key(table.dimension),
        sums=f"own change {own}, mix {mix}{base}",
        figure=drawn,
        table=whole_table(table, metric).for_page(),
        narrow=frozenset((1, 2)),
    )


def _causes(metric: str, causes: Sequence[Cause]) -> TextTable:
    """The slices accused: their values, and what is left of the change without them."""
    name = words.name(metric)
    numbers = (f"{name} before", "after", "change without it", "share that is gone", "p")
    lines = [
        [
            Cell(shortened(_name(each), NAME)),
            *(Cell(words.value(metric, v), repr(v)) for v in (each.before, each.after)),
            Cell(words.signed(metric, each.without), repr(each.without)),
            Cell(words.percent(each.share), repr(each.share)),
            Cell(f"{each.p:.2g}", repr(each.p)),
        ]
        for each in causes
    ]
    return TextTable([*Column.keys("slice"), *Column.numbers(*numbers)], [lines])


def _name(cause: Cause) -> str:
    return " and ".join(
        f"{display.key(name)} = {words.key(key)}" for name, key in cause.slice.items()
    )
