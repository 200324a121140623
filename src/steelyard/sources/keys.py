"""Keys as small integers: what rows are told apart by."""

import numpy as np

from steelyard.batch import Column
from steelyard.model import Array, Mask


def code_numbers(values: Array, missing: Mask | None) -> Column:
    words, codes = np.unique(values, return_inverse=True)
    return Column(codes, missing, words.tolist())


def code_unicode(values: Array, missing: Mask | None) -> Column:
    return code_numbers(values, missing)


def with_gaps(codes: Array, words: list) -> Column:
    missing = codes < 0
    return Column(np.where(missing, 0, codes), missing if missing.any() else None, words or [""])
