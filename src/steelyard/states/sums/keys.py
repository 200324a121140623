"""The second key of sums: a field's value, a bin, the true and the predicted class, a rank, or the
cluster, alone or before one of these.

A rule gives each row a code, and the key of each code where that is not the code itself; `columns`
are the columns whose values are in the key. A state's
bytes hold the rule's name, with its argument after a space.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import TermColumns
from steelyard.model import Array, Floats, Key
from steelyard.reading.batch import Batch, required
from steelyard.reading.key_order import KeyTuple
from steelyard.reading.labels import plain_label
from steelyard.reading.predictions import CodedClasses
from steelyard.states.term_columns import term_columns

CLUSTER = "cluster"
MOST_BINS = 1 << 20
SMALL = 1 << 16  # so many pairs of classes may be codes, however few rows there are


class Coding(NamedTuple):
    """The code of each row.

    size: codes are below it; keys: the key of each code, None where the code is the key
    """

    codes: Array
    size: int
    keys: Sequence[KeyTuple] | None


@dataclass(frozen=True)
class FieldKey:
    """The value of a column; missing values are a key of their own."""

    column: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def code(self, batch: Batch) -> Coding:
        codes, keys = batch.columns.fields[self.column]
        return Coding(codes, len(keys), [(key,) for key in keys])

    def check(self, key: KeyTuple) -> None:
        (value,) = key
        if value is not None and not isinstance(value, str | int | float | bool):
            raise TypeError(f"a key of type {type(value).__name__}")
        if value != value:
            raise ValueError("a key that is not equal to itself")


@dataclass(frozen=True)
class BinKey:
    """The bin of equal width that a probability is in."""

    bins: int
    columns = ()

    def code(self, batch: Batch) -> Coding:
        return Coding(kernels.active().bin_codes(term_columns(batch), self.bins), self.bins, None)


@dataclass(frozen=True)
class ClassPairKey:
    """The true and the predicted class; equal classes (1, 1.0, True) are one."""

    columns = ("the true class", "the predicted class")

    def code(self, batch: Batch) -> Coding:
        truth, predicted = required(batch.classes)
        codes, cells = _pairs(truth, predicted)
        width = max(len(predicted.classes), 1)
        true, called = (
            [plain_label(label) for label in side.classes] for side in (truth, predicted)
        )
        keys = [(true[cell // width], called[cell % width]) for cell in cells]
        return Coding(codes, len(cells), keys)

    def check(self, key: KeyTuple) -> None:
        for label in key:
            check_class(label)
        if len(key) != 2:
            raise ValueError("a cell that is not a pair of classes")


@dataclass(frozen=True)
class RankKey:
    """How many classes have a higher score than the true one, and how many others the same."""

    columns = ()

    def code(self, batch: Batch) -> Coding:
        width = len(required(batch.class_scores).classes)
        codes = kernels.active().rank_codes(term_columns(batch))
        numbers, places = kernels.active().code_keys((codes,))
        keys = [divmod(code, width) for code in codes[places].tolist()]
        return Coding(numbers, len(keys), keys)

    def check(self, key: KeyTuple) -> None:
        above, level = key
        for part in (above, level):
            if type(part) is not int or not 0 <= part < 1 << 32:
                raise ValueError("an invalid rank")


@dataclass(frozen=True)
class ClusterKey:
    """The cluster; its number is the key, which the owner of the states knows."""

    columns = ()

    def code(self, batch: Batch) -> Coding:
        codes, count = required(batch.clusters)
        return Coding(codes, count, None)


@dataclass(frozen=True)
class WithinCluster:
    """The cluster's number, and another key."""

    rule: ClassPairKey | RankKey

    @property
    def columns(self) -> tuple[str, ...]:
        return ("the cluster", *self.rule.columns)

    def code(self, batch: Batch) -> Coding:
        clusters, _ = required(batch.clusters)
        codes, _, inner = self.rule.code(batch)
        assert inner is not None
        numbers, places = kernels.active().code_keys((clusters, codes))
        found = zip(clusters[places].tolist(), codes[places].tolist(), strict=True)
        keys: list[KeyTuple] = [(cluster, *inner[code]) for cluster, code in found]
        return Coding(numbers, len(keys), keys)

    def check(self, key: KeyTuple) -> None:
        cluster, *rest = key
        if type(cluster) is not int or cluster < 0:
            raise ValueError("an invalid cluster")
        self.rule.check(tuple(rest))


KeyRule = FieldKey | BinKey | ClassPairKey | RankKey | ClusterKey | WithinCluster


@cache
def find(name: str) -> KeyRule:
    """The rule of a name; a ValueError where there is none."""
    kind, _, argument = name.partition(" ")
    if kind == "field":
        return FieldKey(argument)
    if kind == "bin" and str(int(argument)) == argument and 0 < int(argument) <= MOST_BINS:
        return BinKey(int(argument))
    if name in ("class_pair", "rank"):
        return ClassPairKey() if name == "class_pair" else RankKey()
    if name == CLUSTER:
        return ClusterKey()
    if kind == CLUSTER and argument in ("class_pair", "rank"):
        rule = find(argument)
        assert isinstance(rule, ClassPairKey | RankKey)
        return WithinCluster(rule)
    raise ValueError(f"no key is called {name!r}")


def check_class(label: Any) -> None:
    """Refuse a label that cannot be a class, or is not in canonical form."""
    if not isinstance(label, str | int | float) or label != label:
        raise TypeError(f"{label!r} instead of a class")
    if type(plain_label(label)) is not type(label):
        raise ValueError(f"a class written as {label!r}")


def equal_width(q: Floats, bins: int) -> Array:
    """The bin of each probability."""
    return kernels.active().bin_codes(TermColumns(len(q), score=q), bins)


def _pairs(truth: CodedClasses, predicted: CodedClasses) -> tuple[Array, Sequence[int]]:
    """A code for each row's pair of classes, and the number of each code's pair."""
    width = max(len(predicted.classes), 1)
    count = len(truth.classes) * width
    few = count <= max(SMALL, len(truth.codes))
    type_ = np.min_scalar_type(max(count, 1)) if few else np.dtype(np.uint64)
    pairs: Array = truth.codes.astype(type_)
    pairs *= type_.type(width)
    pairs += predicted.codes.astype(type_)
    if few:
        return pairs, range(count)
    codes, places = kernels.active().code_keys((pairs,))
    return codes, pairs[places].tolist()


def plain_keys(stored: Any, rule: KeyRule) -> list[KeyTuple]:
    """The keys of a header, each checked to be in canonical form."""
    keys: list[tuple[Key, ...]] = [tuple(key) for key in stored]
    if isinstance(rule, BinKey | ClusterKey):
        raise TypeError("bins and clusters have no names")
    for key in keys:
        rule.check(key)
    return keys
