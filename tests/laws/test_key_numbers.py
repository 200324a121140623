"""The numbers of slices do not depend on whether a kernel or a dictionary gives them."""

from typing import Any

import numpy as np

from steelyard.reading.slices import MANY, KeyNumbers
from steelyard.sources.text_keys import TextKeys


def draw_keys(rng: np.random.Generator) -> list[Any]:
    """The different keys of a block: of one type or of several."""
    count = int(rng.choice([0, 1, 30, MANY, 2 * MANY]))
    numbers = rng.permutation(3 * MANY)[:count].tolist()
    kinds: dict[str, list[Any]] = {
        "whole": numbers,
        "large": [number + 2**63 for number in numbers],
        "text": [f"{number}\0é" for number in numbers],
        "fractions": [number + 0.0 for number in numbers],
        "booleans": [True, False][:count],
        "both": [number if number % 2 else str(number) for number in numbers],
    }
    return kinds[rng.choice([*kinds, "whole", "text"])]


def test_numbers_of_a_kernel_are_those_of_a_dictionary() -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        found, expected = KeyNumbers(), KeyNumbers()
        only = rng.random() < 0.5  # blocks of one type
        first = draw_keys(rng)
        for _ in range(4):
            keys = draw_keys(rng)
            if only and set(map(type, keys)) != set(map(type, first)):
                keys = first[::-1]
            wanted = expected.number([(key,) for key in keys])
            text = bool(keys) and {str}.issuperset(map(type, keys))
            numbers = found.number_column(TextKeys.of(keys) if text else keys)
            if numbers is None:
                numbers = found.number([(key,) for key in keys])
            assert numbers.dtype == wanted.dtype, seed
            assert numbers.tolist() == wanted.tolist(), seed
            assert list(map(repr, found.keys)) == list(map(repr, expected.keys)), seed
