"""A request of `compare` → the comparison of scores on one log, or of two logs by one score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations
from math import isfinite
from numbers import Real

import numpy as np

from steelyard import errors, plan
from steelyard.comparison.judging import ComparisonOptions, compared
from steelyard.comparison.page import Comparison
from steelyard.comparison.sides import Side, common_clusters
from steelyard.evaluation.saved_state import State
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.model import Conventions, Key
from steelyard.phrases import listing, phrase
from steelyard.reading import recognise
from steelyard.reading.clusters import is_row
from steelyard.reading.key_forms import UnlikeForms, unlike_forms
from steelyard.report.groups import GroupTable
from steelyard.report.tables import TablesOnRequest
from steelyard.request.options import CompareRequest, Request
from steelyard.stats.differences import DEPENDS
from steelyard.stats.intervals import DEFAULT_CONFIDENCE

BEFORE, AFTER = "before", "after"
Read = Callable[[Request], State]


def compared_logs(request: CompareRequest, read: Read) -> Comparison:
    """The comparison that is requested; read: makes the state of a log."""
    if request.metrics is not None and not isinstance(request.metrics, str):
        request = replace(request, metrics=list(request.metrics))  # read more than once
    request = _by_list(request)
    if request.cluster is None:
        raise errors.COMPARE_CLUSTER()
    if request.rows != "common":
        raise errors.COMPARE_COMMON_ROWS()
    rows_of_logs = request.after is not None and is_row(request.cluster)
    if request.bootstrap is not None and rows_of_logs:
        raise errors.COMPARE_BOOTSTRAP(option=phrase("bootstrap=..."))
    if request.after is not None and request.baseline is not None:
        raise errors.BASELINE_OF_LOGS(option=phrase("baseline=..."))
    if request.all_pairs and (request.after is not None or request.baseline is not None):
        other = "baseline=... is given" if request.after is None else "there are two logs"
        raise errors.ALL_PAIRS(option=phrase("all_pairs=True"), other=phrase(other))
    log = _of_log(request, request.source)
    if not recognise.is_needed(log):  # refused before the rows are read
        _check(plan.make_job(plan.as_columns(log)).conventions, request)
    first = read(log)
    _check(first.conventions, request)
    if request.after is None:
        return _of_scores(first, request)
    second = replace(_of_log(request, request.after), metrics=list(first.conventions.metrics))
    return _of_logs(first, read(second), request)


def _by_list(request: CompareRequest) -> CompareRequest:
    """The request with the group as its cluster, where all metrics rank the rows of one group.

    A ranked list has one value, so that lists, such as those of queries, are what varies.
    """
    if request.cluster is not None or request.group is None or request.metrics is None:
        return request
    if request.prediction is not None or request.classes is not None:
        return request
    named = plan.as_columns(request)
    assert isinstance(named, CompareRequest)
    metrics = plan.make(request.metrics, request.preset).metrics
    ranks = all(isinstance(b.metric, GroupMetric) and b.metric.ranks for b in metrics)
    return replace(named, cluster=named.group) if ranks and isinstance(named.group, str) else named


def _of_log(request: CompareRequest, source: object) -> Request:
    """The request of one log."""
    options = {each.name: getattr(request, each.name) for each in fields(Request)}
    return Request(**{**options, "source": source})


def _check(conventions: Conventions, request: CompareRequest) -> None:
    """Refuse scores, a baseline, metrics and margins that cannot be compared."""
    scores = list(conventions.scores)
    if request.after is not None and len(scores) > 1:
        raise errors.COMPARE_ONE_SCORE(count=len(scores), scores=listing(scores))
    if request.after is None and len(scores) < 2:
        raise errors.COMPARE_SCORES(score=scores[0], example=phrase('score=["old", "new"]'))
    if request.baseline not in (None, *scores):
        raise errors.NO_BASELINE(name=repr(request.baseline), known=listing(scores))
    plan.numbers(list(conventions.metrics), conventions.preset, conventions.reads)
    _margins(request.margins or {}, conventions)


def _of_scores(state: State, request: CompareRequest) -> Comparison:
    """Every other score against the baseline, on the same rows."""
    scores = list(state.conventions.scores)
    baseline = scores[0] if request.baseline is None else request.baseline
    evaluation = state.evaluation()
    sides = {score: Side(score, evaluation, score) for score in scores}
    others = [side for score, side in sides.items() if score != baseline]
    pairs = [(sides[baseline], other) for other in others]
    if request.all_pairs:
        pairs = list(combinations(sides.values(), 2))
    found = compared(pairs, _options(request, state))
    return Comparison(
        found.rows,
        found.tests,
        baseline,
        evaluation.conventions,
        evaluated=evaluation.result,
        groups=evaluation.groups(),
    )


def _of_logs(first: State, second: State, request: CompareRequest) -> Comparison:
    """The second log against the first."""
    (score,) = first.conventions.scores
    _refuse_unlike_keys(first, second, score)
    sources = [state.conventions.roles.get("source", "") for state in (first, second)]
    notes = []
    if all(sources) and sources[0] != sources[1]:  # arrays have no names
        notes.append(f"{BEFORE}: {sources[0]} · {AFTER}: {sources[1]}")
    if is_row(request.cluster):  # rows of two logs are never the same
        numbers = (
            np.arange(len(first.clusters)),
            len(first.clusters) + np.arange(len(second.clusters)),
        )
    else:
        numbers = common_clusters(first.clusters, second.clusters)
        both = len(np.intersect1d(*numbers))
        notes.append(f"{both:,} clusters are in both logs")
    sides = [
        Side(name, state.evaluation(), score, own)
        for name, state, own in zip((BEFORE, AFTER), (first, second), numbers, strict=True)
    ]
    found = compared([(sides[0], sides[1])], _options(request, first))
    after = sides[1].evaluation
    return Comparison(
        found.rows,
        found.tests,
        BEFORE,
        after.conventions,
        notes,
        evaluated=after.result,
        groups=_groups_of_logs(sides),
    )


def _groups_of_logs(sides: Sequence[Side]) -> TablesOnRequest[GroupTable] | None:
    """The tables of groups of both logs, by the names of the logs."""
    tables = {side.name: (side.score, side.evaluation.groups()) for side in sides}

    def make(name: str, slice_: Mapping[str, Key]) -> GroupTable:
        score, found = tables[name]
        assert found is not None
        return found.make(score, slice_)

    known = tables[BEFORE][1]
    return None if known is None else TablesOnRequest(known.metrics, make)


def _refuse_unlike_keys(first: State, second: State, score: str) -> None:
    """Refuse slices and clusters that are text in one log and numbers in the other."""
    for place, names in enumerate(first.conventions.by):
        keys = [state.slices[score][place].keys for state in (first, second)]
        for found in unlike_forms(names, keys):
            raise errors.COMPARE_KEYS(**found._asdict(), what="slice", example=found.typed)
    forms = [state.clusters.form for state in (first, second)]
    if None not in forms and forms[0] != forms[1]:
        name = first.conventions.cluster
        unlike = UnlikeForms(str(name), str(forms[0]), str(forms[1]))
        raise errors.COMPARE_KEYS(**unlike._asdict(), what="cluster", example=unlike.typed)


def _options(request: CompareRequest, state: State) -> ComparisonOptions:
    confidence = state.conventions.confidence or DEFAULT_CONFIDENCE
    margins = _margins(request.margins or {}, state.conventions)
    return ComparisonOptions(confidence, request.min_rows, margins)


def _margins(given: Mapping[str, float], conventions: Conventions) -> dict[str, float]:
    """The margins by the printed name of the metric."""
    found = {}
    for name, value in given.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not (isfinite(value) and value >= 0):
            raise errors.BAD_MARGIN(metric=name, value=value)
        (bound,) = plan.numbers([name], conventions.preset, conventions.reads)
        if bound.metric.better == DEPENDS:
            raise errors.NO_DIRECTION(metric=bound.name)
        found[bound.name] = float(value)
    return found
