"""Blocks → batches: the roles of columns, and every complaint about a value in them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors
from steelyard.batch import (
    Batch,
    Beside,
    Block,
    Column,
    Dictionary,
    Further,
    Keys,
    Rows,
    Slices,
    Wanted,
)
from steelyard.labels import BinaryLabels, plain_label
from steelyard.model import (
    NAN_CHOICES,
    TWO_CLASSES,
    UNSCORED_CHOICES,
    Array,
    Label,
    Mask,
    Reading,
    Wants,
)
from steelyard.predicted import Predicted
from steelyard.sources import aggregated, grouping, numbers, slicing
from steelyard.sources.arrays import Arrays
from steelyard.sources.roles import Roles, add
from steelyard.sources.words import value_of


class Reader:
    """Makes of each block one batch a score."""

    def __init__(
        self,
        roles: Roles,
        *,
        positive: Label = None,
        nan: str = "error",
        unscored: str = "error",
        score_type: str | None = None,
        downsampled: float | None = None,
        clip: float | None = None,
        clips: bool = False,
    ) -> None:
        _check_choice("nan", nan, NAN_CHOICES)
        _check_choice("unscored", unscored, UNSCORED_CHOICES)
        if positive is not None and roles.trials is not None:
            raise errors.POSITIVE_WITH_TRIALS(positive=positive)
        self.roles = roles
        self.nan = nan
        self.unscored = unscored
        self.score_type = score_type  # None: the scores' own
        share = _share("downsampled", downsampled, "a number above 0 up to 1", most=1)
        self.downsampled = None if share == 1 else share  # all of the negatives
        self.clip = _share("clip", clip, "a number above 0 and below 0.5", below=0.5)
        self.clips = clips  # where no clip is given, at the epsilon of the score's type
        self._dictionaries = {text: Dictionary() for _, text, _ in roles.beside}
        self._counting = False  # after a complaint: its rows are counted, other faults passed over
        self.labels = BinaryLabels(roles.label, _positive(positive))

    def batches(self, blocks: Iterable[Block]) -> Iterator[list[Batch | Predicted]]:
        """The batches of each block; a complaint counts the rows of all blocks."""
        blocks = iter(blocks)
        for block in blocks:
            self._settle(block)
            try:
                batches = [self.batch(block, text) for text in self.roles.scores.values()]
            except errors.InputError as error:
                raise self._of_all(error, blocks) from None
            yield batches

    def _settle(self, block: Block) -> None:
        """The positive label as the type that its column turned out to have."""
        if isinstance(self.labels.positive, str) and self.roles.trials is None:
            column = block.columns[Wanted(self.roles.label, "label")]
            numbers_ = column.words is None and column.values.dtype.kind in "biuf"
            if numbers_ or column.read:
                meant = value_of(self.labels.positive)
                if meant is not None:  # "nan" is no label
                    self.labels.positive = plain_label(meant)

    def batch(self, block: Block, score: str) -> Batch | Predicted:
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

    def _clip(self, type_: str) -> float | None:
        """Where logarithms of probabilities of that type are cut."""
        return float(np.finfo(type_).eps) if self.clip is None and self.clips else self.clip

    def _further(self, block: Block) -> "dict[str, list[Named]]":
        """The columns that metrics name, by role."""
        found: dict[str, list[Named]] = {"field": [], "amount": []}
        for role, text, kind in self.roles.further:
            found[role].append(Named(text, block.columns[Wanted(text, kind)]))
        return found

    def _beside(self, block: Block) -> "list[tuple[str, Named]]":
        """The columns that only group metrics read, by role."""
        return [
            (role, Named(text, block.columns[Wanted(text, kind)]))
            for role, text, kind in self.roles.beside
        ]

    def _read_beside(
        self, beside: "list[tuple[str, Named]]", rows: Rows, count: int, unscored: Mask | None
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

    def _columns(self, block: Block, score: str) -> "dict[str, Named]":
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

    def _keep(self, columns: "Iterable[Named]", rows: Rows) -> Mask | None:
        """The rows without a missing value; an error where that is the rule and some have one."""
        keep: Mask | None = None
        for name, column in columns:
            missing = column.missing
            if column.odd is not None and column.odd[0].any():
                odd, text = column.odd
                if not self._counting:
                    raise errors.NOT_NUMBERS(name=name, **rows.where(odd), value=text)
                missing = odd if missing is None else missing | odd
            if missing is None or not missing.any():
                continue
            if self.nan == "error" and not self._counting:
                raise self._missing(name)(name=name, **rows.where(missing))
            keep = ~missing if keep is None else keep & ~missing
        return keep

    def _missing(self, name: str) -> errors.Template:
        """The complaint about a missing value; a ranking may do without a score."""
        ranks = self.roles.wants.graded and not self.roles.wants.binary
        return errors.UNSCORED if ranks and name in self.roles.scores.values() else errors.MISSING

    def _label(self, label: "Named", rows: Rows) -> Column:
        """The label, which may be anything that can be told apart."""
        name, column = label
        if column.words is None and column.values.dtype.kind not in "biufU":
            raise numbers.bad_dtype(name, column.values, rows, "numbers, words or booleans")
        return column

    def _slices(self, block: Block, keep: Mask | None) -> tuple[Slices, ...]:
        return tuple(
            slicing.slices([block.columns[Wanted(text, "key")] for text in by], keep)
            for by in self.roles.by
        )

    def _of_all(self, error: errors.InputError, rest: Iterator[Block]) -> errors.SteelyardError:
        """The same complaint with the count of all rows: the rest is read to count."""
        template, facts = error.template, dict(error.facts)
        if template is None or "count" not in facts:
            return error
        self._counting = True
        for block in rest:
            facts["count"] += self._also(template, facts["name"], block)
        return template(**facts)

    def _also(self, template: errors.Template, name: str, block: Block) -> int:
        """How many rows of a block give cause for the same complaint."""
        for text in self.roles.scores.values():
            more = [*(named for _, named in self._beside(block)), *self._further(block)["amount"]]
            for named in [*self._columns(block, text).values(), *more]:
                if named.name == name and template in (errors.MISSING, errors.NOT_NUMBERS):
                    return named.faults(template)
            try:
                self.batch(block, text)
            except errors.InputError as other:
                if other.template is template and other.facts["name"] == name:
                    return int(other.facts["count"])
        return 0


class Named(NamedTuple):
    """A column and what the user calls it."""

    name: str
    column: Column

    def take(self, rows: Mask | None) -> "Named":
        return self._replace(column=self.column.take(rows))

    def without_gaps(self) -> "tuple[Named, Mask | None]":
        """The column with zeros where a value is missing, and where that is."""
        column = self.column
        if column.missing is None or not column.missing.any() or column.words is not None:
            return self, None
        filled = np.where(column.missing, column.values.dtype.type(0), column.values)
        return self._replace(column=replace(column, values=filled, missing=None)), column.missing

    def faults(self, template: errors.Template) -> int:
        """How many rows are missing, or hold no number."""
        odd = None if self.column.odd is None else self.column.odd[0]
        rows = self.column.missing if template is errors.MISSING else odd
        return 0 if rows is None else int(np.count_nonzero(rows))

    def numbers(self, rows: Rows) -> tuple[str, Array, Rows]:
        """Name, values and rows; words are no numbers."""
        if self.column.words is not None:
            words = np.zeros(len(self.column.values), "U1")
            raise numbers.bad_dtype(self.name, words, rows, "numbers")
        return self.name, self.column.values, rows


def _read_further(further: "dict[str, list[Named]]", rows: Rows) -> Further:
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


def _check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise errors.BAD_CHOICE(name=name, value=value, choices=", ".join(choices))


def _share(
    name: str, value: Any, wanted: str, *, below: float = float("inf"), most: float = float("inf")
) -> float | None:
    """A number above 0; None where it says nothing."""
    if value is None:
        return None
    number = isinstance(value, Real) and not isinstance(value, bool)
    share = float(value) if number else float("nan")
    if not (0 < share < below and share <= most):
        raise errors.OUT_OF_RANGE(name=name, value=value, wanted=wanted)
    return share


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
    batch = Reader(roles, **how).batch(block, "y_score")
    assert isinstance(batch, Batch)
    return batch
