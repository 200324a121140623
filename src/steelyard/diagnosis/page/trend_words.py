"""A trend in words, and as a table."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.diagnosis.page import words
from steelyard.diagnosis.trends.log_cuts import FEWEST_EARLIER, LogCut, Unusual
from steelyard.diagnosis.trends.trend import Trend, TrendLog, tested
from steelyard.diagnosis.two_logs.reading import is_diagnosed
from steelyard.report import display
from steelyard.report.text_table import Cell, Column, TextTable

NEEDED = f"to call a log unusual, {FEWEST_EARLIER} earlier logs are needed"
NAMED = 4  # logs in a sentence


def make_trend(metric: str, logs: Sequence[TrendLog], confidence: float) -> Trend:
    """The trend of logs in time order."""
    found = tested(metric, logs, confidence)
    return replace(found, verdict=_verdict(found))


def _verdict(trend: Trend) -> str:
    if trend.cut is None:
        said = _few(trend)
    elif trend.change_point is None:
        said = _usual(trend, trend.cut)
    else:
        said = _line(trend, trend.cut) if trend.cut.is_line else _step(trend, trend.cut)
    missing = [log for log in trend.logs if log.value is None]
    if missing:
        said += f"; no value in {listed(missing)}"
    return f"{name_in_sentence(trend.metric)} {said}"


def _step(trend: Trend, cut: LogCut) -> str:
    later = len(trend.known) - cut.place
    first = log_name(trend.known[cut.place])
    when = f"from {first} on" if later > 1 else f"at {first}"
    before, after = (value_text(trend.metric, each) for each in (cut.before, cut.after))
    before += f" (mean of {cut.place} logs)" if cut.place > 1 else ""
    after += f" (mean of {later})" if later > 1 else ""
    change = change_text(trend.metric, cut.change)
    return f"{_moved(cut.change)} {when}, {before} → {after}, {change}: {_against(trend, cut)}"


def _against(trend: Trend, cut: LogCut) -> str:
    p = f"p = {cut.adjusted:.2g}"
    if cut.place < FEWEST_EARLIER:
        return f"more than logs differ on either side of it, {p}"
    earlier = _span(trend.metric, trend.known[: cut.place])
    return f"unusual against {cut.place} earlier logs ({earlier}), {p}"


def _line(trend: Trend, cut: LogCut) -> str:
    a_log = change_text(trend.metric, cut.drift)
    return (
        f"{_moved(cut.drift)} steadily over {len(trend.known)} logs, {a_log} a log: a line fits "
        f"better than a step, p = {cut.adjusted:.2g}"
    )


def _usual(trend: Trend, cut: LogCut) -> str:
    """No change point: what the largest difference is."""
    change, first = change_text(trend.metric, cut.change), log_name(trend.known[cut.place])
    largest = f"the largest difference, {change} from {first} on"
    if cut.is_line:
        largest = f"the drift, {change_text(trend.metric, cut.drift)} a log"
    why = "within sampling noise" if trend.is_unusual else f"not unusual, p = {cut.adjusted:.2g}"
    span = _span(trend.metric, trend.known)
    return f"has no change point in {len(trend.known)} logs ({span}): {largest}, is {why}"


def _few(trend: Trend) -> str:
    """Fewer than six logs: only sampling noise can be tested."""
    step = trend.largest_step
    if all(each.p is None for each in trend.steps):
        return (
            f"of {len(trend.known)} logs ({_span(trend.metric, trend.known)}), not tested; {NEEDED}"
        )
    if step is None:
        return f"moved within sampling noise from log to log; {NEEDED}"
    names = f"from {log_name(step.before)} to {log_name(step.after)}"
    change = change_text(trend.metric, step.change)
    return f"{_moved(step.change)} beyond sampling noise {names}, {change}; {NEEDED}"


def test_text(trend: Trend, cut: LogCut) -> str:
    """The numbers behind a change point, or behind there being none."""
    first = log_name(trend.known[cut.place])
    what = (
        "a line through all logs" if cut.is_line else f"logs from {first} on against those before"
    )
    said = (
        f"{what}: t = {_signed(cut.t)} with {cut.freedom} degrees of freedom, "
        f"p = {cut.adjusted:.2g} as the largest of {len(trend.known)} tests"
    )
    if trend.noise is None:
        return said
    return f"{said}; sampling noise alone: p = {trend.noise.p:.2g}"


def unusual_text(metric: str, found: Unusual, confidence: float) -> str:
    """Whether the log after is unusual against earlier logs, with its numbers."""
    count = f"{found.earlier} earlier log{'' if found.earlier == 1 else 's'}"
    if not found.is_tested:
        return f"whether it is unusual cannot be told from {count}: {NEEDED}"
    is_so = "unusual" if found.p <= 1 - confidence else "not unusual"
    span = f"{value_text(metric, found.low)} to {value_text(metric, found.high)}"
    return (
        f"{is_so} against {count}: {span}, mean {value_text(metric, found.mean)}, "
        f"t = {_signed(found.t)}, p = {found.p:.2g}"
    )


def layout(trend: Trend) -> TextTable:
    """The table of the logs; columns in which nothing would stand are left out."""
    is_line = trend.cut is not None and trend.cut.is_line
    marked = None if is_line else trend.change_point
    remarks = ("change point" if log is marked else log.why or "" for log in trend.logs)
    every: list[tuple[Column, list[Cell]]] = [
        (Column("log", is_text=True, is_key=True), [Cell(log_name(log)) for log in trend.logs]),
        (Column("rows"), [Cell(f"{log.rows:,}") for log in trend.logs]),
        (Column(name_in_sentence(trend.metric)), [_value(trend.metric, log) for log in trend.logs]),
        (Column("interval"), [Cell(_interval(trend.metric, log)) for log in trend.logs]),
        (Column("", is_text=True), list(map(Cell, remarks))),
    ]
    kept = [(column, cells) for column, cells in every if any(cell.text for cell in cells)]
    lines = list(zip(*(cells for _, cells in kept), strict=True))
    return TextTable([column for column, _ in kept], [lines])


def _value(metric: str, log: TrendLog) -> Cell:
    return Cell(value_text(metric, log.value), "" if log.value is None else repr(log.value))


def _interval(metric: str, log: TrendLog) -> str:
    if log.low is None or log.high is None:
        return ""
    return f"[{value_text(metric, log.low)}, {value_text(metric, log.high)}]"


def _span(metric: str, logs: Sequence[TrendLog]) -> str:
    values = [log.value for log in logs if log.value is not None]
    return f"{value_text(metric, min(values))} to {value_text(metric, max(values))}"


def log_name(log: TrendLog) -> str:
    return display.key(log.name)


def listed(logs: Sequence[TrendLog]) -> str:
    """The names of some logs, the first ones of many."""
    more = "" if len(logs) <= NAMED else f" and {len(logs) - NAMED} more"
    return ", ".join(map(log_name, logs[:NAMED])) + more


def in_order(logs: Sequence[TrendLog]) -> str:
    """The names of logs in time order, the first ones and the last."""
    names = [log_name(log) for log in logs]
    shown = names if len(names) <= NAMED else [*names[:2], "…", names[-1]]
    return f"{len(names)} logs in this order: {', '.join(shown)}"


def _moved(change: float) -> str:
    return "rose" if change > 0 else "fell"


def _signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−").replace("inf", "∞")


def name_in_sentence(metric: str) -> str:
    """The name in a sentence."""
    return words.name(metric) if is_diagnosed(metric) else metric


def value_text(metric: str, number: float | None) -> str:
    """A value; those of metrics that a diagnosis does not know may have any size."""
    if number is None or is_diagnosed(metric):
        return words.value(metric, number)
    return display.number(number)


def change_text(metric: str, number: float) -> str:
    if is_diagnosed(metric):
        return words.signed(metric, number)
    sign = "−" if number < 0 else "+" if number > 0 else ""
    return sign + display.number(abs(number))
