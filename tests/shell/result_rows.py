"""Rows that tests of results share: written by hand, and drawn by hypothesis."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from steelyard.model import Conventions, Key, Row
from steelyard.result.result import Result

INF = float("inf")


def row(metric: str = "auc", score: str = "pctr", value: float | None = 0.5, **fields: Any) -> Row:
    """A row of ten, four of them positive."""
    known: dict[str, Any] = {
        "why": None if value is not None else "there are no positives",
        "n": 10,
        "weight": 10,
        "positives": 4,
        "negatives": 6,
        "weighted_positives": 4,
        "weighted_negatives": 6,
        "prediction_sum": 3.5,
        "weighted_prediction_sum": 3.5,
    }
    return Row(metric=metric, score=score, value=value, **(known | fields))


def sliced(*slices: dict[str, Key], metric: str = "auc", score: str = "pctr") -> list[Row]:
    """The total, 0.5, and slices of 0, 1, 2, ..."""
    values = [row(metric, score, float(place), slice=s) for place, s in enumerate(slices)]
    return [row(metric, score), *values]


floats = st.floats(allow_nan=False)
wide = st.integers(-(2**70), 2**70) | st.sampled_from([2**53, 2**53 + 1, -(2**53), -(2**53) - 1])
counts = wide.map(abs)
sums = counts | floats.map(abs)
LIKE_NUMBERS = ["inf", "-inf", "nan", "9" * 20, "-" + "8" * 16, "\\inf", "\\\\nan"]
words = st.text(max_size=3) | st.sampled_from(LIKE_NUMBERS)
keys = st.none() | st.booleans() | wide | floats | words
anything = st.recursive(
    keys,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)
typed_keys = {
    "s": st.none() | words,
    "b": st.none() | st.booleans(),
    "i": st.none() | wide,
    "n": st.none() | wide | floats,
    "any": keys,
}
slices = st.fixed_dictionaries({}, optional=typed_keys)
rows = st.builds(
    Row,
    metric=words,
    score=words,
    value=st.none() | floats,
    why=st.none() | words,
    n=counts,
    weight=st.none() | sums,
    positives=st.none() | counts,
    negatives=st.none() | counts,
    weighted_positives=st.none() | sums,
    weighted_negatives=st.none() | sums,
    prediction_sum=st.none() | floats,
    weighted_prediction_sum=st.none() | floats,
    dropped=counts,
    slice=slices,
    details=st.dictionaries(words, anything, max_size=2),
)


def with_ends(made: Row, ends: list[float]) -> Row:
    """A row that has an interval if it has a value."""
    return made if made.value is None else replace(made, low=ends[0], high=ends[1])


def place(made: Row) -> tuple[Any, ...]:
    """What no two rows of a result have in common; 1 and True are the same key."""
    return made.metric, made.score, frozenset(made.slice.items())


with_intervals = st.builds(with_ends, rows, st.lists(floats, min_size=2, max_size=2).map(sorted))
every_row = st.lists(rows | with_intervals, max_size=3, unique_by=place)
texts = st.dictionaries(words, words, max_size=2)
conventions = st.builds(
    Conventions,
    nan=words,
    positive=keys,
    preset=st.none() | words,
    classes=st.lists(keys, max_size=2).map(tuple),
    roles=texts,
    scores=texts,
    score_types=texts,
    by=st.lists(st.lists(words, max_size=2).map(tuple), max_size=2).map(tuple),
    metrics=st.dictionaries(words, st.dictionaries(words, keys, max_size=2), max_size=2),
)
results = st.builds(Result, every_row, conventions)


PLAIN = Conventions()


def line(
    n: int, positives: int, slice_: dict[str, Key], score: str = "pctr", **values: Any
) -> list[Row]:
    """One row per metric; a value that is text is a reason."""
    return [
        row(
            metric,
            score,
            None if isinstance(value, str) else value,
            why=value if isinstance(value, str) else None,
            slice=slice_,
            n=n,
            positives=positives,
            negatives=n - positives,
            weighted_positives=positives,
            weighted_negatives=n - positives,
        )
        for metric, value in values.items()
    ]


NONE = "there are no positives"
SLICED = [
    *line(1200, 30, {}, auc=0.75, ks=0.5),
    *line(700, 20, {"country": "BR"}, auc=0.8, ks=0.6),
    *line(490, 0, {"country": ""}, auc=NONE, ks=NONE),
    *line(10, 10, {"country": None}, auc=0.7, ks="there are no negatives"),
    *line(1199, 30, {"mobile": False}, auc=0.0001236, ks=-0.25),
    *line(1, 0, {"mobile": True}, auc=NONE, ks=NONE),
]
