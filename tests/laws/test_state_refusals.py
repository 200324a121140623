"""States that do not belong together refuse to merge, and say which convention differs."""

import numpy as np
import pytest

from steelyard.errors import StateError
from steelyard.metrics import catalogue
from steelyard.metrics.count_metrics import CountMetric
from steelyard.reading.batch import Batch
from steelyard.states import Sums
from tests.laws.state_makers import MAKE, OF_SCORES
from tests.laws.state_rows import read

LABELS, SCORES = np.array([True, False]), np.array([0.5, 0.25])

# Why two states do not belong together, and the field that the message must name.
UNLIKE: list[tuple[str, Batch, Batch]] = [
    ("score_type", read(LABELS, SCORES), read(LABELS, SCORES.astype("f4"))),
    ("nan", read(LABELS, SCORES), read(LABELS, SCORES, nan="drop")),
    ("positive", read(LABELS, SCORES), read(LABELS, SCORES, positive=0)),
    ("the negative label", read([0, 1], [0, 1]), read([-1, 1], [0, 1])),
    (
        "the negative label",
        read(["yes", "no"], [0, 1], positive="yes"),
        read(["yes", "maybe"], [0, 1], positive="yes"),
    ),
]


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize(("field", "left", "right"), UNLIKE)
def test_rows_read_differently_do_not_merge(
    name: str, field: str, left: Batch, right: Batch
) -> None:
    a, b = MAKE[name](), MAKE[name]()
    a.update(left)
    b.update(right)
    bytes_ = a.dumps()
    with pytest.raises(StateError, match=f"cannot be merged: {field} is "):
        a.merge(b)
    with pytest.raises(StateError, match=f"cannot be merged: {field} is "):
        b.merge(a)
    with pytest.raises(StateError, match=f"cannot be merged: {field} is "):
        a.update(right)
    assert a.dumps() == bytes_  # a refused batch leaves no trace
    assert MAKE[name]().merge(a) == a


def test_other_thresholds_do_not_merge() -> None:
    with pytest.raises(StateError, match=r"terms is \['called 0\.25'\] in one and .* in the other"):
        Sums(("called 0.25",)).merge(Sums(("called 0.5",)))


def test_other_keys_do_not_merge() -> None:
    with pytest.raises(StateError, match="key is 'bin 3' in one and 'bin 4' in the other"):
        Sums(("weight",), "bin 3").merge(Sums(("weight",), "bin 4"))


def test_zeros_of_every_type_are_one_threshold() -> None:
    precision = catalogue.find("precision")
    assert isinstance(precision, CountMetric)
    state_specs = [precision.state_spec({"threshold": zero}) for zero in (0, 0.0, -0.0)]
    assert state_specs[0] == state_specs[1] == state_specs[2]


@pytest.mark.parametrize("term", ["called", "hit"])
@pytest.mark.parametrize("threshold", ["nan", "inf", "-inf", "-0.0", "0.50", "1", " 0.5", "x", ""])
def test_a_threshold_is_finite_and_has_one_canonical_text(term: str, threshold: str) -> None:
    with pytest.raises(ValueError, match=r"threshold|could not convert|no term"):
        Sums((f"{term} {threshold}",))


@pytest.mark.parametrize("left", MAKE)
@pytest.mark.parametrize("right", MAKE)
def test_other_kinds_do_not_merge(left: str, right: str) -> None:
    a, b = MAKE[left](), MAKE[right]()
    if left == right:
        assert a.merge(b) == a
    elif a.kind == b.kind:
        with pytest.raises(StateError, match=r"(terms|key) is"):
            a.merge(b)
        assert type(a).loads(b.dumps()) == b
    else:
        with pytest.raises(StateError, match="the kind is"):
            a.merge(b)
        with pytest.raises(StateError, match="of kind"):
            type(a).loads(b.dumps())
