"""A request of `compare` → the comparison of scores on one log, or of two logs by one score."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from math import isfinite
from numbers import Real

import numpy as np

from steelyard import errors, plan
from steelyard.comparison.judging import ComparisonOptions, compared
from steelyard.comparison.page import Comparison
from steelyard.comparison.sides import Side, common_clusters
from steelyard.model import Conventions
from steelyard.phrases import listing, phrase
from steelyard.reading import recognise
from steelyard.reading.clusters import is_row
from steelyard.reading.key_forms import UnlikeForms, unlike_forms
from steelyard.request import CompareRequest, Request
from steelyard.stats.intervals import DEFAULT_CONFIDENCE
from steelyard.tally import Tally

BEFORE, AFTER = "before", "after"
Read = Callable[[Request], Tally]


def compared_logs(request: CompareRequest, read: Read) -> Comparison:
    """The comparison that is requested; read: makes the tally of a log."""
    if request.cluster is None:
        raise errors.COMPARE_CLUSTER()
    if request.rows != "common":
        raise errors.COMPARE_COMMON_ROWS()
    rows_of_logs = request.after is not None and is_row(request.cluster)
    if request.bootstrap is not None and rows_of_logs:
        raise errors.COMPARE_BOOTSTRAP(option=phrase("bootstrap=..."))
    if request.after is not None and request.baseline is not None:
        raise errors.BASELINE_OF_LOGS(option=phrase("baseline=..."))
    log = _of_log(request, request.source)
    if not recognise.is_needed(log):  # refused before the rows are read
        _check(plan.make_job(plan.as_columns(log)).conventions, request)
    first = read(log)
    _check(first.conventions, request)
    if request.after is None:
        return _of_scores(first, request)
    second = replace(_of_log(request, request.after), metrics=list(first.conventions.metrics))
    return _of_logs(first, read(second), request)


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


def _of_scores(tally: Tally, request: CompareRequest) -> Comparison:
    """Every other score against the baseline, on the same rows."""
    scores = list(tally.conventions.scores)
    baseline = scores[0] if request.baseline is None else request.baseline
    evaluation = tally.evaluation()
    sides = {score: Side(score, evaluation, score) for score in scores}
    others = [side for score, side in sides.items() if score != baseline]
    found = compared(sides[baseline], others, _options(request, tally))
    return Comparison(
        found.rows,
        found.tests,
        baseline,
        evaluation.conventions,
        evaluated=evaluation.result,
    )


def _of_logs(first: Tally, second: Tally, request: CompareRequest) -> Comparison:
    """The second log against the first."""
    (score,) = first.conventions.scores
    _refuse_unlike_keys(first, second, score)
    sources = [tally.conventions.roles.get("source", "") for tally in (first, second)]
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
        Side(name, tally.evaluation(), score, own)
        for name, tally, own in zip((BEFORE, AFTER), (first, second), numbers, strict=True)
    ]
    found = compared(sides[0], sides[1:], _options(request, first))
    after = sides[1].evaluation
    return Comparison(
        found.rows, found.tests, BEFORE, after.conventions, notes, evaluated=after.result
    )


def _refuse_unlike_keys(first: Tally, second: Tally, score: str) -> None:
    """Refuse slices and clusters that are text in one log and numbers in the other."""
    for place, names in enumerate(first.conventions.by):
        keys = [tally.slices[score][place].keys for tally in (first, second)]
        for found in unlike_forms(names, keys):
            raise errors.COMPARE_KEYS(**found._asdict(), what="slice", example=found.typed)
    forms = [tally.clusters.form for tally in (first, second)]
    if None not in forms and forms[0] != forms[1]:
        name = first.conventions.cluster
        unlike = UnlikeForms(str(name), str(forms[0]), str(forms[1]))
        raise errors.COMPARE_KEYS(**unlike._asdict(), what="cluster", example=unlike.typed)


def _options(request: CompareRequest, tally: Tally) -> ComparisonOptions:
    confidence = tally.conventions.confidence or DEFAULT_CONFIDENCE
    margins = _margins(request.margins or {}, tally.conventions)
    return ComparisonOptions(confidence, request.min_rows, margins)


def _margins(given: Mapping[str, float], conventions: Conventions) -> dict[str, float]:
    """The margins by the printed name of the metric."""
    found = {}
    for name, value in given.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not (isfinite(value) and value >= 0):
            raise errors.BAD_MARGIN(metric=name, value=value)
        (bound,) = plan.numbers([name], conventions.preset, conventions.reads)
        found[bound.name] = float(value)
    return found
