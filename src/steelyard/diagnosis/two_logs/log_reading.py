"""The blocks of two sources → the rows of two logs, read by one reader."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.diagnosis.two_logs.two_logs import SIDES, Dimension, LogRows, TwoLogs
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.model import Array, Reading
from steelyard.phrases import phrase
from steelyard.plan import Job
from steelyard.reading.batch import Batch
from steelyard.reading.clusters import ROW
from steelyard.reading.grouping import Dictionary
from steelyard.reading.key_order import key_order
from steelyard.reading.reader import Reader
from steelyard.reading.roles import Roles
from steelyard.sources.blocks import Block

MOST_VALUES = 10_000  # of a dimension: more are keys of users or ads, and no slice has enough rows
WEIGHT_BITS = 52  # of the sum of weights, so that float64 holds it


class RawLog(NamedTuple):
    """The columns of a log as they were read, block by block joined.

    group_texts: for each column of the group key, the texts that it has; None: whole numbers
    """

    columns: dict[str, Any]
    reading: Reading
    dropped: int
    group_texts: tuple[Dictionary | None, ...] = ()


def read_two_logs(
    job: Job, reader: Reader, blocks: Sequence[Iterator[Block]], names: tuple[str, str]
) -> TwoLogs:
    """The rows of both logs; an error says which log it is about."""
    raw = []
    for side, name, one in zip(SIDES, names, blocks, strict=True):
        try:
            raw.append(_read(reader, reader.resolve(one)))
        except errors.InputError as error:
            raise errors.IN_LOG(side=side, name=name, reason=errors.clause(error)) from error
        _check_classes(raw[-1], side, name, reader.roles)
        if reader.clusters.texts is not None and len(reader.clusters.whole):
            raise errors.KEY_TYPES(name=job.roles.cluster, role=phrase("cluster"))
    _check_group_types(job, raw)
    dimensions, orders = _dimensions(reader, job)
    _check_value_types(reader, raw, dimensions)
    by_row = job.roles.cluster == ROW
    if by_row:
        _number_rows(raw)
    weights, unit, rounded = _whole_weights([each.columns["weight"] for each in raw])
    _without_plain_grades(raw)
    numbered = _numbered_groups(raw)
    groups = [1 + int(each.max()) for each in numbered if each is not None]
    logs = [
        _log(each, orders, weight, groups, rounded=rounded)
        for each, weight, groups in zip(raw, weights, numbered, strict=True)
    ]
    count = sum(map(len, logs)) if by_row else len(reader.clusters)
    for log in logs:
        part, all_ = phrase("one log"), [np.ones(len(log), bool)]
        if job.roles.required_columns.binary:
            part, all_ = phrase("one class"), [log.positive, ~log.positive]
        if not all(log.weights[rows].any() for rows in all_):
            raise errors.WEIGHTS_APART(name=job.roles.weight, part=part)
    if count < 2:
        raise errors.ONE_CLUSTER(name=job.roles.cluster)
    return TwoLogs(
        (logs[0], logs[1]),
        dimensions,
        names,
        (raw[0].dropped, raw[1].dropped),
        reader.clusters,
        by_row,
        count,
        unit,
        rounded,
        raw[0].reading,
        max(groups, default=0),
        ", ".join(job.roles.group),
        next((each for each in job.plan.metrics if isinstance(each.metric, GroupMetric)), None),
    )


def _read(reader: Reader, blocks: Any) -> RawLog:
    """All batches of a log, joined."""
    parts: list[dict[str, Any]] = []
    dropped, reading = 0, Reading()
    group_texts: tuple[Dictionary | None, ...] = ()
    reader.facts.forms.clear()  # the keys of two logs are compared when both are read
    for batches in reader.batches(blocks):
        batch = batches[0]
        dropped, reading = dropped + batch.dropped, batch.reading
        parts.append(_columns(batch, batches[1] if len(batches) > 1 else None))
        if batch.groups is not None:
            group_texts = tuple(keys.dictionary for keys in batch.groups.group)
    reader.refuse_each()
    joined = {name: _joined([part[name] for part in parts]) for name in (parts or [{}])[0]}
    return RawLog(joined, reading, dropped, group_texts)


def _number_rows(raw: Sequence[RawLog]) -> None:
    """Number each row that is read; its position counts rows that were left out too."""
    start = 0
    for log in raw:
        end = start + len(log.columns["score"])
        log.columns["clusters"] = np.arange(start, end)
        start = end


def _check_value_types(
    reader: Reader, raw: Sequence[RawLog], dimensions: Sequence[Dimension]
) -> None:
    """Refuse a dimension that is text in one log and numbers in the other."""
    for place, dimension in enumerate(dimensions):
        keys = reader.slice_keys[place].keys
        kinds = []
        for log in raw:
            used = np.flatnonzero(np.bincount(log.columns["codes"][place]))
            seen = (keys[code][0] for code in used.tolist())
            kinds.append({isinstance(key, str) for key in seen if key is not None})
        if kinds[0] and kinds[1] and not kinds[0] & kinds[1]:
            raise errors.DIMENSION_TYPES(name=dimension.name)


def _without_plain_grades(raw: Sequence[RawLog]) -> None:
    """Forget grades where all are 0 or 1: then they are two classes."""
    grades = [log.columns["grade"] for log in raw]
    if all(grade is None or ((grade == 0) | (grade == 1)).all() for grade in grades):
        for log in raw:
            log.columns["grade"] = None


def _check_group_types(job: Job, raw: Sequence[RawLog]) -> None:
    """Refuse keys of groups that are text in one log and numbers in the other."""
    for name, old, new in zip(job.roles.group, *(log.group_texts for log in raw), strict=False):
        if (old is None) != (new is None):
            raise errors.KEY_TYPES(name=name, role=phrase("group"))


def _check_classes(raw: RawLog, side: str, name: str, roles: Roles) -> None:
    """Refuse a log without rows, or with rows of one class where labels are two classes."""
    rows = len(raw.columns["score"]) if raw.columns else 0
    if not rows:
        raise errors.EMPTY_LOG(side=side, name=name)
    positives = int(raw.columns["positive"].sum())
    if positives in (0, rows) and roles.required_columns.binary:
        found = "negative" if not positives else "positive"
        raise errors.ONE_CLASS_LOG(side=side, name=name, found=found, label=roles.label)


def _columns(batch: Batch, control: Batch | None) -> dict[str, Any]:
    group = None if batch.groups is None else [keys.values for keys in batch.groups.group]
    return {
        "score": batch.score,
        "positive": batch.positive,
        "weight": batch.weight,
        "codes": [each.codes for each in batch.slices],
        "clusters": None if batch.clusters is None else batch.clusters.codes,
        "groups": group,
        "control": None if control is None else control.score,
        "grade": batch.grade,
    }


def _joined(parts: list[Any]) -> Any:
    if parts[0] is None:
        return None
    if isinstance(parts[0], list):
        return [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _dimensions(reader: Reader, job: Job) -> tuple[tuple[Dimension, ...], list[Array]]:
    """The dimensions, and for each the place of every number in the order of keys."""
    found, places = [], []
    for names, keys in zip(job.roles.slicings.names, reader.slice_keys, strict=True):
        if len(keys) > MOST_VALUES:
            raise errors.MANY_VALUES(name=names[0], count=len(keys), most=MOST_VALUES)
        order = np.array(key_order(keys.keys), np.intp)
        values = [keys.keys[place][0] for place in order.tolist()]
        (column,) = job.roles.slicings.requests(names)
        found.append(Dimension(names[0], values, column.text))
        rank = np.empty(len(order), np.min_scalar_type(max(len(order) - 1, 0)))
        rank[order] = np.arange(len(order))
        places.append(rank)
    return tuple(found), places


def _whole_weights(columns: Sequence[Array | None]) -> tuple[list[Array | None], int, bool]:
    """Weights as whole multiples of one unit, the unit, and whether they had to be rounded."""
    known = [column for column in columns if column is not None]
    if not known:
        return list(columns), 0, False
    top = max(int(np.frexp(column.max(initial=0.0))[1]) for column in known)
    # Their sum may be beyond float64.
    largest = max(float(np.ldexp(column.astype(np.float64), -top).sum()) for column in known)
    coarse = int(np.frexp(largest)[1]) + top - WEIGHT_BITS
    exact = min(kernels.active().lowest_bit(column) for column in known)
    unit = max(exact, coarse)
    whole: list[Array | None] = [
        np.rint(np.ldexp(column.astype(np.float64), -unit)).astype(np.int64) for column in known
    ]
    return whole, unit, exact < unit


def _numbered_groups(raw: Sequence[RawLog]) -> list[Array | None]:
    """One number for each group key, the same in both logs, whose texts are in one dictionary."""
    columns = [log.columns["groups"] for log in raw]
    if columns[0] is None:
        return [None, None]
    both = tuple(
        np.concatenate(pair) if texts is None else texts.numbers[np.concatenate(pair)]
        for texts, pair in zip(raw[0].group_texts, zip(*columns, strict=True), strict=True)
    )
    codes = kernels.active().code_keys(both).codes
    size = len(columns[0][0])
    return [codes[:size], codes[size:]]


def _log(
    raw: RawLog,
    orders: Sequence[Array],
    weight: Array | None,
    groups: Array | None,
    *,
    rounded: bool,
) -> LogRows:
    """The rows of a log by rising score, with codes in the order of keys."""
    columns, score = raw.columns, raw.columns["score"]
    order = np.argsort(score)  # no number depends on the order of tied rows
    codes = [rank[each] for rank, each in zip(orders, columns["codes"], strict=True)]
    rows = LogRows(
        score,
        columns["positive"],
        tuple(codes),
        columns["clusters"],
        weight,
        groups,
        None,
        columns["control"],
        columns["grade"],
        columns["weight"] if rounded else None,
    )
    return rows.take(order).with_probability(raw.reading)
