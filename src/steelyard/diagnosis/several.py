"""Several logs in time order: their trend, and the diagnosis of the two logs that it names."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from steelyard import errors
from steelyard.comparison.logs import Read
from steelyard.diagnosis.page.commands import typed
from steelyard.diagnosis.page.diagnosis import Diagnosis
from steelyard.diagnosis.page.facts import Answer
from steelyard.diagnosis.page.trend_words import (
    in_order,
    listed,
    log_name,
    make_trend,
    test_text,
    unusual_text,
)
from steelyard.diagnosis.run import checked_confidence, diagnose
from steelyard.diagnosis.trends import log_names
from steelyard.diagnosis.trends.log_cuts import unusual
from steelyard.diagnosis.trends.trend import Trend, TrendLog
from steelyard.diagnosis.trends.trend_reading import GIVEN, ReadTrendLog, read_trend
from steelyard.diagnosis.two_logs.reading import READ_ALIKE, is_diagnosed
from steelyard.model import Conventions
from steelyard.request.diagnose import DiagnoseRequest
from steelyard.request.options import Request

TREND = "trend"  # what kind of diagnosis it is, if rows cannot be read


def diagnose_logs(asked: DiagnoseRequest, read: Read) -> Diagnosis:
    """The diagnosis of two logs, or of several in time order; read: makes the state of a log."""
    logs = _logs(asked)
    if len(logs) > 2 or (len(logs) == 2 and any(map(log_names.is_saved, logs))):
        return _of_several([*_earlier(asked), *logs], asked, read)
    if len(logs) == 2:
        asked = replace(asked, before=logs[0], after=logs[1])
    found = diagnose(asked)
    return found if asked.earlier is None else _against(found, _earlier(asked), asked, read)


def _logs(asked: DiagnoseRequest) -> list[Any]:
    """The logs in time order; one, if there are two conditions for it."""
    if asked.after is not None:
        return [asked.before, asked.after]
    if isinstance(asked.where, tuple | list):
        return [asked.before]
    return log_names.expanded(asked.before)


def _earlier(asked: DiagnoseRequest) -> list[Any]:
    """The earlier logs; a pattern may match the log after too, which is not one of them."""
    if asked.earlier is None:
        return []
    given = asked.earlier if isinstance(asked.earlier, tuple | list) else [asked.earlier]
    several = len(given) > 1
    found = [log for each in given for log in log_names.expanded(each, folders=not several)]
    return [log for log in found if not log_names.same(log, asked.after)]


def _against(
    found: Diagnosis, earlier: Sequence[Any], asked: DiagnoseRequest, read: Read
) -> Diagnosis:
    """A diagnosis that says whether the log after is unusual."""
    request, share = _request(asked)
    logs = [log.shown for log in read_trend(earlier, request, asked.metric, read)]
    values = [log.value for log in logs if log.value is not None]
    tested = unusual(values, found.after)
    text = unusual_text(found.metric, tested, share)
    is_so = bool(tested.p <= 1 - share) if tested.is_tested else None
    note = f"{len(logs)} earlier logs: {listed(logs)}"
    missing = [log for log in logs if log.value is None]
    if missing:
        note += f"; no value in {listed(missing)}"
    return replace(
        found,
        lines=with_answer(found.lines, text, {"earlier": tested._asdict() | {"unusual": is_so}}),
        notes=(*found.notes, note),
    )


def _request(asked: DiagnoseRequest) -> tuple[Request, float]:
    """How each log is read, and the confidence of intervals."""
    if isinstance(asked.where, tuple | list):
        raise errors.ONE_CONDITION()
    share = checked_confidence(asked)
    names = ("label", "score", "weight", "group", "cluster", "where", "allow_files", *READ_ALIKE)
    given = {name: getattr(asked, name) for name in names}
    return Request(**given | {"confidence": share}), share


def _of_several(sources: Sequence[Any], asked: DiagnoseRequest, read: Read) -> Diagnosis:
    """The trend of a metric, and the diagnosis of two logs if their rows can be read."""
    request, share = _request(asked)
    found = read_trend(sources, request, asked.metric, read)
    shown = [log.shown for log in found]
    known = [log for log in shown if log.value is not None]
    if len(known) < 2:
        why = next(log.why for log in shown if log.why)
        raise errors.FEW_VALUES(metric=asked.metric, known=len(known), logs=len(shown), why=why)
    trend = make_trend(asked.metric, shown, share)
    two = [shown.index(log) for log in trend.pair()]
    order = in_order(shown)
    if not is_diagnosed(asked.metric) or any(shown[place].is_saved for place in two):
        return _of_trend(trend, [found[place] for place in two], order)
    before, after = (sources[place] for place in two)
    page = diagnose(replace(asked, before=before, after=after))
    first, *others = page.notes
    if not (log_names.is_path(before) and log_names.is_path(after)):  # arrays have no names
        first = _compared(shown[two[0]], shown[two[1]])
    between = " to ".join(log_name(shown[place]) for place in two)
    return replace(
        page,
        verdict=f"{trend.verdict}. From {between}: {page.verdict}",
        lines=with_answer(page.lines, *_tested(trend)),
        notes=(first, order, *others),
        trend=trend,
    )


def _tested(trend: Trend) -> tuple[str, dict[str, Any]]:
    if trend.cut is None:
        return trend.verdict, {}
    return test_text(trend, trend.cut), {"unusual": trend.change_point is not None}


def with_answer(lines: Sequence[Answer], text: str, evidence: dict[str, Any]) -> tuple[Answer, ...]:
    """The lines with one more answer to whether a change is real."""
    return tuple(
        replace(line, answers=(*line.answers, text), evidence=line.evidence | evidence)
        if line.question == "real?"
        else line
        for line in lines
    )


def _of_trend(trend: Trend, two: Sequence[ReadTrendLog], order: str) -> Diagnosis:
    """A page without causes: of states, or of a metric that no diagnosis knows."""
    before, after = (log.shown for log in two)
    assert before.value is not None
    assert after.value is not None
    text, evidence = _tested(trend)
    why = (
        "a state has no rows" if is_diagnosed(trend.metric) else f"{trend.metric} is not diagnosed"
    )
    lines = [
        Answer("real?", (text,), evidence),
        Answer("which slice?", (f"not searched: {why}",)),
        _next(trend.metric, two),
    ]
    return Diagnosis(
        trend.metric,
        before.value,
        after.value,
        f"{trend.verdict}.",
        TREND,
        (),
        (),
        tuple(lines),
        (_compared(before, after), order),
        trend=trend,
    )


def _compared(before: TrendLog, after: TrendLog) -> str:
    return f"before: {log_name(before)} · after: {log_name(after)}"


def _next(metric: str, two: Sequence[ReadTrendLog]) -> Answer:
    """The command that diagnoses both logs, if it is known where their rows are."""
    paths = [_rows_of(log) for log in two]
    names = " and ".join(log_name(log.shown) for log in two)
    if None in paths:
        return Answer("next", (f"steelyard diagnose with the logs that {names} were made of",))
    line = ["steelyard diagnose", *(shlex.quote(str(path)) for path in paths)]
    line += _options(two[1].conventions)
    line += ["-m", shlex.quote(metric)] if is_diagnosed(metric) else []  # else AUC, by default
    return Answer("next", (" ".join(line),))


def _rows_of(log: ReadTrendLog) -> str | None:
    """The path of the rows of a log: a state has the name of its source."""
    if not log.shown.is_saved:
        return log.shown.source
    path = log.conventions.roles.get("source", "")
    return path if path.lower().endswith(log_names.READ) else None


def _options(had: Conventions) -> list[str]:
    """The options that a log was read with, as they are typed."""
    roles = {name: had.roles.get(name) for name in ("label", "weight", "where")}
    read = {name: getattr(had, name) for name in (*GIVEN, "group")}
    return typed({**roles, "score": next(iter(had.scores.values())), **read})
