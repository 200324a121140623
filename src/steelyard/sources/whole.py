"""A column of all blocks as one array, as long as `evaluate` wants it so."""

from collections.abc import Sequence

import numpy as np

from steelyard import errors
from steelyard.batch import Block, Column, Wanted
from steelyard.model import Array


def array(wanted: Wanted, blocks: Sequence[Block]) -> Array:
    """The values end to end, masked where some are missing; words as objects."""
    columns = [block.columns[wanted] for block in blocks]
    if not columns:
        return np.zeros(0)
    _refuse_odd(wanted.text, blocks, columns)
    words = {word for column in columns for word in column.words or ()}
    wordy = any(isinstance(word, str) for word in words)
    values = np.concatenate([_plain(column, wordy=wordy) for column in columns])
    if all(column.missing is None for column in columns):
        return values
    masks = [np.zeros(len(c.values), bool) if c.missing is None else c.missing for c in columns]
    return np.ma.masked_array(values, np.concatenate(masks))


def _plain(column: Column, *, wordy: bool) -> Array:
    if column.words is None:
        return column.values
    if wordy:
        return np.array([*map(str, column.words), None], object)[column.values]
    return np.array(column.words or [0])[column.values]


def _refuse_odd(name: str, blocks: Sequence[Block], columns: Sequence[Column]) -> None:
    odd = [(block.start, *c.odd) for block, c in zip(blocks, columns, strict=True) if c.odd]
    if odd:
        count = sum(int(np.count_nonzero(mask)) for _, mask, _ in odd)
        start, mask, word = odd[0]
        position = start + int(mask.argmax())
        raise errors.NOT_NUMBERS(name=name, count=count, position=position, value=word)
