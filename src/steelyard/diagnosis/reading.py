"""Two sources as two logs: one request, one reader, so that numbers mean the same in both."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from steelyard import errors, plan
from steelyard.diagnosis.rows import SIDES, TwoLogs, read_logs
from steelyard.reading import recognise, roles
from steelyard.reading.clusters import ROW
from steelyard.request import Request
from steelyard.sources.blocks import Block, ColumnRequest
from steelyard.sources.opening import Source, open_source

METRICS = ("auc", "copc", "ctr", "logloss", "ne")
OF_PROBABILITIES = ("copc", "logloss", "ne")
FEW_VALUES = 100  # in the first rows: columns with more are not dimensions unless they are named
FIRST_ROWS = 100_000


@dataclass(frozen=True)
class ReadLogs:
    """Two logs and what they were read as.

    chosen: the dimensions that were chosen because none were named
    recognised: columns that were recognised by their names; score, control: their names
    """

    two: TwoLogs
    request: Request
    score: str
    control: str | None
    chosen: tuple[str, ...] | None
    recognised: str


def read(
    sources: Sequence[Any], wheres: Sequence[str | None], options: Mapping[str, Any], metric: str
) -> ReadLogs:
    """The rows of two sources; options: those of a request."""
    if metric not in METRICS:
        raise errors.BAD_CHOICE(name="metric", value=metric, choices=", ".join(METRICS))
    control, over = options.get("control_score"), options.get("over")
    others = {n: each for n, each in options.items() if n not in ("control_score", "over")}
    request = Request(**others, metrics=[metric] if metric in OF_PROBABILITIES else ["auc"])
    request = replace(request, cluster=request.cluster or ROW)
    with ExitStack() as stack:
        opened = [_opened(each, request, stack) for each in sources]
        request, recognised = _recognised(request, opened[0])
        score = request.score
        if not isinstance(score, str):
            raise errors.ONE_SCORE()
        chosen = None
        if over is None:
            chosen = tuple(_dimensions(opened[0], request, control, wheres[0]))
            over = list(chosen)
        if not over:
            raise errors.NO_DIMENSIONS()
        request = replace(request, by=over, score=[score] if control is None else [score, control])
        return ReadLogs(
            _read(request, opened, wheres, named_rows=options.get("cluster") == ROW),
            request,
            score,
            control,
            chosen,
            recognised,
        )


def _opened(source: Any, request: Request, stack: ExitStack) -> Source:
    opened = open_source(
        source,
        threads=request.threads,
        memory=request.memory,
        allow_files=request.allow_files,
    )
    return opened if opened is source else stack.enter_context(closing(opened))


def _recognised(request: Request, source: Source) -> tuple[Request, str]:
    if not recognise.is_needed(replace(request, source=source)):
        return request, ""
    found, text = plan.recognised(replace(request, group=""), source.columns)
    return replace(found, group=request.group), text


def _read(
    request: Request, opened: Sequence[Source], wheres: Sequence[str | None], *, named_rows: bool
) -> TwoLogs:
    job = plan.make_job(request)
    for names in job.roles.slicings.names:
        if len(names) > 1:
            raise errors.CROSSED_DIMENSION(names=", ".join(names))
    reader = job.reader()
    blocks = []
    for side, source, where in zip(SIDES, opened, wheres, strict=True):
        if named_rows:
            roles.check_row_clusters(source.columns, job.roles.cluster)
        try:
            blocks.append(source.blocks(job.roles.column_requests(), where))
        except errors.SteelyardError as error:
            raise errors.IN_LOG(side=side, name=source.name, reason=errors.clause(error)) from error
    return read_logs(job, reader, blocks, (opened[0].name, opened[1].name))


def _dimensions(
    source: Source, request: Request, control: str | None, where: str | None
) -> Iterator[str]:
    """The columns with few values among the first rows, apart from those with a role."""
    taken = {request.label, request.score, request.weight, request.cluster, request.group, control}
    names = [name for name in source.columns if name not in taken]
    if not names:
        return
    wanted = [ColumnRequest(name, "key") for name in names]
    values: dict[str, set[Any]] = {name: set() for name in names}
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
