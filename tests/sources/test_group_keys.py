"""Keys of groups that NumPy would change: Python's own numbers, and several types in one list."""

import numpy as np
import pytest

import steelyard as sy


def test_keys_of_python_s_own_numbers_are_exact() -> None:
    """NumPy would make float64 of these lists."""
    y, s = [1, 0, 1, 0], [2, 1, 2, 1]
    for keys in ([1, 1, 2**63 + 1, 2**63 + 1], [2**53 + 1, 2**53 + 1, 2**53, float(2**53)]):
        result = sy.evaluate(label=y, score=s, group=keys, metrics="gauc")
        assert result.row("gauc").details["groups"] == 2, keys
        assert sorted(result.groups()["group"]) == sorted(set(map(int, keys)))


def test_keys_of_two_types_are_refused() -> None:
    with pytest.raises(sy.InputError, match="type str, the first at row 2, but keys of one type"):
        sy.gauc([1, 0, 1, 0], [2, 1, 2, 1], group=np.array([1, 1, "1", "1"], object))


def test_a_key_that_is_called_like_another_column_is_refused() -> None:
    with pytest.raises(sy.SourceError, match="2 columns are named 'y_true'"):
        sy.gauc([1, 0], [2, 1], group={"y_true": [1, 1]})
