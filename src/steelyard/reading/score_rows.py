"""Rows with a score: label, score, group columns and metric columns."""

from typing import Any

import numpy as np

from steelyard import errors, kernels
from steelyard.kernels.interface import CheckedColumn
from steelyard.model import UNSCORED_CHOICES, Array, Label, Mask, Reading
from steelyard.reading import grouping, numbers
from steelyard.reading.facts import Failure, ReadingFacts
from steelyard.reading.grouping import Dictionary, GroupColumns, RowKeys
from steelyard.reading.labels import (
    BinaryLabels,
    LabelColumn,
    checked_positive,
    grades,
    label_of,
)
from steelyard.reading.metric_columns import metric_columns
from steelyard.reading.options import Options, check_choice, checked_share
from steelyard.reading.roles import Roles
from steelyard.reading.row_numbers import KeptRows, NamedColumn, bad_dtype
from steelyard.reading.selection import ColumnsByRole, Selection
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn

NOT_RETRIEVED = "not_retrieved"


class ScoreRowReader:
    """Reads the label and the score of each block; see `RowReader`.

    Labels and group keys of earlier blocks are remembered.
    """

    def __init__(
        self,
        roles: Roles,
        options: Options,
        positive: Label,
        unscored: str,
        score_type: str | None,
        downsampled: float | None,
        facts: ReadingFacts,
    ) -> None:
        check_choice("unscored", unscored, UNSCORED_CHOICES)
        if positive is not None and roles.trials is not None:
            raise errors.POSITIVE_WITH_TRIALS(positive=positive)
        self.roles, self.options, self.unscored = roles, options, unscored
        self.score_type = score_type  # None: the type of the scores
        share = checked_share("downsampled", downsampled, "a number above 0 up to 1", most=1)
        self.downsampled = None if share == 1 else share  # 1: trained on all negatives
        graded = roles.required_columns.graded
        self.labels = BinaryLabels(
            roles.label, checked_positive(positive), graded=graded, seen=facts.labels
        )
        self._dictionaries = {text: Dictionary() for _, text, _ in roles.group_roles}
        self._facts = facts

    @property
    def resolved(self) -> dict[str, Any]:
        # The type of `positive` depends on the label: "1" becomes 1 if labels are numbers.
        return {"positive": self.labels.positive, "downsampled": self.downsampled}

    def resolve(self, block: Block) -> None:
        """Gives the positive label the type of the label column."""
        if isinstance(self.labels.positive, str) and self.roles.trials is None:
            column = block.columns[ColumnRequest(self.roles.label, "label")]
            is_number = column.keys is None and column.values.dtype.kind in "biuf"
            if is_number or column.untyped:
                self.labels.positive = label_of(self.labels.positive)

    def may_lack(self, role: str, column: SourceColumn) -> bool:
        """Whether a column may have missing values: a field may, and a score if it then means
        that the row was not retrieved."""
        unscored = role == "score" and self.unscored == NOT_RETRIEVED
        return role == "field" or (unscored and column.keys is None)

    def missing(self, name: str) -> errors.Template:
        """The error for a missing value; that of a ranking's score suggests `unscored`."""
        ranks = self.roles.required_columns.graded and not self.roles.required_columns.binary
        return errors.UNSCORED if ranks and name in self.roles.scores.values() else errors.MISSING

    def read(self, columns: ColumnsByRole, selection: Selection) -> dict[str, Any]:
        """The fields of a batch of rows with a score."""
        rows, chosen = selection.rows, selection.chosen
        score, outside, unscored = self._score(columns["score", "number"][0], rows)
        label = self._label(columns["label", self.roles.label_kind][0], rows)
        groups = self._groups(columns, rows, len(score), unscored)
        more = metric_columns(columns, rows)
        positive, negative_label, grade = self._classes(label, selection)
        if chosen is not None:
            score, more = score[chosen], more.take(chosen)
            outside = outside and _is_outside(kernels.active().check_column(score, ()))
            groups = None if groups is None else groups.take(chosen)
        return {
            "reading": self._reading(score.dtype.name),
            "score": score,
            "outside": outside,
            "positive": positive,
            "negative_label": negative_label,
            "grade": grade,
            "groups": groups,
            "columns": more,
        }

    def _reading(self, type_: str) -> Reading:
        """The reading conventions of rows with scores of a type."""
        return Reading(
            self.options.nan,
            self.labels.positive,
            type_,
            self.unscored,
            self.downsampled,
            self.options.clip_of(type_),
        )

    def _score(self, named: NamedColumn, rows: KeptRows) -> tuple[Array, bool, Mask | None]:
        """The score of each row, whether one is outside 0 to 1, and which rows have none if that
        is allowed."""
        unscored = None
        if self.unscored == NOT_RETRIEVED:
            named, unscored = named.without_gaps()
        given = named.take(rows.kept).numbers(rows)
        scores, found = numbers.checked_score(*given, self.score_type)
        outside = _is_outside(found)
        if outside and self.roles.required_columns.probability:
            try:
                numbers.check_probability(named.name, scores, rows)
            except errors.InputError as error:
                self._refuse(named.name, error)
        if unscored is not None and rows.kept is not None:
            unscored = unscored[rows.kept]
        return scores, outside, unscored

    def _refuse(self, name: str, error: errors.InputError) -> None:
        """Refuse the score of a block; one of several is refused if all of them are."""
        if len({*self.roles.scores.values()}) == 1:
            raise error
        self._facts.refuse_score(name, error)

    def conflict(self) -> Failure | None:
        """The error for labels of which each is right in its own block."""
        return self.labels.conflict()

    def finish(self) -> None:
        """Refuse scores none of which are probabilities, where metrics read some."""
        columns = list(self.roles.scores.values())
        if self._facts.refused.keys() == {*columns}:
            error = self._facts.refused[columns[0]].error
            assert error.template is not None
            count = error.facts["count"] // columns.count(columns[0])  # read once for each name
            raise error.template(**{**error.facts, "count": count})

    def refuse_each(self) -> None:
        """Refuse a score that is no probability, where every score must be one."""
        for failure in self._facts.refused.values():
            raise failure.error

    def _label(self, label: NamedColumn, rows: KeptRows) -> SourceColumn:
        """The column of labels, of any supported type."""
        name, column = label
        if column.keys is None and column.values.dtype.kind not in "biufU":
            raise bad_dtype(name, column.take(rows.kept).values, rows, "numbers, text or booleans")
        return column

    def _classes(
        self, label: SourceColumn, selection: Selection
    ) -> tuple[Mask, Label, Array | None]:
        """Which rows are positive, the label of the others, and grades if metrics need them."""
        if selection.positive is not None:
            return selection.positive, None if selection.positive.all() else 0, None
        rows, needed, labels = selection.present(), self.roles.required_columns, self.labels
        column = label.take(rows.kept)
        values = LabelColumn(column.values, column.keys, rows.number)
        if not needed.binary and labels.positive is None:
            grade = grades(labels.name, values)
            return grade >= 1, None, grade
        positive, negative_label = labels.read(values)
        graded = needed.graded and labels.positive is None
        return positive, negative_label, grades(labels.name, values) if graded else None

    def _groups(
        self, columns: ColumnsByRole, rows: KeptRows, count: int, unscored: Mask | None
    ) -> GroupColumns | None:
        needed = self.roles.required_columns
        if unscored is None and not needed.group:
            return None
        group = [self._group(named, rows) for named in columns.get(("group", "group"), ())]
        documents = [
            grouping.document_keys(named.take(rows.kept).column, self._dictionaries[named.name])
            for named in columns.get(("document", "key"), ())
        ]
        weights = {
            named.name: numbers.weight(*named.take(rows.kept).numbers(rows))
            for named in columns.get(("group_weight", "number"), ())
        }
        return GroupColumns(
            tuple(group) or (RowKeys(np.zeros(count, np.int64)),),
            documents[0] if documents else None,
            grouping.positions(rows, count) if needed.position else None,
            weights,
            unscored,
        )

    def _group(self, named: NamedColumn, rows: KeptRows) -> RowKeys:
        dictionary = self._dictionaries[named.name]
        keys = grouping.group_keys(*named.take(rows.kept), rows, dictionary)
        return self._facts.see_keys(named.name, keys, rows)


def _is_outside(found: CheckedColumn) -> bool:
    """Whether a score is outside 0 to 1."""
    return found.least < 0 or found.largest > 1
