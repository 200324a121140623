"""evaluate, state, merge and load: a request becomes a job, a job a state, a state a result.

diagnose reads two logs or more, and says what changed between them.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from steelyard import errors, phases, plan
from steelyard.engines.choice import engine_of
from steelyard.engines.protocol import Engine
from steelyard.evaluation import short_evaluation
from steelyard.evaluation.saved_state import State
from steelyard.kernels import threads
from steelyard.reading import group_sizes, recognise, roles
from steelyard.reading.clusters import is_row
from steelyard.request.calls import make_request, takes_request
from steelyard.request.diagnose import DiagnoseRequest
from steelyard.request.options import CompareRequest, Request
from steelyard.result.result import Result
from steelyard.sources.blocks import ColumnRequest, SourceColumn, with_progress
from steelyard.sources.duck.sql_text import identifier
from steelyard.sources.opening import Source, open_source

if TYPE_CHECKING:  # imported where they are used: an evaluation does not wait for them
    from steelyard.comparison.page import Comparison
    from steelyard.diagnosis.page.diagnosis import Diagnosis


@takes_request
def evaluate(source: Any = None, label: Any = None, score: Any = None, **options: Any) -> Result:
    """A table of metrics of arrays, or of the named columns of a source.

    {options}

    A role given as a string is the column of that exact name, or else an SQL expression.

    >>> evaluate(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics=["auc", "ks"])["auc"]
    0.75
    """
    if source is None:
        found = short_evaluation.short_result(label, score, options)
        if found is not None:
            return found
    given = {"source": source, "label": label, "score": score, **options}
    request = group_sizes.with_keys(make_request("evaluate", given))
    with threads.limited(request.threads):
        state = _state_of(request)
        evaluation = state.evaluation()
        if source is None:
            short_evaluation.remember(label, score, options, state.plan, evaluation.conventions)
        return evaluation.result()


@takes_request
def state(source: Any = None, label: Any = None, score: Any = None, **options: Any) -> State:
    """A state of the rows: it merges with others, can be saved, and gives the result of `evaluate`.

    {options}

    >>> monday = state(label=[0, 1], score=[0.1, 0.4], metrics="auc")
    >>> tuesday = state(label=[0, 1], score=[0.35, 0.8], metrics="auc")
    >>> merge(monday, tuesday).result()["auc"]
    1.0
    """
    given = {"source": source, "label": label, "score": score, **options}
    request = make_request("state", given)
    if request.group_sizes is not None:
        raise errors.SIZES_IN_STATE()
    if is_row(request.cluster):
        raise errors.ROW_CLUSTERS_IN_STATE()
    with threads.limited(request.threads):
        state = _state_of(request)
        if request.cluster is not None:
            state.evaluation().refuse_varying_clusters()
    return state


@partial(takes_request, kind=CompareRequest, positional=("source", "after"))
def compare(source: Any = None, after: Any = None, **options: Any) -> "Comparison":
    """The differences of scores on the same rows, or of one score on two logs.

    {options}

    A positive difference is an improvement; a `cluster` is needed, for intervals.

    >>> log = {
    ...     "click": [0, 1, 0, 1],
    ...     "old": [0.2, 0.3, 0.4, 0.5],
    ...     "new": [0.1, 0.3, 0.2, 0.4],
    ...     "user": [1, 1, 2, 2],
    ... }
    >>> found = compare(log, label="click", score=["old", "new"], cluster="user", metrics="auc")
    >>> found.row("auc").difference
    0.25
    """
    request = make_request("compare", {"source": source, "after": after, **options}, CompareRequest)
    with threads.limited(request.threads):
        from steelyard.comparison.logs import compared_logs

        return compared_logs(request, _state_of)


def merge(*states: State) -> State:
    """One state of the rows of all states; their order does not matter."""
    if not states:
        raise errors.NOTHING_TO_MERGE()
    for state in states:
        if not isinstance(state, State):
            raise errors.MERGES_STATES(type=type(state).__name__)
    return states[0].merge(*states[1:])


def load(path: str | os.PathLike[str]) -> State:
    """The state of a `.sy` file that `State.save` wrote."""
    return State.load(path)


@partial(takes_request, kind=DiagnoseRequest, positional=("before", "after"))
def diagnose(before: Any, after: Any = None, **options: Any) -> "Diagnosis":
    """Why a metric changed from one log to another: is it real, where, since when?

    {options}

    >>> log = {"click": [0, 1] * 50, "pctr": [0.2, 0.6] * 50, "device": ["tv"] * 50 + ["pc"] * 50}
    >>> diagnose(log, log, label="click", score="pctr", over=["device"], cluster="row").kind
    'within noise'
    """
    from steelyard.diagnosis.several import diagnose_logs

    given = {"before": before, "after": after, **options}
    request = make_request("diagnose", given, DiagnoseRequest)
    with threads.limited(request.threads):
        return diagnose_logs(request, _state_of)


def _state_of(request: Request, engine: Engine | None = None) -> State:
    """The state of a request; engine: None: the one that the request chooses."""
    job = None
    if not recognise.is_needed(request):
        request = plan.as_columns(request)
        job = plan.make_job(request)
        job.reader()  # refuses wrong options before a file is opened
    with _opened(request) as source:
        recognised = ""
        if job is None:
            request, recognised = plan.recognised(request, source.columns)
            job = plan.make_job(request, recognised)
        if plan.depends_on_types(request):
            types = _first_rows(source, job)
            job = plan.make_job(plan.with_default_metrics(request, types), recognised)
        if request.weight is None:
            job = job.noting_unused_weight(source.columns)
        roles.check_carried(source.columns, job.carried)
        roles.check_row_clusters(source.columns, job.roles.cluster)
        blocks = source.blocks(job.roles.column_requests(), job.where)
        progress = request.progress or phases.watcher()
        if progress is not None:
            blocks = with_progress(blocks, source.rows, progress)
        engine = engine_of(request) if engine is None else engine
        return State(job.plan, engine.scan(job, source.name, blocks), engine)


def _first_rows(source: Source, job: plan.Job) -> list[SourceColumn]:
    """Truth and predictions of the first block: a column has one type in all blocks.

    In a file without types an expression has the type of all its rows, a column has none.
    """
    texts = dict.fromkeys((job.roles.label, *job.roles.scores.values()))
    found: dict[str, SourceColumn] = {}
    for written in ({text: text for text in texts}, {text: identifier(text) for text in texts}):
        wanted = {name: text for name, text in written.items() if _is_untyped(found.get(name))}
        requests = [ColumnRequest(text, "label") for text in wanted.values()]
        for block in islice(source.blocks(requests, job.where) if requests else (), 1):
            found |= {n: block.columns[r] for n, r in zip(wanted, requests, strict=True)}
    return list(found.values())


def _is_untyped(column: SourceColumn | None) -> bool:
    return column is None or column.untyped


@contextmanager
def _opened(request: Request) -> Iterator[Source]:
    """The source of a request; a source that was given open stays open."""
    source = open_source(
        request.source,
        table=request.table,
        sql=request.sql,
        threads=request.threads,
        memory=request.memory,
        allow_files=request.allow_files,
    )
    try:
        yield source
    finally:
        if source is not request.source:
            source.close()
