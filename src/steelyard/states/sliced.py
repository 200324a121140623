"""A state for the total and one for each slice, of one kind.

Memory and exactness: those of the kind, once for the total and once more for each `by`. The bytes
hold one table a `by`, keyed by slice: the parts of all slices end to end, and where each ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.reading.key_order import Keys, in_order, spelled
from steelyard.reading.split import parts
from steelyard.states import wire
from steelyard.states.amounts import Amounts
from steelyard.states.base import State
from steelyard.states.bin_sums import BinSums
from steelyard.states.class_cells import ClassCells
from steelyard.states.class_losses import ClassLosses
from steelyard.states.class_ranks import ClassRanks
from steelyard.states.class_rows import ClassRows
from steelyard.states.error_sums import Errors
from steelyard.states.field_sums import FieldSums
from steelyard.states.groups import Groups
from steelyard.states.largest import Largest
from steelyard.states.losses import Expected, Losses
from steelyard.states.once import once_a_batch
from steelyard.states.pairs import Pairs
from steelyard.states.score_table import ScoreTable
from steelyard.states.sums import Cells, PredictionSample, Sample

KINDS: dict[str, type[State]] = {
    state.kind: state
    for state in (
        Amounts,
        BinSums,
        Cells,
        ClassCells,
        ClassLosses,
        ClassRanks,
        ClassRows,
        Errors,
        Expected,
        FieldSums,
        Groups,
        Largest,
        Losses,
        Pairs,
        PredictionSample,
        Sample,
        ScoreTable,
    )
}
Table = dict[Keys, State]
FEW = 4096  # rows a slice above which adding their states takes less than reading rows again
_parts = once_a_batch(parts)


class Sliced(State):
    """`total`, and for each `by` a table of states by key."""

    kind = "sliced"

    def __init__(self, of: str, with_: Mapping[str, Any], by: Iterable[Sequence[str]]) -> None:
        super().__init__()
        self.of = KINDS[of]
        self.with_ = dict(with_)
        self.by = tuple(tuple(names) for names in by)
        self.total = self._empty()
        self.tables: tuple[Table, ...] = tuple({} for _ in self.by)

    def config(self) -> dict[str, Any]:
        return {"by": [list(names) for names in self.by], "of": self.of.kind, "with_": self.with_}

    def keys(self, by: int) -> list[Keys]:
        """The slices of one `by`, in order."""
        return sorted(self.tables[by], key=in_order)

    def _empty(self) -> State:
        return self.of(**self.with_)

    def _add_rows(self, batch: Batch) -> None:
        # Each row is in one slice of every `by`, so small states of few slices make up the total's.
        of_by = _parts(batch)
        shared = self.of.small and bool(self.by) and len(of_by[0]) * FEW < len(batch)
        if not shared:
            self.total.update(batch)
        for place, of_slices in enumerate(of_by):
            for key, rows in of_slices:
                if shared and place == 0:
                    part = self._empty()
                    part.update(rows)
                    self.total.add(part)
                    self._of(place, key).add(part)
                else:
                    self._of(place, key).update(rows)

    def _of(self, place: int, key: Keys) -> State:
        """The state of a slice, which is new where its first row comes."""
        table = self.tables[place]
        if key not in table:
            table[key] = self._empty()
        return table[key]

    def _add_state(self, other: Self) -> None:
        self.total.add(other.total)
        for place, table in enumerate(other.tables):
            known = {key: key for key in self.tables[place]}
            for key, state in table.items():
                self._spell(place, known.get(key, key), key)
                self._of(place, key).add(state)

    def _spell(self, place: int, mine: Keys, theirs: Keys) -> None:
        """One spelling for keys that are equal, whichever came first."""
        key = spelled(mine, theirs)
        if list(map(type, key)) != list(map(type, mine)):
            self.tables[place][key] = self.tables[place].pop(mine)

    def _content(self) -> wire.Content:
        fields, arrays = self.total.content()
        sections = wire.prefixed("total", arrays)
        tables = []
        for place in range(len(self.by)):
            keys = self.keys(place)
            contents = [self.tables[place][key].content() for key in keys]
            joined, arrays = _end_to_end(contents)
            tables.append({"keys": [list(key) for key in keys], **joined})
            sections |= wire.prefixed(f"by{place}", arrays)
        return {"total": fields, "tables": tables}, sections

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        self.total = self.of.restored(header["total"], wire.under("total", sections))
        if len(header["tables"]) != len(self.by):
            raise ValueError(f"{len(header['tables'])} tables")
        for place, stored in enumerate(header["tables"]):
            keys = [tuple(key) for key in stored["keys"]]
            if any(len(key) != len(self.by[place]) for key in keys) or len(set(keys)) != len(keys):
                raise ValueError("keys that do not fit the slices")
            parts = _apart(stored, wire.under(f"by{place}", sections), len(keys))
            for key, (fields, arrays) in zip(keys, parts, strict=True):
                self.tables[place][key] = self.of.restored(fields, arrays)


def _end_to_end(contents: Sequence[wire.Content]) -> tuple[dict[str, Any], dict[str, Array]]:
    """The headers as a list, and each section of all slices joined, with the length of each."""
    names = sorted({name for _, sections in contents for name in sections})
    joined: dict[str, Array] = {}
    for name in names:
        parts = [sections[name] for _, sections in contents if name in sections]
        joined[name] = np.concatenate(parts)
    lengths = [[len(s[name]) if name in s else -1 for name in names] for _, s in contents]
    fields = [fields for fields, _ in contents]
    return {"states": fields, "sections": names, "lengths": lengths}, joined


def _apart(
    stored: Mapping[str, Any], joined: Mapping[str, Array], count: int
) -> list[wire.Content]:
    """Header and sections of each slice again; -1 is a section that it does not have."""
    names, lengths = stored["sections"], stored["lengths"]
    if len(lengths) != count or set(names) != set(joined):
        raise ValueError("sections that do not fit the slices")
    starts = dict.fromkeys(names, 0)
    parts: list[wire.Content] = []
    for fields, row in zip(stored["states"], lengths, strict=True):
        mine = {}
        for name, length in zip(names, row, strict=True):
            if type(length) is not int or length < -1:
                raise ValueError(f"a part of {length!r} values")
            if length >= 0:
                start = starts[name]
                starts[name] = start + length
                mine[name] = joined[name][start : starts[name]]
        parts.append((fields, mine))
    if any(starts[name] != len(joined[name]) for name in names):
        raise ValueError("more values than the slices have")
    return parts
