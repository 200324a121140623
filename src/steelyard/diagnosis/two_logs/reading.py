"""Two sources as two logs: one request, one reader, so that numbers mean the same in both."""

from collections.abc import Iterator, Sequence, Sized
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from steelyard import errors, phases, plan
from steelyard.diagnosis.two_logs.log_reading import read_two_logs
from steelyard.diagnosis.two_logs.two_logs import SIDES, TwoLogs
from steelyard.engines.choice import engine_of
from steelyard.phrases import phrase
from steelyard.reading import recognise, roles
from steelyard.reading.clusters import ROW
from steelyard.request.diagnose import DIAGNOSED, DiagnoseRequest
from steelyard.request.options import Request
from steelyard.sources.blocks import Block, ColumnRequest, with_progress
from steelyard.sources.opening import Source, open_source

OF_PROBABILITIES = ("copc", "logloss", "ne")
OF_GROUPS = ("gauc", "ndcg")
READ_ALIKE = ("positive", "nan", "downsampled", "clip", "confidence", "threads", "memory")
FEW_VALUES = 100  # in the first rows: columns with more are not dimensions unless they are named
FIRST_ROWS = 100_000


@dataclass(frozen=True)
class ReadPair:
    """Two logs and what they were read as.

    metric: its name, without parameters; wheres: the condition of each log
    chosen: the dimensions that were chosen because none were named
    notes: which were left out, and why
    recognised: columns that were recognised by their names; score, control: their names
    """

    two: TwoLogs
    metric: str
    request: Request
    wheres: tuple[str | None, str | None]
    score: str
    control: str | None
    chosen: tuple[str, ...] | None
    notes: tuple[str, ...]
    recognised: str


def read(asked: DiagnoseRequest) -> ReadPair:
    """The rows of both logs."""
    wheres = conditions(asked)
    metric = checked_metric(asked.metric)
    request = _request(asked, metric)
    control, over = asked.control_score, asked.over
    with ExitStack() as stack:
        sources = [asked.before, asked.before if asked.after is None else asked.after]
        opened = [_opened(each, request, stack) for each in sources]
        request, recognised = _recognised(request, opened)
        score = request.score
        if not isinstance(score, str):
            raise errors.ONE_SCORE()
        chosen = None
        if over is None:
            taken = _with_roles(request, control)
            chosen = tuple(_dimensions(opened, taken, wheres))
            over = list(chosen)
        if isinstance(over, Sized) and not len(over):
            raise errors.NO_DIMENSIONS()
        request = replace(request, by=over, score=[score] if control is None else [score, control])
        two = _read(request, opened, wheres, named_rows=asked.cluster == ROW)
    if not two.dimensions:
        raise errors.NO_DIMENSIONS()
    if metric in OF_GROUPS and two.clusters_vary():
        raise errors.CLUSTER_IN_GROUPS(name=request.cluster)
    two, notes = _shared(two)
    if metric == "ndcg":
        two, more = _constant(two, named=chosen is None)
        notes += more
    return ReadPair(
        two,
        metric,
        request,
        wheres,
        score,
        control,
        chosen and two.dimension_names,
        notes,
        recognised,
    )


def conditions(asked: DiagnoseRequest) -> tuple[str | None, str | None]:
    """The condition of each log."""
    where = asked.where
    wheres = tuple(where) if isinstance(where, tuple | list) else (where, where)
    for each in wheres:
        _check_type("where", each, "a condition, or one for each log")
    if len(wheres) != 2 or (asked.after is None and wheres[0] == wheres[1]):
        raise errors.TWO_LOGS()
    return wheres


def _check_type(option: str, value: Any, wanted: str) -> None:
    """Refuse what is not text."""
    if not (value is None or isinstance(value, str)):
        raise errors.OPTION_TYPE(name=phrase(option), type=type(value).__name__, wanted=wanted)


def is_diagnosed(asked: str) -> bool:
    return _without_parameters(asked) in DIAGNOSED


def _without_parameters(asked: str) -> str:
    """The name of a metric without its parameters, which NDCG alone may have."""
    return asked.partition("(")[0].partition("@")[0] if asked.startswith("ndcg") else asked


def checked_metric(asked: str) -> str:
    """The name of a metric that can be diagnosed."""
    name = _without_parameters(asked)
    if name not in DIAGNOSED:
        close = errors.nearest(asked, DIAGNOSED)
        hint = phrase(": did you mean {close}", close=close) if close else ""
        raise errors.NOT_DIAGNOSED(metric=asked, choices=", ".join(DIAGNOSED), hint=hint)
    return name


def _request(asked: DiagnoseRequest, metric: str) -> Request:
    """What is read of both logs.

    Without a cluster nothing is tested, but the search divides by standard errors: groups are then
    its clusters, or else rows.
    """
    group = asked.group
    names = group if isinstance(group, tuple | list) and group else [group]
    for name in names:
        _check_type("group", name, "a column, or a list of columns")
    _check_type("weight", asked.weight, "a column")
    first = names[0]
    metrics = [asked.metric if metric == "ndcg" else "auc"]
    metrics += ["gauc"] if group is not None and metric != "ndcg" else []
    metrics += [metric] if metric in (*OF_PROBABILITIES, "gauc") else []
    return Request(
        label=asked.label,
        score=asked.score,
        weight=asked.weight,
        group=group,
        cluster=asked.cluster if asked.cluster is not None else first or ROW,
        metrics=list(dict.fromkeys(metrics)),
        allow_files=asked.allow_files,
        **{name: getattr(asked, name) for name in READ_ALIKE},
    )


def _opened(source: Any, request: Request, stack: ExitStack) -> Source:
    opened = open_source(
        source,
        threads=request.threads,
        memory=request.memory,
        allow_files=request.allow_files,
    )
    return opened if opened is source else stack.enter_context(closing(opened))


def _recognised(request: Request, opened: Sequence[Source]) -> tuple[Request, str]:
    """The request with columns of usual names that both logs have; "" as a weight means none."""
    text = ""
    if recognise.is_needed(replace(request, source=opened[0])):
        group = request.group
        found, text = plan.recognised(replace(request, group=group or ""), _common(opened))
        request = replace(found, group=group)
    return replace(request, weight=request.weight or None), text


def _common(opened: Sequence[Source]) -> list[str]:
    """The columns that both logs have."""
    return [name for name in opened[0].columns if name in opened[1].columns]


def _with_roles(request: Request, control: str | None) -> set[Any]:
    """The columns that have a role, and are no dimensions."""
    group = request.group if isinstance(request.group, tuple | list) else [request.group]
    named = (request.label, request.score, request.weight, request.cluster, control)
    return {*named, *group}


def _read(
    request: Request, opened: Sequence[Source], wheres: Sequence[str | None], *, named_rows: bool
) -> TwoLogs:
    job = plan.make_job(request)
    for names in job.roles.slicings.names:
        if len(names) > 1:
            raise errors.CROSSED_DIMENSION(names=", ".join(names))
        for role in ("label", "score", "cluster"):
            used = getattr(request, role)
            if names[0] in (used if isinstance(used, list) else [used]):
                raise errors.ROLE_AS_DIMENSION(name=names[0], role=role)
    reader = job.reader()
    blocks = []
    for side, source, where in zip(SIDES, opened, wheres, strict=True):
        if named_rows:
            roles.check_row_clusters(source.columns, job.roles.cluster)
        try:
            read = source.blocks(job.roles.column_requests(), where)
            if (watcher := phases.watcher()) is not None:
                read = with_progress(read, source.rows, watcher)
            blocks.append(read)
        except errors.SteelyardError as error:
            raise errors.IN_LOG(side=side, name=source.name, reason=errors.clause(error)) from error
    found = read_two_logs(job, reader, blocks, (opened[0].name, opened[1].name))
    return replace(found, engine=engine_of(request))


def _dimensions(
    opened: Sequence[Source], taken: set[Any], wheres: Sequence[str | None]
) -> Iterator[str]:
    """The columns with few values among the first rows of both logs, apart from those `taken`."""
    names = [name for name in _common(opened) if name not in taken]
    if not names:
        return
    wanted = [ColumnRequest(name, "key") for name in names]
    values: dict[str, set[Any]] = {name: set() for name in names}
    for source, where in zip(opened, wheres, strict=True):
        for block in _first_blocks(source.blocks(wanted, where)):
            for name, each in zip(names, wanted, strict=True):
                values[name].update(block.columns[each].keys or ())
    yield from (name for name, found in values.items() if 1 < len(found) <= FEW_VALUES)


def _first_blocks(blocks: Iterator[Block]) -> Iterator[Block]:
    rows = 0
    for block in islice(blocks, 8):
        yield block
        rows += block.rows
        if rows >= FIRST_ROWS:
            return


def _shared(two: TwoLogs) -> tuple[TwoLogs, tuple[str, ...]]:
    """The logs without dimensions that tell them apart, such as the date, and a note on these.

    No value of such a dimension can be compared, and all of any change would be its mix.
    """
    apart = [place for place in range(len(two.dimensions)) if not two.shares_values(place)]
    if not apart:
        return two, ()
    kept = two.without_dimensions(apart)
    names = ", ".join(two.dimensions[place].name for place in apart)
    if not kept.dimensions:
        raise errors.APART_DIMENSIONS(names=names)
    return kept, (f"not in {names}: the logs have no value in common",)


def _constant(two: TwoLogs, *, named: bool) -> tuple[TwoLogs, tuple[str, ...]]:
    """The logs with the dimensions that are constant within each group, and a note on others.

    The value of a list belongs to all of its rows, so that a part of them is no slice of it.
    """
    varies = [place for place in range(len(two.dimensions)) if two.varies_in_groups(place)]
    if not varies:
        return two, ()
    names = ", ".join(two.dimensions[place].name for place in varies)
    if named:
        raise errors.VARYING_DIMENSION(names=names)
    if len(varies) == len(two.dimensions):
        raise errors.NO_DIMENSIONS()
    return two.without_dimensions(varies), (f"not in {names}: they vary within groups",)
