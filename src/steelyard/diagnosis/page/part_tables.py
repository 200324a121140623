"""The parts of a change as tables, and as the steps of a waterfall."""

from dataclasses import replace
from fractions import Fraction

from steelyard.diagnosis.page import words
from steelyard.diagnosis.parts.part_table import PartTable, SlicePart
from steelyard.report import display
from steelyard.report.charts import waterfall
from steelyard.report.charts.chart import Chart
from steelyard.report.charts.waterfall import Waterfall, WaterfallStep, largest_steps
from steelyard.report.fitting import fitted
from steelyard.report.text_table import Cell, Column, TextTable

SHOWN_AS = {"ne": "logloss"}  # a slice's part of NE is that of its loss, over one entropy for all
SHOWN = 10  # slices of the table that text shows
BASE = "base rate"  # what it adds belongs to no slice
POINTS = " points"  # of a change of CTR: a table has them in its header


def largest_first(table: PartTable) -> list[SlicePart]:
    return sorted(table.slices, key=lambda each: -abs(each.part.total))


def value_name(metric: str) -> str:
    """The name of what the values of slices are."""
    return SHOWN_AS.get(metric, words.name(metric))


def short_table(table: PartTable, metric: str) -> TextTable:
    """The largest parts, for text: what each slice adds, by its own change and by its share."""
    slices = largest_first(table)
    lines = [[*_values(metric, each), *_added(metric, each)] for each in slices[:SHOWN]]
    rest = slices[SHOWN:]
    if rest:
        own, mix = (sum(getattr(e.part, n) for e in rest) for n in ("within", "mix"))
        numbers = [_change(metric, own), _change(metric, mix)]
        lines.append([Cell(f"{len(rest)} more"), *[Cell("")] * 4, *numbers])
    if table.base:
        lines.append([Cell(BASE), *[Cell("")] * 5, _change(metric, table.base)])
    added = (f"own{_unit(metric)}", f"mix{_unit(metric)}")
    columns = Column.numbers("rows before", "after", value_name(metric), "after", *added)
    return TextTable([*Column.keys(display.key(table.dimension)), *columns], [lines])


def fitting_tables(whole: TextTable, width: int) -> list[TextTable]:
    """The short table; where it is too wide, what slices add, and then their rows and values."""
    if len(fitted(whole, width)) == 1:
        return [whole]
    values = whole.take((0, 1, 2, 3, 4))
    lines = [line for line in values.lines if any(cell.text for cell in line[1:])]
    return [whole.take((0, 5, 6)), replace(values, blocks=[lines])]


def whole_table(table: PartTable, metric: str) -> TextTable:
    """Every slice, and below them the sum; for a page."""
    slices = largest_first(table)
    lines = [
        [*_values(metric, each), *_added(metric, each), _change(metric, each.part.total)]
        for each in slices
    ]
    if table.base:
        lines.append([Cell(BASE), *[Cell("")] * 6, _change(metric, table.base)])
    rows = [sum(each.rows[side] for each in slices) for side in (0, 1)]
    last = [Cell("all rows"), *(Cell(f"{count:,}") for count in rows)]
    if metric in SHOWN_AS:
        last += [Cell(""), Cell("")]
    else:
        last += [_value(metric, each, 1) for each in (table.before, table.after)]
    last += [_change(metric, each) for each in (table.within, table.mix, table.change)]
    name, unit = value_name(metric), _unit(metric)
    values = ("rows before", "after", f"{name} before", "after")
    columns = Column.numbers(*values, f"own change{unit}", f"mix{unit}", f"adds{unit}")
    return TextTable([*Column.keys(display.key(table.dimension)), *columns], [lines, [last]])


def chart_of(table: PartTable, metric: str) -> Chart:
    """The waterfall of one dimension."""
    return waterfall.chart(waterfall_of(table, metric))


def waterfall_of(table: PartTable, metric: str) -> Waterfall:
    """The steps from the value before to the value after."""
    steps, rest = (
        [_step(each) for each in largest_first(table) if each.is_other is other]
        for other in (False, True)
    )
    found = largest_steps(steps, rest)
    if table.base:
        found.append(WaterfallStep(BASE, base=table.base))
    return Waterfall(
        metric=words.name(metric),
        by=display.key(table.dimension),
        before=table.before,
        steps=tuple(found),
        value=lambda number: words.value(metric, number),
        signed=lambda number: _signed(metric, number),
        unit=_unit(metric),
        percent=metric == "ctr",
    )


def _step(each: SlicePart) -> WaterfallStep:
    return WaterfallStep(words.key(each.key), each.part.within, each.part.mix)


def _values(metric: str, each: SlicePart) -> list[Cell]:
    """The name of a slice, its rows and its own values."""
    sides = zip((each.before, each.after), each.rows, strict=True)
    values = [_value(metric, value, rows) for value, rows in sides]
    return [Cell(words.key(each.key)), *(Cell(f"{rows:,}") for rows in each.rows), *values]


def _value(metric: str, value: Fraction | None, rows: int) -> Cell:
    if value is None:
        why = "rows of one class, or predictions of 0, have no value" if rows else "no rows"
        return Cell(words.value(metric, None), why)
    return Cell(words.value(metric, float(value)), repr(float(value)))


def _added(metric: str, each: SlicePart) -> list[Cell]:
    return [_change(metric, each.part.within), _change(metric, each.part.mix)]


def _change(metric: str, part: Fraction | int) -> Cell:
    return Cell(_signed(metric, float(part)), repr(float(part)))


def _signed(metric: str, number: float) -> str:
    return words.signed(metric, number).removesuffix(POINTS)


def _unit(metric: str) -> str:
    """What a header adds to the name of a change."""
    return f",{POINTS}" if words.signed(metric, 0.0).endswith(POINTS) else ""
