"""The arrays that a plain function such as `sy.roc_auc(y_true, y_score)` takes, as one batch."""

from collections.abc import Mapping
from typing import Any

from steelyard import errors
from steelyard.model import TWO_CLASSES, Label, RequiredColumns
from steelyard.reading import class_scores
from steelyard.reading.batch import Batch
from steelyard.reading.clusters import ROW, is_row
from steelyard.reading.group_sizes import group_of_rows, length
from steelyard.reading.reader import Reader
from steelyard.reading.roles import Roles, add_column
from steelyard.sources.arrays import Arrays


def read_arrays(
    y_true: Any,
    y_score: Any,
    sample_weight: Any = None,
    *,
    group: Any = None,
    group_sizes: Any = None,
    document: Any = None,
    cluster: Any = None,
    columns: Mapping[str, Any] | None = None,
    required_columns: RequiredColumns = TWO_CLASSES,
    **how: Any,
) -> Batch:
    """The batch of rows with a score.

    columns: the columns that a metric's parameters name
    """
    _refuse_none(y_true=y_true, y_score=y_score)
    if group_sizes is not None:
        if group is not None:
            raise errors.GROUP_AND_SIZES()
        group = group_of_rows(group_sizes, length("y_true", y_true))
    arrays = {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight}
    arrays |= {"document": document, **(columns or {})}
    arrays = {name: array for name, array in arrays.items() if array is not None}
    groups = group if isinstance(group, Mapping) else {} if group is None else {"group": group}
    names = tuple(add_column(arrays, str(name), array) for name, array in groups.items())
    roles = Roles(
        "y_true",
        {"y_score": "y_score"},
        None if sample_weight is None else "sample_weight",
        group=names,
        document=None if document is None else "document",
        cluster=_cluster(cluster, arrays),
        required_columns=required_columns,
    )
    return _read(arrays, roles, **how)


def read_predictions(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    *,
    labels: Any = None,
    cluster: Any = None,
    required_columns: RequiredColumns,
    **how: Any,
) -> Batch:
    """The batch of rows with a prediction; `y_pred` may be a matrix of class scores.

    labels: the classes of a matrix's columns; of predicted classes, those to average over
    """
    name = "y_score" if required_columns.class_scores else "y_pred"
    _refuse_none(**{"y_true": y_true, name: y_pred})
    columns = {"y_true": y_true, "sample_weight": sample_weight}
    classes: tuple[Label, ...] = ()
    class_columns: tuple[str, ...] = ()
    if class_scores.is_matrix(y_pred):
        matrix = class_scores.matrix_columns(name, y_pred)
        classes = class_scores.classes_of("y_true", y_true, labels, y_pred, "labels", name)
        columns, class_columns = columns | matrix, tuple(matrix)
    else:
        columns[name] = y_pred
        classes = () if labels is None else class_scores.named_classes(labels, "labels")
    roles = Roles(
        "y_true",
        {name: name},
        None if sample_weight is None else "sample_weight",
        cluster=_cluster(cluster, columns),
        required_columns=required_columns,
        classes=classes,
        class_columns=class_columns,
    )
    given = {name: array for name, array in columns.items() if array is not None}
    return _read(given, roles, **how)


def _cluster(cluster: Any, arrays: dict[str, Any]) -> str | None:
    """The name of the cluster's column, which is added; rows are no column."""
    if cluster is None:
        return None
    return ROW if is_row(cluster) else add_column(arrays, "cluster", cluster)


def _read(arrays: Mapping[str, Any], roles: Roles, **how: Any) -> Batch:
    (block,) = Arrays(arrays).blocks(roles.column_requests())
    (batch,) = Reader(roles, **how).read_block(block)
    return batch


def _refuse_none(**arrays: Any) -> None:
    for name, array in arrays.items():
        if array is None:
            raise errors.NOT_ARRAY(name=name, reason="it is None")
