"""Blocks → rows: what readers of scores and of predictions have in common.

Missing values, slices, and every complaint about a value, which counts the rows of all blocks.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from numbers import Real
from typing import Any, Generic, TypeVar

import numpy as np

from steelyard import errors
from steelyard.model import NAN_CHOICES, Mask
from steelyard.reading import slices as slicing
from steelyard.reading.batch import Batch, Slices
from steelyard.reading.predictions import Predicted
from steelyard.reading.roles import Roles
from steelyard.reading.rows import Named, Rows
from steelyard.sources.blocks import Block, Wanted

SMALLEST_CLIP = 2.0**-53  # less cannot be taken from 1
CLIPS = "a number from 2**-53 (1.2e-16) to below 0.5"
Read = TypeVar("Read", Batch, Predicted)


class Reader(ABC, Generic[Read]):
    """Makes of each block the rows of each score or prediction."""

    def __init__(
        self, roles: Roles, *, nan: str = "error", clip: float | None = None, clips: bool = False
    ) -> None:
        check_choice("nan", nan, NAN_CHOICES)
        self.roles = roles
        self.nan = nan
        self.clip = share("clip", clip, CLIPS, least=SMALLEST_CLIP, below=0.5)
        self.clips = clips  # where no clip is given, at the epsilon of the score's type
        self._counting = False  # after a complaint: its rows are counted, other faults passed over

    @abstractmethod
    def batch(self, block: Block, score: str) -> Read:
        """The rows of a block for one score or prediction, checked column by column."""

    @abstractmethod
    def _read(self, block: Block, score: str) -> list[Named]:
        """Every column of one score or prediction that may lack no value."""

    @property
    def settled(self) -> dict[str, Any]:
        """What the conventions of a result say of the reading, once rows were read."""
        return {"clip": self.clip}

    def _settle(self, block: Block) -> None:
        """What only a column can tell: of which type its values are."""

    def batches(self, blocks: Iterable[Block]) -> Iterator[list[Read]]:
        """The batches of each block; a complaint counts the rows of all blocks."""
        blocks = iter(blocks)
        for block in blocks:
            self._settle(block)
            try:
                batches = [self.batch(block, text) for text in self.roles.scores.values()]
            except errors.InputError as error:
                raise self._of_all(error, blocks) from None
            yield batches

    def _clip(self, type_: str) -> float | None:
        """Where logarithms of probabilities of that type are cut."""
        return float(np.finfo(type_).eps) if self.clip is None and self.clips else self.clip

    def _keep(self, columns: Iterable[Named], rows: Rows) -> Mask | None:
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
        """The complaint about a missing value."""
        return errors.MISSING

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
            for named in self._read(block, text):
                if named.name == name and template in (errors.MISSING, errors.NOT_NUMBERS):
                    return named.faults(template)
            try:
                self.batch(block, text)
            except errors.InputError as other:
                if other.template is template and other.facts["name"] == name:
                    return int(other.facts["count"])
        return 0


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise errors.BAD_CHOICE(name=name, value=value, choices=", ".join(choices))


def share(
    name: str,
    value: Any,
    wanted: str,
    *,
    least: float = 0.0,
    below: float = float("inf"),
    most: float = float("inf"),
) -> float | None:
    """A number above 0; None where it says nothing."""
    if value is None:
        return None
    number = isinstance(value, Real) and not isinstance(value, bool)
    share = float(value) if number else float("nan")
    if not (0 < share < below and least <= share <= most):
        raise errors.OUT_OF_RANGE(name=name, value=value, wanted=wanted)
    return share
