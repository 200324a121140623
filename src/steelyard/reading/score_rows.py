"""Blocks → batches of scores: the roles of columns, and the label, the weight and the rest."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import TWO_CLASSES, UNSCORED_CHOICES, Array, Label, Mask, Reading, Wants
from steelyard.reading import aggregated, grouping, numbers
from steelyard.reading import slices as slicing
from steelyard.reading.batch import Batch, Beside, Dictionary, Further, Keys
from steelyard.reading.labels import BinaryLabels, plain_label
from steelyard.reading.reader import Reader, check_choice, share
from steelyard.reading.roles import Roles, add
from steelyard.reading.rows import Named, Rows, bad_dtype
from steelyard.sources.arrays import Arrays
from steelyard.sources.blocks import Block, Column, Wanted
from steelyard.sources.words import value_of


class ScoreReader(Reader[Batch]):
    """Makes of each block one batch a score."""

    def __init__(
        self,
        roles: Roles,
        *,
        positive: Label = None,
        unscored: str = "error",
        score_type: str | None = None,
        downsampled: float | None = None,
        **common: Any,
    ) -> None:
        super().__init__(roles, **common)
        check_choice("unscored", unscored, UNSCORED_CHOICES)
        if positive is not None and roles.trials is not None:
            raise errors.POSITIVE_WITH_TRIALS(positive=positive)
        self.unscored = unscored
        self.score_type = score_type  # None: the scores' own
        part = share("downsampled", downsampled, "a number above 0 up to 1", most=1)
        self.downsampled = None if part == 1 else part  # all of the negatives
        self._dictionaries = {text: Dictionary() for _, text, _ in roles.beside}
        self.labels = BinaryLabels(roles.label, _positive(positive))

    @property
    def settled(self) -> dict[str, Any]:
        # Known once the column was seen: "1" is the number in a column of numbers.
        more = {"positive": self.labels.positive, "downsampled": self.downsampled}
        return super().settled | more

    def _settle(self, block: Block) -> None:
        """The positive label as the type that its column turned out to have."""
        if isinstance(self.labels.positive, str) and self.roles.trials is None:
            column = block.columns[Wanted(self.roles.label, "label")]
            numbers_ = column.words is None and column.values.dtype.kind in "biuf"
            if numbers_ or column.read:
                meant = value_of(self.labels.positive)
                if meant is not None:  # "nan" is no label
                    self.labels.positive = plain_label(meant)

    def batch(self, block: Block, score: str) -> Batch:
        """The rows of a block for one score, checked column by column."""
        columns = self._columns(block, score)
        unscored = None
        if self.unscored == "not_retrieved":
            columns["score"], unscored = columns["score"].without_gaps()
        beside, further = self._beside(block), self._further(block)
        needed = [*columns.values(), *(named for _, named in beside), *further["amount"]]
        keep = self._keep(needed, Rows(block.start))
        rows = Rows(block.start, keep)
        columns = {role: named.take(keep) for role, named in columns.items()}
        scores = numbers.score(*columns["score"].numbers(rows), self.score_type)
        if self.roles.wants.probability:
            numbers.check_probability(columns["score"].name, scores, rows)
        weights = columns.get("weight")
        batch = Batch(
            self._label(columns["label"], rows),
            scores,
            None if weights is None else numbers.weight(*weights.numbers(rows)),
            self._reading(scores),
            self.labels,
            dropped=0 if keep is None else int(np.count_nonzero(~keep)),
            rows=rows,
            slices=self._slices(block, keep),
            wants=self.roles.wants,
            beside=self._read_beside(beside, rows, len(scores), unscored),
            further=_read_further(further, rows),
        )
        if "trials" in columns:
            batch = _expanded(batch, columns["label"], columns["trials"])
        batch = _weighed(batch)
        _ = batch.binary  # complain of labels here, while the rest can be counted
        if self.roles.wants.graded:
            _ = batch.grade
        return batch

    def _read(self, block: Block, score: str) -> list[Named]:
        beside = [named for _, named in self._beside(block)]
        amounts = self._further(block)["amount"]
        return [*self._columns(block, score).values(), *beside, *amounts]

    def _reading(self, scores: Array) -> Reading:
        """How rows with these scores are read."""
        return Reading(
            self.nan,
            self.labels.positive,
            scores.dtype.name,
            self.unscored,
            self.downsampled,
            self._clip(scores.dtype.name),
        )

    def _further(self, block: Block) -> dict[str, list[Named]]:
        """The columns that metrics name, by role."""
        found: dict[str, list[Named]] = {"field": [], "amount": []}
        for role, text, kind in self.roles.further:
            found[role].append(Named(text, block.columns[Wanted(text, kind)]))
        return found

    def _beside(self, block: Block) -> list[tuple[str, Named]]:
        """The columns that only group metrics read, by role."""
        return [
            (role, Named(text, block.columns[Wanted(text, kind)]))
            for role, text, kind in self.roles.beside
        ]

    def _read_beside(
        self, beside: list[tuple[str, Named]], rows: Rows, count: int, unscored: Mask | None
    ) -> Beside | None:
        if not beside and unscored is None and not self.roles.wants.group:
            return None
        group: list[Keys] = []
        document, weights = None, {}
        for role, named in beside:
            name, column = named.take(rows.kept)
            if role == "group":
                words = self._dictionaries[name]
                group.append(grouping.group_keys(name, column, rows, words))
            elif role == "document":
                document = grouping.documents(column, self._dictionaries[name])
            else:
                weights[name] = numbers.weight(*Named(name, column).numbers(rows))
        return Beside(
            tuple(group) or (Keys(np.zeros(count, np.int64)),),
            document,
            grouping.positions(rows, count) if self.roles.wants.position else None,
            weights,
            unscored if unscored is None or rows.kept is None else unscored[rows.kept],
        )

    def _columns(self, block: Block, score: str) -> dict[str, Named]:
        """The columns of a score by role."""
        roles = self.roles
        texts = {
            "label": roles.label,
            "score": score,
            "weight": roles.weight,
            "trials": roles.trials,
        }
        kinds = {"label": roles.label_kind}
        return {
            role: Named(text, block.columns[Wanted(text, kinds.get(role, "number"))])
            for role, text in texts.items()
            if text is not None
        }

    def _missing(self, name: str) -> errors.Template:
        """The complaint about a missing value; a ranking may do without a score."""
        ranks = self.roles.wants.graded and not self.roles.wants.binary
        return errors.UNSCORED if ranks and name in self.roles.scores.values() else errors.MISSING

    def _label(self, label: Named, rows: Rows) -> Column:
        """The label, which may be anything that can be told apart."""
        name, column = label
        if column.words is None and column.values.dtype.kind not in "biufU":
            raise bad_dtype(name, column.values, rows, "numbers, words or booleans")
        return column


def _read_further(further: dict[str, list[Named]], rows: Rows) -> Further:
    """Columns that metrics name; the rows without a key are told apart by that."""
    return Further(
        {name: slicing.field(column, rows.kept) for name, column in further["field"]},
        {
            named.name: numbers.amount(*named.take(rows.kept).numbers(rows))
            for named in further["amount"]
        },
    )


def _expanded(batch: Batch, label: Named, trials: Named) -> Batch:
    """The rows that aggregated rows stand for."""
    positives = numbers.whole(*label.numbers(batch.rows))
    of = numbers.whole(*trials.numbers(batch.rows))
    aggregated.check((label.name, trials.name), positives, of, batch.rows)
    made = aggregated.expand(positives, of, batch.weight)
    return replace(
        batch,
        label=Column(made.positive),
        score=batch.score[made.source],
        weight=made.weight,
        count=made.count,
        slices=tuple(slicing.present(each, made.source) for each in batch.slices),
        known=(made.positive, None if made.positive.all() else 0),
        beside=None if batch.beside is None else batch.beside.take(made.source),
        further=batch.further.take(made.source),
    )


def _weighed(batch: Batch) -> Batch:
    """Without the rows of weight zero, which are absent."""
    if batch.weight is None or len(batch.weight) == 0 or batch.weight.min() > 0:
        return batch
    present = batch.weight != 0
    kept = present
    if batch.rows.kept is not None and batch.count is None:
        kept = batch.rows.kept.copy()
        kept[kept] = present
    known = batch.known
    if known is not None:
        positive = known[0][present]
        known = positive, None if positive.all() else known[1]
    return replace(
        batch,
        label=batch.label.take(present),
        score=batch.score[present],
        weight=batch.weight[present],
        count=None if batch.count is None else batch.count[present],
        rows=batch.rows._replace(kept=kept),
        slices=tuple(slicing.present(each, present) for each in batch.slices),
        known=known,
        beside=None if batch.beside is None else batch.beside.take(present),
        further=batch.further.take(present),
    )


def _positive(positive: Any) -> Label:
    """The label that counts as positive, as a plain Python value."""
    if isinstance(positive, np.generic):
        positive = positive.item()
    is_label = positive is None or isinstance(positive, str | int | float)
    if not is_label or positive != positive:
        raise errors.BAD_CHOICE(name="positive", value=positive, choices="the labels")
    return plain_label(positive)


def read_arrays(
    y_true: Any,
    y_score: Any,
    sample_weight: Any = None,
    *,
    group: Any = None,
    document: Any = None,
    columns: Mapping[str, Any] | None = None,
    wants: Wants = TWO_CLASSES,
    **how: Any,
) -> Batch:
    """One batch of arrays, as the plain functions take and call them.

    columns: those that a metric's parameters name
    """
    arrays = {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight}
    arrays |= {"document": document, **(columns or {})}
    arrays = {name: array for name, array in arrays.items() if array is not None}
    groups = group if isinstance(group, Mapping) else {} if group is None else {"group": group}
    names = tuple(add(arrays, str(name), array) for name, array in groups.items())
    roles = Roles(
        "y_true",
        {"y_score": "y_score"},
        None if sample_weight is None else "sample_weight",
        group=names,
        document=None if document is None else "document",
        wants=wants,
    )
    (block,) = Arrays(arrays).blocks(roles.wanted())
    return ScoreReader(roles, **how).batch(block, "y_score")
