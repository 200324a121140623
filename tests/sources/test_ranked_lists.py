"""Ranked lists as rows: items that were not retrieved, grades, and what is refused."""

from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard import errors

sy: Any = steelyard  # the stubs refuse what some lines hand over, as they should


def test_every_item_has_its_rank_and_its_grade() -> None:
    rows = sy.from_lists({"ann": ["a", "b"], "bob": []}, {"ann": {"b": 2, "c": 1}, "bob": ["d"]})
    assert rows["group"] == ["ann", "ann", "ann", "bob"]
    assert rows["label"] == [0, 2, 1, 1]
    assert np.array_equal(rows["score"], [0, -1, np.nan, np.nan], equal_nan=True)


def test_a_user_without_a_list_has_no_hit() -> None:
    """Of two users with one relevant item each, one has a list."""
    rows = sy.from_lists({"ann": ["a"]}, {"ann": ["a"], "bob": ["a"]})
    assert sy.evaluate(**rows, metrics="map")["map"] == 0.5


@pytest.mark.parametrize("ranked", [["abc"], {0: "abc"}, [7]])
def test_text_is_not_taken_as_a_list_of_letters(ranked: Any) -> None:
    with pytest.raises(errors.InputError, match=r"ranked is a list of (str|int), but lists"):
        sy.from_lists(ranked, [["a"]])
