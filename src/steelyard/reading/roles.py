"""Roles: which arrays or columns are the label, the score, the weight and so on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from steelyard import errors
from steelyard.cached import cached_property
from steelyard.model import TWO_CLASSES, UNSCORED_CHOICES, Label, RequiredColumns
from steelyard.phrases import phrase
from steelyard.reading.class_scores import classes_of, is_matrix, matrix_columns
from steelyard.reading.clusters import ROW, is_row
from steelyard.reading.slicings import NO_SLICINGS, Slicings, read_slicings
from steelyard.request.options import Request, RoleOptions
from steelyard.sources.blocks import ColumnRequest

NOT_COLUMNS = ("source", "classes", "by_file", "where", "metrics")
COLUMN_ROLES = tuple(each.name for each in fields(RoleOptions) if each.name not in NOT_COLUMNS)


class RoleColumn(NamedTuple):
    """A column and its role; `text` and `kind` are those of its `ColumnRequest`."""

    role: str
    text: str
    kind: str


@dataclass(frozen=True)
class Roles:
    """The column or SQL expression of each role, as the user wrote it.

    scores: the score or prediction of each model, by name
    classes: of predictions, the classes to average over, if they were chosen; if models score
        several classes, these classes, and `class_columns` has their scores
    """

    label: str
    scores: Mapping[str, str]
    weight: str | None = None
    trials: str | None = None
    slicings: Slicings = NO_SLICINGS
    group: tuple[str, ...] = ()
    document: str | None = None
    cluster: str | None = None
    required_columns: RequiredColumns = TWO_CLASSES
    classes: tuple[Label, ...] = ()
    class_columns: tuple[str, ...] = ()

    @property
    def label_kind(self) -> str:
        return "label" if self.trials is None else "number"

    def column_requests(self) -> list[ColumnRequest]:
        """All columns to read, each once."""
        columns = [each for score in self.scores.values() for each in self.columns_of[score]]
        found = [ColumnRequest(column.text, column.kind) for column in columns]
        for names in self.slicings.names:
            found += self.slicings.requests(names)
        return list(dict.fromkeys(found))

    @cached_property
    def columns_of(self) -> dict[str, list[RoleColumn]]:
        """The columns to read for each score or prediction, by its text."""
        return {score: self._columns_of(score) for score in self.scores.values()}

    def _columns_of(self, score: str) -> list[RoleColumn]:
        if self.required_columns.of_prediction:
            return self._prediction_columns(score)
        found = [
            RoleColumn("label", self.label, self.label_kind),
            RoleColumn("score", score, "number"),
        ]
        for role, text in (("weight", self.weight), ("trials", self.trials)):
            if text is not None:
                found.append(RoleColumn(role, text, "number"))
        return [*found, *self.group_roles, *self._metric_roles, *self._cluster_roles]

    @property
    def group_roles(self) -> list[RoleColumn]:
        """The columns that only group metrics read."""
        needed = self.required_columns
        if not needed.group:
            return []
        found = [RoleColumn("group", text, "group") for text in self.group]
        if needed.document and self.document:
            found.append(RoleColumn("document", self.document, "key"))
        return found + [RoleColumn("group_weight", text, "number") for text in needed.group_weights]

    @property
    def _cluster_roles(self) -> list[RoleColumn]:
        """The column of the cluster; none where each row is one."""
        named = self.cluster is not None and self.cluster != ROW
        return [RoleColumn("cluster", str(self.cluster), "group")] if named else []

    @property
    def _metric_roles(self) -> list[RoleColumn]:
        """The columns that metrics name in their parameters."""
        needed = self.required_columns
        found = [RoleColumn("field", text, "key") for text in needed.fields]
        return found + [RoleColumn("amount", text, "number") for text in needed.amounts]

    def _prediction_columns(self, prediction: str) -> list[RoleColumn]:
        """The columns to read for a prediction: as keys, as numbers or as both."""
        needed = self.required_columns
        as_keys = needed.classes or not needed.numbers
        found = []
        if as_keys or self.class_columns:
            found.append(RoleColumn("label", self.label, "class"))
        if needed.numbers:
            found.append(RoleColumn("label", self.label, "number"))
        for place, text in enumerate(self.class_columns):
            found.append(RoleColumn(f"class {place}", text, "number"))
        if not self.class_columns and as_keys:
            found.append(RoleColumn("prediction", prediction, "class"))
        if not self.class_columns and needed.numbers:
            found.append(RoleColumn("prediction", prediction, "number"))
        if self.weight is not None:
            found.append(RoleColumn("weight", self.weight, "number"))
        return found + self._cluster_roles


def kind_of_rows(given: RoleOptions, *, classes: int, how: Mapping[str, Any]) -> str:
    """What the rows have: "score", or "prediction", which includes a score for each class.

    classes: the number of classes given; how: the options of rows with a score
    """
    both = given.score is not None and given.prediction is not None
    if both or (given.score is None and given.prediction is None):
        raise errors.ONE_ROLE(found="there are both" if both else "there is neither")
    if given.prediction is None and not classes:
        return "score"
    unscored = None if how["unscored"] == UNSCORED_CHOICES[0] else how["unscored"]
    of_scores = {**how, "unscored": unscored}
    of_scores |= {"trials": given.trials, "group": given.group, "document": given.document}
    for role, value in of_scores.items():
        if value is not None:
            raise errors.NOT_OF_PREDICTIONS(role=role)
    if isinstance(given.score, str) and classes:
        raise errors.CLASSES_OF_ONE_SCORE(count=classes)
    return "prediction"


def from_arrays(request: Request) -> Request:
    """The request with the arrays in its roles as the source, each named by its role.

    A matrix becomes one column per class; the classes are those given, or the sorted labels.
    """
    columns: dict[str, Any] = {}
    names: dict[str, Any] = {}
    classes = request.classes
    for role in COLUMN_ROLES:
        values = getattr(request, role)
        if values is None:
            continue
        if role == "cluster" and is_row(values):
            continue
        if isinstance(values, str):
            raise errors.NAME_WITHOUT_SOURCE(role=role, text=values)
        if role == "by" and not isinstance(values, Mapping):
            raise errors.BY_ARRAYS(type=type(values).__name__)
        if _has_classes(role, values):
            matrix = matrix_columns(role, values)
            classes = classes_of("label", request.label, classes, values, matrix_name=role)
            values = matrix
        if isinstance(values, Mapping):
            names[role] = [add_column(columns, str(name), array) for name, array in values.items()]
        else:
            names[role] = add_column(columns, role, values)
    if _has_classes("prediction", request.prediction) and request.score is None:
        names |= {"score": names["prediction"], "prediction": None}  # a matrix has scores
    return replace(request, source=columns, classes=classes, **names)


def _has_classes(role: str, values: Any) -> bool:
    """Whether it is a matrix of class scores; a list of lists of predictions is not."""
    if role == "prediction" and isinstance(values, list | tuple):
        return False
    return role in ("score", "prediction") and is_matrix(values)


def add_column(columns: dict[str, Any], name: str, array: Any) -> str:
    """Adds a column, whose name must be new, and returns that name."""
    if name in columns:
        raise errors.column_twice(name, [*columns, name])
    columns[name] = array
    return name


def named_roles(
    given: RoleOptions,
    required_columns: RequiredColumns = TWO_CLASSES,
    classes: tuple[Label, ...] | None = None,
) -> Roles:
    """The roles as names of columns or SQL expressions; anything but text is refused."""
    for role in ("label", "weight", "trials", "cluster", "document"):
        text = getattr(given, role)
        if not isinstance(text, str) and (role == "label" or text is not None):
            raise _not_a_name(role, text)
    role = "score" if given.prediction is None else "prediction"
    scores = _scores(role, getattr(given, role))
    columns: tuple[str, ...] = ()
    if classes is not None and role == "score":
        columns = tuple(scores.values())
        if len(columns) != len(classes):
            raise errors.CLASS_COUNT(
                columns=len(columns),
                count=len(classes),
                seen="",
                names=phrase("classes"),
            )
        scores = {role: ", ".join(columns)}
    return Roles(
        given.label,
        scores,
        given.weight,
        given.trials,
        read_slicings(given.by, by_file=given.by_file),
        group_columns(given.group),
        given.document,
        given.cluster,
        required_columns,
        classes or (),
        columns,
    )


def group_columns(group: Any) -> tuple[str, ...]:
    """The columns of the group key, one or several."""
    names = () if group is None else (group,) if isinstance(group, str) else group
    if not isinstance(names, list | tuple):
        raise _not_a_name("group", group)
    _check_names("group", names)
    return tuple(dict.fromkeys(names))


def check_carried(columns: Sequence[str], carried: Sequence[str]) -> None:
    """Refuses unknown columns in roles that no metric here reads."""
    for name in carried:
        if name not in columns and name.isidentifier():
            raise errors.no_column(name, columns)


def check_row_clusters(columns: Sequence[str], cluster: str | None) -> None:
    """Refuses rows as clusters where the user may mean a column of that name."""
    if cluster == ROW and ROW in columns:
        raise errors.CLUSTER_NAMED_ROW()


def _scores(role: str, score: Any) -> dict[str, str]:
    """The column or expression of each score or prediction, by name."""
    if isinstance(score, str):
        return {score: score}
    if isinstance(score, Mapping):
        scores = {str(name): text for name, text in score.items()}
    elif isinstance(score, list | tuple):
        _check_names(role, score)
        scores = {text: text for text in score}
        if len(scores) < len(score):
            twice = next(text for place, text in enumerate(score) if text in score[:place])
            raise errors.SCORE_TWICE(name=twice)
    else:
        raise _not_a_name(role, score)
    _check_names(role, scores.values())
    if not scores:
        raise errors.NO_SCORES()
    return scores


def _check_names(role: str, names: Iterable[Any]) -> None:
    """Refuses names of columns that are not text."""
    for name in names:
        if not isinstance(name, str):
            raise _not_a_name(role, name)


def _not_a_name(role: str, given: Any) -> errors.SteelyardError:
    return errors.NOT_A_NAME(role=role, type=type(given).__name__)
