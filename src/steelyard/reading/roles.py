"""What the user said is what: roles as arrays, or as names of columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from steelyard import errors
from steelyard.model import TWO_CLASSES, UNSCORED_CHOICES, Label, RequiredColumns
from steelyard.reading.class_scores import classes_of, is_matrix, matrix_columns
from steelyard.request import Request, RoleOptions
from steelyard.sources.blocks import ColumnRequest

NOT_COLUMNS = ("source", "classes", "where", "metrics")
COLUMN_ROLES = tuple(each.name for each in fields(RoleOptions) if each.name not in NOT_COLUMNS)


@dataclass(frozen=True)
class Roles:
    """What is read as what: columns or expressions as the user wrote them.

    scores: what models said by name, scores or predictions; where there are `classes`, the
        `class_columns` have the score of each
    """

    label: str
    scores: Mapping[str, str]
    weight: str | None = None
    trials: str | None = None
    by: tuple[tuple[str, ...], ...] = ()
    group: tuple[str, ...] = ()
    document: str | None = None
    required_columns: RequiredColumns = TWO_CLASSES
    classes: tuple[Label, ...] = ()
    class_columns: tuple[str, ...] = ()

    @property
    def label_kind(self) -> str:
        return "label" if self.trials is None else "number"

    def column_requests(self) -> list[ColumnRequest]:
        """Every column once."""
        if self.required_columns.of_prediction:
            found = [
                ColumnRequest(text, kind)
                for prediction in self.scores.values()
                for _, text, kind in prediction_columns(self, prediction)
            ]
            keys = [ColumnRequest(text, "key") for names in self.by for text in names]
            return list(dict.fromkeys([*found, *keys]))
        label = ColumnRequest(self.label, self.label_kind)
        rest = [*self.scores.values(), self.weight, self.trials]
        columns = [label, *(ColumnRequest(text, "number") for text in rest if text is not None)]
        columns += [ColumnRequest(text, "key") for names in self.by for text in names]
        columns += [
            ColumnRequest(text, kind) for _, text, kind in (*self.group_roles, *self.metric_roles)
        ]
        return list(dict.fromkeys(columns))

    def columns_of(self, score: str) -> list[tuple[str, str, str]]:
        """What is read of one score or prediction: the role, the column and its kind."""
        if self.required_columns.of_prediction:
            return prediction_columns(self, score)
        found = [("label", self.label, self.label_kind), ("score", score, "number")]
        found += [("weight", self.weight, "number")] if self.weight is not None else []
        found += [("trials", self.trials, "number")] if self.trials is not None else []
        return [*found, *self.group_roles, *self.metric_roles]

    @property
    def group_roles(self) -> list[tuple[str, str, str]]:
        """What only group metrics read: the role, the column and its kind, where they are asked."""
        required_columns = self.required_columns
        if not required_columns.group:
            return []
        found = [("group", text, "group") for text in self.group]
        found += (
            [("document", self.document, "key")]
            if required_columns.document and self.document
            else []
        )
        return found + [("group_weight", text, "number") for text in required_columns.group_weights]

    @property
    def metric_roles(self) -> list[tuple[str, str, str]]:
        """The columns that metrics name: the role, the column and its kind."""
        found = [("field", text, "key") for text in self.required_columns.fields]
        return found + [("amount", text, "number") for text in self.required_columns.amounts]


def prediction_columns(roles: Roles, prediction: str) -> list[tuple[str, str, str]]:
    """What is read of a prediction: the role, the column and its kind."""
    required_columns, found = roles.required_columns, []
    if required_columns.classes or roles.classes or not required_columns.numbers:
        found.append(("label", roles.label, "key"))
    if required_columns.numbers:
        found.append(("label", roles.label, "number"))
    found += [(f"class {place}", text, "number") for place, text in enumerate(roles.class_columns)]
    if not roles.classes and (required_columns.classes or not required_columns.numbers):
        found.append(("prediction", prediction, "key"))
    if not roles.classes and required_columns.numbers:
        found.append(("prediction", prediction, "number"))
    return found + ([("weight", roles.weight, "number")] if roles.weight is not None else [])


def kind_of_rows(given: RoleOptions, *, classes: int, how: Mapping[str, Any]) -> str:
    """Which of the two the rows have: a score, or a prediction, of which k scores are one kind.

    classes: how many have a score each; how: what else was said of rows that have a score
    """
    both = given.score is not None and given.prediction is not None
    if both or (given.score is None and given.prediction is None):
        raise errors.ONE_ROLE(found="there are both" if both else "there is neither")
    if given.prediction is None and not classes:
        return "score"
    said = {**how, "trials": given.trials, "group": given.group, "document": given.document}
    said["unscored"] = None if how["unscored"] == UNSCORED_CHOICES[0] else how["unscored"]
    for role, value in said.items():
        if value is not None:
            raise errors.NOT_OF_PREDICTIONS(role=role)
    if isinstance(given.prediction if given.score is None else given.score, str) and classes:
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
        if isinstance(values, str):
            raise errors.NAME_WITHOUT_SOURCE(role=role, text=values)
        if role == "by" and not isinstance(values, Mapping):
            raise errors.BY_ARRAYS(type=type(values).__name__)
        if _has_classes(role, values):
            matrix = matrix_columns(role, values)
            classes, values = classes_of("label", request.label, classes, values), matrix
        if isinstance(values, Mapping):
            names[role] = [add_column(columns, str(name), array) for name, array in values.items()]
        else:
            names[role] = add_column(columns, role, values)
    return replace(request, source=columns, classes=classes, **names)


def _has_classes(role: str, values: Any) -> bool:
    """Whether it is a matrix of scores; lists in a list may be predictions of several models."""
    if role == "prediction" and isinstance(values, list | tuple):
        return False
    return role in ("score", "prediction") and is_matrix(values)


def add_column(columns: dict[str, Any], name: str, array: Any) -> str:
    """Take in a column, which must not be called like another; gives its name."""
    if name in columns:
        listed = ", ".join(columns)
        raise errors.COLUMN_TWICE(count=2, name=name, listed=listed)
    columns[name] = array
    return name


def named_roles(
    given: RoleOptions,
    required_columns: RequiredColumns = TWO_CLASSES,
    classes: tuple[Label, ...] | None = None,
) -> Roles:
    """The roles of a source's columns: every one a text."""
    for role in ("label", "weight", "trials", "cluster", "document"):
        text = getattr(given, role)
        if not isinstance(text, str) and (role == "label" or text is not None):
            raise _not_a_name(role, text)
    what = "score" if given.prediction is None else "prediction"
    scores = _scores(what, getattr(given, what))
    columns: tuple[str, ...] = ()
    if classes is not None:
        columns = tuple(scores.values())
        if len(columns) != len(classes):
            raise errors.CLASS_COUNT(
                columns=len(columns), count=len(classes), seen="", names="classes"
            )
        scores = {what: ", ".join(columns)}
    return Roles(
        given.label,
        scores,
        given.weight,
        given.trials,
        _by(given.by),
        group_columns(given.group),
        given.document,
        required_columns,
        classes or (),
        columns,
    )


def group_columns(group: Any) -> tuple[str, ...]:
    """The columns that make a group, one or several."""
    names = () if group is None else (group,) if isinstance(group, str) else group
    if not isinstance(names, list | tuple):
        raise _not_a_name("group", group)
    for name in names:
        if not isinstance(name, str):
            raise _not_a_name("group", name)
    return tuple(dict.fromkeys(names))


def check_carried(columns: Sequence[str], carried: Sequence[str]) -> None:
    """Roles that no metric here reads are columns all the same."""
    for name in carried:
        if name not in columns and name.isidentifier():
            raise errors.no_column(name, columns)


def _scores(role: str, score: Any) -> dict[str, str]:
    """Each score's or prediction's name and what it stands for."""
    if isinstance(score, str):
        return {score: score}
    if isinstance(score, Mapping):
        scores = {str(name): text for name, text in score.items()}
    elif isinstance(score, list | tuple):
        scores = {text: text for text in score if isinstance(text, str)}
        if len(scores) < len(score):
            invalid = [text for text in score if not isinstance(text, str)]
            raise (
                _not_a_name(role, invalid[0]) if invalid else errors.SCORE_TWICE(name=_twice(score))
            )
    else:
        raise _not_a_name(role, score)
    for text in scores.values():
        if not isinstance(text, str):
            raise _not_a_name(role, text)
    if not scores:
        raise errors.NO_SCORES()
    return scores


def _twice(names: Sequence[str]) -> str:
    return next(name for place, name in enumerate(names) if name in names[:place])


def _by(by: Any) -> tuple[tuple[str, ...], ...]:
    """Each slicing as the names it crosses, once each."""
    slicings = [] if by is None else [by] if isinstance(by, str | tuple) else list(by)
    crossed = [(names,) if isinstance(names, str) else tuple(names) for names in slicings]
    for names in crossed:
        for name in names:
            if not isinstance(name, str):
                raise _not_a_name("by", name)
    return tuple(dict.fromkeys(names for names in crossed if names))


def _not_a_name(role: str, given: Any) -> errors.SteelyardError:
    return errors.NOT_A_NAME(role=role, type=type(given).__name__)
