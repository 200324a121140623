"""Sources in time order → the logs of a trend: each is read once, and evaluated by `evaluate`."""

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from steelyard import errors, plan
from steelyard.comparison.logs import Read
from steelyard.diagnosis.models.measured import EVALUATED_AS
from steelyard.diagnosis.trends import log_names
from steelyard.diagnosis.trends.trend import TrendLog
from steelyard.evaluation.saved_state import State
from steelyard.model import Conventions
from steelyard.phrases import phrase
from steelyard.request.options import Request

# Of states: what two must have in common, and what the user may have said of all logs.
ALIKE = ("reads", "preset", "classes", "positive", "nan", "unscored", "downsampled", "clip")
GIVEN = ("positive", "nan", "downsampled", "clip", "cluster")


class ReadTrendLog(NamedTuple):
    """A log, and how it was read."""

    shown: TrendLog
    conventions: Conventions


def read_trend(
    sources: Sequence[Any], request: Request, metric: str, read: Read
) -> list[ReadTrendLog]:
    """The value of a metric in each log; request: how logs are read; read: makes a state of one."""
    log_names.refuse_a_log_twice(sources)
    metric = EVALUATED_AS.get(metric, metric)
    request = replace(request, metrics=[metric])
    logs: list[ReadTrendLog] = []
    for source, name in zip(sources, log_names.names(sources), strict=True):
        try:
            state = _state(source, request, read)
            found = _log(state, name, source, request.score, metric)
        except errors.SteelyardError as error:
            raise errors.IN_TREND(name=name, reason=errors.clause(error)) from error
        logs.append(ReadTrendLog(found, state.conventions))
        _refuse_different(logs[0], logs[-1], grouped=_is_grouped(state, metric))
        if not found.is_saved:
            request = _with_roles(request, state.conventions)
    return logs


def _state(source: Any, request: Request, read: Read) -> State:
    """The state of a log, with intervals of the confidence that is requested."""
    if not log_names.is_saved(source):
        if request.cluster is None:
            request = replace(request, confidence=None)
        return read(replace(request, source=source))
    saved = source if isinstance(source, State) else State.load(source)
    _check_given(saved.conventions, request)
    if not saved.clustered:
        return saved
    conventions = replace(saved.conventions, confidence=request.confidence)
    return State(saved.plan, replace(saved.kept, conventions=conventions), saved.engine)


def _check_given(had: Conventions, request: Request) -> None:
    """Refuse options that a state was not made with: its rows cannot be read again."""
    defaults = Request()
    for name in GIVEN:
        wanted, found = getattr(request, name), getattr(had, name)
        if wanted not in (getattr(defaults, name), found):
            raise errors.STATE_MADE_WITH(option=phrase(name), wanted=wanted, found=found)
    for name in ("label", "weight", "where"):
        wanted, found = getattr(request, name), had.roles.get(name)
        if wanted != found and wanted is not None and (wanted or found):  # "" is no weight
            raise errors.STATE_MADE_WITH(option=phrase(name), wanted=wanted, found=found)


def _log(state: State, name: str, source: Any, score: Any, metric: str) -> TrendLog:
    """What a trend shows of a log."""
    saved = log_names.is_saved(source)
    plan.numbers([metric], state.conventions.preset, state.conventions.reads)  # refuses shapes
    row = state.result().row(metric, score if saved else None)
    value, why = row.value, row.why
    if value is not None and not math.isfinite(value):
        value, why = None, f"it is {value}"
    return TrendLog(
        name,
        row.n,
        value,
        row.low,
        row.high,
        row.details.get("standard_error"),
        row.details.get("freedom"),
        why,
        os.fspath(source) if log_names.is_path(source) else None,
        saved,
    )


def _is_grouped(state: State, metric: str) -> bool:
    """Whether the value depends on what a group is."""
    had = state.conventions
    (bound,) = plan.numbers([metric], had.preset, had.reads)
    return bound.required_columns.group


def _refuse_different(first: ReadTrendLog, log: ReadTrendLog, *, grouped: bool) -> None:
    """Refuse states whose values mean different things."""
    mine, theirs = first.conventions, log.conventions
    pairs = {field: (getattr(mine, field), getattr(theirs, field)) for field in ALIKE}
    pairs["weight"] = mine.roles.get("weight"), theirs.roles.get("weight")
    if grouped:
        pairs["group"] = mine.group, theirs.group
    if mine.cluster and theirs.cluster:  # without clusters there are values, and no intervals
        pairs["cluster"] = mine.cluster, theirs.cluster
    for field, (left, right) in pairs.items():
        if left != right:
            names = {"first": first.shown.name, "name": log.shown.name}
            raise errors.TREND_DIFFERS(**names, field=field, left=left, right=right)


def _with_roles(request: Request, found: Conventions) -> Request:
    """The request with the columns that the first log was read by: no other are recognised."""
    (score,) = found.scores.values()
    return replace(
        request,
        label=request.label or found.roles.get("label"),
        score=request.score or score,
        weight=request.weight or found.roles.get("weight"),
    )
