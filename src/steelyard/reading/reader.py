"""Blocks → batches: missing values, weights, slices, and errors that count all bad rows.

`score_rows` and `prediction_rows` read the columns that only rows of one kind have.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

from steelyard import errors
from steelyard.model import Array, Label, Mask
from steelyard.reading import grouping
from steelyard.reading.batch import Batch
from steelyard.reading.clusters import ROW, ClusterCodes, ClusterNumbers
from steelyard.reading.facts import Failure, ReadingFacts
from steelyard.reading.options import Options
from steelyard.reading.prediction_rows import PredictionRowReader
from steelyard.reading.roles import Roles
from steelyard.reading.row_numbers import KeptRows, NamedColumn
from steelyard.reading.score_rows import ScoreRowReader
from steelyard.reading.selection import ColumnsByRole, Selection, select
from steelyard.reading.slices import KeyNumbers, Slices, slice_codes, slices
from steelyard.sources.blocks import Block, ColumnRequest, SourceColumn


class RowReader(Protocol):
    """Reads one kind of rows: with a label and a score, or with a truth and a prediction."""

    @property
    def resolved(self) -> dict[str, Any]:
        """Conventions that depend on the types of columns, complete after `resolve`."""

    def resolve(self, block: Block) -> None:
        """Completes what depends on the types of columns, from a first block."""

    def may_lack(self, role: str, column: SourceColumn) -> bool:
        """Whether a column may have missing values."""

    def missing(self, name: str) -> errors.Template:
        """The error for a missing value."""

    def read(self, columns: ColumnsByRole, selection: Selection) -> dict[str, Any]:
        """The fields of a batch that only this kind of rows has, checked."""

    def conflict(self) -> Failure | None:
        """The error for labels of which each is right in its own block."""

    def finish(self) -> None:
        """Refuses scores that only all blocks together show to be wrong."""


class SharedColumns(NamedTuple):
    """What the scores of a block have in common that keep the same rows.

    keep: these rows, which no other mask can have the place of while it is held
    derived: what states compute of slices and clusters, for all of these scores
    """

    keep: Mask | None
    slices: tuple[Slices, ...]
    clusters: ClusterCodes | None
    derived: dict[Any, Any]


class Reader:
    """Reads each block as one batch for each score or prediction.

    unscored, score_type, downsampled: only for rows with a score
    """

    def __init__(
        self,
        roles: Roles,
        *,
        nan: str = "error",
        rows: str = "common",
        clip: float | None = None,
        clips: bool = False,
        positive: Label = None,
        unscored: str = "error",
        score_type: str | None = None,
        downsampled: float | None = None,
    ) -> None:
        self.roles = roles
        self.options = Options.checked(nan, rows, clip, clips)
        self.facts = ReadingFacts()
        self._row_reader: RowReader = (
            PredictionRowReader(roles, self.options, positive, self.facts)
            if roles.required_columns.of_prediction
            else ScoreRowReader(
                roles, self.options, positive, unscored, score_type, downsampled, self.facts
            )
        )
        self.slice_keys = [KeyNumbers() for _ in roles.slicings.names]
        self.clusters = ClusterNumbers()
        self._counting = False  # after an error: its rows are counted, other errors are ignored

    @property
    def resolved(self) -> dict[str, Any]:
        """Conventions that depend on the types of columns, complete after `resolve`."""
        return {"clip": self.options.clip, **self._row_reader.resolved}

    def resolve(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The same blocks; what depends on the types of columns is resolved from the first rows.

        A column has one type in all blocks, so that the size of blocks changes nothing.
        """
        blocks, read = iter(blocks), []
        for block in blocks:
            read.append(block)
            if block.rows:  # keys of no rows do not tell their type
                break
        if read:
            self._row_reader.resolve(read[-1])
        return chain(read, blocks)

    def batches(self, blocks: Iterable[Block]) -> Iterator[list[Batch]]:
        """The batches of each block; an error counts the bad rows of all blocks."""
        yield from self.some_batches(blocks)
        self.judge([])

    def some_batches(self, blocks: Iterable[Block]) -> Iterator[list[Batch]]:
        """The batches of each block of a partition, up to an error, which is among the facts."""
        blocks = iter(blocks)
        for block in blocks:
            try:
                batches = self.read_block(block)
            except errors.InputError as error:
                self._fail(block, error, blocks)
                return
            yield batches

    def judge(self, partitions: Iterable[ReadingFacts]) -> None:
        """Refuse what the facts tell of all rows; partitions: those of rows read elsewhere.

        The first error is raised, as far as blocks have the numbers of their rows in the source.
        """
        for each in partitions:
            self.facts.add(each)
        found = [*self.facts.failures.values(), *self._conflicts()]
        if found:
            raise min(found, key=lambda failure: failure.row).error
        self._row_reader.finish()

    def _conflicts(self) -> Iterator[Failure]:
        """Errors that are made of the facts of all rows."""
        yield from filter(None, (self._row_reader.conflict(), self.facts.unlike_keys()))

    def refuse_each(self) -> None:
        """Refuse a score that is no probability, where every score must be one."""
        if isinstance(self._row_reader, ScoreRowReader):
            self._row_reader.refuse_each()

    def read_block(self, block: Block) -> list[Batch]:
        """One batch for each score or prediction."""
        codes = self._slice_codes(block)
        known: dict[int, SharedColumns] = {}
        return [self._batch(block, text, codes, keep, known) for text, keep in self._kept(block)]

    def _batch(
        self,
        block: Block,
        text: str,
        codes: Sequence[Array],
        keep: Mask | None,
        known: dict[int, SharedColumns],
    ) -> Batch:
        columns = self._columns(block, text)
        size = block.rows if keep is None else int(np.count_nonzero(keep))
        selection = select(columns, KeptRows(block.start, keep), size)
        if id(keep) not in known:
            by = zip(self.slice_keys, codes, strict=True)
            sliced = tuple(slices(keys, each, keep, selection.chosen) for keys, each in by)
            known[id(keep)] = SharedColumns(keep, sliced, self._clusters(block, selection), {})
        shared = known[id(keep)]
        return Batch(
            size=selection.size,
            weight=selection.weight,
            count=selection.count,
            dropped=block.rows - size,
            slices=shared.slices,
            clusters=shared.clusters,
            shared=shared.derived,
            **self._row_reader.read(columns, selection),
        )

    def _columns(self, block: Block, score: str) -> dict[tuple[str, str], list[NamedColumn]]:
        """The columns of one score or prediction, by role and kind."""
        found: dict[tuple[str, str], list[NamedColumn]] = {}
        for role, text, kind in self.roles.columns_of[score]:
            named = NamedColumn(text, block.columns[ColumnRequest(text, kind)])
            found.setdefault((role, kind), []).append(named)
        return found

    def _kept(self, block: Block) -> Iterator[tuple[str, Mask | None]]:
        """Each score with the rows that it keeps: those that all scores have, or its own."""
        scores = self.roles.scores.values()
        if self.options.common_rows:
            keep = self._keep(block, *scores)
            yield from ((text, keep) for text in scores)
        else:
            yield from ((text, self._keep(block, text)) for text in scores)

    def _keep(self, block: Block, *scores: str) -> Mask | None:
        """The rows without a missing value in the columns of these scores, None for all.

        Refuses missing values if nan="error".
        """
        keep: Mask | None = None
        rows = KeptRows(block.start)
        wanted = dict.fromkeys(each for score in scores for each in self.roles.columns_of[score])
        for role, name, kind in wanted:
            column = block.columns[ColumnRequest(name, kind)]
            missing = None if self._row_reader.may_lack(role, column) else column.missing
            for template, (bad, text) in NamedColumn(name, column).bad_numbers().items():
                if not self._counting:
                    raise template(name=name, **rows.where(bad), value=text)
                missing = bad if missing is None else missing | bad
            if missing is None or not missing.any():
                continue
            if self.options.nan == "error" and not self._counting:
                raise self._row_reader.missing(name)(name=name, **rows.where(missing))
            keep = ~missing if keep is None else keep & ~missing
        return keep

    def _slice_codes(self, block: Block) -> list[Array]:
        """The number of each row's slice, for each `by`."""
        return [
            slice_codes([block.columns[each] for each in self.roles.slicings.requests(by)], keys)
            for by, keys in zip(self.roles.slicings.names, self.slice_keys, strict=True)
        ]

    def _clusters(self, block: Block, selection: Selection) -> ClusterCodes | None:
        """The number of each row's cluster; None where no intervals are requested."""
        text, rows = self.roles.cluster, selection.rows
        chosen = slice(None) if selection.chosen is None else selection.chosen
        if text is None:
            return None
        if text == ROW:
            positions = grouping.positions(rows, block.rows)[chosen]
            return self.clusters.number_rows(positions, block.start + block.rows)
        named = NamedColumn(text, block.columns[ColumnRequest(text, "group")]).take(rows.kept)
        keys = grouping.group_keys(*named, rows, grouping.Dictionary())
        return self.clusters.number(self.facts.see_keys(text, keys, rows).take(chosen))

    def _fail(self, block: Block, error: errors.SteelyardError, rest: Iterator[Block]) -> None:
        """Remember an error, with the count of all bad rows, those in the other blocks included.

        If it is a conflict, the labels and keys of the other blocks are read: it names those of all
        rows, whatever the size of blocks.
        """
        template, facts = error.template, dict(error.facts)
        self._counting, conflict = True, any(self._conflicts())
        if conflict:
            for each in rest:
                self._count_same_error(None, "", each)
            return
        if template is not None and "count" in facts:
            for each in rest:
                facts["count"] += self._count_same_error(template, facts["name"], each)
            error = template(**facts)
        self.facts.fail(block.start, error)

    def _count_same_error(self, template: errors.Template | None, name: str, block: Block) -> int:
        """The number of rows in a block with the same error."""
        codes = self._slice_codes(block)
        for text, keep in self._kept(block):
            for (role, _), of_role in self._columns(block, text).items():
                for named in of_role if role != "field" else ():
                    if named.name == name and template in named.faults():
                        return int(np.count_nonzero(named.faults()[template]))
            try:
                self._batch(block, text, codes, keep, {})
            except errors.InputError as other:
                if other.template is template and other.facts["name"] == name:
                    return int(other.facts["count"])
        return 0
