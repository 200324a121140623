"""Rows made from ranked lists and relevant items, the usual output of recommenders."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import errors

RankedItems = Mapping[Any, Sequence[Hashable]] | Sequence[Sequence[Hashable]]
RelevantItems = Mapping[Any, Any] | Sequence[Any]


def from_lists(ranked: RankedItems, relevant: RelevantItems) -> dict[str, Any]:
    """The arguments of `evaluate` for lists, ranked best first, and their relevant items.

    ranked: a list of items for each user or query, by name or in order
    relevant: for each of them the relevant items, or a grade for each item

    A relevant item that is not in its list was not retrieved: it counts in recall and in the ideal
    order, and has no rank.

    >>> import steelyard as sy
    >>> lists = from_lists(
    ...     {"ann": ["a", "b"], "bob": ["c"]}, {"ann": {"b"}, "bob": {"c": 2, "d": 1}}
    ... )
    >>> sy.evaluate(**lists, metrics="recall@2")["recall@2"]
    0.75
    """
    lists, truths = _by_name("ranked", ranked), _by_name("relevant", relevant)
    if not isinstance(ranked, Mapping) and len(lists) != len(truths):
        raise errors.LIST_COUNTS_DIFFER(count=len(lists), other=len(truths))
    if lists and truths and lists.keys().isdisjoint(truths):
        raise errors.NO_LIST_IN_COMMON(ranked=next(iter(lists)), relevant=next(iter(truths)))
    columns: dict[str, list[Any]] = {"group": [], "label": [], "score": []}
    for name in dict.fromkeys([*lists, *truths]):
        grades = _grades(truths.get(name, ()))
        items = _items(name, lists.get(name, ()))
        missed = [item for item in grades if item not in items]
        columns["group"] += [name] * (len(items) + len(missed))
        columns["label"] += [grades.get(item, 0) for item in (*items, *missed)]
        columns["score"] += [-float(rank) for rank in range(len(items))]
        columns["score"] += [float("nan")] * len(missed)
    return {**columns, "score": np.array(columns["score"]), "unscored": "not_retrieved"}


def _by_name(role: str, given: Any) -> Mapping[Any, Any]:
    if isinstance(given, Mapping):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise errors.NOT_LISTS(role=role, type=type(given).__name__)
    return dict(enumerate(given))


def _items(name: Any, ranked: Any) -> dict[Hashable, int]:
    """The rank of each item, from 0 for the best."""
    if isinstance(ranked, str) or not isinstance(ranked, Iterable):
        raise errors.NOT_LISTS(role="ranked", type=f"list of {type(ranked).__name__}")
    listed = list(ranked)
    items = {item: place for place, item in enumerate(listed)}
    if len(items) < len(listed):
        twice = next(item for place, item in enumerate(listed) if items[item] != place)
        raise errors.ITEM_TWICE(list=name, item=twice)
    return items


def _grades(relevant: Any) -> Mapping[Hashable, Any]:
    """The grade of each item; 1 if no grades are given."""
    if isinstance(relevant, Mapping):
        return relevant
    if isinstance(relevant, str) or not isinstance(relevant, Iterable):
        raise errors.NOT_LISTS(role="relevant", type=f"list of {type(relevant).__name__}")
    return dict.fromkeys(relevant, 1)
