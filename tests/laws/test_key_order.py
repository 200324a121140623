"""Keys in order: sorted by kind or one by one, it is the same order."""

from hypothesis import given
from hypothesis import strategies as st

from steelyard.model import Key
from steelyard.reading.key_order import key_order, sort_key

parts: st.SearchStrategy[Key] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-20, 20),
    st.floats(-5, 5, allow_nan=False),
    st.sampled_from(["", "10", "2", "-3", "007", "7", "a", "Z", "é", "1.5", "9" * 30]),
)


@given(st.lists(st.tuples(parts), max_size=30))
def test_keys_of_one_column_are_sorted_by_the_definition(keys: list[tuple[Key]]) -> None:
    expected = sorted(range(len(keys)), key=lambda place: sort_key(keys[place]))
    assert key_order(keys) == expected


@given(st.lists(st.tuples(st.integers(-(2**70), 2**70)), max_size=30))
def test_whole_keys_are_sorted_by_the_definition(keys: list[tuple[Key]]) -> None:
    expected = sorted(range(len(keys)), key=lambda place: sort_key(keys[place]))
    assert key_order(keys) == expected


@given(st.lists(st.tuples(parts, parts), max_size=20))
def test_keys_of_two_columns_are_sorted_by_the_definition(keys: list[tuple[Key, Key]]) -> None:
    expected = sorted(range(len(keys)), key=lambda place: sort_key(keys[place]))
    assert key_order(keys) == expected
